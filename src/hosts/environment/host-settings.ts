/**
 * The settings that a process reads from its environment: where data lives, which GitHub, which secrets, how much it
 * logs.
 */
import { createHash, hkdfSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../domain/event/errors.ts';
import type { HostCaps } from '../../domain/config/host-caps.ts';
import type { Env } from './env-file.ts';
import { readHostCaps } from './read-host-caps.ts';

export interface HostSettings {
  /** PostgreSQL, when set; else the embedded store. */
  databaseUrl: string | undefined;
  dataDir: string;
  /** The data directory is {@link OLD_DATA_DIR}, which has a store already. */
  isOldDataDir: boolean;
  host: string;
  port: number;
  /** REST base of the GitHub that we talk to. */
  apiUrl: string;
  /** Where webhooks are fetched from, when GitHub cannot reach this process. */
  smeeUrl: string | undefined;
  /** Processes that do work on one store: they share what we allow ourselves of GitHub. */
  workers: number;
  /** Slots of this process that one installation may use at once; {@link defaultShare} when undefined. */
  installationSlots: number | undefined;
  /** What may be spent on models in a day, whatever repositories say. */
  hostCaps: HostCaps;
  keep: KeepSettings;
}

/** How long things are kept, in milliseconds. */
export interface KeepSettings {
  /** After the App, a repository's access or the repository is gone. */
  graceMs: number;
  /** Absent where the store's own default holds. */
  retention: Partial<Record<'settledMs' | 'deadMs' | 'statesMs' | 'ledgerMs', number>>;
}

const DEFAULT_PORT = 3000;
const DATA_DIR = '.quorum-data';
/** The default of older versions. In a repository it is the folder of the journal. */
const OLD_DATA_DIR = '.quorum';
/** Any of these shows that a directory has held a store. */
const STORE_FILES = ['quorum.db', 'quorum.db-wal', 'lock.db'];

/**
 * Reads the settings. ConfigError `port-invalid`, `workers-invalid`, `installation-slots-invalid`, `daily-limit-invalid`,
 * `keep-days-invalid`, `ghe-host-invalid`, `github-api-url-invalid` or `smee-url-invalid`.
 */
export function readHostSettings(env: Env): HostSettings {
  return {
    databaseUrl: filled(env['DATABASE_URL']),
    ...readDataDir(env),
    host: filled(env['HOST']) ?? '127.0.0.1',
    port: toPort(filled(env['PORT'])),
    apiUrl: readApiUrl(env),
    smeeUrl: readSmeeUrl(env),
    workers: toWorkers(filled(env['QUORUM_WORKERS'])),
    installationSlots: toInstallationSlots(filled(env['QUORUM_INSTALLATION_SLOTS'])),
    hostCaps: readHostCaps(env),
    keep: toKeep(env),
  };
}

function readDataDir(env: Env): Pick<HostSettings, 'dataDir' | 'isOldDataDir'> {
  const given = filled(env['QUORUM_DATA']);
  const isOldDataDir = given === undefined && hasStore(OLD_DATA_DIR) && !hasStore(DATA_DIR);
  const dir = given ?? (isOldDataDir ? OLD_DATA_DIR : DATA_DIR);
  return { dataDir: path.resolve(dir), isOldDataDir };
}

function hasStore(dir: string): boolean {
  return STORE_FILES.some((name) => existsSync(path.join(dir, name)));
}

/**
 * The REST base, without a slash at its end: of a GitHub Enterprise Server as Probot names it, of `GITHUB_API_URL`, else of
 * github.com. ConfigError `ghe-host-invalid` or `github-api-url-invalid`.
 */
export function readApiUrl(env: Env): string {
  const host = filled(env['GHE_HOST']);
  if (host === undefined) return toApiUrl(filled(env['GITHUB_API_URL']));
  if (/(?:^|\.)ghe\.com$/i.test(host))
    throw new ConfigError({
      code: 'ghe-host-invalid',
      message: `GHE_HOST is for an Enterprise Server, and ${host} is not one. Unset it and set GITHUB_API_URL=https://api.${host.replace(/^api\./i, '')}`,
    });
  return `${filled(env['GHE_PROTOCOL']) ?? 'https'}://${host}/api/v3`;
}

/**
 * A channel of smee.io, or of a server like it, that webhooks arrive through where GitHub cannot reach this process.
 * ConfigError `smee-url-invalid`.
 */
export function readSmeeUrl(env: Env): string | undefined {
  const text = filled(env['QUORUM_SMEE_URL']);
  if (text === undefined) return undefined;
  const url = URL.parse(text.trim());
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname.length > 1) return url.href;
  throw new ConfigError({
    code: 'smee-url-invalid',
    message: `QUORUM_SMEE_URL is ${text}; the address of a channel such as https://smee.io/AbCd1234 is expected. https://smee.io/new makes one.`,
  });
}

