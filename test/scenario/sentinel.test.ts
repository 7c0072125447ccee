/**
 * A workspace with nothing left to do says so once in an issue, sleeps while the issue is open, and
 * wakes when it is closed.
 */
import { describe, expect, test } from 'vitest';
import { green, red } from '../helpers/a-build.ts';
import { aLeapWorld } from '../helpers/a-leap-world.ts';
import { aModel } from '../helpers/a-model.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { openPullOf } from '../helpers/commits.ts';
import { say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const HOUR = 3_600_000;
const SETTINGS = '.github/quorum.yml';
const WORKSPACE = { [SETTINGS]: 'plans:\n  workspace: true\n' };
const DONE = aPlanBody().replaceAll('**Status:** pending', '**Status:** completed');

/** A plan whose tasks people did by hand. Without waiting for what follows from it. */
async function complete({ emulator }: TestWorld): Promise<number> {
  const { number } = await emulator.as('ana').openIssue(REPO, { title: '[PLAN] Q', body: DONE });
  await emulator.as('ana').label(REPO, number, ['plan']);
  return number;
}

async function close({ emulator }: TestWorld, number: number): Promise<void> {
  const at = `/repos/${REPO}/issues/${number}`;
  await emulator.as('ana').request('PATCH', at, { state: 'closed' });
}

/** Numbers of all that were opened, the first one first. */
async function sentinels({ emulator }: TestWorld): Promise<number[]> {
  const query = 'state=all&labels=finished&direction=asc';
  const all = await emulator.as('ana').request('GET', `/repos/${REPO}/issues?${query}`);
  return (all as { number: number }[]).map(({ number }) => number);
}

describe('the sentinel of a workspace', () => {
  verifies(
    'TG-9',
    'waits for the last open issue, is one, and stays closed until more is completed',
    async () => {
      const world = await aLeapWorld({ files: WORKSPACE, app: { reconcileEveryMs: HOUR } });
      await world.emulator.endRun(REPO, green());
      const other = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
      const plan = await complete(world);
      await world.pass(2 * HOUR);
      expect((await world.tell(plan)).state).toBe('closed');
      expect(await sentinels(world)).toEqual([]);
      await close(world, other.number);
      await world.pass(2 * HOUR);
      const [first = 0, ...more] = await sentinels(world);
      expect(more).toEqual([]);
      const told = await world.tell(first);
      expect(told).toMatchObject({ title: `FINISHED: ${REPO}`, state: 'open', comments: [] });
      const issue = await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues/${first}`);
      const { body } = issue as { body: string };
      expect(body).toContain(`- #${plan} \`[PLAN] Q\``);
      expect(body).toMatch(/at [0-9a-f]{12}: nothing failed of `ci`/);
      expect(body).toContain('To wake the repository, close this issue.');
      // What somebody asks for is done, and marks nothing a second time.
      const second = await complete(world);
      await world.pass(26 * HOUR);
      expect((await world.tell(second)).state).toBe('closed');
      expect(await sentinels(world)).toEqual([first]);
      await close(world, first);
      await world.pass(26 * HOUR);
      expect(await sentinels(world)).toEqual([first]);
      await complete(world);
      await world.pass(26 * HOUR);
      expect(await sentinels(world)).toHaveLength(2);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  test('follows a complete plan at once, and stays away where anything is open, unwell or unknown', async () => {
    const cases: [string, number, (world: TestWorld) => Promise<unknown>, object?][] = [
      ['all is well', 1, (world) => world.emulator.endRun(REPO, green())],
      ['no workspace', 0, (world) => world.emulator.endRun(REPO, green()), {}],
      ['an open issue', 0, ({ emulator }) => emulator.as('tom').openIssue(REPO, READY_ISSUE)],
      ['an open pull request', 0, (world) => openPullOf(world, { 'src/x.ts': 'export {};\n' })],
      [
        'a build that was stopped',
        0,
        (world) => world.emulator.endRun(REPO, red(null, { conclusion: 'cancelled' })),
      ],
    ];
    for (const [what, count, before, files = WORKSPACE] of cases) {
      const world = await aWorld({ files: { ...files } });
      await before(world);
      await world.idle();
      const plan = await complete(world);
      await world.idle();
      expect([what, (await world.tell(plan)).state]).toEqual([what, 'closed']);
      expect([what, (await sentinels(world)).length]).toEqual([what, count]);
    }
  });

  test('comes after the quality loop, which asks no model while it is open', async () => {
    const { server, env } = await aModel();
    const text = JSON.stringify({ kind: 'answer', answer: 'Nothing is missing.' });
    server.setScript(() => ({ text }));
    const files = {
      [SETTINGS]: 'plans:\n  workspace: true\n  qualityLoop: true\n',
      'SCENARIOS.md': '# Scenarios\n\n## Quiet\n\n`tidy --quiet a.txt` prints nothing.\n',
    };
    const world = await aWorld({ env, files });
    const approved = async (): Promise<void> => {
      const number = await world.ask({ title: '[PLAN] Q', body: aPlanBody() }, 'plan');
      await world.idle();
      await say(world, number, 'yes');
      const at = `/repos/${REPO}/issues/${number}`;
      await world.emulator.as('ana').request('PATCH', at, { body: DONE });
      await world.idle();
      expect((await world.tell(number)).state).toBe('closed');
    };
    await approved();
    const calls = server.calls.length;
    expect(calls).toBeGreaterThan(0);
    const [first = 0, ...more] = await sentinels(world);
    expect(more).toEqual([]);
    await approved();
    expect(server.calls).toHaveLength(calls);
    await close(world, first);
    await approved();
    expect(server.calls.length).toBeGreaterThan(calls);
  });
});
