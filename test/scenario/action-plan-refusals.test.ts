/** What starts no task of a plan in workflows: words that do not count, records that nobody signed, and what is missing. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TaskStatus } from '../../src/domain/plan/plan.ts';
import { editPlan } from '../../src/domain/plan/body/edit-plan.ts';
import { parsePlan } from '../../src/domain/plan/body/parse-plan.ts';
import { sayTask } from '../helpers/a-plan-story.ts';
import {
  aShownPlan,
  aWord,
  changeRecords,
  commentsOf,
  issueOf,
  startsOf,
  type Planned,
} from '../helpers/a-plan-approved.ts';
import {
  bodyOf,
  conclusions,
  playTaskWorkflow,
  playTeamWorkflow,
  told,
} from '../helpers/a-workflow-plan.ts';
import { anEvent, buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { REPO } from '../helpers/a-world.ts';

vi.setConfig({ testTimeout: 600_000 });
beforeAll(() => buildForTests(['deliberate', 'command', 'task']));
afterAll(dropBuild);

const BOT = 'github-actions[bot]';
/** The third job of the workflow. */
const APPLY = 3;
const RECORDS = 'state/plans.json';
const PAIR = [sayTask(1, 'goodbye'), sayTask(2, 'welcome')];

const talkOf = async (planned: Planned): Promise<string> => (await commentsOf(planned)).join('\n');

describe('no task is started', () => {
  test('by a comment of somebody who may not write, or by one that was edited since', async () => {
    const { planned } = await aShownPlan(PAIR);
    const { world } = planned;
    await playTeamWorkflow(planned, await aWord(planned, '/pm approve', 'eve'));
    expect(startsOf(planned)).toEqual([]);
    const event = await aWord(planned, '/pm approve');
    const { id } = Reflect.get(event.payload, 'comment') as { id: number };
    const jobs = await playTeamWorkflow(planned, event, {
      before: async (job) => {
        if (job !== APPLY) return;
        world.emulator.setClockOffset(9_000);
        const address = `/repos/${REPO}/issues/comments/${id}`;
        await world.emulator.as('ana').request('PATCH', address, { body: '/pm approve please' });
      },
    });
    expect(conclusions(jobs).at(-1)).toBe('apply: failure');
    expect(startsOf(planned)).toEqual([]);
  });

  test('when the text of the plan was changed after the comment', async () => {
    const { planned } = await aShownPlan(PAIR);
    const { world, plan } = planned;
    const event = await aWord(planned, '/pm approve');
    world.emulator.setClockOffset(9_000);
    const body = (await bodyOf(planned)).replace('Add `goodbye', 'Remove everything. Add `goodbye');
    await world.emulator.as('tom').request('PATCH', `/repos/${REPO}/issues/${plan}`, { body });
    await playTeamWorkflow(planned, event);
    expect(startsOf(planned)).toEqual([]);
    expect(await talkOf(planned)).toContain(
      'The plan changed after it was shown here, or while you approved it.',
    );
  });

  test('of a repository without a workflow for tasks, and the comment of the plan says so', async () => {
    const { planned } = await aShownPlan(PAIR, { workflows: ['quorum.yml'] });
    expect(await talkOf(planned)).toContain('no workflow of this repository starts tasks');
    await playTeamWorkflow(planned, await aWord(planned, '/pm approve'));
    expect(startsOf(planned)).toEqual([]);
    expect(await talkOf(planned)).toContain('No task starts: no workflow of this repository');
  });

  test('without the key that signs records: one sentence says what to do', async () => {
    const { planned } = await aShownPlan(PAIR, { over: { secrets: {} } });
    expect(await talkOf(planned)).toContain('Set the secret `QUORUM_ENCRYPTION_KEY`');
    const event = await aWord(planned, '/pm approve');
    const jobs = await playTeamWorkflow(planned, event, { secrets: {} });
    expect(conclusions(jobs).at(-1)).toBe('apply: success');
    expect(startsOf(planned)).toEqual([]);
    const last = (await commentsOf(planned)).at(-1);
    expect(last).toContain('Tasks need a key that signs their records.');
  });

  test('when the job may not start workflows: the plan says which permission is missing', async () => {
    const { planned } = await aShownPlan(PAIR);
    const event = await aWord(planned, '/pm approve');
    const jobs = await playTeamWorkflow(planned, event, { lacks: 'actions' });
    expect(startsOf(planned)).toEqual([]);
    expect({ last: (await commentsOf(planned)).at(-1), told: told(jobs) }).toMatchObject({
      last: expect.stringContaining('Give `actions: write` to the job') as string,
    });
    await playTeamWorkflow(planned, await aWord(planned, '/pm approve'));
    expect(startsOf(planned)).toEqual(['1', '2']);
  });
});

