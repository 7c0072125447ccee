/** What runs ask of GitHub, with nothing kept from before but a token and who the App is. */
import { describe, expect, test } from 'vitest';
import { aWidePull, checksOf, headOf } from '../helpers/a-pull.ts';
import { aPull } from '../helpers/talking.ts';
import { linesDigest } from '../../src/domain/memory/memory-entry.ts';
import { renderEntryLine } from '../../src/domain/memory/file/entry-line.ts';
import { anEntry } from '../domain/memory/some-memory.ts';
import { aWorld, isWrite, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };

/** Calls of the App from here on, each counted, whatever it costs of the rate limit. */
function counting(world: TestWorld): () => string[] {
  const before = world.emulator.requests.length;
  return () =>
    world.emulator.requests
      .slice(before)
      .filter(({ actor }) => !actor.startsWith('user:'))
      .map(({ method, route }) => `${method} ${route}`);
}

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const END = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}';

describe('a review, from its first look to the finished check,', () => {
  // One for what surrounds the change, one each for files, diff and texts, the check's beginning, a second look, the
  // review and the check's end; texts are asked for a hundred at a time.
  for (const [files, most] of [
    [1, 8],
    [100, 8],
    [250, 10],
  ] as const)
    test(`of ${files} changed files asks GitHub at most ${most} times`, async () => {
      const world = await aWorld({ files: QUICK });
      // What the App asks when it starts is no part of a review.
      await world.idle();
      const asked = counting(world);
      const number = await aWidePull(world, files);
      await world.idle();
      const calls = asked();
      const untilEnd = calls.slice(0, calls.lastIndexOf(END) + 1);
      expect(untilEnd.length).toBeGreaterThan(4);
      expect([untilEnd.length <= most, untilEnd]).toEqual([true, untilEnd]);
      expect(calls.filter((call) => call.endsWith('/reviews'))).toHaveLength(1);
      const checks = await checksOf(world, await headOf(world, number));
      expect(checks.map(({ conclusion }) => conclusion)).toEqual(['action_required']);
      expect(world.openApi.violations).toEqual([]);
    });

  test('on a server without GraphQL asks one by one and comes to the same end', async () => {
    const world = await aWorld({ files: QUICK });
    const fault = { kind: 'status', status: 404 } as const;
    world.emulator.faults.add({ path: '/graphql', times: Infinity, fault });
    const number = await aWidePull(world, 1);
    await world.idle();
    const checks = await checksOf(world, await headOf(world, number));
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(['action_required']);
  });
});

test('a review whose memory a person changed asks who pushed it, once, and asks GitHub at most 9 times; the next one at most 8 times', async () => {
  const world = await aWorld({ files: QUICK });
  await aPull(world, { 'src/first.ts': EVAL }, 'first');
  await world.idle();
  const ana = world.emulator.as('ana');
  await ana.request('PUT', `/repos/${REPO}/contents/personas/team/working.md`, {
    message: 'by hand',
    branch: 'quorum/memory',
    content: Buffer.from('- [DECISION] We release on Fridays\n').toString('base64'),
  });
  const counts: [number, number][] = [];
  for (const name of ['second', 'third']) {
    const asked = counting(world);
    await aPull(world, { [`src/${name}.ts`]: EVAL }, name);
    await world.idle();
    const calls = asked();
    const untilEnd = calls.slice(0, calls.indexOf(END) + 1);
    const pushes = untilEnd.filter((call) => call.endsWith('/activity')).length;
    counts.push([untilEnd.length, pushes]);
  }
  expect(counts.map(([, pushes]) => pushes)).toEqual([1, 0]);
  const [changed = 0, next = 0] = counts.map(([calls]) => calls);
  expect(changed).toBeLessThanOrEqual(9);
  // The survey told the new head: it is not asked for again.
  expect(next).toBeLessThanOrEqual(8);
});

/** Cites two lines of a file, as it was before these were moved down. */
function noteOf(blobSha: string, lines: string[]): string {
  const digest = linesDigest(lines);
  const entry = anEntry({
    persona: 'team',
    text: 'Parts are counted from one',
    refs: [{ path: 'src/part-1.ts', from: 1, to: 2, blobSha, digest }],
    // A note that a person wanted does not expire.
    source: { kind: 'comment', commentId: 1, thread: 1 },
  });
  return `${renderEntryLine(entry, '')}\n`;
}

test('a review of 100 files with a note whose file was changed on the default branch asks GitHub at most 9 times', async () => {
  const lines = ['export const part1 = 1;', 'export const next1 = 2;'];
  const text = `${lines.join('\n')}\n`;
  const world = await aWorld({ files: { ...QUICK, 'src/part-1.ts': text } });
  const ana = world.emulator.as('ana');
  const put = (path: string, words: string, more: object): Promise<unknown> =>
    ana.request('PUT', `/repos/${REPO}/contents/${path}`, {
      message: 'by hand',
      content: Buffer.from(words).toString('base64'),
      ...more,
    });
  await aPull(world, { 'src/first.ts': EVAL }, 'first');
  await world.idle();
  const { sha } = (await ana.request('GET', `/repos/${REPO}/contents/src/part-1.ts`)) as {
    sha: string;
  };
  const branch = 'quorum/memory';
  await put('personas/team/working.md', noteOf(sha, lines), { branch });
  // Who pushed to the memory branch is asked once.
  await aPull(world, { 'src/second.ts': EVAL }, 'second');
  await world.idle();
  await put('src/part-1.ts', `// From one.\n${text}`, { branch: 'main', sha });
  await world.idle();
  const asked = counting(world);
  const number = await aWidePull(world, 100);
  await world.idle();
  const calls = asked();
  const untilEnd = calls.slice(0, calls.lastIndexOf(END) + 1);
  // One more than without: the text of what changed on the default branch. What we wrote ourselves is not read again.
  expect([untilEnd.length <= 9, untilEnd]).toEqual([true, untilEnd]);
  // The note was verified, at its new place.
  const effects = await world.store.records.effects({ limit: 10_000 });
  const prompts = effects.flatMap(({ data }) =>
    data.kind === 'ask' && data.thread.number === number ? [JSON.stringify(data.prompt)] : [],
  );
  const moved = prompts.filter((each) => each.includes('counted from one (src/part-1.ts#L2-L3)'));
  expect(moved.length).toBeGreaterThan(0);
});

test('a discussion of an issue asks GitHub at most 20 times', async () => {
  const world = await aWorld();
  const asked = counting(world);
  const number = await world.ask(READY_ISSUE);
  await world.idle();
  const calls = asked();
  expect([calls.length <= 20, calls]).toEqual([true, calls]);
  expect((await world.tell(number)).labels).toEqual(['ready']);
  expect(world.emulator.requests.filter(isWrite).length).toBeGreaterThan(5);
});
