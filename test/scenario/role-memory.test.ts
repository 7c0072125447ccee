/** What the PM should know from now on is proposed when work is over, and comes into the repository by a pull request. */
import { describe, expect, test } from 'vitest';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { anIssue, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

interface Pull {
  number: number;
  title: string;
  body: string;
  head: { ref: string };
}

async function pullsOf(world: TestWorld): Promise<Pull[]> {
  return (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/pulls?state=open`)) as Pull[];
}

async function fileAt(world: TestWorld, path: string, ref: string): Promise<string> {
  const { content } = (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/contents/${path}?ref=${ref}`)) as { content: string };
  return Buffer.from(content, 'base64').toString();
}

/** The proposal as people see it. */
async function proposalIn(world: TestWorld, number: number): Promise<string | undefined> {
  const { comments } = await world.tell(number);
  return comments.find((body) => body.includes('memory/pm.md'));
}

/** An issue that ends with two rules of somebody who may write. */
async function anEnd(world: TestWorld): Promise<number> {
  world.emulator.addCollaborator(REPO, 'tom', 'write');
  const number = await anIssue(world);
  await world.emulator
    .as('tom')
    .comment(REPO, number, 'Workflow: releases are cut on Mondays\nDecision: Node 24 is enough');
  await world.emulator.as('eve').comment(REPO, number, 'Workflow: eve merges everything');
  await say(world, number, '/pm done');
  return number;
}

describe('role memory', () => {
  verifies(
    ['CB-9', 'CB-10'],
    'what was said is proposed at the end, and “yes” from somebody who may write opens a pull request',
    async () => {
      const world = await aWorld();
      const number = await anEnd(world);
      expect(await proposalIn(world, number)).toContain(
        '1. Add to `memory/pm.md`, Workflows: `releases are cut on Mondays`\n2. Add to `memory/pm.md`, Project Knowledge: `Node 24 is enough`',
      );
      expect(await proposalIn(world, number)).not.toContain('eve');
      await say(world, number, { by: 'eve', body: 'yes' });
      expect(await pullsOf(world)).toEqual([]);
      const told = await say(world, number, { by: 'tom', body: 'yes' });
      expect(told.reactions).toEqual(['+1']);
      const [pull, ...others] = await pullsOf(world);
      expect(others).toEqual([]);
      expect(pull?.title).toBe('Remember: releases are cut on Mondays (and 1 more)');
      expect(pull?.body).toContain(`\`tom\` approved this in #${number}:`);
      expect(pull?.head.ref).toBe(`quorum/memory-${number}`);
      const file = await fileAt(world, 'memory/pm.md', pull?.head.ref ?? '');
      expect(file).toContain('### Bugfix');
      expect(file).toContain('\n- Node 24 is enough\n');
      expect(file).toContain('- releases are cut on Mondays');
      expect(await fileAt(world, '.gitattributes', pull?.head.ref ?? '')).toContain(
        'memory/*.md merge=union\n',
      );
      expect(await proposalIn(world, number)).toContain(
        `Approved. Pull request #${pull?.number} adds this:`,
      );
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies(['CB-9'], '“no” drops it, and a later “yes” finds nothing', async () => {
    const world = await aWorld();
    const number = await anEnd(world);
    await say(world, number, { by: 'tom', body: 'No, thanks.' });
    expect(await proposalIn(world, number)).toContain('`tom` turned this down');
    await say(world, number, { by: 'tom', body: 'yes' });
    expect(await pullsOf(world)).toEqual([]);
  });

  verifies(
    ['CB-9'],
    'it is changed in words and by commands, renumbered, and approved in part',
    async () => {
      const world = await aWorld();
      const number = await anEnd(world);
      await say(world, number, {
        by: 'tom',
        body: 'remove 1\nadd: reviews are short\nchange 2 to: Node 24 is required',
      });
      expect(await proposalIn(world, number)).toMatch(
        /1\. .*`Node 24 is required`\n2\. .*`reviews are short`\n\n/,
      );
      await say(world, number, { by: 'tom', body: '/pm add: tests come first' });
      await say(world, number, { by: 'tom', body: '/pm change 2 to reviews are kind' });
      await say(world, number, { by: 'tom', body: '/pm remove 3' });
      await say(world, number, { by: 'tom', body: '/pm add: we like blue' });
      const missing = await say(world, number, { by: 'tom', body: '/pm memory approve [7]' });
      expect(missing.answers.join()).toContain('There is no 7; the proposal has 1, 2, 3.');
      await say(world, number, { by: 'tom', body: '/pm memory approve [2,3]' });
      const [pull] = await pullsOf(world);
      const file = await fileAt(world, 'memory/pm.md', pull?.head.ref ?? '');
      expect(file).toContain('- reviews are kind');
      expect(file).toContain('- we like blue');
      expect(file).not.toMatch(/Node 24 is required|tests come first|Mondays/);
    },
  );

  test('where proposals are switched off, nothing is asked and nothing is said', async () => {
    const files = { '.github/quorum.yml': 'memory:\n  proposals: false\n' };
    const world = await aWorld({ files });
    const number = await anEnd(world);
    expect(await proposalIn(world, number)).toBeUndefined();
  });
});

describe.skipIf(noBwrap !== undefined)('the merged task of a plan', () => {
  verifies(
    ['CB-9'],
    'leads to a proposal in its pull request, with what was said about the plan',
    async () => {
      const world = await aPlanWorld();
      const plan = await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      await world.emulator
        .as('tom')
        .comment(REPO, plan, 'Style: greetings are short and lower case');
      const [task] = await world.pulls();
      const number = task?.number ?? 0;
      await world.emulator.as('tom').comment(REPO, number, '/pm approve');
      await world.idle();
      const { comments, state } = await world.tell(number);
      expect(state).toBe('closed');
      expect(comments.join('\n')).toContain(
        '1. Add to `memory/artist.md`, Style: `greetings are short and lower case`',
      );
      await say(world, number, { by: 'tom', body: 'yes' });
      const [pull] = await pullsOf(world);
      const file = await fileAt(world, 'memory/artist.md', pull?.head.ref ?? '');
      expect(file).toContain('- greetings are short and lower case');
    },
  );
});
