/** Is the store there, is it keeping up, and what died in it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { QuorumError, toFailure } from '../../../domain/event/errors.ts';
import type { Store } from '../../../ports/store.ts';
import type { Env } from '../../environment/env-file.ts';
import { openStore } from '../../open-store.ts';
import type { Basics } from '../../host-parts.ts';
import { readHostSettings, type HostSettings } from '../../environment/host-settings.ts';
import type { Finding } from './doctor-finding.ts';

/** Work that waits longer than this is not being done. */
const LATE_MS = 5 * 60_000;
const SHOWN = 5;
const TIMEOUT_MS = 5_000;

export async function checkStore(
  env: Env,
  basics: Pick<Basics, 'clock' | 'log'>,
): Promise<Finding[]> {
  const settings = readHostSettings(env);
  if (settings.databaseUrl === undefined && !existsSync(path.join(settings.dataDir, 'quorum.db')))
    return [
      {
        level: 'ok',
        about: 'store',
        says: `none yet; ${settings.dataDir} is made at the first start`,
      },
    ];
  try {
    return await lookInto(await openStore(settings, basics), settings);
  } catch (error) {
    const { code, message } = toFailure(error);
    if (code === 'data-dir-locked') return askTheHolder(settings, message);
    const fix =
      error instanceof QuorumError && settings.databaseUrl !== undefined
        ? 'Check DATABASE_URL and that PostgreSQL runs.'
        : 'Check QUORUM_DATA: a directory that this user may write to.';
    return [{ level: 'fail', about: 'store', says: `${message} [${code}]`, fix }];
  }
}

async function lookInto(opened: Store, settings: HostSettings): Promise<Finding[]> {
  try {
    return await examine(opened, settings);
  } finally {
    await opened.close();
  }
}

async function examine(opened: Store, settings: HostSettings): Promise<Finding[]> {
  await opened.records.ping();
  const counts = await opened.records.counts();
  const kind = settings.databaseUrl === undefined ? settings.dataDir : 'PostgreSQL';
  const waiting = counts.events.pending + counts.effects.pending;
  const store: Finding = {
    level: 'ok',
    about: 'store',
    says: `${kind}, ${counts.events.done} events reduced`,
  };
  const late = counts.lagMs > LATE_MS;
  const queue: Finding = late
    ? {
        level: 'warn',
        about: 'queue',
        says: `${waiting} waiting, the oldest for ${Math.round(counts.lagMs / 60_000)} min`,
        fix: 'Start the App (quorum start), or add a worker (quorum worker with DATABASE_URL).',
      }
    : { level: 'ok', about: 'queue', says: `${waiting} waiting` };
  return [store, queue, await findDead(opened), await findRefused(opened)];
}

async function findDead({ records }: Store): Promise<Finding> {
  const found = await Promise.all([
    records.events({ status: 'dead', limit: 100, newestFirst: true }),
    records.events({ status: 'parked', limit: 100, newestFirst: true }),
    records.effects({ status: 'dead', limit: 100, newestFirst: true }),
  ]);
  const dead = found.flat();
  if (dead.length === 0) return { level: 'ok', about: 'dead letters', says: 'none' };
  const shown = dead
    .slice(0, SHOWN)
    .map(({ id, key, reason }) => `${id} of ${key} (${reason ?? 'no reason kept'})`);
  return {
    level: 'fail',
    about: 'dead letters',
    says: `${dead.length} given up: ${shown.join('; ')}`,
    fix: 'Fix the cause, then run quorum doctor --requeue.',
  };
}

/** What is gone on GitHub (`github-not-found`, `github-moved`) is missed by nobody. */
const UNWANTED = /^github-(?!not-found|moved)/;

/** What GitHub did not take: a comment or a check may stand as it was before. */
async function findRefused({ records }: Store): Promise<Finding> {
  const all = await records.effects({ status: 'refused', limit: 100, newestFirst: true });
  const refused = all.filter(({ reason }) => UNWANTED.test(reason ?? ''));
  const about = 'refused by GitHub';
  if (refused.length === 0) return { level: 'ok', about, says: 'nothing of late' };
  const shown = refused
    .slice(0, SHOWN)
    .map(({ key, data, reason, createdAt }) => `${data.kind} of ${key}, ${createdAt}: ${reason}`);
  return {
    level: 'warn',
    about,
    says: `${refused.length} of late: ${shown.join('; ')}`,
    fix: 'Compare the permissions of the App with docs/permissions.md; a new push or command writes again.',
  };
}

/** The running App holds the embedded store: it can say how it is. */
async function askTheHolder({ host, port }: HostSettings, message: string): Promise<Finding[]> {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const says = `in use by the App, which says: ${(await answer.text()).slice(0, 300)}`;
    if (answer.ok) return [{ level: 'ok', about: 'store', says }];
    return [{ level: 'fail', about: 'store', says, fix: "Read the App's log." }];
  } catch {
    return [
      {
        level: 'warn',
        about: 'store',
        says: `${message} It does not answer at ${url}.`,
        fix: 'Set HOST and PORT as that process has them, or stop it and run this again.',
      },
    ];
  }
}
