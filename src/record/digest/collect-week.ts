/** What the states of a repository's threads tell of one week: nothing is asked of GitHub. */
import type { Titled, Waiting } from '../../domain/digest/weekly-digest.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { isDiscussionRun, questionOf, type Run } from '../../domain/run/state/run-record.ts';
import type { TaskNews } from '../../domain/task/task.ts';
import { codeSpan } from '../../domain/text/code-span.ts';

/** A thread of the repository as GitHub lists it, with what is stored of it. */
export interface WeekThread extends Titled {
  isOpen: boolean;
  /** ISO 8601; absent where it is open. */
  closedAt?: string;
  /** Of its stream. */
  state: unknown;
}

/** A week: what happened after `from`, up to `to`; ISO 8601. */
export interface Week {
  from: string;
  to: string;
}

export interface WeekWork {
  done: Titled[];
  merged: Titled[];
  waiting: Waiting[];
  /** Threads with a discussion or review that no standup looked back on. */
  unseen: number[];
}

interface StoredThread {
  runs: Record<string, Run>;
  plan?: PlanState;
  /** Of the pull request of a task: its plan looks back on it. */
  task?: unknown;
}

interface KnownThread extends WeekThread {
  stored: StoredThread;
}

export function collectWeek(threads: readonly WeekThread[], week: Week): WeekWork {
  const known = threads
    .toSorted((a, b) => a.number - b.number)
    .flatMap((thread): KnownThread[] => {
      const { state } = thread;
      return isStoredThread(state) ? [{ ...thread, stored: state }] : [];
    });
  const titles = new Map(threads.map(({ number, title }) => [number, title]));
  return {
    done: known.filter((thread) => isDone(thread, week)).map(toTitled),
    merged: known.flatMap(({ stored: { plan } }) => mergedIn(plan, week, titles)),
    waiting: known.filter(({ isOpen }) => isOpen).flatMap(waitingIn),
    unseen: known.filter(({ stored }) => isUnseen(stored, week)).map(({ number }) => number),
  };
}

function toTitled({ number, title }: Titled): Titled {
  return { number, title };
}

function isIn(at: string | undefined, { from, to }: Week): boolean {
  if (at === undefined) return false;
  const moment = Date.parse(at);
  return moment > Date.parse(from) && moment <= Date.parse(to);
}

/** A plan that is complete, else a discussion with a verdict. What a task's pull request took is its plan's. */
function isDone({ stored, closedAt }: KnownThread, week: Week): boolean {
  const { plan, task } = stored;
  if (task !== undefined) return false;
  if (plan === undefined) return concludedIn(stored, week).length > 0;
  const told = newsOf(plan).map(({ at }) => at);
  return plan.isComplete === true && isIn(closedAt ?? told.toSorted().at(-1), week);
}

function newsOf({ tasks = {} }: PlanState): TaskNews[] {
  return Object.values(tasks);
}

function concludedIn({ runs }: StoredThread, week: Week): Run[] {
  return Object.values(runs).filter(
    (run) => isDiscussionRun(run) && run.status === 'consensus' && isIn(run.endedAt, week),
  );
}

function mergedIn(
  plan: PlanState | undefined,
  week: Week,
  titles: ReadonlyMap<number, string>,
): Titled[] {
  if (plan === undefined) return [];
  return newsOf(plan).flatMap(({ state, pull, at }) =>
    state === 'completed' && pull !== undefined && isIn(at, week)
      ? [{ number: pull.number, title: titles.get(pull.number) ?? '' }]
      : [],
  );
}

/** Plans have standups of their own, at their end; a standup that was asked for has seen all before it. */
function isUnseen(stored: StoredThread, week: Week): boolean {
  if (stored.plan !== undefined || stored.task !== undefined) return false;
  const standups = Object.values(stored.runs).filter(({ trigger }) => trigger === 'standup');
  return concludedIn(stored, week).some(({ endedAt = '' }) =>
    standups.every(({ startedAt }) => startedAt < endedAt),
  );
}

function waitingIn({ number, stored }: KnownThread): Waiting[] {
  const { plan, runs } = stored;
  const asked = Object.values(runs).flatMap((run): Waiting[] => {
    const question = run.status === 'blocked' ? questionOf(run) : undefined;
    if (question === undefined) return [];
    const { owner, question: what, since } = question;
    return [{ number, what: `${codeSpan(owner)} is asked ${short(what)}`, since }];
  });
  return plan === undefined ? asked : [...asked, ...planWaits(plan)];
}

function planWaits(plan: PlanState): Waiting[] {
  const { number } = plan.thread;
  const since = plan.shown?.at ?? newsOf(plan)[0]?.at;
  const approval: Waiting[] =
    plan.isWaiting === true && since !== undefined
      ? [{ number, what: 'the plan waits for approval', since }]
      : [];
  return [...approval, ...newsOf(plan).flatMap((news) => taskWaits(number, news))];
}

function taskWaits(number: number, { task, state, asks, reason = '', at }: TaskNews): Waiting[] {
  if (state !== 'blocked' && asks !== true) return [];
  const why = reason === '' ? '' : `: ${short(reason)}`;
  const what = asks === true ? `task ${task} asks` : `task ${task} is blocked`;
  return [{ number, what: `${what}${why}`, since: at }];
}

const MAX_WORDS = 160;

function short(text: string): string {
  return codeSpan(text.slice(0, MAX_WORDS).toWellFormed());
}

/** A state of another version is left alone. */
function isStoredThread(state: unknown): state is StoredThread {
  return (
    typeof state === 'object' &&
    state !== null &&
    'v' in state &&
    state.v === 1 &&
    'runs' in state &&
    typeof state.runs === 'object' &&
    state.runs !== null
  );
}
