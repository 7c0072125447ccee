/** Estimates as plans have them: `5-10 min`, `2h`, `1.5 days`; and how durations are written for people. */

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|sec|secs|seconds?)$/, 1],
  [/^(?:m|min|mins|minutes?)$/, 60],
  [/^(?:h|hr|hrs|hours?)$/, 3_600],
  // A working day, and five of them.
  [/^(?:d|days?)$/, 8 * 3_600],
  [/^(?:w|weeks?)$/, 40 * 3_600],
];
const AMOUNT =
  /^~?(\d{1,5}(?:\.\d{1,2})?)(?:\s{0,3}(?:-|–|to)\s{0,3}(\d{1,5}(?:\.\d{1,2})?))?\s{0,3}([a-z]{1,8})\.?$/;

/** The most that an estimate allows, in milliseconds; undefined for sizes, words and points. */
export function estimateMs(estimate: string): number | undefined {
  const [, low, high, word] = AMOUNT.exec(estimate.trim().toLowerCase()) ?? [];
  if (low === undefined || word === undefined) return undefined;
  const unit = UNITS.find(([name]) => name.test(word))?.[1];
  const amount = Math.max(Number(low), Number(high ?? low));
  return unit === undefined || amount === 0 ? undefined : amount * unit * 1000;
}

/** `850 ms`, `4.2 s`, `12 min`, `1 h 5 min`. */
export function formatMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trimZero(ms / 1_000)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

function trimZero(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
