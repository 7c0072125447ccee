/** The code watch by the clock: due where the default branch has moved since all of its code was searched. Asks GitHub nothing. */
import { isQuietHour } from '../../domain/channel/announce/quiet-hours.ts';
import { EVENT_VERSION, type NewEvent } from '../../domain/event/event.ts';
import { isWatchDue } from '../../domain/loops/sweep-loops.ts';
import {
  toRepositoryState,
  type RepositoryState,
} from '../../domain/repository/repository-state.ts';
import {
  OURSELVES,
  repositoryKey,
  threadKey,
  toRepositoryThread,
  type RepositoryRef,
} from '../../domain/run/thread-ref.ts';
import type { ActPorts } from '../ports.ts';
import type { ConfigWithFacts } from './read-config.ts';

export async function dueCodeWatch(
  ref: RepositoryRef,
  read: ConfigWithFacts,
  { store, clock }: Pick<ActPorts, 'store' | 'clock'>,
): Promise<NewEvent[]> {
  const now = clock.now();
  if (!mayWatch(read, now)) return [];
  const { headSha } = read.facts;
  const { codeWatch } = read.config.sweeps;
  const state = toRepositoryState((await store.load(repositoryKey(ref)))?.state);
  const last = searchedAt(state);
  const isKnown = state?.searched?.sha === headSha;
  if (isKnown || state?.paused !== undefined || !isWatchDue(codeWatch, { now, last })) return [];
  const thread = toRepositoryThread(ref);
  const periodMs = codeWatch.everySeconds * 1_000;
  const period = Math.floor(now / periodMs);
  // First searches are spread over a period: an installation may have hundreds of repositories.
  if (last === undefined && now % periodMs < ref.repositoryId % periodMs) return [];
  const trigger = {
    kind: 'requested',
    by: 'reconcile',
    thread,
    actor: OURSELVES,
    label: 'code-watch',
    meaning: 'code-watch',
  } as const;
  return [
    {
      // Many passes begin it once. One that failed is begun again in the next period.
      id: `watch:${ref.repositoryId}:${headSha}:${period}`,
      key: threadKey(thread),
      version: EVENT_VERSION,
      at: new Date(now).toISOString(),
      data: { kind: 'trigger', trigger },
    },
  ];
}

function mayWatch({ config, facts }: ConfigWithFacts, now: number): boolean {
  const { enabled, sweeps, quietHours } = config;
  const isWanted = enabled && sweeps.codeWatch.enabled && sweeps.maxOpenCodeWatchIssues > 0;
  const isPossible = facts.headSha !== '' && !facts.isArchived && facts.hasNoIssues !== true;
  return isWanted && isPossible && !isQuietHour(now, quietHours);
}

function searchedAt(state: RepositoryState | undefined): number | undefined {
  return state?.searched === undefined ? undefined : Date.parse(state.searched.at);
}
