/** A lesson that a model addresses to one voice reaches that voice in the next review, and no other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { startModelServer } from '../../src/emulator/model-server/start-model-server.ts';
import { aWorld, type TestWorld } from '../helpers/a-world.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { aPull } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const LESSON = 'Calls of eval in this repository are always a mistake';

/** Reflections go to a scripted model, which teaches one voice; the council answers by its rules. */
async function aTeachingWorld(): Promise<{ world: TestWorld; taught: () => string[] }> {
  const apiKey = ['sk', 'ant', 'lessons', 'k7f3q9x2m5v8b1n4'].join('-');
  const server = await startModelServer({ clock: systemClock, apiKey });
  onTestFinished(() => server.close());
  const taught: string[] = [];
  server.setScript(({ body }) => {
    const [, persona] = /## Who learns\\n\\n- ([a-z-]+):/.exec(JSON.stringify(body)) ?? [];
    if (persona === undefined || taught.length > 0) return { json: { lessons: [] } };
    taught.push(persona);
    const lesson = { category: 'DECISION', text: LESSON, refs: [], words: ['eval'] };
    return { json: { lessons: [{ for: [persona], ...lesson }] } };
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quorum-lessons-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const models = path.join(folder, 'models.yml');
  writeFileSync(models, 'cheap: sonnet\nstandard: offline\nstrong: offline\n');
  const env = {
    ANTHROPIC_API_KEY: apiKey,
    ANTHROPIC_BASE_URL: server.url,
    QUORUM_MODELS: models,
  };
  const files = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
  return { world: await aWorld({ env, files }), taught: () => taught };
}

async function review(world: TestWorld, name: string): Promise<number> {
  const number = await aPull(world, { [`src/${name}.ts`]: EVAL.replace('run', name) }, name);
  await world.idle();
  return number;
}

verifies(['NW-14'], 'a lesson for one voice is in its next prompt, and in no other', async () => {
  const { world, taught } = await aTeachingWorld();
  await review(world, 'first');
  const [persona = expect.fail('nobody was taught')] = taught();
  const files = Object.entries((await memoryOf(world)) ?? {});
  const keeping = files.filter(([, text]) => text.includes(LESSON)).map(([file]) => file);
  expect(keeping).toEqual([`personas/${persona}/working.md`]);
  const second = await review(world, 'second');
  const effects = await world.store.records.effects({ limit: 10_000 });
  const asked = effects.flatMap(({ data }) =>
    data.kind === 'ask' && data.thread.number === second && data.purpose === 'position'
      ? [{ persona: data.persona, text: JSON.stringify(data.prompt) }]
      : [],
  );
  expect(asked.length).toBeGreaterThan(1);
  const readers = asked.filter(({ text }) => text.includes(LESSON));
  expect(readers.map((each) => each.persona)).toEqual([persona]);
  expect(world.openApi.violations).toEqual([]);
});
