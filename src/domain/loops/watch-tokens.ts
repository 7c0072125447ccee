/** What people read where the searches of the code have used their tokens of a day. */
import { hasWatchTokens } from './sweep-loops.ts';
import { type ActionsState } from '../actions/actions-state.ts';
import { watchTokensLastDay } from '../actions/spending/book-spending.ts';

const DAY_MS = 24 * 3_600_000;
const RAISE = 'To search more, raise `sweeps.codeWatch.dailyTokens` in `.github/quorum.yml`.';

/** Tokens are counted by days in UTC, and those of the day before count too. */
export function tellNoTokens(
  state: ActionsState,
  { dailyTokens, now }: { dailyTokens: number; now: number },
): string {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const free = [midnight + DAY_MS, midnight + 2 * DAY_MS].find((at) =>
    hasWatchTokens({ dailyTokens }, watchTokensLastDay(state, at)),
  );
  if (free === undefined)
    return `\`sweeps.codeWatch.dailyTokens\` is ${dailyTokens}, so no search of the code begins. ${RAISE}`;
  const day = new Date(free).toISOString().slice(0, 10);
  return `The searches of the last day have used the tokens of \`sweeps.codeWatch.dailyTokens\`. A search can begin again on ${day} at 00:00 UTC. ${RAISE}`;
}
