/** The real Claude Code and a pull request that is open already: conflicts, and questions within what a review asked for. */
import { describe, expect } from 'vitest';
import {
  aCoderWorld,
  ask,
  DONE,
  sayIt,
  wordTask,
  write,
  type CoderWorld,
  type Move,
} from '../helpers/a-coder-story.ts';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import { testOf } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { pushTo, tipOf } from '../helpers/commits.ts';
import { branchesOf, leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const BRANCH = 'quorum/task-1-1-a-function-that-says-goodbye';
/** A new head is reviewed at once. */
const SETTINGS = 'merge:\n  mode: auto\nreview:\n  settleSeconds: 0\n';
const GREET = 'export function greet(name) {\n  return `Hello, ${name}`;\n}\n';

async function commitsOf(world: CoderWorld): Promise<string[]> {
  const at = `/repos/${REPO}/pulls/2/commits`;
  const commits = await world.emulator.as('ana').request('GET', at);
  return (commits as { sha: string }[]).map(({ sha }) => sha);
}

async function approve(world: CoderWorld): Promise<void> {
  await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
  await world.idle();
}

async function expectMergedOnce(world: CoderWorld): Promise<void> {
  expect((await world.pulls()).map(({ merged_at: at }) => at !== null)).toEqual([true]);
  expect(await world.body(1)).toContain('**Status:** completed (#2)');
  expect(await branchesOf(world)).toEqual(['main']);
  expect(leasesOf(world).map(({ isReleased }) => isReleased)).toEqual([true]);
}

describe.skipIf(noClaude !== undefined)('an open pull request', () => {
  verifies(
    ['TG-6', 'GIT-07'],
    'that conflicts now is written again on the current base, proved, reviewed and approved again',
    async () => {
      const world = await aCoderWorld({ settings: SETTINGS });
      const named: Move = (folder) => write('src/greet.js', `// The first word.\n${GREET}`)(folder);
      world.plays([...sayIt('goodbye'), named]);
      await world.plan([wordTask(1, 'goodbye')]);
      await world.idle();
      const before = await tipOf(world, BRANCH);
      await pushTo(world, { 'src/greet.js': `// Says hello.\n${GREET}` }, { branch: 'main' });
      await approve(world);
      const after = await tipOf(world, BRANCH);
      expect(after).not.toBe(before);
      expect((await world.pulls())[0]?.merged_at).toBeNull();
      const asked = JSON.stringify(world.server.calls.map(({ body }) => body));
      expect(asked).toContain('#2 now conflicts with the base.');
      await approve(world);
      await expectMergedOnce(world);
    },
  );

  verifies(
    'TG-6',
    'that conflicts after a review changed it is written again with all of it in sight',
    async () => {
      const world = await aCoderWorld({ settings: SETTINGS });
      const evil = "export function goodbye(name) {\n  return eval('`goodbye, ${name}`');\n}\n";
      const [clean] = sayIt('goodbye');
      if (clean === undefined) throw new Error('no moves');
      const proof = write('test/goodbye.test.js', testOf('goodbye', 'goodbye'));
      const named = write('src/greet.js', `// The first word.\n${GREET}`);
      const sessions: Move[][] = [
        [write('src/goodbye.js', evil), proof, named],
        [clean],
        [clean, proof],
      ];
      let at = -1;
      const next = (step: number): Move => {
        return (folder) => {
          if (step === 0) at += 1;
          return sessions[at]?.[step]?.(folder) ?? DONE;
        };
      };
      world.plays([next(0), next(1), next(2)]);
      await world.plan([wordTask(1, 'goodbye')]);
      await world.idle();
      expect(await commitsOf(world)).toHaveLength(2);
      await pushTo(world, { 'src/greet.js': `// Says hello.\n${GREET}` }, { branch: 'main' });
      await approve(world);
      expect(at).toBe(2);
      const asked = JSON.stringify(world.server.calls.map(({ body }) => body));
      const whole = asked.slice(asked.indexOf('## What was changed before'));
      for (const part of ['// The first word.', 'test/goodbye.test.js', 'goodbye, ${name}'])
        expect(whole).toContain(part);
      expect(await commitsOf(world)).toHaveLength(1);
    },
  );

  verifies(
    ['CB-7', 'TG-6'],
    'keeps what it has when the coder asks within what a review asked for, and goes on with the answer',
    async () => {
      const world = await aCoderWorld({ settings: SETTINGS });
      const evil = "export function goodbye(name) {\n  return eval('`goodbye, ${name}`');\n}\n";
      const [clean] = sayIt('goodbye');
      if (clean === undefined) throw new Error('no moves');
      let sessions = 0;
      world.plays([
        (folder) => {
          sessions += 1;
          return sessions === 1
            ? write('src/goodbye.js', evil)(folder)
            : ask('May eval stay?', ['yes', 'no'])(folder);
        },
        (folder) =>
          sessions === 1
            ? write('test/goodbye.test.js', testOf('goodbye', 'goodbye'))(folder)
            : clean(folder),
      ]);
      await world.plan([wordTask(1, 'goodbye')]);
      await world.idle();
      expect(await world.body(1)).toContain('**Status:** blocked (waits for an answer');
      const [first, ...none] = await commitsOf(world);
      expect(none).toEqual([]);
      await world.emulator.as('tom').comment(REPO, 1, 'No.');
      await world.idle();
      expect(world.heard.join('\n')).toContain('No.\n\n(tom answered.)');
      expect(await world.pulls()).toHaveLength(1);
      const commits = await commitsOf(world);
      expect([commits.length, commits[0]]).toEqual([2, first]);
      await approve(world);
      await expectMergedOnce(world);
    },
  );
});
