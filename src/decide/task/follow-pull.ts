/** An open pull request of a task: reviews and people's words come in, and it merges when everything holds. */
import type { PullNews } from '../../domain/event/event.ts';
import type { EffectResults } from '../../domain/event/result.ts';
import { type MergeMove, type MergeView } from '../../domain/task/merge-view.ts';
import { decideMerge, IN_QUEUE, readApprovals } from '../../policy/decide-merge.ts';
import { keepWord, pullWords } from '../../policy/pull-words.ts';
import type { Proof } from '../../domain/task/task-effects.ts';
import type { GateReceipt } from '../../domain/gates/receipt.ts';
import { threadOfPull, type TaskRun } from '../../domain/task/task.ts';
import { firstWrite, emitEffect, emitTimer } from '../run/decision.ts';
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import { complete, closeTask } from './end-attempt.ts';
import { showMerge, showRequired } from './checks/task-checks.ts';
import { rebase, rebuildChange } from './rebase-change.ts';
import { mergeMessage } from './render-task-pull.ts';
import { acceptedBy, code } from './attempt-work.ts';
import { noteApprovals } from './await-approval.ts';
import { mergeLane, taskLane, workOf, type TaskContext } from './task-context.ts';
import { enter } from './transitions.ts';
import { SOON_MS, wait, waitForPerson } from './wait.ts';

/** So often a review sends a task back to the coder; then a person looks (spec TG-6). */
const MAX_REFINEMENTS = 2;
/** People that the text at the end names at most. */
const MAX_HEARD = 20;
/** How often in a row GitHub may report that the base was modified before a person is notified. */
const MAX_RACES = 5;

/** Something was said about the pull request. */
export function onPullNews(context: TaskContext, news: PullNews): Outcome {
  const { run } = context;
  if (run.phase.kind === 'ended' || run.phase.kind === 'closing') return ignore('the task is over');
  switch (news.kind) {
    case 'reviewed':
      run.review = {
        headSha: news.headSha,
        verdict: news.verdict,
        asks: news.asks,
        ...(news.voices && { voices: news.voices }),
        ...(news.open && { open: news.open }),
      };
      return mustRefine(context) ? refine(context) : lookMerge(context);
    case 'approved':
      keepWord(run, run.approved, news.word);
      run.approved = news.word;
      return lookMerge(context);
    case 'merge':
      keepWord(run, run.mergeWanted, news.word);
      run.mergeWanted = news.word;
      // What failed once on the merge's result is tried again on a person's word.
      if (run.retested?.passed === false) delete run.retested;
      delete run.queued;
      return lookMerge(context);
    case 'moved':
      return lookMerge(context);
  }
}

function mustRefine({ run }: TaskContext): boolean {
  const { review, headSha, refinements, phase } = run;
  return (
    phase.kind === 'reviewing' &&
    review?.verdict === 'CHANGES' &&
    review.headSha === headSha &&
    refinements < MAX_REFINEMENTS
  );
}

function refine(context: TaskContext): Outcome {
  const { run } = context;
  showMerge(context, { missing: ['the changes that the team’s review asks for'] });
  run.refinements += 1;
  run.notes = run.review?.asks ?? [];
  code(context, run.headSha ?? '');
  return HANDLED;
}

/** Reads what a merge depends on. What comes while something else is carried out is looked at after that. */
export function lookMerge(context: TaskContext): Outcome {
  if (context.run.phase.kind !== 'reviewing') return ignore('it is looked at later');
  return emitLook(context, {});
}

/** In the lane of the checks, so that it sees them. */
function lookAfterChecks(context: TaskContext): Outcome {
  return emitLook(context, taskLane(context.run));
}

function emitLook(context: TaskContext, place: { lane?: string }): Outcome {
  const { run, step } = context;
  const { pull, order } = run;
  if (pull === undefined) return ignore('it is looked at later');
  const people = pullWords(run).map(({ by }) => by);
  const effectId = emitEffect(
    step,
    {
      kind: 'look-merge',
      thread: threadOfPull(order.ref.plan, pull),
      branch: run.branch,
      people,
      proof: proofOf(run),
      ...(run.base && { builtOn: run.base.sha }),
    },
    place,
  );
  enter(context, { kind: 'reviewing', looking: effectId });
  return HANDLED;
}

/** Without what was printed, which nobody signed. */
function proofOf({ order, receipts, retested }: TaskRun): Proof {
  const retest = retested?.receipt;
  return {
    task: order.ref,
    receipts: receipts.map(withoutLog),
    ...(retest && { retest: withoutLog(retest) }),
  };
}

function withoutLog(receipt: GateReceipt): GateReceipt {
  const { log: _, ...signed } = receipt;
  return signed;
}

export function onMergeView(context: TaskContext, view: MergeView): Outcome {
  if (view.isQueueUnheard === true) context.run.isQueueUnheard = true;
  else delete context.run.isQueueUnheard;
  // A required check that was missing has just been shown: the look that follows it sees it.
  if (showRequired(context, view)) return lookAfterChecks(context);
  const move = decideMerge(context.run, view);
  noteApprovals(context.run, view, move);
  return carryOut(context, view, move);
}

