/** From a claim to an open pull request. */
import type { EventData } from '../../domain/event/event.ts';
import type { EffectResults } from '../../domain/event/result.ts';
import {
  taskKey,
  threadOfPull,
  type TaskChange,
  type TaskRun,
  type TaskStream,
} from '../../domain/task/task.ts';
import { diffIn } from '../../domain/task/diff-block.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { emitEvent, emitEffect, emitTimer } from '../run/decision.ts';
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import { LONGEST_LOOK_MS } from '../run/patience.ts';
import { blockAttempt, failAttempt, releaseTask } from './end-attempt.ts';
import { promptFor, taskTextOf } from './coder/task-prompt.ts';
import { askApprover } from './coder/coder-questions.ts';
import { describeReplaced } from './pull/describe-end.ts';
import { confirmText, pullTitle, startText } from './pull/pull-texts.ts';
import { toTaskCommit } from './render-task-pull.ts';
import { showGates } from './checks/task-checks.ts';
import { requestSession } from './coder/request-session.ts';
import {
  editPlanLines,
  planLane,
  taskLane,
  notifyPlan,
  workOf,
  type TaskContext,
} from './task-context.ts';
import { enter } from './transitions.ts';

/** Asks for the lease. */
export function claim(context: TaskContext): void {
  const { run, step } = context;
  const { ref, digest, approvedBy, persona, lease } = run.order;
  const effectId = emitEffect(
    step,
    {
      kind: 'claim',
      thread: ref.plan,
      task: ref.task,
      digest,
      approvedBy,
      persona,
      lease,
      holder: run.id,
    },
    planLane(run),
  );
  enter(context, { kind: 'claiming', effectId });
}

export function onClaim(context: TaskContext, result: EffectResults['claim']): Outcome {
  const { run } = context;
  if (result.outcome !== 'claimed') {
    // Nothing was taken, so nothing is given back.
    enter(context, { kind: 'ended' });
    const { reason, isElsewhere } = result;
    notifyPlan(context, 'released', { reason, ...(isElsewhere === true ? { isElsewhere } : {}) });
    return HANDLED;
  }
  run.lease = result.lease;
  run.base = result.base;
  if (result.accountHost !== undefined) run.accountHost = result.accountHost;
  run.text = result.text;
  run.nonce = result.nonce;
  notifyPlan(context, 'claimed');
  if (run.change === undefined) code(context, run.from ?? result.base.sha);
  else resumeFound(context);
  return HANDLED;
}

/** Work that was found on GitHub is rebuilt from its commit and goes through the gates. No coder writes it again. */
function resumeFound(context: TaskContext): void {
  editPlanLines(context, 'in_progress', `#${context.run.pull?.number ?? 0}`);
  verify(context);
}

/** Lets the coder work on what is there, once the repository has a session for it. */
export function code(context: TaskContext, from: string): void {
  const { run } = context;
  run.from = from;
  if (run.order.sessions === undefined) return beginSession(context);
  requestSession(context);
}

/** It has one, or is given back until it may. */
export function onSession(
  context: TaskContext,
  { wait, ask }: Pick<Extract<EventData, { kind: 'session-told' }>, 'wait' | 'ask'>,
): Outcome {
  const { run, step } = context;
  if (run.phase.kind !== 'asking') return ignore('nothing waits for a session');
  // An older worker does not say which one it answers.
  if (ask !== undefined && ask !== run.phase.ask) return ignore('it was for an earlier session');
  if (wait !== undefined)
    return releaseTask(context, wait.why, { waitsMs: Date.parse(wait.until) - step.now });
  beginSession(context);
  return HANDLED;
}

