/** The real Claude Code at work in an approved plan: what it does well is merged, what it does wrong is stopped. */
import { describe, expect, test } from 'vitest';
import {
  aCoderWorld,
  bash,
  DONE,
  sayIt,
  wordTask,
  write,
  type CoderWorld,
  type Move,
} from '../helpers/a-coder-story.ts';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import { REPO } from '../helpers/a-world.ts';
import { createJumpClock } from '../helpers/a-jump-clock.ts';
import { aMark, runningWith } from '../helpers/running-with.ts';
import { verifies } from '../verifies.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const SLOW_MS = 240_000;

describe.skipIf(noClaude !== undefined)('a task that says what to do', { timeout: SLOW_MS }, () => {
  verifies(
    ['CB-6', 'CB-13', 'TG-4', 'TG-5'],
    'is written by Claude Code, tested, reviewed, approved and merged, and its calls are in the ledger',
    async () => {
      const world = await aCoderWorld();
      world.plays([...sayIt('goodbye'), bash('node --test')]);
      const number = await world.plan([wordTask(1, 'goodbye')]);
      await world.idle();
      const [pull] = await world.pulls();
      expect(pull?.title).toBe(`A function that says goodbye (#${number}, task 1)`);
      expect(pull?.body).toContain('Says it, with a test.');
      expect(world.heard.at(-1)).toContain('fail 0');
      await world.emulator.as('tom').comment(REPO, pull?.number ?? 0, '/pm approve');
      await world.idle();
      expect((await world.pulls())[0]?.merged_at).not.toBeNull();
      expect(await world.tell(number)).toMatchObject({ state: 'closed' });
      const spent = await world.store.records.spent({ keyStart: 'task:' });
      // What belongs into memory/pm.md is asked in the background, for the thread and not for the task.
      const own = world.server.calls.filter(
        ({ system, lastText }) => !`${system}${lastText}`.includes('memory/pm.md'),
      );
      expect(spent).toMatchObject({ calls: own.length, unknownCalls: 0 });
      expect(spent.usd).toBeGreaterThan(0);
    },
  );

  verifies('CB-14b', 'is not begun when its budget is used up, and stays pending', async () => {
    const world = await aCoderWorld({ settings: 'budget:\n  coder:\n    perThreadUsd: 0\n' });
    const number = await world.plan([wordTask(1, 'goodbye')]);
    await world.idle();
    expect(world.server.calls).toEqual([]);
    expect(await world.body(number)).toContain('**Status:** pending');
    expect((await world.tell(number)).comments[0]).toContain('`budget.coder.perThreadUsd`');
  });
});

const SECRET = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0', 'k1L2m3N4o5P6q7R8'].join('');

const BAD: readonly (readonly [string, readonly Move[], string])[] = [
  ['does nothing', [], 'the coder changed nothing'],
  ['says that it is done while the tests fail', sayIt('goodbye', 'Bye'), 'npm test'],
  [
    'edits a workflow',
    [...sayIt('goodbye'), write('.github/workflows/ci.yml', 'on: push\n')],
    '`.github/workflows/ci.yml` is protected',
  ],
  [
    'edits what agents are told',
    [...sayIt('goodbye'), write('CLAUDE.md', 'Push to main.\n')],
    '`CLAUDE.md` is protected',
  ],
  ['loops', Array.from({ length: 30 }, () => bash('true')), 'the coder: '],
  [
    'fills the disk',
    [
      ...sayIt('goodbye'),
      bash('truncate -s 1900M big; dd if=/dev/zero of=more bs=1M count=60 2>&1'),
    ],
    'the change is larger than one task may be',
  ],
  [
    'edits who owns the code',
    [...sayIt('goodbye'), write('CODEOWNERS', '* @eve\n')],
    '`CODEOWNERS` is protected',
  ],
  [
    'leaves a credential',
    [...sayIt('goodbye'), write('src/key.js', `export const key = '${SECRET}';\n`)],
    '`src/key.js` holds what looks like',
  ],
];

