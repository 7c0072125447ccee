/** What a process is told by its environment: where data lives, which GitHub, which secrets, how loud. */
import { createHash, hkdfSync } from 'node:crypto';
import path from 'node:path';
import { ConfigError } from '../domain/errors.ts';
import type { Env } from './env-file.ts';

export interface HostSettings {
  /** PostgreSQL, when set; else the embedded store. */
  databaseUrl: string | undefined;
  dataDir: string;
  host: string;
  port: number;
  /** REST base of the GitHub that we talk to. */
  apiUrl: string;
  /** Processes that do work on one store: they share what we allow ourselves of GitHub. */
  workers: number;
}

const DEFAULT_PORT = 3000;

/** Reads the settings. ConfigError `port-invalid` or `workers-invalid`. */
export function readSettings(env: Env): HostSettings {
  return {
    databaseUrl: filled(env['DATABASE_URL']),
    dataDir: path.resolve(filled(env['QUORUM_DATA']) ?? '.quorum'),
    host: filled(env['HOST']) ?? '127.0.0.1',
    port: toPort(filled(env['PORT'])),
    apiUrl: toApiUrl(env),
    workers: toWorkers(filled(env['QUORUM_WORKERS'])),
  };
}

/** GitHub Enterprise Server as Probot names it, else github.com. */
function toApiUrl(env: Env): string {
  const host = filled(env['GHE_HOST']);
  if (host === undefined) return filled(env['GITHUB_API_URL']) ?? 'https://api.github.com';
  return `${filled(env['GHE_PROTOCOL']) ?? 'https'}://${host}/api/v3`;
}

function toWorkers(text: string | undefined): number {
  if (text === undefined) return 1;
  const workers = Number(text);
  if (Number.isInteger(workers) && workers > 0 && workers <= 100) return workers;
  throw new ConfigError({
    code: 'workers-invalid',
    message: `QUORUM_WORKERS is ${text}; the number of processes that do work, 1 to 100, is expected.`,
  });
}

function toPort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new ConfigError({
    code: 'port-invalid',
    message: `PORT is ${text}; a number from 0 to 65535 is expected.`,
  });
}

export function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

/**
 * The secret that signs the markers of our comments. The same in every process and after the loss of the store, so that
 * our own comments are known again: derived from `QUORUM_ENCRYPTION_KEY`, else from what we are to GitHub.
 */
export function markerSecretFrom(env: Env, identity: string): string {
  const source = filled(env['QUORUM_ENCRYPTION_KEY']) ?? identity;
  const key = createHash('sha256').update(source).digest();
  return Buffer.from(hkdfSync('sha256', key, 'quorum', 'comment markers v1', 32)).toString(
    'base64url',
  );
}
