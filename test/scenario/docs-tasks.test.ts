/** Tasks for documents that a repository lacks: put in before the yes, once, and only where the settings say so. */
import { describe, expect, test } from 'vitest';
import { aPlanBody, aTask } from '../helpers/a-plan.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const WANTED = { '.github/quorum.yml': 'plans:\n  docsTasks: true\n' };
const TITLES = /^### Task \d+: .+$/gm;

async function bodyOf({ emulator }: TestWorld, number: number): Promise<string> {
  const issue = await emulator.as('ana').request('GET', `/repos/${REPO}/issues/${number}`);
  return (issue as { body: string }).body;
}

async function aPlanBy(world: TestWorld, login: string, body = aPlanBody()): Promise<number> {
  const { number } = await world.emulator
    .as(login)
    .openIssue(REPO, { title: '[PLAN] Quotes', body });
  await world.emulator.as('ana').label(REPO, number, ['plan']);
  await world.idle();
  return number;
}

describe('plans.docsTasks', () => {
  verifies(
    ['TG-3b', 'CB-4'],
    'puts two first tasks in before anybody approves, and approval is for the text with them',
    async () => {
      const world = await aWorld({ files: WANTED });
      // Who writes a plan and labels it has said yes by that, but to another text.
      const number = await aPlanBy(world, 'ana');
      const body = await bodyOf(world, number);
      expect(body.match(TITLES)).toEqual([
        '### Task 3: A guide for agents and people who change this',
        '### Task 4: What a person can do and see',
        '### Task 1: Do thing 1',
        '### Task 2: Do thing 2',
      ]);
      expect(body.endsWith(aPlanBody().slice(aPlanBody().indexOf('### Task 1')))).toBe(true);
      const shown = await world.tell(number);
      expect(shown.comments).toHaveLength(1);
      expect(shown.comments[0]).toMatch(
        /^### Plan: 4 tasks, 0 completed\n\n\*\*Waiting for approval\*\*/,
      );
      await say(world, number, 'yes');
      expect((await world.tell(number)).labels).toContain('plan:active');
      expect(await bodyOf(world, number)).toBe(body);
    },
  );

  verifies('TG-3b', 'never twice: a person who takes them out is not argued with', async () => {
    const world = await aWorld({ files: { ...WANTED, 'AGENTS.md': '# tidy\n' } });
    const number = await aPlanBy(world, 'tom');
    const body = await bodyOf(world, number);
    expect(body.match(TITLES)).toHaveLength(3);
    const change = { body: aPlanBody({ tasks: [aTask(1), aTask(2), aTask(3)] }) };
    await world.emulator.as('ana').request('PATCH', `/repos/${REPO}/issues/${number}`, change);
    await world.idle();
    expect(await bodyOf(world, number)).toBe(change.body);
  });

  test('puts nothing in where a task is about it, or nobody asked for it', async () => {
    const own = [
      aTask(1, {
        files: [
          { path: 'CLAUDE.md', note: '' },
          { path: 'SCENARIOS.md', note: '' },
        ],
      }),
    ];
    const asked = await aWorld({ files: WANTED });
    const number = await aPlanBy(asked, 'tom', aPlanBody({ tasks: own }));
    expect((await bodyOf(asked, number)).match(TITLES)).toHaveLength(1);
    const usual = await aWorld();
    const other = await aPlanBy(usual, 'tom');
    expect(await bodyOf(usual, other)).toBe(aPlanBody());
  });
});
