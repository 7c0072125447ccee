/** A repository's configuration as of its default branch. Unchanged settings cost nothing of the rate limit. */
import type { Config } from '../../domain/config/config.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { ActPorts } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';

const MAX_PATHS = 20_000;

interface From {
  ports: ActPorts;
  readSettings: ReadSettings;
}

export async function readConfig(
  ref: RepositoryRef,
  { ports, readSettings }: From,
): Promise<Config> {
  const session = ports.github.at(ref);
  const facts = await session.read.repository(ref);
  const isEmpty = facts.headSha === '';
  const tree = isEmpty ? { paths: [] } : await session.read.paths(ref, facts.headSha, MAX_PATHS);
  return (await readSettings(ref, { session, facts, paths: tree.paths })).config;
}

/** Undefined where it cannot be read and a retry would not help. */
export async function configOf(ref: RepositoryRef, from: From): Promise<Config | undefined> {
  try {
    return await readConfig(ref, from);
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return undefined;
    throw error;
  }
}