function carryOut(context: TaskContext, view: MergeView, move: MergeMove): Outcome {
  const { run, step } = context;
  switch (move.kind) {
    case 'over':
      noteHeard(run, view, readApprovals(run, view).by);
      if (move.how === 'merged') return complete(context, move.mergeSha, view.config.merge);
      return closeTask(context);
    case 'foreign-head':
      return waitForPerson(
        context,
        `somebody pushed ${move.headSha.slice(0, 12)}, which passed no gate: a person has to continue`,
        move.headSha,
      );
    case 'foreign-base':
      return waitForPerson(
        context,
        `it would merge into \`${move.baseRef}\` now, which nobody approved: a person has to continue`,
      );
    case 'wait':
      return wait(context, { missing: move.missing, isSoon: move.isSoon });
    case 'leave':
      return wait(context, { missing: [], says: move.says });
    case 'given-back':
      return waitForPerson(context, GIVEN_BACK);
    case 'conflict':
      return rebase(context, move.baseSha);
    case 'rebuild':
      return rebuildChange(context, move.baseSha);
    case 'retest': {
      const effectId = emitEffect(step, {
        kind: 'retest',
        ...workOf(run),
        headSha: view.pull.headSha,
        baseSha: move.baseSha,
        ...acceptedBy(context.stream),
      });
      enter(context, { kind: 'reviewing', looking: effectId });
      return HANDLED;
    }
    case 'merge':
      return merge(context, view, move);
  }
}

const GIVEN_BACK = 'the repository’s merge queue gave it back: `/pm merge` puts it in again';

function merge(
  context: TaskContext,
  view: MergeView,
  { method, approvedBy, isQueued }: Extract<MergeMove, { kind: 'merge' }>,
): Outcome {
  const { run, step } = context;
  if (run.pull === undefined) return HANDLED;
  showMerge(context, { missing: [] });
  noteHeard(run, view, approvedBy);
  // Should it not come to it, what is missing then is news, whatever was missing before.
  run.missing = [];
  const effectId = emitEffect(
    step,
    {
      kind: 'merge',
      thread: threadOfPull(run.order.ref.plan, run.pull),
      sha: view.pull.headSha,
      base: { branch: view.pull.baseRef, sha: view.baseSha },
      proof: proofOf(run),
      method,
      ...mergeMessage(run, approvedBy),
      ...(view.config.merge.deleteBranch ? { deleteBranch: run.branch } : {}),
      ...(isQueued && { isQueued }),
      ...firstWrite(run, 'merge'),
    },
    mergeLane(run),
  );
  enter(context, { kind: 'merging', effectId });
  return HANDLED;
}

/** For the text at the end, when nobody looks at it any more. */
function noteHeard(
  run: TaskRun,
  { pull, reviews }: MergeView,
  approvedBy: string | undefined,
): void {
  const people = reviews.filter(
    ({ by, state, commitSha }) => !by.isBot && state !== 'dismissed' && commitSha === pull.headSha,
  );
  const reviewers = people.map(({ by }) => by.login);
  run.heard = {
    headSha: pull.headSha,
    ...(approvedBy !== undefined && { approvedBy }),
    reviewers: [...new Set(reviewers)].slice(0, MAX_HEARD),
  };
}

export function onRetest(context: TaskContext, result: EffectResults['retest']): Outcome {
  const { run } = context;
  if (result.outcome === 'conflict') return rebase(context, result.baseSha);
  const { receipt, baseSha } = result;
  run.retested = {
    baseSha,
    headSha: run.headSha ?? '',
    passed: receipt.result === 'passed',
    sentence: receipt.sentence,
    receipt,
  };
  enter(context, { kind: 'reviewing' });
  return lookMerge(context);
}

export function onMergeResult(context: TaskContext, result: EffectResults['merge']): Outcome {
  if (result.outcome === 'merged') return complete(context, result.sha);
  enter(context, { kind: 'reviewing' });
  if (result.outcome === 'stale') return lookMerge(context);
  if (result.outcome === 'base-moved') return onBaseMoved(context, result.reason);
  delete context.run.races;
  if (result.outcome !== 'refused') delete context.run.refusals;
  if (result.outcome === 'queued') {
    context.run.queued = context.run.headSha ?? '';
    return wait(context, { missing: [], says: IN_QUEUE });
  }
  countRefusal(context);
  return waitForPerson(context, `GitHub refused the merge: ${result.reason}`);
}

/**
 * Each request makes the missing items count as a change. Without a count, the merge would be requested each minute.
 */
function countRefusal({ run }: TaskContext): void {
  run.refusals = (run.refusals ?? 0) + 1;
}

/** The merge could not be carried out at all. Whether GitHub would refuse it again is not known. */
export function onMergeRefused(context: TaskContext, sentence: string): Outcome {
  countRefusal(context);
  return onMergeViewFailed(context, sentence);
}

/** What was just merged shows in GitHub's copies a moment later. */
function onBaseMoved(context: TaskContext, reason: string | undefined): Outcome {
  const { run, step } = context;
  const races = reason === undefined ? 0 : (run.races ?? 0) + 1;
  run.races = races;
  if (reason !== undefined && races > MAX_RACES) {
    delete run.races;
    return waitForPerson(context, `GitHub refused the merge ${races} times: ${reason}`);
  }
  const timer = emitTimer(step, 'look', SOON_MS * 2 ** Math.max(0, races - 1));
  enter(context, { kind: 'reviewing', timer });
  return HANDLED;
}

/** The look itself failed: what is missing is not known, so nothing merges. */
export function onMergeViewFailed(context: TaskContext, sentence: string): Outcome {
  return wait(context, {
    missing: [sentence],
    ...(context.run.stuck === undefined ? {} : { stuck: context.run.stuck }),
  });
}