function beginSession(context: TaskContext): void {
  const { run, step } = context;
  const from = run.from ?? baseOf(run).sha;
  const { attempt, resume } = run;
  const diff = diffIn(taskTextOf(run).description);
  const taken =
    resume === undefined
      ? {}
      : {
          name: resume.place,
          before: resume.patch,
          resume: {
            sessionId: resume.id,
            transcript: resume.transcript,
            answer: resume.answer,
          },
        };
  const effectId = emitEffect(step, {
    kind: 'code',
    ...workOf(run),
    from,
    attempt,
    persona: run.order.persona,
    requester: run.order.approvedBy,
    prompt: promptFor(run, from),
    // What the task carries was applied already when a review sends it back.
    ...(diff === undefined || from !== run.base?.sha ? {} : { diff }),
    ...(run.remade !== undefined && { remade: { head: run.remade, nonce: run.nonce ?? run.id } }),
    ...taken,
  });
  enter(context, { kind: 'coding', effectId });
}

export function onCode(context: TaskContext, result: EffectResults['code']): Outcome {
  const { run } = context;
  const { report, patch, isTooLarge } = result;
  run.calls.push(...report.calls);
  run.exchanges = [...(run.exchanges ?? []), ...(result.exchanges ?? [])];
  const place = run.resume?.place ?? workOf(run).name;
  delete run.resume;
  if (report.outcome === 'asked') {
    const { question, options, tried, sessionId: id, transcript } = report;
    run.question = { question, options, tried };
    run.asked = { id, transcript, place, patch };
    askApprover(context);
    return blockAttempt(context, `waits for an answer: ${question}`);
  }
  if (report.outcome === 'cancelled') return releaseTask(context, report.reason);
  if (report.outcome !== 'done')
    return failAttempt(context, `the coder: ${report.reason}${savePartial(run, result)}`);
  if (isTooLarge) return failAttempt(context, 'the change is larger than one task may be');
  if (patch === '') return failAttempt(context, 'the coder changed nothing');
  const { summary, decisions } = report;
  run.change = {
    from: run.from ?? baseOf(run).sha,
    patch,
    summary,
    decisions,
    ...placesOf(result),
  };
  verify(context);
  return HANDLED;
}

/** The coder's files, and the copy of the journal that came with them, or why none did. */
function placesOf({
  files,
  journal,
  copyLeftOut,
}: EffectResults['code']): Pick<TaskChange, 'paths' | 'journal' | 'copyLeftOut'> {
  const paths = files.map(({ path }) => path);
  if (journal !== undefined) return { paths: [...paths, journal], journal };
  return { paths, ...(copyLeftOut !== undefined && { copyLeftOut }) };
}

/** What was changed within the time is not lost: in words for the plan. */
function savePartial(run: TaskRun, { partial }: EffectResults['code']): string {
  if (partial === undefined) return '';
  run.partial = partial;
  return ' Its change so far is kept for the next attempt.';
}

export function verify(context: TaskContext, how: { isRebuilt?: true } = {}): void {
  const { stream, run, step } = context;
  const effectId = emitEffect(step, {
    kind: 'verify',
    ...workOf(run),
    commit: toTaskCommit(run),
    scope: run.text?.files.map(({ path }) => path) ?? [],
    baseSha: baseOf(run).sha,
    ...acceptedBy(stream),
    ...how,
  });
  enter(context, { kind: 'verifying', effectId });
}

/** More than all attempts and refinements of a task make before a person looks. */
const MAX_HEADS = 20;

