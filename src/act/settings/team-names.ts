/** What a repository's personas are called: kept for a while, so that a comment that speaks to nobody costs no call. */
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { ActPorts } from '../ports.ts';
import { createTtlCache } from '../ttl-cache.ts';
import { readSettingsAt, type ReadSettings } from './read-settings.ts';

/** Names of the active personas, at most some minutes old. */
export type TeamNames = (ref: RepositoryRef, session: GitHubSession) => Promise<string[]>;

const TTL_MS = 5 * 60_000;
/** Repositories whose names are kept; the one that was read first goes first. */
const MAX_KEPT = 1_000;

export function createTeamNames(
  { clock, caches }: Pick<ActPorts, 'clock' | 'caches'>,
  readSettings: ReadSettings,
): TeamNames {
  const kept = createTtlCache<string[]>(clock, { ttlMs: TTL_MS, most: MAX_KEPT });
  caches?.onForget((installationId) => kept.forget(`${installationId}/`));
  return async (ref, session) => {
    const key = `${ref.installationId}/${ref.repositoryId}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const facts = await session.read.repository(ref);
    const { personas } = await readSettingsAt(ref, facts, { session, readSettings });
    const names = personas.filter((persona) => persona.active).map((persona) => persona.name);
    kept.set(key, names);
    return names;
  };
}
