/** A plan comes to its end: boxes with what shows them, and what SCENARIOS.md says held against the code, once. */
import { describe, expect, test } from 'vitest';
import { aModel } from '../helpers/a-model.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const LOOP = {
  '.github/quorum.yml': 'plans:\n  qualityLoop: true\n',
  'SCENARIOS.md': '# Scenarios\n\n## Quiet\n\n`tidy --quiet a.txt` prints nothing.\n',
};

function aDraft(count: number) {
  const tasks = Array.from({ length: count }, (_, n) => ({
    number: n + 1,
    title: `Missing thing ${n + 1}`,
    files: [{ path: 'src/cli.ts', note: '' }],
    dependencies: n === 0 ? [] : [n],
    description: 'The scenario Quiet says so.',
  }));
  return { title: 'What is missing', goal: 'It is quiet.', tasks };
}

/** The plan is approved, and its tasks are completed by hand. */
async function completed(world: TestWorld): Promise<number> {
  const ana = world.emulator.as('ana');
  const number = await world.ask({ title: '[PLAN] Quotes', body: aPlanBody() }, 'plan');
  await world.idle();
  await say(world, number, 'yes');
  await complete(world, number, ana);
  return number;
}

async function complete(world: TestWorld, number: number, by = world.emulator.as('ana')) {
  const at = `/repos/${REPO}/issues/${number}`;
  const { body } = (await by.request('GET', at)) as { body: string };
  const claimed = body.replaceAll('**Status:** pending', '**Status:** claimed');
  await by.request('PATCH', at, {
    body: claimed.replaceAll('**Status:** claimed', '**Status:** completed'),
  });
  await world.idle();
}

/** Numbers of the issues that the App opened. */
async function openedBy({ emulator }: TestWorld): Promise<number[]> {
  const all = (await emulator.as('ana').request('GET', `/repos/${REPO}/issues?state=all`)) as {
    number: number;
    user: { login: string };
  }[];
  return all.filter(({ user }) => user.login.endsWith('[bot]')).map(({ number }) => number);
}

describe('plans.qualityLoop', () => {
  verifies(
    'TG-9',
    'proposes at most three tasks of what is missing, and nothing grows from that',
    async () => {
      const { server, env } = await aModel();
      const prompts: string[] = [];
      server.setScript((call) => {
        prompts.push(call.lastText);
        return { text: JSON.stringify({ kind: 'plan', plan: aDraft(5) }) };
      });
      const world = await aWorld({ env, files: LOOP });
      const number = await completed(world);
      const [follow = 0, ...others] = await openedBy(world);
      expect(others).toEqual([]);
      expect(prompts[0]).toContain('Read `SCENARIOS.md`, scenario by scenario');
      const shown = await world.tell(follow);
      expect(shown.comments[0]).toMatch(
        /^### Plan: 3 tasks, 0 completed\n\n\*\*Waiting for approval\*\*/,
      );
      const told = await world.tell(number);
      expect(told.state).toBe('closed');
      expect(told.comments.at(-1)).toContain(`### Plan proposed: #${follow}`);
      await say(world, follow, 'yes');
      await complete(world, follow);
      expect((await world.tell(follow)).state).toBe('closed');
      expect(await openedBy(world)).toEqual([follow]);
    },
  );

  test('says in a line that nothing is missing', async () => {
    const { server, env } = await aModel();
    server.setScript(() => ({
      text: JSON.stringify({ kind: 'answer', answer: 'Nothing is missing.' }),
    }));
    const world = await aWorld({ env, files: LOOP });
    const number = await completed(world);
    expect((await world.tell(number)).comments.at(-1)).toContain('Nothing is missing.');
    expect(await openedBy(world)).toEqual([]);
  });

  test('keeps still without a model, without scenarios, and where nobody asked for it', async () => {
    const { server, env } = await aModel();
    server.setScript(() => ({ text: JSON.stringify({ kind: 'plan', plan: aDraft(1) }) }));
    const { 'SCENARIOS.md': scenarios, ...settings } = LOOP;
    for (const world of [
      await aWorld({ files: LOOP }),
      await aWorld({ env, files: settings }),
      await aWorld({ env, files: { 'SCENARIOS.md': scenarios } }),
    ]) {
      const number = await completed(world);
      const told = await world.tell(number);
      expect(told.comments.at(-1)).toMatch(/^### Plan complete\n\nAll 2 tasks are completed\./);
      expect(told.comments.at(-1)).toContain(
        '- [ ] Integration works: no gate proves it; tick it if it holds',
      );
      expect(await openedBy(world)).toEqual([]);
    }
    expect(server.calls).toEqual([]);
  });
});

const IN_BRIEF = { title: 'Quiet', body: 'A flag `--quiet` in `src/cli.ts` that prints nothing.' };

/** The issue has a plan, and the number of that plan. */
async function planned(world: TestWorld): Promise<{ issue: number; plan: number }> {
  const issue = await world.ask(IN_BRIEF, 'plan-me');
  await world.idle();
  const [plan = 0] = await openedBy(world);
  await say(world, plan, 'yes');
  return { issue, plan };
}

describe('the issue that a plan grew from', () => {
  test('hears once that the plan is complete, and is left open', async () => {
    const world = await aWorld();
    const { issue, plan } = await planned(world);
    const before = await world.tell(issue);
    await complete(world, plan);
    expect((await world.tell(plan)).state).toBe('closed');
    const after = await world.tell(issue);
    expect(after.state).toBe('open');
    expect(after.comments.slice(before.comments.length)).toEqual([
      expect.stringMatching(new RegExp(`^Plan #${plan} is complete: its one task is completed\\.`)),
    ]);
    await world.emulator.as('ana').comment(REPO, plan, '/pm status');
    await world.idle();
    expect((await world.tell(issue)).comments).toHaveLength(after.comments.length);
  });

  test('may refuse that: the plan ends all the same', async () => {
    const world = await aWorld();
    const { issue, plan } = await planned(world);
    const { comments } = await world.tell(issue);
    await world.emulator.as('ana').request('PUT', `/repos/${REPO}/issues/${issue}/lock`, {});
    await complete(world, plan);
    expect((await world.tell(issue)).comments).toHaveLength(comments.length);
    const told = await world.tell(plan);
    expect([told.state, told.comments.at(-1)]).toEqual([
      'closed',
      expect.stringContaining('### Plan complete'),
    ]);
  });
});