function toApiUrl(text = 'https://api.github.com'): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '')
    return url.href.replace(/(?<!\/)\/+$/, '');
  throw new ConfigError({
    code: 'github-api-url-invalid',
    message: `GITHUB_API_URL is ${text}; the address of a REST API such as https://api.SUBDOMAIN.ghe.com is expected.`,
  });
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

function toInstallationSlots(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const slots = Number(text);
  if (Number.isInteger(slots) && slots > 0 && slots <= 256) return slots;
  throw new ConfigError({
    code: 'installation-slots-invalid',
    message: `QUORUM_INSTALLATION_SLOTS is ${text}. Set the number of slots that one installation may use at once, from 1 to 256.`,
  });
}

const DAY_MS = 24 * 3_600_000;
const GRACE_DAYS = 30;
const MOST_DAYS = 3650;

function toKeep(env: Env): KeepSettings {
  const days = {
    settledMs: toDaysMs('QUORUM_KEEP_DAYS', env['QUORUM_KEEP_DAYS']),
    deadMs: toDaysMs('QUORUM_KEEP_DEAD_DAYS', env['QUORUM_KEEP_DEAD_DAYS']),
    statesMs: toDaysMs('QUORUM_KEEP_STATES_DAYS', env['QUORUM_KEEP_STATES_DAYS']),
    ledgerMs: toDaysMs('QUORUM_KEEP_LEDGER_DAYS', env['QUORUM_KEEP_LEDGER_DAYS']),
  };
  const set = Object.entries(days).filter(([, ms]) => ms !== undefined);
  const grace = toDaysMs('QUORUM_PURGE_AFTER_DAYS', env['QUORUM_PURGE_AFTER_DAYS'], 0);
  return { graceMs: grace ?? GRACE_DAYS * DAY_MS, retention: Object.fromEntries(set) };
}

function toDaysMs(name: string, value: string | undefined, least = 1): number | undefined {
  const text = filled(value);
  if (text === undefined) return undefined;
  const days = Number(text);
  if (Number.isInteger(days) && days >= least && days <= MOST_DAYS) return days * DAY_MS;
  throw new ConfigError({
    code: 'keep-days-invalid',
    message: `${name} is ${text}; a number of days from ${least} to ${MOST_DAYS} is expected.`,
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
 * The secret that signs the markers of Quorum's comments. It is the same in every process and after the loss of the
 * store, so that Quorum recognizes its own comments. Derived from `QUORUM_ENCRYPTION_KEY`, else from Quorum's
 * identity on GitHub.
 */
export function markerSecretFrom(env: Env, identity: string): string {
  const source = filled(env['QUORUM_ENCRYPTION_KEY']) ?? identity;
  const key = createHash('sha256').update(source).digest();
  return Buffer.from(hkdfSync('sha256', key, 'quorum', 'comment markers v1', 32)).toString(
    'base64url',
  );
}
