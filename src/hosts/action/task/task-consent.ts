/** Whose word a task rests on: the person who starts its workflow, or the one who approved the plan, where an apply job starts it. */
import { findKeptPlan } from '../../../domain/actions/kept/kept-plans.ts';
import { recordsOfPlan, type KeptTasks } from '../../../domain/actions/kept/kept-tasks.ts';
import type { PlanView } from '../../../domain/plan/plan-view.ts';
import { DEFAULT_LABELS } from '../../../domain/repository/labels.ts';
import { hasPermission, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import { permitDispatch } from '../../../policy/dispatch-consent.ts';
import { permitStart, type StartAsked } from '../../../policy/started-task.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { readKeptTasks } from '../branch/kept-tasks-branch.ts';
import { readRunStart } from '../job/run-start.ts';
import { ACTIONS_LOGIN, believeSigned, type openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { believeTasks } from '../plan/believe-tasks.ts';
import { readKeptPlans } from '../branch/kept-plans-branch.ts';

interface Asked {
  basics: Basics;
  context: WorkflowContext;
  github: ReturnType<typeof openUnsigned>;
  plan: ThreadRef;
  task: number;
}

export interface Consent {
  by: { id: number; login: string };
  /** What signed records say, where no person started the task. */
  records?: Pick<StartAsked, 'record' | 'lastAt'> & { tasks: KeptTasks; secret: string };
}

const BY_BOT = 'A task is started by a person, not by a bot.';

/** Returns a sentence where no person's consent can be found. */
export async function findConsent(asked: Asked): Promise<Consent | string> {
  const { id, login, isBot } = asked.context.sender;
  if (!isBot) return { by: { id, login } };
  // Workflows of this repository start tasks by their own account; so do other people's.
  if (login !== ACTIONS_LOGIN) return BY_BOT;
  const { basics, context, github, plan, task } = asked;
  const { repository } = context;
  const place = { github, repository, branch: MEMORY_BRANCH };
  const { markerSecret: secret } = believeSigned(basics, [], repository.repositoryId);
  const [plans, tasks] = await Promise.all([readKeptPlans(place), readKeptTasks(place)]);
  const kept = findKeptPlan(plans, plan, secret);
  const approval = kept?.state.approval;
  if (kept === undefined || approval === undefined)
    return `${BY_BOT} No approval of this plan is on record.`;
  const earlier = recordsOfPlan(tasks, plan, secret).find(
    ({ stream }) => stream.run?.order.ref.task === task,
  );
  const record = { approval, started: kept.started[String(task)] };
  const lastAt = earlier?.stream.run?.startedAt;
  return { by: approval.by, records: { record, lastAt, tasks, secret } };
}

/** Why nothing may begin. */
export async function refusalOfTask(
  view: PlanView,
  consent: Consent,
  asked: Asked,
): Promise<string | undefined> {
  const { config, issue } = view;
  if (!config.enabled) return 'Quorum is switched off here (`enabled: false`).';
  if (view.whyNoCoder !== undefined) return `No code is written here: ${view.whyNoCoder}.`;
  if (view.whyUnsigned !== undefined) return view.whyUnsigned;
  if (issue.labels.includes(config.labels.hold ?? DEFAULT_LABELS.hold))
    return 'The plan is on hold.';
  if (!hasPermission(view.actorPermission ?? 'none', 'write'))
    return `${consent.by.login} needs the write role to start a task.`;
  const { records } = consent;
  return records === undefined
    ? refusalOfStart(view, asked)
    : refusalOfRecord(view, records, asked);
}

/** Starting the workflow approves the task's text as GitHub showed it to that person. */
async function refusalOfStart(
  { issue }: PlanView,
  { context, github, plan, task }: Asked,
): Promise<string | undefined> {
  const { body, lastEditedAt } = issue;
  // A text that nobody has edited is what that person saw, whenever it was.
  const isUnedited = lastEditedAt === null;
  const startedAt = isUnedited ? issue.createdAt : await readRunStart(context);
  if (startedAt === undefined) return 'GitHub does not tell when this workflow was started.';
  const versions = isUnedited ? [] : await github.at(plan).plans.history(plan);
  const permit = permitDispatch({ body, versions, isUnedited, task, at: Date.parse(startedAt) });
  return permit.kind === 'allowed'
    ? undefined
    : `Nothing is worked on: ${permit.reason}. Read the plan, then start the workflow again.`;
}

async function refusalOfRecord(
  view: PlanView,
  { record, lastAt, tasks, secret }: NonNullable<Consent['records']>,
  { basics, github, plan: thread, task }: Asked,
): Promise<string | undefined> {
  const { issue } = await believeTasks(view, { github, thread, tasks, secret });
  const now = basics.clock.now();
  const permit = permitStart({ record, body: issue.body, task, lastAt, now });
  return permit.kind === 'allowed'
    ? undefined
    : `Nothing is worked on: ${permit.reason}. Read the plan, then comment \`/pm approve\` on it.`;
}
