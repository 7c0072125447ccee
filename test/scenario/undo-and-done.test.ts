/** What people say can be taken back where nothing came of it that cannot be; and a thread is brought to its end. */
import { describe, expect, test } from 'vitest';
import { aPlanBody, aTask } from '../helpers/a-plan.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { anIssue, say } from '../helpers/talking.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { verifies } from '../verifies.ts';

async function aPlanIn(world: TestWorld, body = aPlanBody()): Promise<number> {
  const number = await world.ask({ title: '[PLAN] Quotes', body }, 'plan');
  await world.idle();
  return number;
}

async function bodyOf({ emulator }: TestWorld, number: number): Promise<string> {
  const issue = await emulator.as('ana').request('GET', `/repos/${REPO}/issues/${number}`);
  return (issue as { body: string }).body;
}

describe('/pm undo', () => {
  verifies('CB-4', 'withdraws an approval, and a rejection', async () => {
    const world = await aWorld();
    const number = await aPlanIn(world);
    await say(world, number, '/pm approve');
    expect((await world.tell(number)).labels).toContain('plan:active');
    const undone = await say(world, number, '/pm undo');
    expect(undone.answers[0]).toContain('Undone: `/pm approve` by `ana`.');
    const shown = await world.tell(number);
    expect([shown.labels, shown.comments[0]]).toEqual([
      ['plan'],
      expect.stringContaining('**Waiting for approval**'),
    ]);
    await say(world, number, '/pm reject no time');
    await say(world, number, '/pm undo');
    expect((await world.tell(number)).comments[0]).toContain('**Waiting for approval**');
    const none = await say(world, number, '/pm undo');
    expect([none.reactions, none.answers[0]]).toEqual([
      ['confused'],
      expect.stringContaining('There is no command here that can be undone'),
    ]);
  });

  test('puts labels and the lines of a task back, and leaves alone what somebody changed since', async () => {
    const world = await aWorld();
    const number = await aPlanIn(world);
    await say(world, number, '/pm hold');
    await say(world, number, '/pm undo');
    expect((await world.tell(number)).labels).not.toContain('hold');
    const before = await bodyOf(world, number);
    await say(world, number, '/pm block 2 no key yet');
    expect(await bodyOf(world, number)).toContain('**Status:** blocked (no key yet)');
    await say(world, number, '/pm undo');
    expect(await bodyOf(world, number)).toBe(before);
    await say(world, number, '/pm claim 1');
    const other = (await bodyOf(world, number)).replace('**Assignee:** ana', '**Assignee:** tom');
    await world.emulator
      .as('ana')
      .request('PATCH', `/repos/${REPO}/issues/${number}`, { body: other });
    await world.idle();
    const kept = await say(world, number, '/pm undo');
    expect(kept.answers[0]).toContain('cannot be undone: task 1 has changed since then.');
    expect(await bodyOf(world, number)).toBe(other);
  });

  test('says what stays done and what can be done instead', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    await say(world, number, '/pm plan');
    const kept = await say(world, number, '/pm undo');
    expect(kept.answers[0]).toContain(
      '`/pm plan` cannot be undone: `/pm reject` rejects the proposal.',
    );
  });
});

describe('/pm unblock', () => {
  verifies('CB-7', 'gives what follows the number to the task as an answer', async () => {
    const world = await aWorld();
    const number = await aPlanIn(world, aPlanBody({ tasks: [aTask(3)] }));
    await say(world, number, '/pm block 3 waits');
    await say(world, number, '/pm unblock 3 the old flag stays, "as is"');
    const events = await world.store.records.events({ limit: 1000 });
    const words = events.flatMap(({ data }) => (data.kind === 'task-word' ? [data] : []));
    expect(words).toMatchObject([{ word: 'again', answer: 'the old flag stays, "as is"' }]);
    expect(await bodyOf(world, number)).toContain('**Status:** pending');
  });
});

describe('/pm done', () => {
  test('closes an issue with a report, and the running work with it', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    await say(world, number, '/pm ask where is `main`?');
    const told = await say(world, number, '/pm done');
    expect([told.state, told.stateReason]).toEqual(['closed', 'completed']);
    expect(told.answers[0]).toMatch(
      /### Closed\n\n0 discussions and reviews, one answer; cost \$0 in 1 call\.\n\n<details><summary>Report<\/summary>\n\n- Calls of models: 1, [^]*<\/details>/,
    );
  });

  verifies(
    'TG-9',
    'closes a plan that is not finished as such, and gives the state of each task',
    async () => {
      const world = await aWorld();
      const number = await aPlanIn(world);
      await say(world, number, '/pm approve');
      const told = await say(world, number, '/pm done');
      expect([told.state, told.stateReason, told.labels]).toEqual([
        'closed',
        'not_planned',
        ['plan'],
      ]);
      expect(told.answers[0]).toContain('- Task 1, `Do thing 1`: pending');
      expect(told.answers[0]).toContain('<details><summary>Report</summary>');
      expect((await memoryOf(world))?.[`journal/${number}.md`]).toContain(
        `**Quorum closed #${number}** as not planned.`,
      );
    },
  );

  test('is for people with write access, and merges no pull request that belongs to no task', async () => {
    const world = await aWorld();
    const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    await say(world, number, { by: 'eve', body: '/pm done' });
    expect((await world.tell(number)).state).toBe('open');
  });
});
