/** What is wrong with a repository's memory: notes that no run uses any more, and lessons that were lost. */
import type { Config } from '../../domain/config/config.ts';
import type { MemoryHealth } from '../../domain/digest/weekly-digest.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import { threadKeysOf, type RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { StoredEffect } from '../../ports/store.ts';
import type { Week } from '../../record/digest/collect-week.ts';
import type { EffectContext } from '../effect-context.ts';
import { staleIn } from '../memory/list-notes.ts';
import { findFailedReflections } from '../memory/failed-reflections.ts';
import { memorySessionOf, toMemoryPlace } from '../memory/read-memory.ts';

export interface HealthContext extends Pick<EffectContext, 'ports' | 'readMemory' | 'waits'> {
  /** The week has nothing else to report: then GitHub is not asked for the memory. */
  isQuiet: boolean;
  session: GitHubSession;
  config: Config;
  week: Week;
  /** Tip of the default branch: what notes cite is looked up there. */
  headSha: string;
}

/**
 * Asks GitHub for the head of the memory branch alone where the memory was read before, and where notes cite files for these.
 * Undefined where nothing is wrong.
 */
export async function readMemoryHealth(
  ref: RepositoryRef,
  context: HealthContext,
): Promise<MemoryHealth | undefined> {
  const [stale, failed] = await Promise.all([countStale(ref, context), countFailed(ref, context)]);
  if ((stale ?? 0) + failed === 0) return undefined;
  return { ...(stale !== undefined && { stale }), failed };
}

/** Undefined where the memory was not read. */
async function countStale(
  ref: RepositoryRef,
  { session, config, isQuiet, headSha, readMemory, waits, ports: { clock } }: HealthContext,
): Promise<number | undefined> {
  const reached = memorySessionOf(session);
  if (isQuiet || reached === undefined || !config.memory.enabled) return undefined;
  const count = async (): Promise<number | undefined> => {
    const memory = await readMemory(reached, toMemoryPlace(ref, config));
    return memory && (await staleIn(ref, memory, { session, config, clock, headSha })).size;
  };
  return count().catch((error: unknown) => withoutMemory(error, waits));
}

/** So often the look at a week is tried again for it. */
const MOST_WAITS = 3;

/** The digest is written all the same where the memory cannot be read for good, or for long. */
function withoutMemory(error: unknown, waits: EffectContext['waits']): undefined {
  if (!(error instanceof QuorumError)) throw error;
  const isLasting = waits?.code === error.code && (waits.times ?? 0) >= MOST_WAITS;
  if (error.retryable && !isLasting) throw error;
  return undefined;
}

async function countFailed(
  { repositoryId }: RepositoryRef,
  { ports: { store }, week }: HealthContext,
): Promise<number> {
  const failed = await findFailedReflections(store.records);
  const threads = threadKeysOf(repositoryId);
  return failed.filter((each) => each.key.startsWith(threads) && endedIn(each, week)).length;
}

/** By when it was given up: it may have been wanted weeks before. */
export function endedIn(
  { settledAt, at }: Pick<StoredEffect, 'settledAt' | 'at'>,
  { from, to }: Week,
): boolean {
  const ended = settledAt ?? at;
  return ended > from && ended <= to;
}
