/** One task of a plan: from an order to work on it, to a merged pull request or a sentence why not. */
import type { Event, EventData, PullNews } from '../../domain/event.ts';
import { isOfTask } from '../../domain/plan/plan-digest.ts';
import { derivedId } from '../../domain/ids.ts';
import {
  taskBranch,
  type TaskOrder,
  type TaskPhase,
  type TaskRun,
  type TaskStream,
} from '../../domain/task/task.ts';
import { createStep, ignored, readState, type Decision, type Moment } from '../decision.ts';
import { block, dropClaim, endByHand, failAttempt, finish, giveBack } from './end.ts';
import { beginAgain } from './found.ts';
import { tidy } from './tidy.ts';
import {
  hearPull,
  lookMerge,
  takeMerged,
  takeMergeView,
  takeNoLook,
  takeNoMerge,
  takeRetest,
} from './pull.ts';
import { keepAnswer, takeUp } from './questions.ts';
import { goOnWithPull, lookWhetherOpen, takeClaimAgain, takeReopened } from './reopened.ts';
import { takeProved, takeSent } from './rebuild.ts';
import { claim, takeClaim, takeCode, takeSession } from './work.ts';
import type { TaskScene } from './scene.ts';
import { askForSession } from './session.ts';

/** Version of this state's shape. */
const EMPTY: TaskStream = { v: 1, failures: 0 };

/** Reduces one event of a task. */
export function decideTask(before: unknown, event: Event, { now }: Moment): Decision {
  const stream = readState<TaskStream>(before, EMPTY);
  const { data } = event;
  if (data.kind === 'task-go') return begin(stream, event, { order: data.order, now });
  if (data.kind === 'task-found') return beginAgain(stream, { key: event.key, ...data, now });
  const { run } = stream;
  if (data.kind === 'task-word') return hearPerson(stream, event, now);
  if (run === undefined) return ignored(stream, 'nobody works on this task');
  const scene: TaskScene = { stream, run, step: createStep(event.key, run, now) };
  const reason =
    data.kind === 'done' || data.kind === 'failed' ? takeResult(scene, data) : hear(scene, data);
  return close(scene, reason);
}

/** What others say, and the time. */
function hear(scene: TaskScene, data: EventData): string | undefined {
  if (data.kind === 'pull-told') return hearNews(scene, data.news);
  if (data.kind === 'timer') return takeTimer(scene, data.timer);
  if (data.kind !== 'session-told') return 'not for a task';
  return data.run === scene.run.id ? takeSession(scene, data) : 'it was for an earlier attempt';
}

function hearNews(scene: TaskScene, news: PullNews): string | undefined {
  const isEnded = scene.run.phase.kind === 'ended';
  return isEnded && news.kind === 'moved' ? lookWhetherOpen(scene) : hearPull(scene, news);
}

function close({ stream, step }: TaskScene, reason: string | undefined): Decision {
  const { effects, events } = step;
  return { state: stream, effects, events, ...(reason === undefined ? {} : { ignored: reason }) };
}

function begin(
  stream: TaskStream,
  event: Event,
  { order, now }: { order: TaskOrder; now: number },
): Decision {
  if (stream.run !== undefined && stream.run.phase.kind !== 'ended')
    return ignored(stream, `run ${stream.run.id} works on it`);
  const last = stream.run;
  const isSame = last !== undefined && isOfTask(last.order.digest, order.digest);
  // A person's word is about the text that stood there.
  if (last !== undefined && !isSame) delete stream.acceptsNoTests;
  const run: TaskRun = {
    id: derivedId(event.id, now),
    step: 0,
    order,
    attempt: stream.failures + 1,
    phase: { kind: 'ended' },
    branch: taskBranch(order.ref, order.title),
    startedAt: new Date(now).toISOString(),
    receipts: [],
    refinements: 0,
    calls: [],
    // What went wrong before is worth knowing, unless the task says something else by now.
    ...(isSame ? leftBy(last) : { notes: [] }),
    ...(last?.reviewers?.includes(order.approvedBy.login) && { excused: order.approvedBy.login }),
  };
  takeUp(stream, run, last);
  goOnWithPull(run, last);
  stream.run = run;
  const scene = { stream, run, step: createStep(event.key, run, now) };
  claim(scene);
  return close(scene, undefined);
}

/** Of questions and answers that later attempts are told. */
const MAX_EXCHANGES = 20;

type Left = Pick<TaskRun, 'notes' | 'partial' | 'remade' | 'conflicts' | 'exchanges' | 'resume'>;

/**
 * What the next attempt at the same text knows of the last one: what was to be made anew still is, and an answer that no
 * coder has gone on with yet still waits for one.
 */
function leftBy({ notes, partial, remade, conflicts, exchanges, resume }: TaskRun): Left {
  return {
    notes,
    ...(partial !== undefined && { partial }),
    ...(remade !== undefined && { remade }),
    ...(conflicts !== undefined && { conflicts }),
    ...(exchanges !== undefined && { exchanges: exchanges.slice(-MAX_EXCHANGES) }),
    ...(resume !== undefined && { resume }),
  };
}

