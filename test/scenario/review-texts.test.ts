/** What a review in the App knows beyond the lines of a diff: whole texts at the head, and what they were before. */
import { expect, test } from 'vitest';
import { expectAllWell, reviewsOf } from '../helpers/a-pull.ts';
import { aWorld } from '../helpers/a-world.ts';
import { openPullOf } from '../helpers/commits.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const BAD = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const IMPORT = "import { tidy } from './tidy.ts';\n";
const LINES = Array.from({ length: 40 }, (_, n) => `export const part${n} = ${n};\n`).join('');
const USE = 'export const again = (file: string): string => tidy(file);\n';

test('a whole file tells of an import whether it is used far from the change', async () => {
  const files = { ...QUICK, 'src/used.ts': LINES + USE, 'src/unused.ts': LINES };
  const world = await aWorld({ files });
  const number = await openPullOf(world, {
    'src/used.ts': IMPORT + LINES + USE,
    'src/unused.ts': IMPORT + LINES,
  });
  await world.idle();
  await expectAllWell(world);
  const { comments } = await reviewsOf(world, number);
  expect(comments.map(({ path, line, body }) => [path, line, /unused-import/.test(body)])).toEqual([
    ['src/unused.ts', 1, true],
  ]);
});

const manifest = (dependencies: object): string =>
  `${JSON.stringify({ name: 'tidy', version: '1.0.0', dependencies }, undefined, 2)}\n`;

test('what a manifest was before tells what is new in it', async () => {
  const before = { one: '1.0.0', two: '2.0.0' };
  const lock = '{ "packages": { "node_modules/one": {}, "node_modules/two": {} } }\n';
  const files = { ...QUICK, 'package.json': manifest(before), 'package-lock.json': lock };
  const world = await aWorld({ files });
  // The one that only moved down is not new.
  const after = manifest({ three: '3.0.0', two: '2.0.0', one: '1.0.0' });
  const number = await openPullOf(world, { 'package.json': after });
  await world.idle();
  await expectAllWell(world);
  const { comments, reviews } = await reviewsOf(world, number);
  const said = [...reviews, ...comments.map(({ body }) => body)].join('\n');
  expect(said).toContain('`three`');
  expect(said).not.toMatch(/`(?:one|two)`/);
});

test('what the default branch declares to be generated or ignored is named and not judged', async () => {
  const files = {
    '.github/quorum.yml': `${QUICK['.github/quorum.yml']}paths:\n  ignored: ["legacy/"]\n`,
    '.gitattributes': 'src/made-*.ts linguist-generated\nsrc/made-by-hand.ts -linguist-generated\n',
  };
  const world = await aWorld({ files });
  const number = await openPullOf(world, {
    'src/made-a.ts': BAD,
    'src/made-by-hand.ts': BAD,
    'legacy/old/run.ts': BAD,
    // Nobody declares their own change to be none.
    'src/run.ts': BAD,
    '.gitattributes': '*.ts linguist-generated\n',
  });
  await world.idle();
  await expectAllWell(world);
  const { comments, reviews } = await reviewsOf(world, number);
  expect(comments.map(({ path }) => path).toSorted()).toEqual([
    'src/made-by-hand.ts',
    'src/run.ts',
  ]);
  expect(reviews[0]).toContain('`src/made-a.ts`: generated');
  expect(reviews[0]).toContain('`legacy/old/run.ts`: ignored');
});

test('a file that is too long to be read whole is judged by its lines and named', async () => {
  const long = LINES.repeat(200);
  const world = await aWorld({ files: { ...QUICK, 'src/long.ts': long } });
  const number = await openPullOf(world, { 'src/long.ts': IMPORT + long + BAD });
  await world.idle();
  await expectAllWell(world);
  const { comments, reviews } = await reviewsOf(world, number);
  expect(comments.map(({ path }) => path)).toEqual(['src/long.ts']);
  expect(comments[0]?.body).toContain('eval');
  expect(reviews[0]).toContain('`src/long.ts`: only its changed lines were read');
});

test('texts of one head are asked for once, however often a run looks', async () => {
  // What a reflection asks afterwards is another matter.
  const settings = `${QUICK['.github/quorum.yml']}memory:\n  enabled: false\n`;
  const world = await aWorld({ files: { '.github/quorum.yml': settings } });
  const number = await openPullOf(world, { 'src/run.ts': BAD, 'src/more.ts': BAD });
  await world.idle();
  await expectAllWell(world);
  expect((await reviewsOf(world, number)).checks).toHaveLength(1);
  const effects = await world.store.records.effects({ limit: 1_000 });
  const looks = effects.filter(({ data }) => data.kind === 'look-pull');
  expect(looks.length).toBeGreaterThan(1);
  const graphql = world.emulator.requests.filter(
    ({ path, actor }) => path === '/graphql' && actor.startsWith('installation:'),
  );
  // One for what surrounds the change at each look, and one for all texts.
  expect(graphql).toHaveLength(looks.length + 1);
});