/** Somebody edits the statuses of tasks in the issue, and the workflow runs for it. */
async function setStatus(planned: Planned, by: string, words: Record<number, TaskStatus>) {
  const { world, plan } = planned;
  const edits = Object.entries(words).map(
    ([task, status]) => ({ kind: 'status', task: Number(task), status }) as const,
  );
  const body = editPlan(parsePlan(await bodyOf(planned)), edits);
  await world.emulator.as(by).request('PATCH', `/repos/${REPO}/issues/${plan}`, { body });
  const issue = await issueOf(planned);
  return playTeamWorkflow(planned, await anEvent(world, 'issues', { action: 'edited', issue, by }));
}

test('the author of a plan who may not write cannot complete its tasks, and a maintainer can', async () => {
  const tasks = [sayTask(1, 'goodbye'), sayTask(2, 'welcome', { dependencies: [1] })];
  const { planned } = await aShownPlan(tasks, { by: 'eve' });
  await playTeamWorkflow(planned, await aWord(planned, '/pm approve'));
  expect(startsOf(planned)).toEqual(['1']);
  await setStatus(planned, 'eve', { 1: 'completed' });
  expect(startsOf(planned)).toEqual(['1']);
  expect(await talkOf(planned)).toContain('no record shows a merge');
  await setStatus(planned, 'eve', { 2: 'completed' });
  expect(await issueOf(planned)).toMatchObject({ state: 'open' });
  await setStatus(planned, 'eve', { 1: 'pending', 2: 'pending' });
  await setStatus(planned, 'ana', { 1: 'completed' });
  expect(startsOf(planned)).toEqual(['1', '2']);
});

describe('a task that a workflow started', () => {
  test('is not begun without an approval on record, or under a record that somebody changed', async () => {
    const { planned } = await aShownPlan(PAIR);
    const early = await playTaskWorkflow(planned, 1, { by: BOT });
    expect(conclusions(early).slice(0, 2)).toEqual(['claim: success', 'agent: skipped']);
    expect(told(early)).toContain('No approval of this plan is on record.');
    await playTeamWorkflow(planned, await aWord(planned, '/pm approve'));
    const body = await bodyOf(planned);
    await changeRecords(planned, RECORDS, (text) => text.replaceAll('"digest": "', '"digest": "0'));
    const forged = await playTaskWorkflow(planned, 1, { by: BOT });
    expect(told(forged)).toContain('No approval of this plan is on record.');
    expect(await bodyOf(planned)).toBe(body);
  });

  test('is not begun once the text of the plan was changed, or its approver may not write any more', async () => {
    const { planned } = await aShownPlan(PAIR);
    const { world, plan } = planned;
    await playTeamWorkflow(planned, await aWord(planned, '/pm approve', 'tom'));
    expect(startsOf(planned)).toEqual(['1', '2']);
    world.emulator.addCollaborator(REPO, 'tom', 'read');
    const without = await playTaskWorkflow(planned, 1, { by: BOT });
    expect(told(without)).toContain('tom needs the write role');
    world.emulator.addCollaborator(REPO, 'tom', 'write');
    const body = (await bodyOf(planned)).replace('Add `goodbye', 'Remove everything. Add `goodbye');
    await world.emulator.as('tom').request('PATCH', `/repos/${REPO}/issues/${plan}`, { body });
    const changed = await playTaskWorkflow(planned, 1, { by: BOT });
    expect(told(changed)).toContain('the plan was changed after its approval');
  });
});

test('two approvals at once start each task once', async () => {
  const { planned } = await aShownPlan(PAIR);
  const first = await aWord(planned, '/pm approve');
  const second = await aWord(planned, '/pm approve', 'tom');
  let other: Promise<unknown> | undefined;
  await playTeamWorkflow(planned, first, {
    before: async (job) => {
      if (job !== APPLY) return;
      // Both jobs that write begin at once.
      await new Promise<void>((ready) => {
        const before = (one: number): void => (one === APPLY ? ready() : undefined);
        other = playTeamWorkflow(planned, second, { before });
      });
    },
  });
  await other;
  expect(startsOf(planned)).toEqual(['1', '2']);
  await playTeamWorkflow(planned, await aWord(planned, '/pm approve'));
  expect(startsOf(planned)).toEqual(['1', '2']);
  expect(await issueOf(planned)).toMatchObject({ state: 'open' });
});
