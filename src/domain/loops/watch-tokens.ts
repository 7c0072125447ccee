/** What people read where the searches of the code have used their tokens of a day. */
import { hasWatchTokens } from './sweep-loops.ts';
import { type ActionsState } from '../actions/actions-state.ts';
import { watchTokensLastDay } from '../actions/spending/book-spending.ts';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
const RAISE = 'To search more, raise `sweeps.codeWatch.dailyTokens` in `.github/quorum.yml`.';

/** A moment's tokens count for 24 hours. Older versions booked by day, and those of yesterday and today count in full. */
export function tellNoTokens(
  state: ActionsState,
  { dailyTokens, now }: { dailyTokens: number; now: number },
): string {
  const free = changesAfter(state, now).find((at) =>
    hasWatchTokens({ dailyTokens }, watchTokensLastDay(state, at)),
  );
  if (free === undefined)
    return `\`sweeps.codeWatch.dailyTokens\` is ${dailyTokens}, so no search of the code begins. ${RAISE}`;
  const minute = Math.ceil(free / MINUTE_MS) * MINUTE_MS;
  const [day, time = ''] = new Date(minute).toISOString().split('T');
  return `The searches of the last day have used the tokens of \`sweeps.codeWatch.dailyTokens\`. A search can begin again on ${day} at ${time.slice(0, 5)} UTC. ${RAISE}`;
}

/** When something of what counts now counts no longer, ascending. */
function changesAfter({ spentAt }: ActionsState, now: number): number[] {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const moments = Object.keys(spentAt).map((at) => Date.parse(at) + DAY_MS);
  return [...moments, midnight + DAY_MS, midnight + 2 * DAY_MS]
    .filter((at) => at > now)
    .toSorted((a, b) => a - b);
}