/** A gate that did not pass stops; one that was not run is a person's to accept. */
export function onVerified(context: TaskContext, result: EffectResults['verify']): Outcome {
  const { stream, run, step } = context;
  run.receipts = result.receipts;
  const stopped = result.receipts.find(({ result: is }) => is !== 'passed');
  if (stopped !== undefined) {
    const { sentence, log } = stopped;
    if (stopped.result !== 'not-run') return failAttempt(context, sentence, log);
    run.lacksTests = true;
    return blockAttempt(context, sentence);
  }
  // Without a head that we pushed to the branch, no pull request on it is ours.
  const isNew = stream.heads === undefined;
  const ours = [...new Set([...(stream.heads ?? []), result.headSha])].slice(-MAX_HEADS);
  stream.heads = ours;
  const effectId = emitEffect(
    step,
    {
      kind: 'publish',
      ...workOf(run),
      commit: toTaskCommit(run),
      headSha: result.headSha,
      ours,
      base: baseOf(run).branch,
      builtOn: baseOf(run).sha,
      title: pullTitle(run),
      ...startText(run, { headSha: result.headSha, isNew }),
      marker: { run: run.id, key: taskKey(run.order.ref) },
      requester: run.order.approvedBy,
      asked: run.reviewers ?? [],
      ...(isNew && { isNew }),
    },
    taskLane(run),
  );
  enter(context, { kind: 'publishing', effectId, headSha: result.headSha });
  return HANDLED;
}

export function onPublished(context: TaskContext, result: EffectResults['publish']): Outcome {
  const { run, step } = context;
  const { phase } = run;
  run.receipts = [...run.receipts, ...result.receipts];
  const stopped = result.receipts.find(({ result: is }) => is !== 'passed');
  // Somebody else's commits stay where they are, however often it is tried.
  if (stopped?.gate === '3') return blockAttempt(context, stopped.sentence);
  if (stopped !== undefined || result.pull === undefined)
    return failAttempt(
      context,
      stopped === undefined ? 'no pull request could be opened' : stopped.sentence,
    );
  const isNew = run.pull === undefined;
  run.pull = result.pull;
  // In older ones it was kept with the attempt already.
  if (phase.kind === 'publishing' && phase.headSha !== undefined) run.headSha = phase.headSha;
  describeReplaced(context);
  confirmText(run);
  forgetWanted(run);
  run.reviewers = [...new Set([...(run.reviewers ?? []), ...result.reviewers])];
  if (result.refusedTeams === undefined) delete run.refusedTeams;
  else run.refusedTeams = result.refusedTeams;
  // A review that ends without a verdict says nothing: it is looked at all the same.
  enter(context, { kind: 'reviewing', timer: emitTimer(step, 'look', LONGEST_LOOK_MS) });
  showGates(context);
  if (isNew) editPlanLines(context, 'in_progress', `#${result.pull.number}`);
  notifyPlan(context, 'in_review');
  notifyLinked(context, result, isNew);
  return HANDLED;
}

/** Our own pushes make no event: the review of this head is asked for here. */
function notifyLinked(
  { run, step }: TaskContext,
  { pull, shownAt: headAt }: EffectResults['publish'],
  isNew: boolean,
): void {
  if (pull === undefined) return;
  run.step += 1;
  const thread = threadOfPull(run.order.ref.plan, pull);
  emitEvent(
    step,
    {
      kind: 'adopted',
      run: run.id,
      task: run.order.ref,
      thread,
      headSha: run.headSha ?? '',
      ...(headAt === undefined ? {} : { headAt }),
      isNew,
      ...(isYes(run) && { isReviewed: true }),
    },
    { key: threadKey(thread), suffix: `adopted-${run.step}` },
  );
}

/** A wish is met only once it is on the branch. Until then each attempt receives it. */
function forgetWanted(run: TaskRun): void {
  run.notes = [];
  delete run.partial;
  delete run.remade;
}

/** Whether the team has agreed to this very head already. */
function isYes({ review, headSha }: TaskRun): boolean {
  return review?.verdict === 'APPROVE' && review.headSha === headSha;
}

/** A person's word that nothing needs to be tested, as the receipt shows it. */
export function acceptedBy({ acceptsNoTests }: TaskStream): { acceptsNoTests?: string } {
  return acceptsNoTests === undefined ? {} : { acceptsNoTests: `\`${acceptsNoTests.login}\`` };
}

function baseOf({ base, id }: TaskRun): NonNullable<TaskRun['base']> {
  if (base === undefined) throw new Error(`task run ${id} has no base`);
  return base;
}
