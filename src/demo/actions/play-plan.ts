/** The plan of the demonstration by workflows: one approval starts its tasks, each is coded, tested, reviewed, approved and merged. */
import { z } from 'zod';
import type { WorkflowRun } from '../../emulator/github/world/check-model.ts';
import type { Clock } from '../../ports/clock.ts';
import { openDemoPlan } from '../plan/demo-plan.ts';
import { seePull } from '../open-pulls.ts';
import { NEW_PLAN, NEW_TASKS } from '../project/new-plan.ts';
import { APPROVER, MAINTAINER, REPOSITORY } from '../project/people.ts';
import type { ActionsDemo, MergedTask } from '../../hosts/cli/demo/actions-result.ts';
import type { JobRun } from '../runner/run-workflow.ts';
import { failuresIn, outputOf, type ActionsWorld } from './open-actions-world.ts';

interface Telling {
  clock: Pick<Clock, 'sleep'>;
  onAct: (says: string) => void;
}

/** GitHub tells whole seconds: what is said in the second of the plan's comment may have come before it. */
const SECOND_MS = 1_000;

export async function playPlan(
  world: ActionsWorld,
  { clock, onAct }: Telling,
): Promise<ActionsDemo['plan']> {
  const { number, title } = await openDemoPlan(world, { hasDiffs: true });
  const shown = await showPlan(world, number);
  await clock.sleep(SECOND_MS);
  onAct(`@${MAINTAINER} says \`/pm approve\` on #${number}; the workflow starts what is ready`);
  const approved = await approvePlan(world, number);
  const tasks: MergedTask[] = [];
  // A round merges what an approval or a merge has started, and there cannot be more rounds than tasks.
  for (let round = 0; round < NEW_TASKS.length; round += 1) {
    const begun: Begun[] = [];
    for (const run of queuedTasks(world)) {
      const task = numberIn(run);
      onAct(`The workflow of task ${task} runs: six jobs code, test and review it`);
      begun.push(await carryOut(world, run, task));
    }
    for (const one of begun) {
      onAct(`@${APPROVER} approves #${one.pull}, and the workflow merges it`);
      tasks.push(await approve(world, one));
    }
  }
  const state = world.emulator.repository(REPOSITORY).threads.get(number)?.state ?? 'missing';
  const missing = NEW_TASKS.length - tasks.length;
  return {
    number,
    title,
    state,
    tasks,
    problems: [
      ...failuresIn([...shown, ...approved]),
      ...(missing === 0 ? [] : [`${missing} of the tasks were not started`]),
      ...(state === 'closed' ? [] : [`the plan is ${state}`]),
    ],
  };
}

/** The label of the plan's author starts the workflow, which writes the plan's comment. */
async function showPlan(world: ActionsWorld, plan: number): Promise<JobRun[]> {
  const by = NEW_PLAN.author;
  const issue = await world.emulator.as(by).request('GET', `/repos/${REPOSITORY}/issues/${plan}`);
  const { labels } = z.looseObject({ labels: z.array(z.looseObject({})) }).parse(issue);
  const payload = { action: 'labeled', issue, label: labels[0] };
  return world.play({ workflow: 'quorum.yml', name: 'issues', payload, by });
}

async function approvePlan(world: ActionsWorld, plan: number): Promise<JobRun[]> {
  const by = MAINTAINER;
  const person = world.emulator.as(by);
  const path = `/repos/${REPOSITORY}/issues/${plan}`;
  const comment = await person.request('POST', `${path}/comments`, { body: '/pm approve' });
  const payload = { action: 'created', issue: await person.request('GET', path), comment };
  return world.play({ workflow: 'quorum.yml', name: 'issue_comment', payload, by });
}

/** Runs of the task's workflow that wait for a machine, oldest first. */
function queuedTasks({ emulator }: ActionsWorld): WorkflowRun[] {
  const { workflowRuns } = emulator.repository(REPOSITORY);
  return workflowRuns.filter(
    ({ workflowPath, status }) => status === 'queued' && workflowPath.endsWith('/quorum-task.yml'),
  );
}

function numberIn({ inputs }: WorkflowRun): number {
  return Number(z.looseObject({ task: z.string() }).parse(inputs).task);
}

interface Begun {
  task: number;
  startedBy: string;
  pull: number;
  verdict: string;
  problems: string[];
}

const Shown = z.object({ actor: z.object({ login: z.string() }) });
const WORKFLOWS_ACCOUNT = 'github-actions[bot]';

/** What a machine does with a run that waits for it. */
async function carryOut(world: ActionsWorld, run: WorkflowRun, task: number): Promise<Begun> {
  const { emulator } = world;
  const about = `/repos/${REPOSITORY}/actions/runs/${run.id}`;
  const { actor } = Shown.parse(await emulator.as(MAINTAINER).request('GET', about));
  run.status = 'in_progress';
  const jobs = await world.play({
    workflow: 'quorum-task.yml',
    name: 'workflow_dispatch',
    payload: { inputs: run.inputs, ref: 'refs/heads/main' },
    by: actor.login,
    runId: String(run.id),
  });
  const failures = failuresIn(jobs);
  const conclusion = failures.length === 0 ? 'success' : 'failure';
  await emulator.endRun(REPOSITORY, { queued: run.id, conclusion });
  const pull = Number(outputOf(jobs, 'apply', 'pr'));
  const verdict = outputOf(jobs, 'review', 'verdict');
  const why = jobs.flatMap(({ steps }) => steps.map(({ summary }) => summary)).join(' ');
  return {
    task,
    startedBy: actor.login,
    pull,
    verdict,
    problems: [
      ...failures,
      ...(actor.login === WORKFLOWS_ACCOUNT ? [] : [`@${actor.login} started the task`]),
      ...(pull === 0 ? [`no pull request was opened: ${why}`] : []),
      ...(verdict === 'APPROVE' ? [] : [`the team's review says ${verdict || 'nothing'}`]),
    ],
  };
}

async function approve(world: ActionsWorld, { problems, ...begun }: Begun): Promise<MergedTask> {
  const { task, pull } = begun;
  const title = NEW_TASKS[task - 1]?.title ?? '';
  if (pull === 0) return { ...begun, title, isMerged: false, checks: [], problems };
  const person = world.emulator.as(APPROVER);
  const path = `/repos/${REPOSITORY}/pulls/${pull}`;
  const opened = await person.request('GET', path);
  const { headSha } = seePull(world, pull);
  const review = await person.request('POST', `${path}/reviews`, {
    event: 'APPROVE',
    commit_id: headSha,
  });
  const submitted = { ...z.looseObject({}).parse(review), state: 'approved' };
  const jobs = await world.play({
    workflow: 'quorum-merge.yml',
    name: 'pull_request_review',
    payload: { action: 'submitted', pull_request: opened, review: submitted },
    by: APPROVER,
  });
  const { checkRuns } = world.emulator.repository(REPOSITORY);
  const { merged: isMerged } = seePull(world, pull);
  const why = jobs.find(({ name }) => name === 'apply')?.steps.map(({ summary }) => summary) ?? [];
  return {
    ...begun,
    title,
    isMerged,
    checks: checkRuns
      .filter((check) => check.headSha === headSha)
      .map(({ name, conclusion, status }) => `${name}: ${conclusion ?? status}`),
    problems: [
      ...problems,
      ...failuresIn(jobs),
      ...(isMerged ? [] : [`#${pull} is not merged: ${why.join(' ')}`]),
    ],
  };
}
