/**
 * Checks whether GitHub knows more of a run than the store does, as after a restored backup. Then the run's effects are
 * refused, and the reducer ends the run without a comment.
 */
import type { Effect } from '../domain/event/effect.ts';
import { RefusedError } from '../domain/event/errors.ts';
import { timeOfId } from '../domain/run/ids.ts';
import type { CallCounts } from '../domain/run/ledger.ts';
import { LIVE, parseMarker, type MarkerData, type MarkerStage } from '../domain/github/marker.ts';
import { findOpenWork, type OpenWork } from '../domain/run/state/open-work.ts';
import { REVIEW_CHECK } from '../domain/task/check-names.ts';
import { isRepositoryThread, threadKey, type ThreadRef } from '../domain/run/thread-ref.ts';
import { pullsAt, type ActPorts } from './ports.ts';

const MAX_COMMENTS = 100;

/** Resolves with what it asked of GitHub. @throws RefusedError `run-ended` | `run-waiting` */
export type RefuseOvertaken = (effect: Effect) => Promise<CallCounts>;

/**
 * A store is only restored while no process has it open. Runs that began after this process did cannot be overtaken;
 * all others are checked once.
 */
export function createRefuseOvertaken(ports: ActPorts): RefuseOvertaken {
  const openedAt = ports.clock.now();
  /** Runs that were looked at, and how far GitHub was ahead, where it was. */
  const known = new Map<string, MarkerStage | undefined>();
  return async (effect) => {
    const { run } = effect;
    const begunAt = timeOfId(run);
    if (begunAt === undefined || begunAt >= openedAt) return {};
    const { ahead, counts } = known.has(run)
      ? { ahead: known.get(run), counts: {} }
      : await lookAhead(effect, ports);
    const goesOn = ahead === 'waiting' && (await isDecidedSince(effect, ports));
    known.set(run, goesOn ? undefined : ahead);
    if (ahead === undefined || goesOn) return counts;
    throw overtaken(run, ahead);
  };
}

/** Whether the store has learnt that its run waits for a person, and this was decided after that. */
async function isDecidedSince(effect: Effect, ports: ActPorts): Promise<boolean> {
  const since = (await findIn(effect, ports))?.waitsSince;
  return since !== undefined && effect.at > since;
}

interface Ahead {
  ahead: MarkerStage | undefined;
  counts: CallCounts;
}

async function lookAhead(effect: Effect, ports: ActPorts): Promise<Ahead> {
  const work = await findIn(effect, ports);
  if (work === undefined) return { ahead: undefined, counts: {} };
  if (work.isOvertaken) return { ahead: 'ended', counts: {} };
  const { stage, counts } = await readStage(work, effect.run, ports);
  if (stage === undefined) return { ahead: undefined, counts };
  // Read again: another process may have ended it in between, which is no news.
  const now = await findIn(effect, ports);
  const isAhead = now !== undefined && (stage === 'ended' || !now.hasWaited);
  return { ahead: isAhead ? stage : undefined, counts };
}

async function findIn({ key, run }: Effect, { store }: ActPorts): Promise<OpenWork | undefined> {
  return findOpenWork((await store.load(key))?.state, run);
}

interface Read {
  stage: MarkerStage | undefined;
  counts: CallCounts;
}

async function readStage(work: OpenWork, run: string, ports: ActPorts): Promise<Read> {
  // It writes nothing where a trace could be: each issue that it opens is looked for by its marker.
  if (isRepositoryThread(work.thread)) return { stage: undefined, counts: {} };
  return work.kind === 'review' ? readCheck(work, run, ports) : readComments(work, run, ports);
}

/** The check of a review that asks a person has ended as well. */
async function readCheck(
  { thread, headSha, hasWaited }: OpenWork,
  run: string,
  ports: ActPorts,
): Promise<Read> {
  if (headSha === '' || hasWaited) return { stage: undefined, counts: {} };
  const { pulls, counts } = pullsAt(ports, thread);
  const checks = await pulls.reviewChecks(thread, { name: REVIEW_CHECK, headSha });
  const own = checks.findLast((check) => check.run === run);
  return { stage: own?.isEnded === true ? ('ended' as const) : undefined, counts };
}

async function readComments(work: OpenWork, run: string, ports: ActPorts): Promise<Read> {
  const { read, counts } = ports.github.at(work.thread);
  const comments = await read.comments(work.thread, MAX_COMMENTS);
  const markers = comments.flatMap(({ isOurs, body }) =>
    isOurs ? (markerFor(body, work.thread, ports) ?? []) : [],
  );
  const own = markers.filter((marker) => marker.run === run);
  return { stage: stageOf(work, own), counts };
}

function markerFor(body: string, thread: ThreadRef, { markerSecret }: ActPorts) {
  return parseMarker(body, markerSecret, threadKey(thread));
}

function stageOf({ kind }: OpenWork, own: readonly MarkerData[]): MarkerStage | undefined {
  // A talk writes nothing but its answer.
  if (kind === 'talk') return own.length > 0 ? 'ended' : undefined;
  if (kind === 'planning') return own.find(({ stage }) => stage === 'ended')?.stage;
  return own.find(({ key }) => key === LIVE)?.stage;
}

function overtaken(run: string, stage: MarkerStage): RefusedError {
  const details = 'The store was restored from an older backup. Nothing is done twice.';
  if (stage === 'waiting')
    return new RefusedError({
      code: 'run-waiting',
      message: `Run ${run} waits for a person on GitHub, and goes on in the store.`,
      details,
    });
  return new RefusedError({
    code: 'run-ended',
    message: `Run ${run} has ended on GitHub, and goes on in the store.`,
    details,
  });
}
