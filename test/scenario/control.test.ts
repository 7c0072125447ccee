/** Pause, resume, stop and hold really stop things, and let them go on. */
import { describe, expect } from 'vitest';
import { aLeapWorld, type LeapWorld } from '../helpers/a-leap-world.ts';
import { aModel } from '../helpers/a-model.ts';
import { aPosition } from '../helpers/an-issue.ts';
import { aWorld, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { aPull, anIssue, say, writesOf } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const MINUTE = 60_000;

async function sayAndPass(world: LeapWorld, number: number, body: string): Promise<void> {
  await world.emulator.as('ana').comment(REPO, number, body);
  await world.pass(MINUTE);
}

describe('pause', () => {
  verifies(
    'LOOP-09',
    'holds back whatever is asked meanwhile, and resume lets it go on',
    async () => {
      const world = await aLeapWorld();
      const number = await anIssue(world);
      await sayAndPass(world, number, '/pm pause release week');
      const before = writesOf(world).length;
      await world.emulator.as('ana').label(REPO, number, ['deliberate']);
      const other = await anIssue(world);
      await world.emulator.as('ana').label(REPO, other, ['deliberate']);
      await world.pass(30 * MINUTE);
      expect(writesOf(world).slice(before)).toEqual([]);
      // Commands are answered, and nothing is spent.
      await sayAndPass(world, number, '/pm ask where is `main`?');
      await sayAndPass(world, number, '/pm status');
      const { comments } = await world.tell(number);
      expect(comments.at(-2)).toContain('`ana` paused the work in this repository');
      expect(comments.at(-1)).toContain('Paused: `ana` stopped all work');
      expect((await world.store.records.spent({})).calls).toBe(0);
      await sayAndPass(world, number, '/pm resume');
      await world.pass(2 * MINUTE);
      expect((await world.tell(number)).labels).toEqual(['ready']);
      // The second one asks for the same, and is found to.
      expect((await world.tell(other)).comments[0]).toMatch(/^### Close: /);
      const { events, effects } = await world.store.records.counts();
      expect(events).toMatchObject({ dead: 0, parked: 0 });
      expect(effects).toMatchObject({ pending: 0, dead: 0, refused: 0 });
    },
  );

  verifies('LOOP-09', 'in the middle of a discussion nothing more is written', async () => {
    const { server, env } = await aModel({
      position: (_, handle) => ({ json: aPosition({ reasons: handle }), delayMs: 1_500 }),
    });
    const world = await aWorld({ env });
    const number = await world.ask(READY_ISSUE);
    await waitUntil(() => server.calls.length >= 2);
    const { id } = await world.emulator.as('ana').comment(REPO, number, '/pm pause');
    const bodies = async (): Promise<string[]> => (await world.tell(number)).comments;
    await waitUntil(async () => (await bodies()).some((body) => body.includes('Paused: all work')));
    const { comments } = await world.tell(number);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await world.tell(number)).comments).toEqual(comments);
    expect((await world.tell(number)).labels).toEqual(['deliberate']);
    expect(id).toBeGreaterThan(0);
  });
});

describe('stop', () => {
  verifies(
    'LOOP-09',
    'ends a discussion with a comment, and its late answers change nothing',
    async () => {
      const { server, env } = await aModel({
        position: (_, handle) => ({ json: aPosition({ reasons: handle }), delayMs: 1_500 }),
      });
      const world = await aWorld({ env });
      const number = await world.ask(READY_ISSUE);
      await waitUntil(() => server.calls.length >= 2);
      const told = await say(world, number, '/pm stop we know enough');
      expect(told.reactions).toEqual(['+1']);
      expect(told.labels).toEqual(['deliberate']);
      expect(told.comments[0]).toMatch(/^### Stopped: `ana` stopped it: `we know enough`/);
      expect(told.answers.join()).toContain('Stopped: the running work here.');
      // The lead is not asked for a verdict any more.
      expect(server.calls.filter((call) => /Close the discussion/.test(call.lastText))).toEqual([]);
    },
  );

  verifies('LOOP-09', 'ends a review: its check says so, and nothing is posted', async () => {
    const { server, env } = await aModel({
      position: () => ({ json: aPosition({ vote: 'CHANGES' } as never), delayMs: 1_500 }),
    });
    const files = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
    const world = await aWorld({ env, files });
    const number = await aPull(world, { 'src/run.ts': 'export const run = eval;\n' });
    await waitUntil(() => server.calls.length >= 2);
    const told = await say(world, number, '/pm stop');
    expect(told.reactions).toEqual(['+1']);
    const ana = world.emulator.as('ana');
    expect(await ana.request('GET', `/repos/${REPO}/pulls/${number}/reviews`)).toEqual([]);
    const pull = (await ana.request('GET', `/repos/${REPO}/pulls/${number}`)) as {
      head: { sha: string };
    };
    const { check_runs: checks } = (await ana.request(
      'GET',
      `/repos/${REPO}/commits/${pull.head.sha}/check-runs`,
    )) as { check_runs: { conclusion: string; output: { title: string } }[] };
    expect(checks.map(({ conclusion, output }) => [conclusion, output.title])).toEqual([
      ['neutral', 'Stopped: ana stopped it'],
    ]);
  });

  verifies('LOOP-09', 'throws an answer away that is being prepared', async () => {
    const { server, env } = await aModel({
      answer: () => ({ json: { text: 'A late answer.', references: [] }, delayMs: 1_500 }),
    });
    const world = await aWorld({ env });
    const number = await anIssue(world);
    await world.emulator.as('ana').comment(REPO, number, '/pm ask what is this?');
    await waitUntil(() => server.calls.length > 0);
    const told = await say(world, number, '/pm stop');
    expect(told.comments.join()).not.toContain('A late answer.');
    expect(told.answers.join()).toContain('Stopped: the running work here.');
  });
});

describe('hold', () => {
  verifies('LOOP-09', 'blocks new work, by label, push or command', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    await say(world, number, '/pm hold until legal has answered');
    const asked = await say(world, number, '/pm deliberate');
    expect(asked.answers[0]).toContain('This thread is on hold (label `hold`)');
    await world.emulator.as('ana').label(REPO, number, ['deliberate']);
    await world.idle();
    const held = await world.tell(number);
    expect(held.labels.toSorted()).toEqual(['deliberate', 'hold']);
    const free = await say(world, number, '/pm unhold');
    expect(free.labels).toEqual(['deliberate']);
    const ran = await say(world, number, '/pm deliberate');
    expect(ran.labels).toContain('ready');
    expect(ran.reactions).toEqual(['+1']);
  });
});
