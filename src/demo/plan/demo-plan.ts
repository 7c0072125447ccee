/** The plan of the demonstration: written, approved, worked through, approved again pull request by pull request, closed. */
import { renderPlan } from '../../domain/plan/body/render-plan.ts';
import type { Clock } from '../../ports/clock.ts';
import { diffOf } from '../push-commits.ts';
import { until, type Waiting } from '../../hosts/follow-runs.ts';
import { NEW_PLAN, NEW_TASKS, type NewTask } from '../project/new-plan.ts';
import { APPROVER, MAINTAINER, REPOSITORY } from '../project/people.ts';
import {
  isOver,
  isReviewed,
  readPlanProgress,
  type PlanLook,
  type TaskSight,
} from './plan-watch.ts';
import { toStory, type Story, type Watched } from '../story.ts';
import type { World } from '../open-world.ts';

export interface PlanTelling {
  clock: Clock;
  timeoutMs: number;
  onAct: (says: string) => void;
  onLook: (watched: readonly Watched[]) => void;
}

/** Writes the plan; its tasks carry their own change where nobody else writes it. */
export async function openDemoPlan(
  world: Pick<World, 'emulator'>,
  { hasDiffs }: { hasDiffs: boolean },
): Promise<Story> {
  const { author, title, heading, goal, context } = NEW_PLAN;
  const tasks = await Promise.all(
    NEW_TASKS.map(async (task, at) => ({
      number: at + 1,
      title: task.title,
      dependencies: [...task.dependencies],
      files: [...task.files],
      description: await describe(world, task, hasDiffs),
    })),
  );
  const verification = ['All tasks completed', 'Tests pass'];
  const body = renderPlan({ title: heading, goal, context, tasks, verification });
  const person = world.emulator.as(author);
  const opened = await person.openIssue(REPOSITORY, { title, body });
  await person.label(REPOSITORY, opened.number, ['plan']);
  return toStory(world, opened);
}

async function describe(
  world: Pick<World, 'emulator'>,
  task: NewTask,
  hasDiff: boolean,
): Promise<string> {
  if (!hasDiff) return task.description;
  const diff = await diffOf(world.emulator.as(APPROVER), task.edits);
  return `${task.description}\n\n\`\`\`diff\n${diff}\n\`\`\``;
}

/** Two people say yes: one to the plan, the other to each pull request. Resolves when nothing is left to do. */
export async function workThrough(
  world: World,
  { number, key }: Story,
  telling: PlanTelling,
): Promise<PlanLook> {
  const { clock, timeoutMs, onAct, onLook } = telling;
  const wait = (waitsFor: string, isSeen: (look: PlanLook) => boolean): Promise<PlanLook> => {
    const waiting: Waiting = { clock, timeoutMs, waitsFor };
    return until(waiting, async () => {
      const look = await readPlanProgress(world, key);
      if (look.plan?.approval !== undefined) onLook(look.watched);
      return look.isIdle && isSeen(look) ? look : undefined;
    });
  };
  await wait('the plan’s first look', ({ plan }) => plan?.isWaiting === true);
  onAct(`@${MAINTAINER} says \`/pm approve\` on #${number}; the team takes tasks 1 and 2`);
  await world.emulator.as(MAINTAINER).comment(REPOSITORY, number, '/pm approve');
  const approved = new Set<number>();
  for (;;) {
    const look = await wait('the work on the plan', ({ plan, tasks }) => {
      const isBegun = plan?.approval !== undefined;
      return isBegun && tasks.every((task) => isStill(task, tasks, approved));
    });
    const ready = look.tasks.filter((task) => isReviewed(task) && !approved.has(task.number));
    if (ready.length === 0) break;
    onAct(`@${APPROVER} approves ${ready.map(nameOfPull).join(' and ')}`);
    for (const task of ready) {
      approved.add(task.number);
      await world.emulator.as(APPROVER).comment(REPOSITORY, pullOf(task), '/pm approve');
    }
  }
  return wait('the end of the plan', isDone);
}

/** Closed by the last merge, or with a task that a person must look at. */
function isDone({ plan, tasks }: PlanLook): boolean {
  return plan?.isComplete === true || tasks.some(({ state }) => state !== 'completed');
}

/** It goes no further by itself: over, before a person, or behind a task that is. */
function isStill(
  task: TaskSight,
  tasks: readonly TaskSight[],
  approved: ReadonlySet<number>,
): boolean {
  if (isOver(task)) return true;
  if (task.run !== undefined) return isReviewed(task) && !approved.has(task.number);
  const needs = NEW_TASKS[task.number - 1]?.dependencies ?? [];
  return needs.some((need) => tasks[need - 1]?.state !== 'completed');
}

function pullOf({ run }: TaskSight): number {
  return run?.pull?.number ?? 0;
}

function nameOfPull(task: TaskSight): string {
  return `#${pullOf(task)}`;
}
