/** One task of a plan: from an order to work on it, to a merged pull request or a sentence why not. */
import type { Event, EventData, PullNews } from '../../domain/event/event.ts';
import { isOfTask } from '../../domain/plan/plan-digest.ts';
import { addSpent } from '../../domain/run/ledger.ts';
import { derivedId } from '../../domain/run/ids.ts';
import {
  taskBranch,
  type TaskOrder,
  type TaskRun,
  type TaskStream,
} from '../../domain/task/task.ts';
import { ignored, readState, type Decision, type DecisionContext } from '../run/decision.ts';
import { HANDLED, ignore, toIgnored, type Outcome } from '../run/outcome.ts';
import { blockAttempt, endByHand, releaseTask } from './end-attempt.ts';
import { beginAgain } from './begin-again.ts';
import { onResult } from './on-result.ts';
import { onPullNews, lookMerge } from './follow-pull.ts';
import { saveAnswer, resumeExchanges } from './coder/coder-questions.ts';
import { resumeWithPull, lookWhetherOpen } from './reopened.ts';
import { createContext, type TaskContext } from './task-context.ts';
import { keepDigests, keepTexts } from './pull/pull-texts.ts';
import { requestSession } from './coder/request-session.ts';
import { tidy } from './tidy.ts';
import { claim, onSession } from './attempt-work.ts';

/** Version of this state's shape. */
const EMPTY: TaskStream = { v: 1, failures: 0 };

/** Reduces one event of a task. */
export function decideTask(before: unknown, event: Event, { now }: DecisionContext): Decision {
  const stream = readState<TaskStream>(before, EMPTY);
  if (stream.run !== undefined) keepDigests(stream.run);
  const { data } = event;
  if (data.kind === 'task-go') return begin(stream, event, { order: data.order, now });
  if (data.kind === 'task-found') return beginAgain(stream, { event, ...data, now });
  const { run } = stream;
  if (data.kind === 'task-word') return onTaskCommand(stream, event, now);
  if (run === undefined) return ignored(stream, 'nobody works on this task');
  const context = createContext(stream, run, { event, now });
  const isResult = data.kind === 'done' || data.kind === 'failed';
  return close(context, isResult ? onResult(context, data) : onEvent(context, data));
}

/** What others say, and the time. */
function onEvent(context: TaskContext, data: EventData): Outcome {
  if (data.kind === 'pull-told') return onNews(context, data.news);
  if (data.kind === 'timer') return onTimer(context, data.timer);
  if (data.kind !== 'session-told') return ignore('not for a task');
  return data.run === context.run.id
    ? onSession(context, data)
    : ignore('it was for an earlier attempt');
}

function onNews(context: TaskContext, news: PullNews): Outcome {
  const isEnded = context.run.phase.kind === 'ended';
  return isEnded && news.kind === 'moved' ? lookWhetherOpen(context) : onPullNews(context, news);
}

function close({ stream, step }: TaskContext, outcome: Outcome): Decision {
  const { effects, events } = step;
  return { state: stream, effects, events, ...toIgnored(outcome) };
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
  // A person's consent is about the text that they read.
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
    // Earlier failures help the next attempt, unless the task has changed since.
    ...(isSame ? leftBy(last) : { notes: [] }),
    ...(last?.reviewers?.includes(order.approvedBy.login) && { excused: order.approvedBy.login }),
  };
  resumeExchanges(stream, run, last);
  resumeWithPull(run, last);
  keepTexts(run, last);
  stream.run = run;
  const context = createContext(stream, run, { event, now });
  claim(context);
  return close(context, HANDLED);
}

/** Most questions and answers that later attempts receive. */
const MAX_EXCHANGES = 20;

/** Most calls of earlier attempts that are listed; of older ones the sum is kept. */
const MAX_CALLS = 300;

type Left = Pick<
  TaskRun,
  'notes' | 'partial' | 'remade' | 'conflicts' | 'exchanges' | 'resume' | 'calls' | 'spent'
>;

/**
 * What the next attempt at the same text knows of the last one. A change that had to be redone still has to be. An
 * answer that no coder has used yet still waits for one.
 */
function leftBy(last: TaskRun): Left {
  const { notes, calls, spent, partial, remade, conflicts, exchanges, resume } = last;
  const older = calls.slice(0, -MAX_CALLS);
  const all = older.length === 0 ? spent : addSpent(spent, older);
  return {
    notes,
    calls: calls.slice(-MAX_CALLS),
    ...(all !== undefined && { spent: all }),
    ...(partial !== undefined && { partial }),
    ...(remade !== undefined && { remade }),
    ...(conflicts !== undefined && { conflicts }),
    ...(exchanges !== undefined && { exchanges: exchanges.slice(-MAX_EXCHANGES) }),
    ...(resume !== undefined && { resume }),
  };
}

/** A person stops it, lets it be tried again, or accepts what a gate could not say. */
function onTaskCommand(stream: TaskStream, event: Event, now: number): Decision {
  const { data } = event;
  if (data.kind !== 'task-word') return ignored(stream, 'no word');
  const { run } = stream;
  if (data.word === 'tidy') return tidy(stream, event, now);
  if (data.word === 'again') {
    stream.failures = 0;
    if (data.acceptsNoTests === true) stream.acceptsNoTests = data.by;
    if (data.answer !== undefined) saveAnswer(stream, { by: data.by, text: data.answer });
    return ignored(stream, 'it may be tried again');
  }
  if (run === undefined || isOver(run)) return ignored(stream, 'nobody works on this task');
  const context = createContext(stream, run, { event, now });
  run.cancelled = { by: data.by.login, why: data.why };
  if (data.word === 'complete' || data.isWritten === true)
    return close(context, endByHand(context, data.word, handWords(data)));
  const why = data.why === '' ? '' : `: ${data.why}`;
  if (data.word === 'release')
    return close(context, releaseTask(context, `given back by ${data.by.login}${why}`));
  return close(context, blockAttempt(context, `stopped by ${data.by.login}${why}`));
}

function handWords({ by, why }: Extract<EventData, { kind: 'task-word' }>): string {
  return why === '' ? `by ${by.login}, in the plan's text` : why;
}

/** Whether all that is left is to write down how it ended. */
function isOver({ phase }: TaskRun): boolean {
  return phase.kind === 'ended' || phase.kind === 'closing';
}

function onTimer(context: TaskContext, timer: string): Outcome {
  const { phase } = context.run;
  if (phase.kind === 'asking' && phase.timer === timer) return requestSession(context, phase.ask);
  const isDue = phase.kind === 'reviewing' && phase.timer === timer;
  return isDue ? lookMerge(context) : ignore('its turn has passed');
}
