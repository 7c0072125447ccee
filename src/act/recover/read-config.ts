/** A repository's configuration as of its default branch. Unchanged settings cost nothing of the rate limit. */
import type { Config } from '../../domain/config/config.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { RepositoryFacts } from '../../ports/github/github-reader.ts';
import type { ActPorts } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';

const MAX_PATHS = 20_000;

export interface ConfigWithFacts {
  config: Config;
  facts: RepositoryFacts;
}

interface From {
  ports: ActPorts;
  readSettings: ReadSettings;
}

export async function readConfig(ref: RepositoryRef, from: From): Promise<Config> {
  return (await readConfigWithFacts(ref, from)).config;
}

/** Also what GitHub says of the repository, which was read on the way. */
export async function readConfigWithFacts(
  ref: RepositoryRef,
  { ports, readSettings }: From,
): Promise<ConfigWithFacts> {
  const session = ports.github.at(ref);
  const facts = await session.read.repository(ref);
  const isEmpty = facts.headSha === '';
  const tree = isEmpty ? { paths: [] } : await session.read.paths(ref, facts.headSha, MAX_PATHS);
  const { config } = await readSettings(ref, { session, facts, paths: tree.paths });
  return { config, facts };
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
