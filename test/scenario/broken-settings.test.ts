/** Settings that are there and cannot be read: the team keeps still and says where, rather than guess. */
import { expect, test } from 'vitest';
import { reviewsOf } from '../helpers/a-pull.ts';
import { openPullOf } from '../helpers/commits.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';

const CONFIG = '.github/quorum.yml';
const LONG = `${`# ${'x'.repeat(70)}\n`.repeat(1000)}enabled: false\n`;

async function firstWord(world: TestWorld): Promise<string> {
  const number = await world.ask(READY_ISSUE);
  await world.idle();
  const { labels, comments } = await world.tell(number);
  expect(labels).not.toContain('ready');
  expect(comments).toHaveLength(1);
  return comments[0] ?? '';
}

test.each([
  ['larger than is read', LONG, /`\.github\/quorum\.yml:1` needs a fix: is larger than 64 KB/],
  ['binary', '# \0\nenabled: true\n', /`\.github\/quorum\.yml:1` needs a fix: cannot be read/],
])('a configuration that is %s stops the council', async (_title, text, words) => {
  expect(await firstWord(await aWorld({ files: { [CONFIG]: text } }))).toMatch(words);
});

test.each([
  ['is no YAML', 'council: [oops\n', /`\.github\/quorum\.yml:2` needs a fix: is not YAML/],
  [
    'has an unknown key',
    'reviw: {}\n',
    /`\.github\/quorum\.yml:1` needs a fix: is not a known key/,
  ],
  ['is cut before `enabled: false`', LONG, /:1` needs a fix: is larger than 64 KB/],
])(
  'a pull request is not reviewed where the configuration %s, and its check says so',
  async (_, text, words) => {
    const world = await aWorld({ files: { [CONFIG]: text } });
    const change = { 'src/run.ts': 'export const run = (text: string): unknown => eval(text);\n' };
    const number = await openPullOf(world, change);
    await world.idle();
    const { checks, reviews, comments } = await reviewsOf(world, number);
    expect([reviews, comments]).toEqual([[], []]);
    expect(checks).toMatchObject([{ name: 'quorum / review', conclusion: 'neutral' }]);
    expect(checks[0]?.output.summary).toMatch(words);
  },
);

test('what _extends names has to be there', async () => {
  const world = await aWorld({ files: { [CONFIG]: '# ours\n_extends: base\n' } });
  expect(await firstWord(world)).toMatch(/`\.github\/quorum\.yml:2` needs a fix: names `base`/);
});

test('a base or organisation file that is cut is no layer to go on with', async () => {
  const extended = await aWorld({ files: { [CONFIG]: '_extends: base\n' } });
  await withRepository(extended, 'base', LONG);
  expect(await firstWord(extended)).toMatch(/names `base`, whose file is larger than 64 KB/);
  const organised = await aWorld({});
  await withRepository(organised, '.github', LONG);
  expect(await firstWord(organised)).toMatch(/^### Stopped/);
});

test('an organisation without a file, and a base with one, are fine', async () => {
  const world = await aWorld({ files: { [CONFIG]: '_extends: base\n' } });
  await withRepository(world, 'base', 'council:\n  mode: single\n');
  await withRepository(world, '.github', undefined);
  const number = await world.ask(READY_ISSUE);
  await world.idle();
  expect((await world.tell(number)).labels).toEqual(['ready']);
});

test('a persona file that is cut or binary is refused; the rest of the team goes on', async () => {
  const folder = '.github/quorum/personas';
  const world = await aWorld({
    files: { [`${folder}/a.md`]: LONG, [`${folder}/b.md`]: '---\n\0' },
  });
  const number = await world.ask(READY_ISSUE);
  await world.idle();
  expect((await world.tell(number)).labels).toEqual(['ready']);
  const checks = world.emulator.repository(REPO).checkRuns ?? [];
  const text = JSON.stringify([...checks.values()]);
  expect(text).toContain('is larger than 64 KB');
  expect(text).toContain('cannot be read as text');
});

async function withRepository(
  world: TestWorld,
  name: string,
  text: string | undefined,
): Promise<void> {
  const files = text === undefined ? { 'README.md': '# x\n' } : { [CONFIG]: text };
  const history = [{ message: 'feat: base', author: 'ana', files }];
  await world.emulator.createRepository({ owner: 'acme', name, history });
}
