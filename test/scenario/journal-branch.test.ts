/** The journal of a plan on the memory branch: the text that `quorum journal` prints, written as things happen. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { pushTo } from '../helpers/commits.ts';
import { parseFrictions } from '../../src/domain/memory/friction.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { say } from '../helpers/talking.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { quorum } from '../hosts/cli/fake-io.ts';
import { verifies } from '../verifies.ts';

async function printed({ appEnv }: PlanWorld, number: number): Promise<string> {
  const env = { QUORUM_DATA: appEnv['QUORUM_DATA'] ?? '' };
  const { code, out } = await quorum(['journal', `${REPO}#${number}`], { env });
  expect(code).toBe(0);
  return out;
}

/** How often each write asked GitHub. */
async function callsOfWrites({ store }: PlanWorld): Promise<number[]> {
  const effects = await store.records.effects({ limit: 10_000 });
  return effects
    .filter(({ data }) => data.kind === 'write-journal')
    .map(({ githubCalls }) => Object.values(githubCalls).reduce((sum, each) => sum + each, 0));
}

describe.skipIf(noBwrap !== undefined)('the journal of a plan', () => {
  verifies(
    ['CB-13'],
    'is on the memory branch at each pull request and at the end, byte for byte as it is printed',
    async () => {
      const world = await aPlanWorld();
      const number = await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const path = `journal/${number}.md`;
      const opened = (await memoryOf(world))?.[path] ?? '';
      expect(opened).toContain('pull request #2 was opened');
      expect(opened).toContain('- State: open');
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
      await world.idle();
      const closed = (await memoryOf(world))?.[path] ?? '';
      expect(closed).toContain('**#2 was merged**');
      expect(closed).toContain(`**Quorum closed #${number}** as completed.`);
      expect(closed).toBe(await printed(world, number));
      const calls = await callsOfWrites(world);
      // The last one is for what is learned from the end: where that is nothing, nothing is written.
      expect(calls.length).toBeLessThanOrEqual(5);
      expect(calls.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(22);
      expect(Math.max(...calls)).toBeLessThanOrEqual(5);
      const [last = ''] = (await world.tell(number)).comments.slice(-1);
      expect(last).toMatch(
        /^### Plan complete\n[^]*<details><summary>Report<\/summary>\n\n- Calls of models: [^]*<\/details>/,
      );
      expect(world.openApi.violations).toEqual([]);
    },
  );
});

describe.skipIf(noBwrap !== undefined)('the copy of the journal', () => {
  verifies(
    ['CB-11'],
    'is in the one commit of a task when the review is asked for, ends there, and moves no head afterwards',
    async () => {
      const world = await aPlanWorld('journal:\n  inPullRequests: true\nmerge:\n  mode: auto\n');
      const number = await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const path = `.quorum/journal/${number}-1.md`;
      const [opened] = await world.pulls();
      const head = opened?.head.sha ?? '';
      const copy = await fileAt(world, path, head);
      expect(copy).toMatch(new RegExp(`^# Journal of ${REPO}#${number}\n`));
      expect(copy).toContain('Coder');
      expect(copy).not.toContain('pull request #2 was opened');
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
      await world.idle();
      const [merged] = await world.pulls();
      expect(merged?.merged_at).not.toBeNull();
      expect(merged?.head.sha).toBe(head);
      expect(await fileAt(world, path, 'main')).toBe(copy);
      const { files } = (await world.emulator
        .as('ana')
        .request('GET', `/repos/${REPO}/commits/${head}`)) as {
        files: { filename: string }[];
      };
      expect(files.map(({ filename }) => filename)).toContain(path);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies(
    'CB-11',
    'is left out where a link is at its path: the task goes on, and its pull request and journal say so',
    async () => {
      const world = await aPlanWorld('journal:\n  inPullRequests: true\nmerge:\n  mode: auto\n');
      const path = '.quorum/journal/1-1.md';
      const link = { mode: '120000', text: '../../src/greet.js' } as const;
      await pushTo(world, { [path]: link }, { branch: 'main' });
      const number = await world.plan([sayTask(1, 'goodbye')]);
      expect(number).toBe(1);
      await world.idle();
      const why = 'The copy of the journal was left out: nothing could be put at its path.';
      const [opened] = await world.pulls();
      expect((opened as unknown as { body: string }).body).toContain(`- ${why}`);
      expect((await memoryOf(world))?.['journal/1.md']).toContain(`- ${why}`);
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
      await world.idle();
      const [merged] = await world.pulls();
      expect(merged?.merged_at).not.toBeNull();
      const { gitDir } = world.emulator.repository(REPO);
      const at = execFileSync('git', ['--git-dir', gitDir, 'ls-tree', 'main', path]).toString();
      expect(at).toMatch(/^120000 blob /);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  test('is in no pull request unless a setting asks for it', async () => {
    const world = await aPlanWorld();
    const number = await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    const [opened] = await world.pulls();
    const path = `.quorum/journal/${number}-1.md`;
    expect(await fileAt(world, path, opened?.head.sha ?? '')).toBe('');
  });
});

test.skipIf(noBwrap !== undefined)(
  'a journal that is switched off later is not named when the pull request is written again',
  async () => {
    const settings = 'merge:\n  mode: auto\n';
    const workflow = '.github/workflows/ci.yml';
    const world = await aPlanWorld(settings, {}, { [workflow]: 'on: push\njobs: {}\n' });
    const number = await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    const textOf = async (): Promise<string> => (await world.pulls())[0]?.body ?? '';
    const file = `journal/${number}.md`;
    const link = `[\`${file}\`](/${REPO}/blob/quorum/memory/${file})`;
    const line = `Journal of the plan: ${link} on the branch \`quorum/memory\``;
    expect(await textOf()).toContain(line);
    const changed = {
      '.github/quorum.yml': `${settings}journal:\n  enabled: false\n`,
      // The change is made again on a base with another workflow.
      [workflow]: 'on: pull_request\njobs: {}\n',
    };
    await pushTo(world, changed, { branch: 'main' });
    await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
    await world.idle();
    expect(await textOf()).toContain('### Where it comes from');
    expect(await textOf()).not.toContain('Journal of the plan');
  },
);

test.skipIf(noBwrap !== undefined)(
  'what got in the way of a task is on the memory branch once, and in the report',
  async () => {
    const script = "echo '# tests 1'; echo '# pass 0'; echo '# fail 1'; exit 1\n";
    const settings = 'gates:\n  testCommand: sh test.sh\n';
    const world = await aPlanWorld(settings, {}, { 'test.sh': script });
    const number = await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    const text = (await memoryOf(world))?.['frictions.jsonl'] ?? '';
    const kept = parseFrictions(text);
    expect(kept).toHaveLength(3);
    expect(new Set(kept.map(({ id }) => id)).size).toBe(3);
    expect(kept[0]).toMatchObject({ category: 'gate', thread: number, task: 1 });
    const { answers } = await say(world, number, '/pm report');
    expect(answers.join()).toContain('**What got in the way**');
    expect(answers.join()).toContain('- Task 1 (gate): gate 2: ');
    expect(world.openApi.violations).toEqual([]);
  },
  120_000,
);

/** Empty where the file does not exist. */
async function fileAt(world: PlanWorld, path: string, ref: string): Promise<string> {
  const file = await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/contents/${path}?ref=${ref}`)
    .catch(() => ({ content: '' }));
  return Buffer.from((file as { content: string }).content, 'base64').toString();
}

describe('the journal', () => {
  test('is not written where it is switched off', async () => {
    const world = await aPlanWorld('journal:\n  enabled: false\n');
    const number = await world.plan([sayTask(1, 'goodbye')], 'eve');
    await world.idle();
    await world.emulator.as('tom').comment(REPO, number, '/pm reject');
    await world.idle();
    const files = (await memoryOf(world)) ?? {};
    expect(Object.keys(files).filter((each) => each.startsWith('journal/'))).toEqual([]);
    expect(await callsOfWrites(world)).toEqual([1, 1]);
  });
});
