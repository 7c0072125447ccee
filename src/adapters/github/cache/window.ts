/** A sliding window that counts what was spent in the last so many milliseconds. */

export interface Window {
  /** How long until `amount` more fits; 0 when it fits now. */
  waitMs(nowMs: number, amount: number): number;
  add(nowMs: number, amount: number): void;
}

export function createWindow(lengthMs: number, cap: number): Window {
  let spent: { atMs: number; amount: number }[] = [];
  let total = 0;
  const drop = (nowMs: number): void => {
    let gone = 0;
    for (const one of spent) {
      if (one.atMs > nowMs - lengthMs) break;
      gone += 1;
      total -= one.amount;
    }
    if (gone > 0) spent = spent.slice(gone);
  };
  return {
    waitMs(nowMs, amount) {
      drop(nowMs);
      let over = total + amount - cap;
      for (const one of spent) {
        if (over <= 0) return 0;
        over -= one.amount;
        if (over <= 0) return one.atMs + lengthMs - nowMs;
      }
      // More than the cap itself: it never fits, so the caller is sent away for a whole window.
      return over > 0 ? lengthMs : 0;
    },
    add(nowMs, amount) {
      if (amount === 0) return;
      spent.push({ atMs: nowMs, amount });
      total += amount;
    },
  };
}
