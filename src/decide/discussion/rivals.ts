/** Two instances of the App with stores of their own: one of them speaks on a thread, the other stays silent. */
import { ALLOWED, forbid, type Permit, type Refusal } from '../../domain/run/permit/permit.ts';
import type { DiscussionRun } from '../../domain/run/state/run-record.ts';
import type { LookFor } from '../../domain/run/state/run-base.ts';
import type { RunTrace } from '../../domain/run/run-trace.ts';
import type { PullView } from '../../domain/review/review.ts';
import type { CommentView, IssueView } from '../../domain/run/view.ts';
import { emitEffect, emitTimer } from '../run/decision.ts';
import { endRun } from '../run/end-run.ts';
import { cancelRun } from './listen-to-people.ts';
import { writeLane, type DiscussionContext, type RunContext } from '../run/thread-context.ts';

/** A run that has written nothing for so long counts as dead. Longer than a round with its retries takes. */
export const STALE_MS = 15 * 60_000;
/** A check run says only when it began, and a large change is read in many parts. */
const STALE_REVIEW_MS = 60 * 60_000;
/** Between two looks at the least. */
const SHORTEST_WAIT_MS = 60_000;

type Talked = Pick<IssueView, 'comments' | 'traces'>;

export interface Rival {
  run: string;
  /** When it counts as dead, in milliseconds since the epoch; absent where it does not die by silence. */
  deadAt?: number;
}

/** Before ours has written anything: refused while another instance has the thread. */
export function waitForRival(context: DiscussionContext, view: Talked): Permit {
  const rival = findRival(context.run, view, context.step.now);
  return rival === undefined ? ALLOWED : staySilent(context, rival);
}

/** Once ours has written: refused where it ends and takes that back, since another instance's stays. */
export function yieldToWinner(context: DiscussionContext, view: Talked): Permit {
  const winner = findWinner(context.run, view, context.step.now);
  return winner === undefined ? ALLOWED : yieldToRival(context, winner);
}

/** The run of another instance that has this thread, before ours has written anything. */
export function findRival(run: DiscussionRun, view: Talked, now: number): Rival | undefined {
  for (const trace of foreignIn(view)) {
    const rival = toRival(run, trace, view.comments);
    if (rival !== undefined && isAlive(now)(rival)) return rival;
  }
  return undefined;
}

function foreignIn({ traces = [] }: Talked): RunTrace[] {
  return traces.filter(({ isForeign }) => isForeign === true);
}

function toRival(
  { askedIn, startedAt }: DiscussionRun,
  { run, id, stage, movedAt }: RunTrace,
  comments: readonly CommentView[],
): Rival | undefined {
  const moved = Date.parse(movedAt);
  if (stage === 'active') return { run, deadAt: moved + STALE_MS };
  if (stage === 'ended') {
    const isForSame = askedIn?.place === 'thread' && id > askedIn.id;
    return isForSame || moved > Date.parse(startedAt) ? { run } : undefined;
  }
  // It asks a person: once somebody has answered, it has to move.
  const answers = comments.filter((each) => isWord(each) && Date.parse(each.createdAt) >= moved);
  const last = answers.at(-1);
  return last === undefined ? { run } : { run, deadAt: Date.parse(last.createdAt) + STALE_MS };
}

function isWord({ marker, author }: CommentView): boolean {
  return marker === undefined && !author.isBot;
}

/** Keeps still: looks again when the other one counts as dead, or ends. */
function staySilent(context: DiscussionContext, { run: other, deadAt }: Rival): Refusal {
  const { run, step } = context;
  const reason = `another instance of the App works on this thread (run ${other})`;
  if (deadAt === undefined) {
    endSilently(context, reason);
    return forbid(reason);
  }
  const delayMs = Math.max(SHORTEST_WAIT_MS, deadAt - step.now);
  run.phase = { kind: 'listening', timer: emitTimer(step, 'rival', delayMs), next: 'start' };
  return forbid(reason);
}

/** Both began at the same moment: the older comment stays, and so does one that has ended since. */
export function findWinner(run: DiscussionRun, view: Talked, now: number): RunTrace | undefined {
  const own = view.traces?.find((trace) => trace.run === run.id)?.id ?? Infinity;
  return foreignIn(view).find(({ id, stage, movedAt }) => {
    const moved = Date.parse(movedAt);
    if (stage === 'ended') return moved > Date.parse(run.startedAt);
    return id < own && (stage === 'waiting' || moved + STALE_MS > now);
  });
}

/** Takes back what the run wrote and ends it. */
function yieldToRival(context: DiscussionContext, { run: other }: Pick<RunTrace, 'run'>): Refusal {
  const { run, step } = context;
  const { thread } = run;
  for (const key of run.written ?? []) {
    const marker = { kind: 'run' as const, run: run.id, key };
    emitEffect(
      step,
      { kind: 'comment', thread, marker, body: '', isWithdrawn: true },
      { lane: writeLane(thread), slot: `${run.id}/${key}` },
    );
  }
  const reason = `another instance of the App speaks on this thread (run ${other})`;
  endSilently(context, reason);
  return forbid(reason);
}

/** As {@link waitForRival} and {@link yieldToWinner}, by the check runs on the head. GitHub shows the newest of them, so that one stays. */
export function makeRoomForReview(
  context: RunContext<'pr_review'>,
  next: LookFor,
  { traces = [] }: Pick<PullView, 'traces'>,
): Permit {
  const { run, state, step } = context;
  const foreign = traces.filter(({ isForeign }) => isForeign === true);
  if (next === 'start' && run.review === undefined) {
    // The holder of a task starts the reviews of its pull request, and knows when an earlier review is not enough.
    const mayRepeat = run.isRequested || run.isRetargeted === true || state.task !== undefined;
    const rival = foreign
      .flatMap((trace) => toReviewRival(trace, mayRepeat))
      .find(isAlive(step.now));
    return rival === undefined ? ALLOWED : staySilent(context, rival);
  }
  const own = traces.find((trace) => trace.run === run.id)?.id ?? Infinity;
  const winner = foreign.find(({ id }) => id > own);
  if (winner === undefined) return ALLOWED;
  const reason = `another instance of the App reviews this head (run ${winner.run})`;
  delete run.askedIn;
  cancelRun(context, reason);
  return forbid(reason);
}

function isAlive(now: number): (rival: Rival) => boolean {
  return ({ deadAt }) => deadAt === undefined || deadAt > now;
}

function toReviewRival({ run, stage, movedAt }: RunTrace, mayRepeat: boolean): Rival[] {
  if (stage === 'active') return [{ run, deadAt: Date.parse(movedAt) + STALE_REVIEW_MS }];
  return mayRepeat ? [] : [{ run }];
}

function endSilently(context: DiscussionContext, reason: string): void {
  const { run } = context;
  run.status = 'closed';
  run.result = 'cancelled';
  run.endReason = reason;
  run.queue = [];
  run.inFlight = [];
  // The other one answers the command.
  delete run.askedIn;
  delete run.needsYou;
  delete run.reminderTimer;
  endRun(context);
}
