/** What participants of discussions said last: their steps, where no task was worked on. */
import type { Run } from '../../domain/run/state/run-record.ts';
import { isDiscussionRun, shownRuns } from '../../domain/run/state/run-record.ts';

export interface SaidInRun {
  handle: string;
  title: string;
  result: string;
}

/** By everybody who said something in the newest discussion or review of these threads. */
export function latestSaid(states: readonly unknown[]): SaidInRun[] {
  const discussions = states
    .filter(hasRuns)
    .flatMap((state) => shownRuns(state))
    .filter(isDiscussionRun)
    .toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  const [newest] = discussions;
  return (newest?.contributions ?? []).flatMap(({ handle, outcome, position }): SaidInRun[] => {
    if (outcome !== 'said' || position === undefined) return [];
    const found = position.findings.map(({ severity, title }) => `- ${severity}: ${title}`);
    const result = [`Voted ${position.vote}. ${position.line}`, ...found].join('\n');
    return [{ handle, title: `Discussion of #${newest?.thread.number ?? 0}`, result }];
  });
}

function hasRuns(state: unknown): state is { runs: Record<string, Run> } {
  return (
    typeof state === 'object' &&
    state !== null &&
    'v' in state &&
    state.v === 1 &&
    'runs' in state &&
    typeof state.runs === 'object' &&
    state.runs !== null
  );
}
