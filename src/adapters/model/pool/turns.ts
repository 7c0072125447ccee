/**
 * Whose turn it is at one endpoint, as a value: slots and a rate, shared between installations in turn.
 *
 * The installation with the fewest calls under way is next; among equals, the one that was served longest ago. So a
 * flood of one installation waits behind itself. A refused caller keeps its turn until it has had time to retry.
 *
 * Where several installations use the endpoint, one of them gets at most half of the slots. Calls under way cannot be
 * taken back, and a slow model would keep the others waiting for them.
 */

export interface Limits {
  /** Calls at a time. */
  concurrency: number;
  /** Calls a minute; any number when absent. */
  rpm: number | undefined;
}

export interface Turns {
  limits: Limits;
  /** Calls under way, by installation. */
  running: Readonly<Record<string, number>>;
  /** Those that wait here, in the order of their arrival. */
  waiting: readonly Waiting[];
  /** Installations that were sent away, and until when their turn is kept. */
  kept: Readonly<Record<string, number>>;
  /** When an installation was last served, or came, counted in calls; forgotten when it wants nothing. */
  served: Readonly<Record<string, number>>;
  count: number;
  /** When each installation's last call began, within {@link SHARED_MS}. */
  seen: Readonly<Record<string, number>>;
  /** When the calls of the last minute began, oldest first. */
  starts: readonly number[];
}

export interface Waiting {
  id: number;
  who: string;
}

const MINUTE_MS = 60_000;
/** So long after its last call an installation still shares the endpoint. */
export const SHARED_MS = 24 * 60 * MINUTE_MS;

export function noTurns(limits: Limits): Turns {
  return { limits, running: {}, waiting: [], kept: {}, served: {}, count: 0, seen: {}, starts: [] };
}

/** Somebody wants a turn: it waits, if only until {@link grantTurns}. */
export function requestTurn(turns: Turns, waiting: Waiting): Turns {
  // Behind all that wait already, and before the one that was served last.
  const { [waiting.who]: at = turns.count - 0.5 } = turns.served;
  const served = { ...turns.served, [waiting.who]: at };
  const { [waiting.who]: _, ...kept } = turns.kept;
  return { ...turns, kept, served, waiting: [...turns.waiting, waiting] };
}

/** Somebody does not wait any more. */
export function cancelTurn(turns: Turns, id: number): Turns {
  return { ...turns, waiting: turns.waiting.filter((each) => each.id !== id) };
}

/** Whether this is the only one of its installation: then it is for this one that a turn is kept. */
export function isNextOfItsOwn({ waiting, kept }: Turns, { id, who }: Waiting): boolean {
  return kept[who] === undefined && !waiting.some((each) => each.who === who && each.id !== id);
}

/** Somebody is sent away, and its turn is kept until that time. */
export function keepTurn(turns: Turns, { id, who }: Waiting, until: number): Turns {
  return { ...cancelTurn(turns, id), kept: { ...turns.kept, [who]: until } };
}

/** How many calls one installation may have under way. */
export function mostOf({ limits, seen, waiting, kept }: Turns, who: string): number {
  const isOther = (other: string): boolean => other !== who;
  const isShared =
    Object.keys(seen).some(isOther) ||
    Object.keys(kept).some(isOther) ||
    waiting.some((each) => isOther(each.who));
  return isShared ? Math.ceil(limits.concurrency / 2) : limits.concurrency;
}

/** A call has ended. */
export function finishTurn(turns: Turns, who: string): Turns {
  const left = (turns.running[who] ?? 0) - 1;
  const { [who]: _, ...others } = turns.running;
  return { ...turns, running: left > 0 ? { ...others, [who]: left } : others };
}

/** Gives out what is free. A slot that is kept for an installation that was sent away stays empty until it is back. */
export function grantTurns(turns: Turns, now: number): { turns: Turns; granted: Waiting[] } {
  let next = tidy(turns, now);
  const granted: Waiting[] = [];
  const passed = new Set<string>();
  for (let free = freeTurns(next); free > 0; free -= 1) {
    const who = nextInTurn(next, passed);
    if (who === undefined) break;
    const first = next.waiting.find((each) => each.who === who);
    if (first === undefined) passed.add(who);
    else {
      next = start(next, first, now);
      granted.push(first);
    }
  }
  return { turns: next, granted };
}

/** When the rate has room again, in ms from now; 0 when it has. */
export function rateWaitMs({ limits, starts }: Turns, now: number): number {
  const { rpm } = limits;
  if (rpm === undefined) return 0;
  const within = starts.filter((at) => at > now - MINUTE_MS);
  const blocking = within.at(-rpm);
  return blocking === undefined ? 0 : blocking + MINUTE_MS - now;
}

function start(turns: Turns, { id, who }: Waiting, now: number): Turns {
  const count = turns.count + 1;
  return {
    ...cancelTurn(turns, id),
    running: { ...turns.running, [who]: (turns.running[who] ?? 0) + 1 },
    served: { ...turns.served, [who]: count },
    count,
    seen: { ...turns.seen, [who]: now },
    starts: turns.limits.rpm === undefined ? [] : [...turns.starts, now],
  };
}

function freeTurns({ limits, running, starts }: Turns): number {
  const busy = Object.values(running).reduce((sum, n) => sum + n, 0);
  return Math.min(limits.concurrency - busy, (limits.rpm ?? Infinity) - starts.length);
}

/** Fewest under way, then served longest ago, then first to come. */
function nextInTurn(turns: Turns, passed: ReadonlySet<string>): string | undefined {
  const { running, served, waiting, kept } = turns;
  const wanting = new Set([...Object.keys(kept), ...waiting.map(({ who }) => who)]);
  const [first] = [...wanting]
    .filter((who) => !passed.has(who) && countOf(running, who) < mostOf(turns, who))
    .toSorted(
      (a, b) =>
        countOf(running, a) - countOf(running, b) || countOf(served, a) - countOf(served, b),
    );
  return first;
}

function countOf(counts: Readonly<Record<string, number>>, who: string): number {
  return counts[who] ?? 0;
}

/** Drops what counts no more: kept turns that ended, starts of more than a minute ago, installations that want nothing. */
function tidy(turns: Turns, now: number): Turns {
  const kept = Object.fromEntries(Object.entries(turns.kept).filter(([, until]) => until > now));
  const wants = new Set([
    ...Object.keys(kept),
    ...Object.keys(turns.running),
    ...turns.waiting.map(({ who }) => who),
  ]);
  const served = Object.fromEntries(Object.entries(turns.served).filter(([who]) => wants.has(who)));
  const seen = Object.fromEntries(
    Object.entries(turns.seen).filter(([, at]) => at > now - SHARED_MS),
  );
  const starts = turns.starts.filter((at) => at > now - MINUTE_MS);
  return { ...turns, kept, served, seen, starts };
}
