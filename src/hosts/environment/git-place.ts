/** Where git works on this machine, and how it reaches GitHub. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { GitOptions } from '../../adapters/git/create-git.ts';
import type { RemoteNetwork } from '../../adapters/git/remote-call.ts';
import { networkOf } from '../../adapters/system/network.ts';
import type { GitHubWork } from '../../ports/github/work.ts';
import { readDiskShares } from './read-disk-shares.ts';
import type { Env } from './env-file.ts';
import { readHostSettings } from './host-settings.ts';
import type { Basics } from '../host-parts.ts';

/** @throws ConfigError `disk-limit-invalid` */
export function readGitPlace(
  { env, clock }: Pick<Basics, 'env' | 'clock'>,
  github: Pick<GitHubWork, 'remote'>,
): GitOptions {
  const folder = workFolder(readHostSettings(env).dataDir);
  const network = gitNetwork(env, folder);
  return {
    folder,
    shares: readDiskShares(env),
    remoteOf: async (ref) => ({ ...(await github.remote(ref)), network }),
    clock,
  };
}

export function workFolder(dataDir: string): string {
  return path.join(dataDir, 'work');
}

/** The same way as every other request of Quorum: git does not know Node's authorities. */
function gitNetwork(env: Env, folder: string): RemoteNetwork {
  const { proxies, authorities } = networkOf(env);
  if (authorities.length === 0) return { proxies, authorities: undefined };
  const file = path.join(folder, 'authorities.pem');
  mkdirSync(folder, { recursive: true });
  // Another process may be reading it.
  writeFileSync(`${file}.${process.pid}`, `${authorities.join('\n')}\n`);
  renameSync(`${file}.${process.pid}`, file);
  return { proxies, authorities: file };
}
