/** A plan's state in words, for `/pm status` and `/pm why`: what is blocked and why, and what to type next. */
import { isApproved } from '../../../../domain/plan/approval.ts';
import { parsePlan } from '../../../../domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../../domain/plan/plan-digest.ts';
import type { Plan, PlanTask } from '../../../../domain/plan/plan.ts';
import type { PlanState } from '../../../../domain/plan/plan-view.ts';
import { blockedStep } from '../../../../domain/task/blocked-step.ts';
import type { TaskNews } from '../../../../domain/task/task.ts';
import type { TaskState } from '../../../../domain/plan/task-state.ts';
import { counted } from '../../../../domain/text/counted.ts';
import { asCode } from '../../../run/command-context.ts';

/** A plan as its text has it now, with what the team remembers of it. */
export interface PlanNow {
  plan: Plan;
  state: PlanState;
}

export function planNow(state: PlanState | undefined, body: string): PlanNow | undefined {
  return state === undefined ? undefined : { plan: parsePlan(body), state };
}

/** One line on the plan, and one for each task that does not go on by itself. */
export function planLines(now: PlanNow | undefined): string[] {
  if (now === undefined) return ['Plan: none.'];
  const { noWork } = now.state;
  const waits = noWork ?? now.state.ready?.waits?.why;
  return [
    `Plan: ${standing(now)}.`,
    ...held(now).map((task) => `${taskLine(task)}.`),
    ...(waits === undefined || now.state.isComplete === true ? [] : [`No task starts: ${waits}.`]),
  ];
}

/** What a person can type; undefined where nothing of the plan waits for anybody. */
export function planStep(now: PlanNow | undefined): string | undefined {
  if (now === undefined || now.state.isComplete === true) return undefined;
  if (now.plan.problems.length > 0)
    return 'edit the issue: the comment on the plan lists what is wrong.';
  if (now.state.rejected !== undefined) return 'edit the plan, or `/pm approve` it after all.';
  if (!isApprovedNow(now)) return now.state.noWork === undefined ? APPROVAL : NO_WORK;
  const [first] = held(now);
  if (first !== undefined) return blockedStep(first.task.number, first.news);
  return now.state.noWork === undefined ? undefined : NO_WORK;
}

const APPROVAL = '`/pm approve` lets the tasks begin, `/pm reject why` turns the plan down.';

const NO_WORK =
  'the operator of the App sets this up (`quorum doctor` says how), or people do the tasks: `/pm claim N`.';

/** Explains the plan's state: whose approval it rests on, and each task with the reason for its state. */
export function renderPlanWhy(now: PlanNow): string {
  const { approval, rejected } = now.state;
  const word =
    approval === undefined
      ? rejected === undefined
        ? 'Nobody has approved it.'
        : `${asCode(rejected.by)} turned it down.`
      : `${asCode(approval.by.login)} approved the text ${asCode(approval.digest.slice(0, 12))} on ${approval.at.slice(0, 16)}Z${isApprovedNow(now) ? '' : '; it was changed since then'}.`;
  const tasks = now.plan.tasks.map((task) => `- ${taskWhy(now, task)}`);
  const step = planStep(now);
  return [
    `**Plan**: ${standing(now)}.`,
    word,
    tasks.join('\n'),
    step === undefined ? '' : `Next: ${step}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Explains the state of one task; undefined where the plan has no such task. */
export function renderTaskWhy(now: PlanNow, number: number): string | undefined {
  const task = now.plan.tasks.find((each) => each.number === number);
  if (task === undefined) return undefined;
  const one = held(now).find((each) => each.task.number === number);
  const step = one === undefined ? '' : `\n\nNext: ${blockedStep(one.task.number, one.news)}`;
  return `${taskWhy(now, task)}${step}`;
}

function standing(now: PlanNow): string {
  const { plan, state } = now;
  if (state.isComplete === true) return 'complete';
  if (plan.problems.length > 0) return `${counted(plan.problems.length, 'problem')} in its text`;
  if (state.rejected !== undefined) return `rejected by ${asCode(state.rejected.by)}`;
  const count = (status: string): number =>
    plan.tasks.filter((task) => task.status === status).length;
  const parts = [
    `${plan.tasks.length} ${plan.tasks.length === 1 ? 'task' : 'tasks'}`,
    ...[
      [count('completed'), 'completed'] as const,
      [count('claimed') + count('in_progress'), 'being worked on'] as const,
      [held(now).length, 'blocked'] as const,
    ].flatMap(([n, words]) => (n === 0 ? [] : [`${n} ${words}`])),
    ...(isApprovedNow(now) ? [] : ['waiting for approval']),
  ];
  return parts.join(', ');
}

function isApprovedNow({ plan, state }: PlanNow): boolean {
  return isApproved(state.approval, planDigest(plan));
}

interface HeldTask {
  task: PlanTask;
  news: TaskNews | undefined;
}

/** Tasks that wait for a person. */
function held(now: PlanNow): HeldTask[] {
  return now.plan.tasks
    .map((task) => ({ task, news: newsOf(now, task) }))
    .filter(({ task, news }) => task.status === 'blocked' || news?.state === 'blocked');
}

function newsOf({ state }: PlanNow, { number }: PlanTask): TaskNews | undefined {
  return state.tasks?.[String(number)];
}

function taskLine({ task, news }: HeldTask): string {
  return `Task ${task.number} is blocked: ${reasonOf(task, news) ?? 'no reason was given'}`;
}

const STATES: Readonly<Record<TaskState, string>> = {
  pending: 'waits',
  claimed: 'is claimed',
  in_progress: 'is being written',
  verifying: 'is at the gates',
  in_review: 'is in review',
  completed: 'is merged',
  released: 'was given back',
  blocked: 'is blocked',
  failed: 'failed and will be retried',
};

function taskWhy(now: PlanNow, task: PlanTask): string {
  const news = newsOf(now, task);
  const word = news?.state ?? task.status;
  const state = `${STATES[word]}${word === 'pending' ? waitsFor(now, task) : ''}`;
  const reason = reasonOf(task, news);
  const parts = [
    news?.attempt === undefined ? '' : `attempt ${news.attempt} by ${asCode(news.persona)}`,
    news?.pull === undefined ? '' : `pull request #${news.pull.number}`,
    news?.waitsUntil === undefined ? '' : `not before ${news.waitsUntil.slice(0, 16)}Z`,
  ].filter((part) => part !== '');
  const details = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `Task ${task.number} ${state}${details}${reason === undefined ? '' : `: ${reason}`}`;
}

/** The tasks that have to be merged first, each with what keeps it. */
function waitsFor({ plan, state }: PlanNow, { dependencies }: PlanTask): string {
  const open = plan.tasks.filter(
    ({ number, status }) => dependencies.includes(number) && status !== 'completed',
  );
  if (open.length === 0) return '';
  const names = open.map(({ number, status }) => {
    const isBlocked = status === 'blocked' || state.tasks?.[String(number)]?.state === 'blocked';
    return `task ${number}${isBlocked ? ', which is blocked' : ''}`;
  });
  return ` for ${names.join(' and ')}`;
}

/** Other people's words among it: shown as code, on one line. */
function reasonOf(
  { statusReason, status }: PlanTask,
  news: TaskNews | undefined,
): string | undefined {
  const reason = news?.reason ?? (status === 'blocked' ? statusReason : '');
  return reason === '' ? undefined : asCode(reason, 300);
}
