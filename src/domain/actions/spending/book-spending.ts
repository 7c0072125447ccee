/**
 * What workflows spent on models, by day and by moment. The daily limits need the moments, since they count the last
 * 24 hours. The days are for reports, and are all that older versions wrote.
 */

const DAY_MS = 24 * 3_600_000;
const MOST_DAYS = 31;
/** Beyond them the oldest are counted together, at the younger moment: longer than they have to, never too short. */
const MOST_MOMENTS = 200;

/** Of models. */
export interface Spending {
  /** US dollars. */
  usd: number;
  /** Of searches of the code alone. */
  tokens: number;
}

export interface SpendingBooks {
  /** Dollars by day, such as `2026-11-26`. */
  spentUsd: Record<string, number>;
  /** Tokens of searches of the code by day. */
  watchTokens: Record<string, number>;
  /** By the moment, ISO 8601: what was spent yesterday and today. */
  spentAt: Record<string, Spending>;
}

/**
 * Adds what was spent at that moment, ISO 8601. What is negative takes back what was booked there. Where that was
 * joined to another moment meanwhile, it stays in the last 24 hours.
 */
export function bookSpending<T extends SpendingBooks>(
  books: T,
  at: string,
  { usd, tokens }: Spending,
): T {
  const day = at.slice(0, 10);
  const known = books.spentAt[at] ?? { usd: 0, tokens: 0 };
  const sum = { usd: plus(known.usd, usd), tokens: plus(known.tokens, tokens) };
  return {
    ...books,
    spentUsd: addOn(books.spentUsd, day, usd),
    watchTokens: addOn(books.watchTokens, day, tokens),
    spentAt: recentMoments({ ...books.spentAt, [at]: { ...known, ...sum } }),
  };
}

function addOn(byDay: Record<string, number>, day: string, amount: number): typeof byDay {
  if (amount === 0) return byDay;
  const all = Object.entries({ ...byDay, [day]: plus(byDay[day] ?? 0, amount) });
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? 1 : -1)).slice(0, MOST_DAYS));
}

/** Of the 24 hours before now. Of what is known by its day alone, yesterday and today count in full: never too little. */
export function spendingOfLastDay(books: SpendingBooks, now: number): Spending {
  return {
    usd: ofLastDay(books.spentUsd, momentsOf(books, 'usd'), now),
    tokens: ofLastDay(books.watchTokens, momentsOf(books, 'tokens'), now),
  };
}

function momentsOf({ spentAt }: SpendingBooks, what: keyof Spending): [string, number][] {
  return Object.entries(spentAt).map(([at, spent]) => [at, spent[what]]);
}

function ofLastDay(
  byDay: Record<string, number>,
  moments: readonly [string, number][],
  now: number,
): number {
  const since = now - DAY_MS;
  const recent = total(moments.filter(([at]) => Date.parse(at) > since));
  const undated = [now, since].map((ms) => {
    const day = dayOf(ms);
    const dated = total(moments.filter(([at]) => at.startsWith(day)));
    return Math.max(0, (byDay[day] ?? 0) - dated);
  });
  return rounded(undated.reduce((sum, part) => sum + part, recent));
}

function total(moments: readonly [string, number][]): number {
  return moments.reduce((sum, [, part]) => sum + part, 0);
}

/** Those of one day are counted together where they are too many. */
function recentMoments(moments: SpendingBooks['spentAt']): SpendingBooks['spentAt'] {
  const all = Object.entries(moments)
    .filter(([, { usd, tokens }]) => usd > 0 || tokens > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const last = Date.parse(all.at(-1)?.[0] ?? '1970-01-02');
  const kept = all.filter(([at]) => dayOf(Date.parse(at)) >= dayOf(last - DAY_MS));
  while (kept.length > MOST_MOMENTS) {
    // Two of one day: a day's sum is never less than that of its moments.
    const at = kept.findIndex(([moment], n) => kept[n + 1]?.[0].startsWith(moment.slice(0, 10)));
    const [[, older] = NONE, [moment, younger] = NONE] = kept.slice(at, at + 2);
    const usd = plus(older.usd, younger.usd);
    kept.splice(at, 2, [moment, { ...younger, usd, tokens: plus(older.tokens, younger.tokens) }]);
  }
  return Object.fromEntries(kept);
}

const NONE = ['', { usd: 0, tokens: 0 }] as const;

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function plus(sum: number, part: number): number {
  return Math.max(0, rounded(sum + part));
}

function rounded(sum: number): number {
  return Math.round(sum * 1e6) / 1e6;
}

/** Dollars of the days from the first moment to the day before the last; ISO 8601. */
export function spentBetween({ spentUsd }: SpendingBooks, from: string, to: string): number {
  return Object.entries(spentUsd)
    .filter(([day]) => day >= from.slice(0, 10) && day < to.slice(0, 10))
    .reduce((sum, [, usd]) => sum + usd, 0);
}

/** Dollars of the last 24 hours. */
export function spentLastDay(books: SpendingBooks, now: number): number {
  return spendingOfLastDay(books, now).usd;
}

/** Tokens of searches of the code, counted as {@link spentLastDay} counts. */
export function watchTokensLastDay(books: SpendingBooks, now: number): number {
  return spendingOfLastDay(books, now).tokens;
}
