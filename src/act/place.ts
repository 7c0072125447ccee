/** Where an effect is carried out: where its repository is now, unless nothing may be done there. */
import type { Effect, EffectData } from '../domain/event/effect.ts';
import { RefusedError, TransientError } from '../domain/event/errors.ts';
import { toInstallationState, closedReason } from '../domain/tenant/installation-state.ts';
import {
  LONGEST_PAUSE_HOURS,
  toRepositoryState,
  type RepositoryState,
} from '../domain/repository/repository-state.ts';
import type { RepositoryRef } from '../domain/run/thread-ref.ts';
import { EFFECTS } from './effects.ts';
import type { ActPorts } from './ports.ts';

/**
 * Returns the effect with its repository's present name and installation. An effect keeps those of the moment when it
 * was decided.
 *
 * @throws RefusedError `place-closed`. ING-12: nothing is written after the App was removed, however full the queue
 * was.
 */
export async function whereItIsNow(
  effect: Effect,
  ports: { store: Pick<ActPorts['store'], 'load'>; clock: Pick<ActPorts['clock'], 'now'> },
): Promise<Effect> {
  const decided = placeOf(effect.data);
  if (decided === undefined) return effect;
  const { store } = ports;
  const stored = await store.load(`repository:${decided.repositoryId}`);
  const repository = toRepositoryState(stored?.state);
  const moved = await look({ ...decided, ...repository?.at }, store);
  // The App was removed from where the repository moved to, and installed again: what was decided since knows the new place.
  const isOver =
    moved.closed !== undefined && moved.place.installationId !== decided.installationId;
  const before = isOver ? await look(decided, store) : moved;
  const { place, closed } = before.closed === undefined ? before : moved;
  refuseThere(effect, { closed, repository, now: ports.clock.now() });
  return { ...effect, data: moveTo(effect.data, place) };
}

/** An installation is of one account, which owns all its repositories: the account's own name is the newest. */
async function look(
  { installationId, repositoryId, owner, repo }: RepositoryRef,
  store: Pick<ActPorts['store'], 'load'>,
): Promise<{ place: RepositoryRef; closed: string | undefined }> {
  const installation = (await store.load(`installation:${installationId}`))?.state;
  const account = toInstallationState(installation)?.account ?? owner;
  return {
    place: { installationId, repositoryId, owner: account, repo },
    closed: closedReason(installation, repositoryId),
  };
}

function refuseThere(
  { data, at }: Effect,
  to: { closed: string | undefined; repository: RepositoryState | undefined; now: number },
): void {
  const { closed, repository, now } = to;
  const reason = closed ?? (repository?.isGone === true ? 'the repository is gone' : undefined);
  if (reason !== undefined)
    throw new RefusedError({
      code: 'place-closed',
      message: `Quorum cannot act in this repository: ${reason}.`,
    });
  if (repository?.paused !== undefined && !isAllowedInPause(data))
    throw isPaused(repository.paused.by, now - Date.parse(at));
}

function placeOf(data: EffectData): RepositoryRef | undefined {
  if (isOfNoPlace(data)) return undefined;
  return 'repository' in data ? data.repository : data.thread;
}

/** Done wherever it may be: erasing also, or above all, in places that are closed. */
type OfNoPlace = 'reconcile' | 'suite-preferences' | 'erase' | 'look-chat';
const OF_NO_PLACE: ReadonlySet<string> = new Set<OfNoPlace>([
  'reconcile',
  'suite-preferences',
  'erase',
  'look-chat',
]);

function isOfNoPlace(data: EffectData): data is Extract<EffectData, { kind: OfNoPlace }> {
  return OF_NO_PLACE.has(data.kind);
}

function moveTo(data: EffectData, place: RepositoryRef): EffectData {
  if (isOfNoPlace(data)) return data;
  return 'repository' in data
    ? { ...data, repository: { ...data.repository, ...place } }
    : { ...data, thread: { ...data.thread, ...place } };
}

/** How soon work goes on after a pause; nothing is spent on the waiting. */
const PAUSE_LOOK_MS = 30_000;

/** LOOP-09: all work of the repository waits, but what reads people's commands and answers them. */
function isAllowedInPause(data: EffectData): boolean {
  const { whilePaused } = EFFECTS[data.kind];
  return whilePaused === 'always' || (whilePaused === 'if-marked' && 'evenPaused' in data);
}

function isPaused(by: string, waitedMs: number): Error {
  const paused = {
    code: 'repository-paused' as const,
    message: `${by} paused the work in this repository.`,
  };
  return waitedMs > LONGEST_PAUSE_HOURS * 3_600_000
    ? new RefusedError(paused)
    : new TransientError({ ...paused, retryAfterMs: PAUSE_LOOK_MS });
}
