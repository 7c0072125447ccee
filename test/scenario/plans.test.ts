/** Plans in the App: read whenever they change, told of in one comment, and never half believed. */
import { describe, expect, test } from 'vitest';
import { aPlanBody, aTask } from '../helpers/a-plan.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const BAD = '## Tasks\n\n### Task 1: a\n\n**Dependencies:** 2\n\n### Task 1: b\n';

async function checks(world: TestWorld): Promise<{ conclusion: string; title: string }[]> {
  const found = (await world.emulator
    .as('ana')
    .request(
      'GET',
      `/repos/${REPO}/commits/main/check-runs?check_name=${encodeURIComponent('quorum / plan')}`,
    )) as {
    check_runs: { conclusion: string; output: { title: string } }[];
  };
  return found.check_runs.map(({ conclusion, output: { title } }) => ({ conclusion, title }));
}

async function edit(world: TestWorld, number: number, change: object): Promise<void> {
  await world.emulator.as('ana').request('PATCH', `/repos/${REPO}/issues/${number}`, change);
  await world.idle();
}

describe('a plan in the App', () => {
  verifies(
    'TG-3',
    'is shown as a graph and in words, in one comment that follows its edits',
    async () => {
      const world = await aWorld();
      const number = await world.ask({ title: '[PLAN] Quotes', body: aPlanBody() }, 'plan');
      await world.idle();
      const first = await world.tell(number);
      expect(first.comments).toHaveLength(1);
      expect(first.comments[0]).toMatch(
        /^### Plan: 2 tasks, 0 completed\n\n\*\*Waiting for approval\*\* [^\n]+\n\n\*\*No task would start[^\n]+\n\n```mermaid\nflowchart LR\n/,
      );
      expect(first.comments[0]).toContain('- 2 · Do thing 2 (pending, waits for 1)');
      expect(first.labels).toEqual(['plan']);
      expect(await checks(world)).toEqual([]);
      await world.emulator.as('ana').comment(REPO, number, '/pm status');
      await world.idle();
      const status = (await world.tell(number)).comments.at(-1);
      expect(status).toContain('waiting for approval');
      await edit(world, number, { body: aPlanBody({ tasks: [aTask(1), aTask(2), aTask(3)] }) });
      const second = await world.tell(number);
      expect(second.comments).toHaveLength(2);
      expect(second.comments[0]).toMatch(/^### Plan: 3 tasks/);
    },
  );

  verifies(
    'TG-3',
    'with errors is reported line by line, blocked, and failing, until they are fixed',
    async () => {
      const world = await aWorld();
      const number = await world.ask({ title: '[PLAN] Quotes', body: BAD }, 'plan');
      await world.idle();
      const told = await world.tell(number);
      expect(told.comments).toHaveLength(1);
      expect(told.comments[0]).toMatch(/^### Plan: fix 2 errors before any task can start\n/);
      expect(told.comments[0]).toContain('| 5 | `unknown-dependency` | Task 1 depends on Task 2');
      expect(told.comments[0]).toContain('| 7 | `duplicate-task` |');
      expect(told.labels.toSorted()).toEqual(['plan', 'plan:blocked']);
      expect(await checks(world)).toEqual([
        { conclusion: 'failure', title: `#${number}: 2 errors` },
      ]);
      await edit(world, number, { body: aPlanBody() });
      const mended = await world.tell(number);
      expect(mended.comments).toHaveLength(1);
      expect(mended.comments[0]).toMatch(/^### Plan: 2 tasks/);
      expect(mended.labels).toEqual(['plan']);
      expect((await checks(world)).at(-1)).toEqual({
        conclusion: 'success',
        title: `#${number}: no errors`,
      });
    },
  );

  test('whose titles hold mentions, markers and mermaid pings nobody and closes nothing', async () => {
    const world = await aWorld();
    const title = '@eve fixes #1 <!-- quorum:v1 x --> ```';
    const body = aPlanBody({ tasks: [aTask(1, { title })] });
    const number = await world.ask({ title: 'x', body }, 'plan');
    await world.idle();
    const [comment = ''] = (await world.tell(number)).comments;
    const words = comment.slice(comment.indexOf('<details>'));
    expect(words).not.toMatch(/(?<!`)@eve/);
    expect(words).not.toMatch(/fixes #1(?!`)/);
    expect(comment.match(/<!-- quorum:v1/g)).toHaveLength(1);
    expect(comment.match(/^```/gm)).toHaveLength(2);
  });

  test('that lost its label, is closed or is a pull request is left alone', async () => {
    const world = await aWorld();
    const number = await world.ask({ title: 'x', body: aPlanBody() }, 'plan');
    await world.idle();
    const ana = world.emulator.as('ana');
    await ana.request('DELETE', `/repos/${REPO}/issues/${number}/labels/plan`);
    await edit(world, number, { body: BAD });
    await edit(world, number, { labels: ['plan'], state: 'closed' });
    expect((await world.tell(number)).comments[0]).toMatch(/^### Plan: 2 tasks/);
    await edit(world, number, { state: 'open' });
    expect((await world.tell(number)).comments[0]).toMatch(/^### Plan: fix 2 errors/);
  });

  test('is one by the repository’s own name for the label', async () => {
    const files = { '.github/quorum.yml': 'labels:\n  plan: roadmap\n' };
    const world = await aWorld({ files });
    const number = await world.ask({ title: 'x', body: aPlanBody() }, 'roadmap');
    const other = await world.ask({ title: 'y', body: aPlanBody() }, 'plan');
    await world.idle();
    expect((await world.tell(number)).comments[0]).toMatch(/^### Plan: 2 tasks/);
    expect((await world.tell(other)).comments).toEqual([]);
  });
});
