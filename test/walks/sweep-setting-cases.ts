/** Settings of the loops that a workflow runs on a schedule. */
import { hasWatchTokens, isWatchDue } from '../../src/domain/loops/sweep-loops.ts';
import type { OwnCase } from './setting-cases.ts';

const HOUR_MS = 3_600_000;
const watchedAnHourAgo: OwnCase['outcome'] = ({ sweeps }) =>
  isWatchDue(sweeps.codeWatch, { now: 10 * HOUR_MS, last: 9 * HOUR_MS });

export const SWEEP_CASES: Readonly<Record<string, OwnCase>> = {
  'sweeps.codeWatch.enabled': {
    values: [true, false],
    outcome: ({ sweeps }) => isWatchDue(sweeps.codeWatch, { now: 0, last: undefined }),
  },
  'sweeps.codeWatch.dailyTokens': {
    values: [1_000, 2_000],
    outcome: ({ sweeps }) => hasWatchTokens(sweeps.codeWatch, 1_500),
  },
  'sweeps.codeWatch.everySeconds': { values: [1_800, 7_200], outcome: watchedAnHourAgo },
};
