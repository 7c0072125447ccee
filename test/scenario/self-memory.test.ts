/** What a persona writes about itself: proposed after what it experienced, merged by a person, read in the next review. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import {
  parseExperiences,
  withExperiences,
  type NewExperience,
} from '../../src/domain/memory/self/experience.ts';
import { startModelServer } from '../../src/emulator/model-server/start-model-server.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { aPull } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const BRANCH = 'quorum/memory';
const SETTINGS = 'review:\n  settleSeconds: 0\nmemory:\n  self: true\n';
const FILE = ['## Values', 'I ask for a measurement before I trust a cache.'];

interface Pull {
  number: number;
  title: string;
  body: string;
  base: { ref: string };
}

/** Cheap questions go to a scripted model; the council answers by its rules. Returns how often a file was asked for. */
async function aSelfWorld(): Promise<{ world: TestWorld; asked: () => number }> {
  const apiKey = ['sk', 'ant', 'self', 'k7f3q9x2m5v8b1n4'].join('-');
  const server = await startModelServer({ clock: systemClock, apiKey });
  onTestFinished(() => server.close());
  let asked = 0;
  server.setScript(({ lastText }) => {
    if (!lastText.includes('## Rewrite your own file')) return { json: { lessons: [] } };
    asked += 1;
    return { json: { lines: FILE } };
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quorum-self-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const models = path.join(folder, 'models.yml');
  writeFileSync(models, 'cheap: sonnet\nstandard: offline\nstrong: offline\n');
  const env = {
    ANTHROPIC_API_KEY: apiKey,
    ANTHROPIC_BASE_URL: server.url,
    QUORUM_MODELS: models,
  };
  const world = await aWorld({ env, files: { '.github/quorum.yml': SETTINGS } });
  return { world, asked: () => asked };
}

/** Much to read: what a persona remembers has a share of what all voices share. */
const LONG = Array.from({ length: 400 }, (_, n) => `export const row${n} = 'a row of a table';\n`);

async function review(world: TestWorld, name: string, more = ''): Promise<number> {
  const text = `${EVAL.replace('run', name)}${more}`;
  const number = await aPull(world, { [`src/${name}.ts`]: text }, name);
  await world.idle();
  return number;
}

async function proposalsIn({ emulator }: TestWorld): Promise<Pull[]> {
  const pulls = await emulator.as('ana').request('GET', `/repos/${REPO}/pulls`);
  return (pulls as Pull[]).filter(({ base }) => base.ref === BRANCH);
}

async function write({ emulator }: TestWorld, file: string, text: string): Promise<void> {
  const ana = emulator.as('ana');
  const url = `/repos/${REPO}/contents/${file}`;
  const { sha } = (await ana.request('GET', `${url}?ref=${BRANCH}`)) as { sha: string };
  const content = Buffer.from(text).toString('base64');
  await ana.request('PUT', url, { message: 'edit', branch: BRANCH, content, sha });
}

const challenge = (n: number, more: Partial<NewExperience> = {}): NewExperience => ({
  id: `RUN/${n}/was_challenged`,
  kind: 'was_challenged',
  thread: 1,
  run: 'RUN',
  trust: 'maintainer',
  text: `Ana asked for a measurement of cache ${n}`,
  ...more,
});

/** Ten more experiences of one persona, as if reviews had brought them. */
async function withTen(world: TestWorld, more?: Partial<NewExperience>): Promise<string> {
  const [file = ''] = Object.keys((await memoryOf(world)) ?? {}).filter((each) =>
    each.endsWith('/experiences.jsonl'),
  );
  const before = (await memoryOf(world))?.[file] ?? '';
  const ten = Array.from({ length: 10 }, (_, n) => challenge(n, more));
  await write(world, file, withExperiences(before, ten, new Date().toISOString()));
  return file.split('/')[1] ?? '';
}

/** What each voice of a review was sent, by its persona. */
async function promptsOf({ store }: TestWorld, thread: number): Promise<Map<string, string>> {
  const effects = await store.records.effects({ limit: 10_000 });
  return new Map(
    effects.flatMap(({ data }): [string, string][] =>
      data.kind === 'ask' && data.thread.number === thread && data.purpose === 'position'
        ? [[data.persona, JSON.stringify(data.prompt)]]
        : [],
    ),
  );
}

describe('the file of a persona', () => {
  verifies(
    ['TG-16'],
    'is proposed with what it rests on, is there once a person merges it, and is read by nobody else',
    async () => {
      const { world, asked } = await aSelfWorld();
      await review(world, 'first');
      const persona = await withTen(world);
      await review(world, 'second');
      const [proposal, ...others] = await proposalsIn(world);
      expect(others).toEqual([]);
      expect(proposal?.title).toBe(`Memory of ${persona}: rewrite self.md`);
      expect(proposal?.body).toContain('for the first time');
      const self = `personas/${persona}/self.md`;
      expect((await memoryOf(world))?.[self]).toBeUndefined();
      const ana = world.emulator.as('ana');
      await ana.request('PUT', `/repos/${REPO}/pulls/${proposal?.number}/merge`, {});
      await world.idle();
      expect((await memoryOf(world))?.[self]).toContain(FILE[1]);
      const times = asked();
      const third = await review(world, 'third', LONG.join(''));
      const prompts = await promptsOf(world, third);
      const readers = [...prompts].filter(([, text]) => text.includes(FILE[1] ?? ''));
      expect(readers.map(([who]) => who)).toEqual([persona]);
      expect(prompts.size).toBeGreaterThan(1);
      // What was in view is not a reason to write again.
      expect(asked()).toBe(times);
      const lived = parseExperiences(
        (await memoryOf(world))?.[`personas/${persona}/experiences.jsonl`] ?? '',
      );
      expect(lived.length).toBeGreaterThan(10);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies(['TG-16'], 'is not proposed after words of people without write access', async () => {
    const { world, asked } = await aSelfWorld();
    await review(world, 'first');
    await withTen(world, { trust: 'stranger' });
    await review(world, 'second');
    expect([await proposalsIn(world), asked()]).toEqual([[], 0]);
  });
});