/** A person stops it, lets it be tried again, or accepts what a gate could not say. */
function hearPerson(stream: TaskStream, event: Event, now: number): Decision {
  const { data } = event;
  if (data.kind !== 'task-word') return ignored(stream, 'no word');
  const { run } = stream;
  if (data.word === 'tidy') return tidy(stream, event, now);
  if (data.word === 'again') {
    stream.failures = 0;
    if (data.acceptsNoTests === true) stream.acceptsNoTests = data.by;
    if (data.answer !== undefined) keepAnswer(stream, { by: data.by, text: data.answer });
    return ignored(stream, 'it may be tried again');
  }
  if (run === undefined || isOver(run)) return ignored(stream, 'nobody works on this task');
  const scene: TaskScene = { stream, run, step: createStep(event.key, run, now) };
  run.cancelled = { by: data.by.login, why: data.why };
  if (data.word === 'complete' || data.isWritten === true)
    return close(scene, endByHand(scene, data.word, handWords(data)));
  const why = data.why === '' ? '' : `: ${data.why}`;
  if (data.word === 'release')
    return close(scene, giveBack(scene, `given back by ${data.by.login}${why}`));
  return close(scene, block(scene, `stopped by ${data.by.login}${why}`));
}

function handWords({ by, why }: Extract<EventData, { kind: 'task-word' }>): string {
  return why === '' ? `by ${by.login}, in the plan's text` : why;
}

/** Whether all that is left is to write down how it ended. */
function isOver({ phase }: TaskRun): boolean {
  return phase.kind === 'ended' || phase.kind === 'closing';
}

/** Returns why there was nothing to do, or undefined. */
function takeResult(
  scene: TaskScene,
  data: Extract<EventData, { kind: 'done' | 'failed' }>,
): string | undefined {
  const { run } = scene;
  const { phase } = run;
  const isClaim = data.kind === 'done' && data.effectKind === 'claim';
  if (isClaim && isLate(run, data.effectId)) return dropClaim(scene, data.result);
  if (data.run !== run.id) return `run ${data.run} was replaced by a later one`;
  if (data.effectId !== awaited(phase)) return 'nothing waits for it';
  if (phase.kind === 'closing') return finish(scene, phase);
  if (phase.kind === 'ended') return takeShutView(scene, data);
  if (data.kind === 'failed') return takeFailure(scene, data);
  return takeDone(scene, data);
}

function awaited(phase: TaskPhase): string | undefined {
  if (phase.kind === 'asking') return undefined;
  return phase.kind === 'reviewing' || phase.kind === 'ended' ? phase.looking : phase.effectId;
}

/** Nobody waits for it: it was cancelled while the claim was under way. */
function isLate({ phase }: TaskRun, effectId: string): boolean {
  return phase.kind !== 'claiming' || phase.effectId !== effectId;
}

function takeTimer(scene: TaskScene, timer: string): string | undefined {
  const { phase } = scene.run;
  if (phase.kind === 'asking' && phase.timer === timer) return askForSession(scene, phase.ask);
  const isDue = phase.kind === 'reviewing' && phase.timer === timer;
  return isDue ? lookMerge(scene) : 'its turn has passed';
}

/** Of a pull request that is shut only one thing is asked. */
function takeShutView(
  scene: TaskScene,
  data: Extract<EventData, { kind: 'done' | 'failed' }>,
): string | undefined {
  if (data.kind === 'done' && data.effectKind === 'look-merge')
    return takeReopened(scene, data.result);
  scene.run.phase = { kind: 'ended' };
  return 'whether it was reopened is not known';
}

function takeDone(
  scene: TaskScene,
  data: Extract<EventData, { kind: 'done' }>,
): string | undefined {
  if (data.effectKind === 'claim')
    return scene.run.isShut === true
      ? takeClaimAgain(scene, data.result)
      : takeClaim(scene, data.result);
  if (data.effectKind === 'code') return takeCode(scene, data.result);
  if (data.effectKind === 'verify') return takeProved(scene, data.result);
  if (data.effectKind === 'publish') return takeSent(scene, data.result);
  if (data.effectKind === 'look-merge') return takeMergeView(scene, data.result);
  if (data.effectKind === 'retest') return takeRetest(scene, data.result);
  if (data.effectKind === 'merge') return takeMerged(scene, data.result);
  return 'nothing waits for it';
}

/** What could not be carried out at all. An open pull request stays, and is looked at again. */
function takeFailure(
  scene: TaskScene,
  { failure, effectKind }: Extract<EventData, { kind: 'failed' }>,
): string | undefined {
  const { run } = scene;
  const sentence = `${effectKind} failed: ${failure.message}`;
  if (run.phase.kind === 'reviewing' || run.phase.kind === 'merging') {
    const take = run.phase.kind === 'merging' ? takeNoMerge : takeNoLook;
    run.phase = { kind: 'reviewing' };
    return take(scene, sentence);
  }
  // A lost lease, a missing sandbox or a missing right is nobody's attempt at the task.
  if (LOST.has(failure.code)) return giveBack(scene, sentence);
  if (failure.code.startsWith('budget-'))
    return giveBack(scene, failure.message, { waitsMs: BUDGET_WAIT_MS });
  if (UNABLE.has(failure.code)) return block(scene, sentence);
  // A session that cannot be taken up would fail each attempt: the next one is told the answer in words.
  if (effectKind === 'code') delete run.resume;
  return failAttempt(scene, sentence);
}

/** What the work rested on is gone. */
const LOST: ReadonlySet<string> = new Set([
  'lease-lost',
  'task-edited',
  'permission-lost',
  'switched-off',
]);

/** A day's budget comes back little by little. */
const BUDGET_WAIT_MS = 3_600_000;

const UNABLE: ReadonlySet<string> = new Set([
  'coder-unavailable',
  'no-sandbox',
  'sandbox-path-refused',
  'no-workshop',
  'github-forbidden',
  'github-unauthorised',
  'git-refused',
  'workflows-refused',
  'signatures-required',
  'disk-full',
]);
