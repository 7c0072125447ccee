/** What repeats in memory is proposed as a pull request onto its branch, and people have the last word. */
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { aPull, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const BRANCH = 'quorum/memory';

interface Pull {
  number: number;
  title: string;
  body: string;
  head: { ref: string };
  base: { ref: string };
}

async function proposalsIn(world: TestWorld, state = 'open'): Promise<Pull[]> {
  const pulls = (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/pulls?state=${state}`)) as Pull[];
  return pulls.filter(({ base }) => base.ref === BRANCH);
}

/** A person writes a file of the memory branch, or of a proposal for it. */
async function write(
  world: TestWorld,
  at: string | { path: string; branch: string },
  text: string,
): Promise<void> {
  const { path, branch } = typeof at === 'string' ? { path: at, branch: BRANCH } : at;
  const ana = world.emulator.as('ana');
  const url = `/repos/${REPO}/contents/${path}`;
  const now = (await ana.request('GET', `${url}?ref=${branch}`).catch(() => undefined)) as
    { sha: string } | undefined;
  await ana.request('PUT', url, {
    message: `edit ${path}`,
    branch,
    content: Buffer.from(text).toString('base64'),
    ...(now === undefined ? {} : { sha: now.sha }),
  });
}

const section = (date: string, text: string): string =>
  `## ${date} [PATTERN]\n\n- [PATTERN] ${text}\n\n`;
const OLD = [
  section('2026-01-03', 'The importer must close its database cursor after each batch'),
  section('2026-01-10', 'A database cursor of the importer leaks when a batch fails'),
  section('2026-01-17', 'Close the database cursor of the importer when a batch ends'),
];

/** How often a model was asked to consolidate. */
async function questionsOf(world: TestWorld): Promise<number> {
  const effects = await world.store.records.effects({ limit: 10_000 });
  return effects.filter(({ data }) => data.kind === 'ask' && data.purpose === 'consolidation')
    .length;
}

/** One review that taught a persona something, whose memory people filled with lessons that repeat. */
async function aTaughtWorld(): Promise<{ world: TestWorld; persona: string }> {
  const world = await aWorld({ files: QUICK });
  await aPull(world, { 'src/run.ts': EVAL });
  await world.idle();
  const path = Object.keys((await memoryOf(world)) ?? {}).find((each) =>
    /personas\/(?!team)[a-z]+\/working\.md/.test(each),
  );
  const before = (await memoryOf(world))?.[path ?? ''] ?? '';
  await write(world, path ?? '', `${OLD.join('')}${before}`);
  return { world, persona: path?.split('/')[1] ?? '' };
}

async function fileIn(world: TestWorld, path: string): Promise<string> {
  return (await memoryOf(world))?.[path] ?? '';
}

async function onlyProposal(world: TestWorld): Promise<Pull> {
  const [pull, ...others] = await proposalsIn(world);
  if (pull === undefined || others.length > 0) throw new Error('there is not exactly one proposal');
  return pull;
}

async function review(world: TestWorld, name: string): Promise<void> {
  await aPull(world, { [`src/${name}.ts`]: EVAL.replace('run', name) }, name);
  await world.idle();
}

describe('consolidation', () => {
  verifies(
    ['NW-14'],
    'a lesson of three dates is proposed for core.md, and is there once a person merges it',
    async () => {
      const { world, persona } = await aTaughtWorld();
      await review(world, 'second');
      const { number, title, body, head } = await onlyProposal(world);
      expect(title).toBe(`Memory of ${persona}: keep a lesson for good`);
      expect(head.ref).toMatch(new RegExp(`^quorum/consolidate-${persona}-[0-9a-f]{10}$`));
      expect(body).toContain('- `A database cursor of the importer leaks when a batch fails`');
      const [core, working] = ['core', 'working'].map((name) => `personas/${persona}/${name}.md`);
      expect(await fileIn(world, core ?? '')).toBe('');
      expect(await fileIn(world, working ?? '')).toContain('leaks when a batch fails');
      // Nobody reviews it as if it were code.
      expect((await world.tell(number)).comments).toEqual([]);
      expect((await reviewsOf(world, number)).reviews).toEqual([]);
      await world.emulator.as('ana').request('PUT', `/repos/${REPO}/pulls/${number}/merge`, {});
      await world.idle();
      expect(await fileIn(world, core ?? '')).toContain(
        '- [PATTERN] Close the database cursor of the importer when a batch ends',
      );
      expect(await fileIn(world, working ?? '')).not.toContain('importer');
      expect(await fileIn(world, working ?? '')).toContain('Seen in src/');
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies(
    ['NW-14'],
    'one that a person closes is not proposed again before there is more',
    async () => {
      const { world, persona } = await aTaughtWorld();
      await review(world, 'second');
      const [pull] = await proposalsIn(world);
      await world.emulator
        .as('ana')
        .request('PATCH', `/repos/${REPO}/pulls/${pull?.number}`, { state: 'closed' });
      await world.idle();
      const before = await questionsOf(world);
      expect(before).toBeGreaterThan(0);
      await review(world, 'third');
      expect(await proposalsIn(world)).toEqual([]);
      // No model is asked to word it again either.
      expect(await questionsOf(world)).toBe(before);
      const path = `personas/${persona}/working.md`;
      const text = (await memoryOf(world))?.[path] ?? '';
      await write(
        world,
        path,
        `${section('2026-01-24', 'The importer keeps a database cursor open for one batch too long')}${text}`,
      );
      await review(world, 'fourth');
      expect(await proposalsIn(world)).toHaveLength(1);
      expect(await proposalsIn(world, 'all')).toHaveLength(2);
    },
  );
});

/** A proposal that is open, and a line that a person adds to what it removes. */
async function aConflict(): Promise<{ world: TestWorld; persona: string; proposal: Pull }> {
  const { world, persona } = await aTaughtWorld();
  await review(world, 'second');
  const proposal = await onlyProposal(world);
  const path = `personas/${persona}/working.md`;
  const text = await fileIn(world, path);
  const line = '- [PATTERN] A database cursor of the importer leaks when a batch fails';
  expect(text).toContain(line);
  await write(world, path, text.replace(line, `- [PATTERN] Logs are in UTC\n${line}`));
  return { world, persona, proposal };
}

verifies(['NW-14'], 'an open proposal that can be merged is not worded again', async () => {
  const { world } = await aTaughtWorld();
  await review(world, 'second');
  const [proposal, before] = [await onlyProposal(world), await questionsOf(world)];
  await review(world, 'third');
  expect((await onlyProposal(world)).number).toBe(proposal.number);
  expect(await questionsOf(world)).toBe(before);
});

describe('a proposal that conflicts with memory as it is now', () => {
  verifies(['NW-14'], 'is made again in the same pull request, and can be merged', async () => {
    const { world, persona, proposal } = await aConflict();
    const ana = world.emulator.as('ana');
    const merge = () => ana.request('PUT', `/repos/${REPO}/pulls/${proposal.number}/merge`, {});
    await expect(merge()).rejects.toThrow('not mergeable');
    await review(world, 'third');
    expect((await onlyProposal(world)).number).toBe(proposal.number);
    await merge();
    await world.idle();
    const working = await fileIn(world, `personas/${persona}/working.md`);
    expect(working).toContain('Logs are in UTC');
    expect(working).toContain('Seen in src/third.ts');
    expect(working).not.toContain('importer');
    expect(await fileIn(world, `personas/${persona}/core.md`)).toContain('when a batch ends');
    expect(world.openApi.violations).toEqual([]);
  });

  verifies(['NW-14'], 'is left as it is where a person edited it', async () => {
    const { world, persona, proposal } = await aConflict();
    const { ref } = proposal.head;
    const at = { path: `personas/${persona}/core.md`, branch: ref };
    await write(world, at, '- [PATTERN] As I want it\n');
    const before = await questionsOf(world);
    await review(world, 'third');
    expect((await onlyProposal(world)).number).toBe(proposal.number);
    expect(await questionsOf(world)).toBe(before);
  });
});

verifies(
  ['NW-14'],
  'what is forgotten leaves an open proposal too, and merging that brings nothing back',
  async () => {
    const { world, persona } = await aTaughtWorld();
    await review(world, 'second');
    const { head, number } = await onlyProposal(world);
    const at = `/repos/${REPO}/contents/personas/${persona}/core.md?ref=${head.ref}`;
    const proposed = async (): Promise<string> => {
      const file = await world.emulator
        .as('ana')
        .request('GET', at)
        .catch(() => ({ content: '' }));
      return Buffer.from((file as { content: string }).content, 'base64').toString();
    };
    expect(await proposed()).toContain('when a batch ends');
    const words = 'close the database cursor of the importer when a batch ends';
    const told = await say(world, 1, `/pm forget ${words}`);
    expect(told.answers.join()).toContain('Forgotten: ');
    expect(await proposed()).not.toContain('when a batch ends');
    await world.emulator.as('ana').request('PUT', `/repos/${REPO}/pulls/${number}/merge`, {});
    await world.idle();
    expect(JSON.stringify(await memoryOf(world))).not.toContain('when a batch ends');
    expect(world.openApi.violations).toEqual([]);
  },
);

describe('folders of personas', () => {
  verifies(['NW-14'], 'move with a persona that gets another handle', async () => {
    const { world, persona } = await aTaughtWorld();
    await write(world, `personas/${persona}/core.md`, section('2026-01-03', 'Known for good'));
    const ana = world.emulator.as('ana');
    const soul = await readFile(`personas/${persona}.md`, 'utf8');
    const files = {
      [`.github/quorum/personas/${persona}.md`]: `---\nhandle: ${persona}\nactive: false\n---\n`,
      '.github/quorum/personas/mila.md': soul.replace(/^handle: .*$/m, 'handle: mila'),
    };
    for (const [path, text] of Object.entries(files))
      await ana.request('PUT', `/repos/${REPO}/contents/${path}`, {
        message: 'rename a persona',
        content: Buffer.from(text).toString('base64'),
      });
    await review(world, 'second');
    const paths = Object.keys((await memoryOf(world)) ?? {});
    expect(paths.filter((path) => path.startsWith(`personas/${persona}/`))).toEqual([]);
    expect((await memoryOf(world))?.['personas/mila/core.md']).toContain('Known for good');
  });
});
