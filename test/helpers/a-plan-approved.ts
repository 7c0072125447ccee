/** A plan that people approve in a comment, where workflows alone carry it out. */
import type { JobRun } from '../../src/demo/runner/run-workflow.ts';
import type { NewTask } from '../../src/domain/plan/body/render-plan.ts';
import { aPlannedWorld, playTeamWorkflow, type Planned, type Playing } from './a-workflow-plan.ts';
import { anEvent, type JobWanted } from './a-workflow-run.ts';
import { REPO } from './a-world.ts';
import { moveBranch, tipOf, writeCommit } from './commits.ts';

export type { Planned } from './a-workflow-plan.ts';

type Event = JobWanted['event'];

const TEAM = ['quorum.yml', 'quorum-task.yml', 'quorum-merge.yml'];

interface Shown {
  /** Who writes the plan. */
  by?: string;
  settings?: string;
  workflows?: readonly string[];
  over?: Playing;
}

/** `tom` or somebody else wrote it, and `ana` labels it, so that the label approves nothing; the plan's comment shows the text. */
export async function aShownPlan(
  tasks: NewTask[],
  { by = 'tom', settings, workflows = TEAM, over }: Shown = {},
): Promise<{ planned: Planned; jobs: JobRun[] }> {
  const planned = await aPlannedWorld(tasks, settings, { by, workflows });
  const { world, plan } = planned;
  await world.emulator.as('ana').label(REPO, plan, ['plan']);
  const issue = await issueOf(planned);
  const event = await anEvent(world, 'issues', {
    action: 'labeled',
    issue,
    label: { id: 1, name: 'plan' },
  });
  const jobs = await playTeamWorkflow(planned, event, over);
  // GitHub tells whole seconds: what is said in the second of the comment may have come before it.
  world.emulator.setClockOffset(5_000);
  return { planned, jobs };
}

export async function issueOf({ world, plan }: Planned): Promise<object> {
  return (await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues/${plan}`)) as object;
}

/** Somebody comments on the plan's issue. */
export async function aWord(planned: Planned, body: string, by = 'ana'): Promise<Event> {
  const { world, plan } = planned;
  const address = `/repos/${REPO}/issues/${plan}/comments`;
  const comment = await world.emulator.as(by).request('POST', address, { body });
  const issue = await issueOf(planned);
  return anEvent(world, 'issue_comment', { action: 'created', issue, comment, by });
}

/** The tasks that workflows were started for, each with who started it. */
export function startsOf({ world }: Planned): string[] {
  return world.emulator
    .repository(REPO)
    .workflowRuns.filter(({ workflowPath }) => workflowPath.endsWith('/quorum-task.yml'))
    .map(({ inputs }) => String(Reflect.get(inputs ?? {}, 'task')));
}

export function runIdsOf({ world }: Planned): string[] {
  return world.emulator
    .repository(REPO)
    .workflowRuns.filter(({ workflowPath }) => workflowPath.endsWith('/quorum-task.yml'))
    .map(({ id }) => String(id));
}

export async function commentsOf({ world, plan }: Planned): Promise<string[]> {
  const address = `/repos/${REPO}/issues/${plan}/comments?per_page=100`;
  const found = (await world.emulator.as('ana').request('GET', address)) as { body: string }[];
  return found.map(({ body }) => body);
}

const MEMORY = 'quorum/memory';

/** Somebody who may push changes a file of records on the memory branch. */
export async function changeRecords(
  { world }: Pick<Planned, 'world'>,
  file: string,
  change: (text: string) => string,
): Promise<void> {
  const at = `/repos/${REPO}/contents/${file}?ref=${MEMORY}`;
  const { content } = (await world.emulator.as('ana').request('GET', at)) as { content: string };
  const text = change(Buffer.from(content, 'base64').toString());
  const { gitDir } = world.emulator.repository(REPO);
  const parent = await tipOf(world, MEMORY);
  const sha = writeCommit(gitDir, { changes: { [file]: text }, parent });
  await moveBranch(world, MEMORY, { sha });
}
