/** What a repository's personas are called: kept for a while, so that a comment that speaks to nobody costs no call. */
import type { RepositoryRef } from '../domain/thread.ts';
import type { GitHubSession } from '../ports/github.ts';
import type { ActPorts } from './ports.ts';
import { readSettingsAt, type ReadSettings } from './settings.ts';

/** Names of the active personas, at most some minutes old. */
export type TeamNames = (ref: RepositoryRef, session: GitHubSession) => Promise<string[]>;

const TTL_MS = 5 * 60_000;
/** Repositories whose names are kept; the one that was read first goes first. */
const MAX_KEPT = 1_000;

export function createTeamNames({ clock }: ActPorts, readSettings: ReadSettings): TeamNames {
  const kept = new Map<number, { until: number; names: string[] }>();
  return async (ref, session) => {
    const known = kept.get(ref.repositoryId);
    if (known !== undefined && known.until > clock.now()) return known.names;
    const facts = await session.read.repository(ref);
    const { personas } = await readSettingsAt(ref, facts, { session, readSettings });
    const names = personas.filter((persona) => persona.active).map((persona) => persona.name);
    kept.delete(ref.repositoryId);
    kept.set(ref.repositoryId, { until: clock.now() + TTL_MS, names });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return names;
  };
}
