/** What the checks and statuses of a commit say together, as gh lists them. */
import { rulesOf } from '../checks/required.ts';
import type { CheckRun, CommitStatus } from '../world/check-model.ts';
import { account, nodeId } from '../world/world.ts';
import { connection, toActorNode, type Paging, type Place } from './answer-parts.ts';
import { toRun } from './check-runs.ts';

const FAILED = new Set(['failure', 'timed_out', 'cancelled', 'action_required', 'startup_failure']);

/** Null where nothing reported. */
export function toRollup(place: Place, sha: string): object | null {
  const { repository } = place;
  const runs = newest(
    repository.checkRuns.filter(({ headSha }) => headSha === sha),
    ({ appId, name }) => `${appId}/${name}`,
  );
  const statuses = newest(
    repository.statuses.filter((one) => one.sha === sha),
    ({ context }) => context,
  );
  if (runs.length + statuses.length === 0) return null;
  const nodes = [
    ...runs.map((run) => ({ ...toRun(place, run), ...requirement(place, run.name, run.appId) })),
    ...statuses.map((one) => toContext(place, one)),
  ];
  return {
    __typename: 'StatusCheckRollup',
    id: nodeId('SCR', place.thread.id),
    state: rollupState(runs, statuses),
    contexts: (paging: Paging) => ({
      ...connection(nodes, paging),
      checkRunCount: runs.length,
      checkRunCountsByState: counted(runs.map((run) => run.conclusion ?? run.status)),
      statusContextCount: statuses.length,
      statusContextCountsByState: counted(statuses.map(({ state }) => state)),
    }),
  };
}

/** The last of each name, in the order in which the names came first. */
function newest<T>(all: readonly T[], key: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [key(one), one])).values()];
}

function rollupState(runs: readonly CheckRun[], statuses: readonly CommitStatus[]): string {
  const words = [
    ...runs.map(({ conclusion }) => conclusion ?? 'pending'),
    ...statuses.map(({ state }) => state),
  ];
  if (words.some((word) => FAILED.has(word))) return 'FAILURE';
  if (words.includes('error')) return 'ERROR';
  return words.includes('pending') ? 'PENDING' : 'SUCCESS';
}

function counted(words: readonly string[]): object[] {
  const groups = Map.groupBy(words, (word) => word.toUpperCase());
  return [...groups].map(([state, { length: count }]) => ({ state, count }));
}

function toContext(place: Place, status: CommitStatus): object {
  return {
    __typename: 'StatusContext',
    id: nodeId('SC', status.id),
    context: status.context,
    state: status.state.toUpperCase(),
    description: status.description,
    targetUrl: status.targetUrl,
    createdAt: status.createdAt,
    creator: toActorNode(account(place.world, status.creatorId)),
    ...requirement(place, status.context, undefined),
  };
}

/** Whether the base branch asks for it. */
function requirement(
  { repository, thread }: Place,
  name: string,
  from: number | undefined,
): { isRequired: () => boolean } {
  const { checks } = rulesOf(repository, thread.pull?.baseRef ?? '');
  return {
    isRequired: () =>
      checks.some(
        ({ context, appId }) => context === name && (appId === undefined || appId === from),
      ),
  };
}
