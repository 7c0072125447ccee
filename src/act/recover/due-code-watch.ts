/** The code watch by the clock: due where the default branch has moved since all of its code was searched. Asks GitHub nothing. */
import { isQuietHour } from '../../domain/channel/announce/quiet-hours.ts';
import { EVENT_VERSION, type NewEvent } from '../../domain/event/event.ts';
import { hasWatchTokens, isWatchDue } from '../../domain/loops/sweep-loops.ts';
import { sumTokens } from '../../domain/run/ledger.ts';
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
  if (isSettled(state, headSha) || !isWatchDue(codeWatch, { now, last })) return [];
  const periodMs = codeWatch.everySeconds * 1_000;
  const period = Math.floor(now / periodMs);
  // First searches are spread over a period: an installation may have hundreds of repositories.
  if (last === undefined && now % periodMs < ref.repositoryId % periodMs) return [];
  // Before the first search has ended, none has used a token.
  const used = await (last === undefined ? 0 : tokensOfDay(ref, { store, clock }));
  const event = toWatchEvent(ref, { headSha, period, now });
  return hasWatchTokens(codeWatch, used) ? [event] : [];
}

function toWatchEvent(
  ref: RepositoryRef,
  { headSha, period, now }: { headSha: string; period: number; now: number },
): NewEvent {
  const thread = toRepositoryThread(ref);
  const trigger = {
    kind: 'requested',
    by: 'reconcile',
    thread,
    actor: OURSELVES,
    label: 'code-watch',
    meaning: 'code-watch',
  } as const;
  return {
    // Many passes begin it once. One that failed is begun again in the next period.
    id: `watch:${ref.repositoryId}:${headSha}:${period}`,
    key: threadKey(thread),
    version: EVENT_VERSION,
    at: new Date(now).toISOString(),
    data: { kind: 'trigger', trigger },
  };
}

const DAY_MS = 24 * 3_600_000;
/** Far more calls than searches of a day make. */
const MOST_CALLS = 10_000;

/** Only searches by the clock are in this stream. */
async function tokensOfDay(
  ref: RepositoryRef,
  { store, clock }: Pick<ActPorts, 'store' | 'clock'>,
): Promise<number> {
  const since = new Date(clock.now() - DAY_MS).toISOString();
  const key = threadKey(toRepositoryThread(ref));
  return sumTokens(await store.records.calls({ key, since, limit: MOST_CALLS }));
}

function mayWatch({ config, facts }: ConfigWithFacts, now: number): boolean {
  const { enabled, sweeps, quietHours } = config;
  const isWanted = enabled && sweeps.codeWatch.enabled && sweeps.maxOpenCodeWatchIssues > 0;
  const isPossible = facts.headSha !== '' && !facts.isArchived && facts.hasNoIssues !== true;
  return isWanted && isPossible && !isQuietHour(now, quietHours);
}

/** Nothing is to be searched there, or a person has paused Quorum. */
function isSettled(state: RepositoryState | undefined, headSha: string): boolean {
  return state?.searched?.sha === headSha || state?.paused !== undefined;
}

function searchedAt(state: RepositoryState | undefined): number | undefined {
  return state?.searched === undefined ? undefined : Date.parse(state.searched.at);
}
