/** The copy of the journal in a pull request that changes after its first review: a fix, a conflict, a base that moved on. */
import { describe, expect } from 'vitest';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import {
  aCoderWorld,
  DONE,
  sayIt,
  wordTask,
  write,
  type CoderWorld,
  type Move,
} from '../helpers/a-coder-story.ts';
import { testOf } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { pushTo } from '../helpers/commits.ts';
import { verifies } from '../verifies.ts';

const COPY = '.quorum/journal/1-1.md';
const WITHOUT_COPY = 'merge:\n  mode: auto\nreview:\n  settleSeconds: 0\n';
const SETTINGS = `${WITHOUT_COPY}journal:\n  inPullRequests: true\n`;
const EVIL = "export function goodbye(name) {\n  return eval('`goodbye, ${name}`');\n}\n";
const PROOF = write('test/goodbye.test.js', testOf('goodbye', 'goodbye'));

/** Sessions of the coder, one after the other, each with its own moves. */
function plays(world: CoderWorld, sessions: readonly (readonly Move[])[]): void {
  let at = -1;
  const next =
    (step: number): Move =>
    (folder) => {
      if (step === 0) at += 1;
      return sessions[at]?.[step]?.(folder) ?? DONE;
    };
  world.plays([next(0), next(1), next(2)]);
}

/** The first session leaves what a review refuses; the second one corrects it. */
async function startRefused(world: CoderWorld, first: readonly Move[] = [PROOF]): Promise<void> {
  const [clean = PROOF] = sayIt('goodbye');
  plays(world, [[write('src/goodbye.js', EVIL), ...first], [clean], [clean, PROOF]]);
  await world.plan([wordTask(1, 'goodbye')]);
  await world.idle();
}

async function headsOf({ emulator }: CoderWorld): Promise<string[]> {
  const commits = await emulator.as('ana').request('GET', `/repos/${REPO}/pulls/2/commits`);
  return (commits as { sha: string }[]).map(({ sha }) => sha);
}

async function textAt({ emulator }: CoderWorld, path: string, ref: string): Promise<string> {
  const at = `/repos/${REPO}/contents/${path}?ref=${ref}`;
  const file = await emulator.as('ana').request('GET', at);
  return Buffer.from((file as { content: string }).content, 'base64').toString();
}

async function approve(world: CoderWorld): Promise<void> {
  await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
  await world.idle();
}

/** What the team's review says of a head. */
async function reviewOf({ emulator }: CoderWorld, head: string): Promise<string | undefined> {
  const at = `/repos/${REPO}/commits/${head}/check-runs`;
  const { check_runs: runs } = (await emulator.as('ana').request('GET', at)) as {
    check_runs: { name: string; conclusion: string }[];
  };
  return runs.find(({ name }) => name === 'quorum / review')?.conclusion;
}

describe.skipIf(noClaude !== undefined)('the copy of the journal', { timeout: 240_000 }, () => {
  verifies(
    'CB-11',
    'is renewed in the commit that answers a review, before that head is reviewed, and ends there',
    async () => {
      const world = await aCoderWorld({ settings: SETTINGS });
      await startRefused(world);
      const heads = await headsOf(world);
      expect(heads).toHaveLength(2);
      const [before = '', after = ''] = await Promise.all(
        heads.map((head) => textAt(world, COPY, head)),
      );
      expect(before).not.toContain('#2');
      expect(after).toContain('pull request #2 was opened');
      expect(after).toContain('the review asks for changes');
      expect(after.match(/: the Coder changed /g)).toHaveLength(2);
      const reviews = await Promise.all(heads.map((head) => reviewOf(world, head)));
      expect(reviews).toEqual(['action_required', 'success']);
      await approve(world);
      const [merged] = await world.pulls();
      expect(merged?.merged_at).not.toBeNull();
      expect(await headsOf(world)).toEqual(heads);
      expect(await textAt(world, COPY, 'main')).toBe(after);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies('CB-11', 'is made again where a change in conflict is written again', async () => {
    const world = await aCoderWorld({ settings: SETTINGS });
    const greet = 'export function greet(name) {\n  return `Hello, ${name}`;\n}\n';
    const named = write('src/greet.js', `// The first word.\n${greet}`);
    const say = sayIt('goodbye');
    plays(world, [[...say, named], say]);
    await world.plan([wordTask(1, 'goodbye')]);
    await world.idle();
    await pushTo(world, { 'src/greet.js': `// Says hello.\n${greet}` }, { branch: 'main' });
    await approve(world);
    const heads = await headsOf(world);
    expect(heads).toHaveLength(1);
    const copy = await textAt(world, COPY, heads[0] ?? '');
    expect(copy.match(/: the Coder changed /g)).toHaveLength(2);
    expect(copy).toContain('pull request #2 was opened');
    await approve(world);
    expect((await world.pulls())[0]?.merged_at).not.toBeNull();
    expect(await textAt(world, COPY, 'main')).toBe(copy);
  });

  verifies(
    'CB-11',
    'of an earlier commit passes the gates again with the whole change, where the last commit has none',
    async () => {
      const workflow = '.github/workflows/ci.yml';
      const world = await aCoderWorld({ settings: SETTINGS });
      await pushTo(world, { [workflow]: 'on: push\njobs: {}\n' }, { branch: 'main' });
      const switched: Promise<unknown>[] = [];
      // The setting is switched off while the first session works: the second one reads it.
      const meanwhile: Move = (folder) => {
        const changes = { '.github/quorum.yml': WITHOUT_COPY };
        switched.push(pushTo(world, changes, { branch: 'main' }));
        return PROOF(folder);
      };
      await startRefused(world, [meanwhile]);
      await Promise.all(switched);
      const [first = '', last = ''] = await headsOf(world);
      const copy = await textAt(world, COPY, first);
      expect(await textAt(world, COPY, last)).toBe(copy);
      await pushTo(world, { [workflow]: 'on: pull_request\njobs: {}\n' }, { branch: 'main' });
      await approve(world);
      const heads = await headsOf(world);
      expect(heads).toHaveLength(1);
      await approve(world);
      expect((await world.pulls())[0]?.merged_at).not.toBeNull();
      expect(await textAt(world, COPY, 'main')).toBe(copy);
    },
  );
});
