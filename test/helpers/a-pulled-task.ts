/** A task whose pull request a workflow opened, and what people do with it and with its record. */
import type { JobRun } from '../../src/demo/runner/run-workflow.ts';
import {
  keepTask,
  parseKeptTasks,
  type KeptTask,
} from '../../src/domain/actions/kept/kept-tasks.ts';
import { renderRecords } from '../../src/domain/actions/signed-record.ts';
import { moveBranch, tipOf, writeCommit } from './commits.ts';
import { sayTask } from './a-plan-story.ts';
import {
  anApproval,
  aPlannedWorld,
  playMergeWorkflow,
  playTaskWorkflow,
  pullsOf,
  type Planned,
} from './a-workflow-plan.ts';
import { REPO } from './a-world.ts';

export const MEMORY = 'quorum/memory';
const RECORDS = 'state/tasks.json';
/** Jobs of a merge that refuses what it was started for. */
export const NOTHING = ['claim: success', 'verify: skipped', 'apply: skipped'];
/** The jobs that are carried out when the tests need not run again. */
export const APPLY = 2;

export async function aPulledTask() {
  const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
  const jobs = await playTaskWorkflow(planned, 1);
  const number = Number(jobs.find(({ name }) => name === 'apply')?.outputs['pr']);
  const play = async (by = 'tom', over: Parameters<typeof playMergeWorkflow>[2] = {}) =>
    playMergeWorkflow(planned, await anApproval(planned, number, by), over);
  return { planned, number, play };
}

export const statusOf = (jobs: readonly JobRun[]): string => jobs.at(-1)?.outputs['status'] ?? '';
export const isMerged = async (planned: Planned): Promise<boolean[]> =>
  (await pullsOf(planned)).map(({ merged_at: at }) => at !== null);

/** Somebody who may push changes the records on the memory branch. */
export async function changeRecords(
  { world }: Planned,
  change: (text: string) => string,
): Promise<void> {
  const ana = world.emulator.as('ana');
  const at = `/repos/${REPO}/contents/${RECORDS}?ref=${MEMORY}`;
  const { content } = (await ana.request('GET', at)) as { content: string };
  const text = change(Buffer.from(content, 'base64').toString());
  const { gitDir } = world.emulator.repository(REPO);
  const parent = await tipOf(world, MEMORY);
  const sha = writeCommit(gitDir, { changes: { [RECORDS]: text }, parent });
  await moveBranch(world, MEMORY, { sha });
}

/** The records as somebody with this secret would sign them. */
export function signedAgain(
  text: string,
  secret: string,
  change = (kept: KeptTask): KeptTask => kept,
): string {
  const before = parseKeptTasks(text) ?? { version: 1 as const, tasks: {} };
  const changed = Object.values(before.tasks).map((kept) => change(structuredClone(kept)));
  return renderRecords(
    changed.reduce((all, kept) => keepTask(all, kept, secret), { ...before, tasks: {} }),
  );
}
