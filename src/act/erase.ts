/** Erases what was deleted on GitHub, and daily what is past its time: grace periods of places, retention of rows. */
import type { EffectData } from '../domain/event/effect.ts';
import {
  addRows,
  countRows,
  installationOfKey,
  NO_ROWS,
  repositoryOfKey,
  type ErasedRows,
  type ErasureTarget,
} from '../domain/tenant/erasure-target.ts';
import {
  closedInInstallation,
  closedRepository,
  isPastGrace,
  type ClosedPlace,
} from '../domain/tenant/purge.ts';
import type { ActPorts, Performed } from './ports.ts';

type Wanted = Extract<EffectData, { kind: 'erase' }>;

export async function erase({ target }: Wanted, ports: ActPorts): Promise<Performed<'erase'>> {
  const result =
    target.kind === 'past' ? await erasePast(ports) : await ports.store.erasure.erase(target);
  return { effectKind: 'erase', result, githubCalls: {} };
}

async function erasePast(ports: ActPorts): Promise<Performed<'erase'>['result']> {
  const { store, graceMs, caches, log } = ports;
  const expired = await store.erasure.expire();
  const over = graceMs === undefined ? [] : await pastGrace(ports, graceMs);
  let rows = NO_ROWS;
  let places = 0;
  for (const target of await stillClosed(over, ports)) {
    const erased = await erasePlace(target, ports);
    if (target.kind === 'installation') caches?.forget(target.installationId);
    if (countRows(erased) === 0) continue;
    rows = addRows(rows, erased);
    places += 1;
    log?.info({ ...target, rows: countRows(erased) }, 'place erased after its grace period');
  }
  await store.erasure.compact();
  return { ...rows, expired, places };
}

type PlaceTarget = Extract<ErasureTarget, { kind: 'installation' | 'repository' }>;

/** Rows and files of a place. Files of a repository that another installation covers stay with its rows. */
export async function erasePlace(
  target: PlaceTarget,
  { store, files }: Pick<ActPorts, 'store' | 'files'>,
): Promise<ErasedRows> {
  const before = await repositoriesKept(store);
  const rows = await store.erasure.erase(target);
  const after = await repositoriesKept(store);
  const gone = target.kind === 'repository' ? [target.repositoryId] : [...before];
  for (const id of gone) if (!after.has(id)) await files?.erase(id);
  return rows;
}

async function repositoriesKept({ erasure }: ActPorts['store']): Promise<Set<number>> {
  return new Set((await erasure.keys()).flatMap((key) => repositoryOfKey(key) ?? []));
}

/** Places whose grace period is over by what the store knows. */
async function pastGrace(
  { store, clock }: Pick<ActPorts, 'store' | 'clock'>,
  graceMs: number,
): Promise<ClosedPlace[]> {
  const over: ClosedPlace[] = [];
  for (const closed of await closedPlaces(store)) {
    const closedAt = closed.closedAt ?? (await lastSettledAt(closed.key, store));
    if (isPastGrace(closedAt, { now: clock.now(), graceMs })) over.push(closed);
  }
  return over;
}

async function closedPlaces(store: ActPorts['store']): Promise<ClosedPlace[]> {
  const closed: ClosedPlace[] = [];
  const read = async (
    start: string,
    idOf: (key: string) => number | undefined,
    places: typeof closedRepository,
  ): Promise<void> => {
    for (const key of await store.erasure.keys(start)) {
      const id = idOf(key);
      if (id !== undefined) closed.push(...places(key, id, (await store.load(key))?.state));
    }
  };
  await read('installation:', installationOfKey, closedInInstallation);
  await read('repository:', repositoryOfKey, closedRepository);
  return closed;
}

/** An older version did not write down when it was closed: no earlier than its last event that is kept. */
async function lastSettledAt(
  key: string,
  { records }: ActPorts['store'],
): Promise<string | undefined> {
  const [last] = await records.events({ key, newestFirst: true, limit: 1 });
  return last?.settledAt;
}

/** GitHub has the last word: a webhook that told of a return may be lost. Throws where it cannot be asked. */
async function stillClosed(
  over: readonly ClosedPlace[],
  { github }: Pick<ActPorts, 'github'>,
): Promise<PlaceTarget[]> {
  if (over.length === 0) return [];
  const there = await github.app.installations();
  const covered = new Set<number>();
  for (const { installationId } of there.filter(({ isSuspended }) => !isSuspended))
    for (const ref of await github.app.repositories(installationId)) covered.add(ref.repositoryId);
  const except = [...covered];
  return over.flatMap((place): PlaceTarget[] => {
    if (place.kind === 'repository') {
      const { kind, repositoryId, removedFrom } = place;
      if (covered.has(repositoryId)) return [];
      return [{ kind, repositoryId, ...(removedFrom !== undefined && { removedFrom }) }];
    }
    const { kind, installationId } = place;
    const isBack = there.some((each) => each.installationId === installationId);
    return isBack ? [] : [{ kind, installationId, except }];
  });
}
