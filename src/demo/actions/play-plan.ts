/** The plan of the demonstration by workflows: each task is started by a person, coded, tested, reviewed, approved and merged. */
import { z } from 'zod';
import { openDemoPlan } from '../plan/demo-plan.ts';
import { seePull } from '../open-pulls.ts';
import { NEW_TASKS, type NewTask } from '../project/new-plan.ts';
import { APPROVER, MAINTAINER, REPOSITORY } from '../project/people.ts';
import type { ActionsDemo, MergedTask } from '../../hosts/cli/demo/actions-result.ts';
import { failuresIn, outputOf, type ActionsWorld } from './open-actions-world.ts';
import { startByHand } from './start-by-hand.ts';

type OnAct = (says: string) => void;

export async function playPlan(world: ActionsWorld, onAct: OnAct): Promise<ActionsDemo['plan']> {
  const { number, title } = await openDemoPlan(world, { hasDiffs: true });
  const tasks: MergedTask[] = [];
  for (const [at, task] of NEW_TASKS.entries()) {
    onAct(`@${MAINTAINER} starts task ${at + 1} of #${number}; six jobs code, test and review it`);
    const begun = await begin(world, { plan: number, task: at + 1 });
    onAct(`@${APPROVER} approves #${begun.pull}, and the workflow merges it`);
    tasks.push(await approve(world, task, begun));
  }
  return { number, title, tasks };
}

interface Begun {
  task: number;
  pull: number;
  verdict: string;
  problems: string[];
}

async function begin(
  world: ActionsWorld,
  { plan, task }: { plan: number; task: number },
): Promise<Begun> {
  const inputs = { plan: String(plan), task: String(task) };
  const workflow = 'quorum-task.yml';
  const { runId, by } = await startByHand(world, { workflow, inputs });
  const payload = { inputs, ref: 'refs/heads/main' };
  const jobs = await world.play({ workflow, name: 'workflow_dispatch', payload, by, runId });
  const pull = Number(outputOf(jobs, 'apply', 'pr'));
  const verdict = outputOf(jobs, 'review', 'verdict');
  const why = jobs.flatMap(({ steps }) => steps.map(({ summary }) => summary)).join(' ');
  return {
    task,
    pull,
    verdict,
    problems: [
      ...failuresIn(jobs),
      ...(pull === 0 ? [`no pull request was opened: ${why}`] : []),
      ...(verdict === 'APPROVE' ? [] : [`the team's review says ${verdict || 'nothing'}`]),
    ],
  };
}

async function approve(
  world: ActionsWorld,
  { title }: NewTask,
  { task, pull, verdict, problems }: Begun,
): Promise<MergedTask> {
  const nothing = { task, title, pull, verdict, isMerged: false, checks: [] };
  if (pull === 0) return { ...nothing, problems };
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
    task,
    title,
    pull,
    verdict,
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
