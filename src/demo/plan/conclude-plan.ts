/** The plan of the demonstration at its end, as the embedded GitHub has it, and what is not as it should be. */
import type { PlanLook, TaskSight } from './plan-watch.ts';
import { REPOSITORY } from '../project/people.ts';
import { GATES_CHECK, MERGE_CHECK, REVIEW_CHECK } from '../../domain/task/check-names.ts';
import { labelsOn, type Story } from '../story.ts';
import type { World } from '../open-world.ts';

/** One check run of the App on the head of a pull request. */
interface SeenCheck {
  name: string;
  conclusion: string;
  title: string;
  summary: string;
}

export interface DemoTask {
  number: number;
  title: string;
  /** What the plan heard of it last; `completed` when it is merged. */
  state: string;
  reason?: string;
  /** Handle of the persona that worked on it. */
  persona: string;
  pull?: { number: number; title: string; url: string; headSha: string; merged: boolean };
  checks: SeenCheck[];
}

export interface DemoPlan {
  number: number;
  title: string;
  url: string;
  state: 'open' | 'closed';
  labels: string[];
  approvedBy: string;
  tasks: DemoTask[];
  /** Comments by the App, oldest first. */
  comments: string[];
  problems: string[];
}

export function concludePlan(world: World, story: Story, look: PlanLook): DemoPlan {
  const { threads } = world.emulator.repository(REPOSITORY);
  const { botId } = world.emulator.app(world.appId);
  const thread = threads.get(story.number);
  const plan = {
    number: story.number,
    title: story.title,
    url: story.url,
    state: thread?.state ?? 'open',
    labels: labelsOn(world, story.number),
    approvedBy: look.plan?.approval?.by.login ?? '',
    tasks: look.tasks.map((task) => concludeTask(world, task)),
    comments: (thread?.comments ?? [])
      .filter(({ userId }) => userId === botId)
      .map(({ body }) => body),
  };
  return { ...plan, problems: judgePlan(plan) };
}

function concludeTask({ emulator }: World, { run, ...task }: TaskSight): DemoTask {
  const { threads, checkRuns } = emulator.repository(REPOSITORY);
  const told = { ...task, persona: run?.order.persona ?? '' };
  const thread = threads.get(run?.pull?.number ?? 0);
  if (run?.pull === undefined || thread?.pull === undefined) return { ...told, checks: [] };
  const { headSha, merged } = thread.pull;
  return {
    ...told,
    pull: { ...run.pull, title: thread.title, headSha, merged },
    checks: checkRuns
      .filter((check) => check.headSha === headSha)
      .map(({ name, status, conclusion, output }) => ({
        name,
        conclusion: conclusion ?? status,
        title: output.title ?? '',
        summary: output.summary ?? '',
      })),
  };
}

/** What every head has to show before it may merge. */
const CHECKS = [GATES_CHECK, REVIEW_CHECK, MERGE_CHECK];

/** Says, in sentences, what is not as expected. */
export function judgePlan(plan: Omit<DemoPlan, 'problems'>): string[] {
  const labels = plan.labels.toSorted().join(', ');
  const checks: [boolean, string][] = [
    [plan.state === 'closed', 'the plan is still open'],
    [labels === 'plan, plan:complete', `the plan's labels are ${labels || 'none'}`],
    [plan.comments.length === 3, `${plan.comments.length} comments on the plan (expected 3)`],
  ];
  return [
    ...checks.filter(([isFine]) => !isFine).map(([, says]) => says),
    ...plan.tasks.flatMap(judgeTask),
  ];
}

function judgeTask({ number, state, reason, pull, checks }: DemoTask): string[] {
  const why = reason === undefined ? '' : `: ${reason}`;
  if (state !== 'completed') return [`task ${number} is ${state}${why}`];
  if (pull?.merged !== true) return [`task ${number} has no merged pull request`];
  return CHECKS.filter(
    (name) => checks.find((check) => check.name === name)?.conclusion !== 'success',
  ).map((name) => `\`${name}\` is no success on #${pull.number}`);
}
