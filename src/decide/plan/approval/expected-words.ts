/**
 * Compares what a plan's text says of its tasks with what it should say (TG-4). A status that a person set by hand is
 * accepted where it is valid, and put back where it is not. A line of Quorum that somebody's edit overwrote is written
 * again.
 */
import { codeSpan } from '../../../domain/text/code-span.ts';
import { editPlan, type PlanEdit } from '../../../domain/plan/body/edit-plan.ts';
import { parsePlan } from '../../../domain/plan/body/parse-plan.ts';
import { isOfTask, taskDigest } from '../../../domain/plan/plan-digest.ts';
import type { PlanTask } from '../../../domain/plan/plan.ts';
import type { PersonsWord, PlanState, TaskWords } from '../../../domain/plan/plan-view.ts';
import { mayWord } from '../../../domain/plan/task-state.ts';
import { taskKey, type TaskNews } from '../../../domain/task/task.ts';
import { hasPermission, threadKey } from '../../../domain/run/thread-ref.ts';
import type { EventData } from '../../../domain/event/event.ts';
import { emitEvent, emitEffect, type Step } from '../../run/decision.ts';
import { BUSY, sightOf, type PlanSight } from '../advance.ts';

/** Expects nothing before a plan's first approval: until then its author may write anything. */
export function expectedWords(state: PlanState): TaskWords[] {
  if (state.approval === undefined) return [];
  return Object.entries(state.words ?? {}).flatMap(([key, { status }]): TaskWords[] => {
    const task = Number(key);
    const news = state.tasks?.[key];
    if (news === undefined || !BUSY.has(news.state)) return [{ task, status }];
    // A claim that is under way has said nothing yet.
    if (news.holds === undefined) return [];
    const word = news.pull === undefined ? 'claimed' : 'in_progress';
    return [{ task, status: word, assignee: news.persona }];
  });
}

/** Returns the plan as it will say it. */
export function settleWords(step: Step, state: PlanState, sight: PlanSight): PlanSight {
  const { plan, view } = sight;
  const edits = expectedWords(state).flatMap((expected) => {
    const found = plan.tasks.find(({ number }) => number === expected.task);
    if (found === undefined || !isOfTask(state.words?.[found.number]?.digest, taskDigest(found)))
      return [];
    if (isAs(found, expected)) return [];
    const hand = view.hands?.find(({ task }) => task === found.number);
    const odd = { step, state, found, expected };
    return hand === undefined ? writeAgain(odd) : onTaskByHand(odd, hand);
  });
  const now = edits.length === 0 ? sight : sightOf(parsePlan(editPlan(plan, edits)), view);
  remember(state, now.plan.tasks);
  return now;
}

function isAs(found: PlanTask, { status, assignee }: TaskWords): boolean {
  return found.status === status && (assignee === undefined || found.assignee === assignee);
}

interface Odd {
  step: Step;
  state: PlanState;
  found: PlanTask;
  expected: TaskWords;
}

function newsOf({ state, found }: Odd): TaskNews | undefined {
  const news = state.tasks?.[String(found.number)];
  return news !== undefined && BUSY.has(news.state) ? news : undefined;
}

/** Nobody in particular wrote it: an edit of somebody who did not see ours has covered it. */
function writeAgain(odd: Odd): PlanEdit[] {
  const { found, expected } = odd;
  const holds = newsOf(odd)?.holds;
  if (holds === undefined) return expected.status === 'completed' ? putIn(odd) : [];
  if (found.status !== 'pending' && !mayWord(found.status, expected.status)) return [];
  const { lease, leaseAt } = holds;
  return putIn(odd, { holds: { lease, leaseAt } });
}

type Condition = Pick<
  Extract<Parameters<typeof emitEffect>[1], { kind: 'plan-edit' }>,
  'holds' | 'insteadOf'
>;

function putIn(odd: Odd, condition: Condition = { insteadOf: odd.found.status }): PlanEdit[] {
  const { step, state, found, expected } = odd;
  const { status, task, assignee } = expected;
  const pull = newsOf(odd)?.pull;
  const reason = pull === undefined ? (state.words?.[task]?.reason ?? '') : `#${pull.number}`;
  const edits: PlanEdit[] = [
    { kind: 'status', task, status, reason },
    ...(assignee === undefined || condition.holds === undefined
      ? []
      : [{ kind: 'assignee' as const, task, assignee }]),
  ];
  const { thread } = state;
  const only = { task, digest: taskDigest(found) };
  emitEffect(
    step,
    { kind: 'plan-edit', thread, edits, only, ...condition },
    { lane: `plan:${threadKey(thread)}`, isUnheard: true },
  );
  return edits;
}

function onTaskByHand(odd: Odd, hand: PersonsWord): PlanEdit[] {
  const { state, found, expected } = odd;
  const why = stepRefusalReason(odd, hand);
  if (why === undefined) {
    if (newsOf(odd) !== undefined) endWork(odd, hand);
    else if ((hand.from ?? expected.status) === 'blocked' && found.status === 'pending')
      free(odd, hand);
    return [];
  }
  state.putBack = {
    ...state.putBack,
    [found.number]: { by: hand.by.login, word: found.status, to: expected.status, why },
  };
  return putIn(odd);
}

function stepRefusalReason({ found, expected }: Odd, { by, permission, from }: PersonsWord) {
  if (!hasPermission(permission, 'write')) return `${codeSpan(by.login)} may not write here`;
  const before = from ?? expected.status;
  return mayWord(before, found.status)
    ? undefined
    : `${codeSpan(found.status)} does not follow ${codeSpan(before)}`;
}

/** What is worked on is stopped; the words are there already. */
function endWork(odd: Odd, { by }: PersonsWord): void {
  const { found, expected } = odd;
  const why = found.statusReason;
  if (found.status === 'blocked') tell(odd, { word: 'block', by, why, isWritten: true });
  else if (found.status === 'completed') tell(odd, { word: 'complete', by, why, isWritten: true });
  else if (found.status === 'pending' || found.assignee !== expected.assignee)
    tell(odd, { word: 'release', by, why, isWritten: true });
}

/** As `/pm unblock` does it. */
function free(odd: Odd, { by }: PersonsWord): void {
  tell(odd, { word: 'again', by, why: '' });
  delete odd.state.tasks?.[String(odd.found.number)];
}

type Word = Omit<Extract<EventData, { kind: 'task-word' }>, 'kind' | 'run'>;

function tell({ step, state, found }: Odd, word: Word): void {
  state.step += 1;
  const key = taskKey({ plan: state.thread, task: found.number });
  emitEvent(
    step,
    { kind: 'task-word', run: state.id, ...word },
    { key, suffix: `hand-${state.step}` },
  );
}

function remember(state: PlanState, tasks: readonly PlanTask[]): void {
  const before = state.words ?? {};
  state.words = Object.fromEntries(
    tasks.map((task) => [
      task.number,
      { status: task.status, reason: task.statusReason, digest: taskDigest(task) },
    ]),
  );
  for (const [key, { to }] of Object.entries(state.putBack ?? {})) {
    const now = state.words[key];
    if (now?.status !== to || now.digest !== before[key]?.digest) delete state.putBack?.[key];
  }
}