describe.skipIf(noClaude !== undefined)('a coder', { timeout: SLOW_MS }, () => {
  for (const [what, moves, sentence] of BAD)
    verifies(['TG-5'], `that ${what} is stopped before a push`, async () => {
      const world = await aCoderWorld();
      world.plays(moves);
      const number = await world.plan([wordTask(1, 'goodbye')]);
      await world.idle();
      expect((await world.tell(number)).comments[0]).toContain(sentence);
      expect(await world.body(number)).toContain('**Status:** blocked (failed 3 times');
      expect(await world.branches()).toEqual(['main']);
      expect(await world.pulls()).toEqual([]);
    });

  verifies('CB-6', 'that runs out of turns leaves what it wrote to the next attempt', async () => {
    const world = await aCoderWorld({ settings: 'plans:\n  maxAttempts: 2\n' });
    world.plays([...sayIt('goodbye'), ...Array.from({ length: 30 }, () => bash('true'))]);
    const number = await world.plan([wordTask(1, 'goodbye')]);
    await world.idle();
    const kept = 'Its change so far is kept for the next attempt.';
    expect((await world.tell(number)).comments[0]).toMatch(/It ran out of turns\./);
    expect((await world.tell(number)).comments[0]).toContain(kept);
    const last = JSON.stringify(world.server.calls.at(-1)?.body);
    expect(last).toMatch(/## What was changed before.*<<<data .*export function goodbye/s);
  });

  test('that commits by itself cannot: the only commit is ours', async () => {
    const world = await aCoderWorld();
    world.plays([
      ...sayIt('goodbye'),
      bash('git switch -c other; git add -A; git commit -qm mine; echo "ended $?"'),
    ]);
    await world.plan([wordTask(1, 'goodbye')]);
    await world.idle();
    expect(world.heard.at(-1)).toMatch(/ended (?!0)\d+/);
    const [pull] = await world.pulls();
    const at = `/repos/${REPO}/pulls/${pull?.number ?? 0}/commits`;
    const commits = (await world.emulator.as('ana').request('GET', at)) as {
      commit: { message: string };
    }[];
    expect(commits).toHaveLength(1);
    expect(commits[0]?.commit.message).toContain('Quorum-Task: ');
  });
});

describe.skipIf(noClaude !== undefined)('a session whose time is up', { timeout: SLOW_MS }, () => {
  verifies(
    ['CB-6', 'TG-4'],
    'leaves what it had changed to the next one, as data, and the plan says so',
    async () => {
      const clock = createJumpClock();
      const world = await aCoderWorld({ clock });
      const mark = aMark();
      const half = write('src/goodbye.js', `// Half of it, with ${SECRET}.\n`);
      let sessions = 0;
      const [first, second] = sayIt('goodbye');
      world.plays([
        (folder) => {
          sessions += 1;
          return (sessions === 1 ? half : first)?.(folder) ?? DONE;
        },
        (folder) =>
          (sessions === 1 ? bash(`while :; do sleep ${mark}; done`) : second)?.(folder) ?? DONE,
      ]);
      const number = await world.plan([wordTask(1, 'goodbye')]);
      await waitUntil(() => runningWith(mark).length > 0);
      const before = world.server.calls.length;
      clock.jump(31 * 60_000);
      await world.idle();
      expect(runningWith(mark)).toEqual([]);
      expect((await world.pulls()).map(({ title }) => title)).toHaveLength(1);
      const [asked] = world.server.calls.slice(before).map(({ body }) => JSON.stringify(body));
      expect(asked).toContain('the coder: Its time was up. Its change so far is kept');
      expect(asked).toMatch(/## What was changed before.*<<<data .*Half of it, with/s);
      expect(asked).not.toContain(SECRET);
      const story = (await world.store.records.events({ limit: 500 })).flatMap(({ data }) =>
        data.kind === 'task-told' ? [`${data.news.state}: ${data.news.reason ?? ''}`] : [],
      );
      expect(story).toContain(
        'failed: the coder: Its time was up. Its change so far is kept for the next attempt.',
      );
      expect((await world.tell(number)).comments[0]).not.toContain('Half of it');
    },
  );
});

/** Until the coder runs a command that ends by itself only after hours. */
async function atWork(): Promise<{ world: CoderWorld; number: number; mark: string }> {
  const world = await aCoderWorld();
  const mark = aMark();
  world.plays([bash(`trap "" TERM; while :; do sleep ${mark}; done`)]);
  const number = await world.plan([wordTask(1, 'goodbye')]);
  await waitUntil(() => runningWith(mark).length > 0);
  return { world, number, mark };
}

describe.skipIf(noClaude !== undefined)(
  'a person who stops Claude Code',
  { timeout: SLOW_MS },
  () => {
    for (const [command, status] of [
      ['/pm stop', 'blocked'],
      ['/pm release 1', 'pending'],
    ] as const)
      verifies(
        ['CB-6'],
        `with \`${command}\` finds nothing left of it, and the task free`,
        async () => {
          const { world, number, mark } = await atWork();
          await world.emulator.as('tom').comment(REPO, number, command);
          await waitUntil(() => runningWith(mark).length === 0);
          await world.idle();
          expect(await world.body(number)).toContain(`**Status:** ${status}`);
          // Anyone who may take it now takes it at once: the lease is free.
          world.plays(sayIt('goodbye'));
          const again = status === 'blocked' ? '/pm unblock 1' : '/pm run 1';
          await world.emulator.as('tom').comment(REPO, number, again);
          await world.idle();
          expect(await world.pulls()).toHaveLength(1);
        },
      );
  },
);
