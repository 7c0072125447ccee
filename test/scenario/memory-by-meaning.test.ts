/** Memory that is ordered by meaning, from the host's file of models to the ledger: one request more for a review. */
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../helpers/a-folder.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPull } from '../helpers/talking.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

/** Answers with a vector for each text, or with 500; `asked` holds the texts of each request. */
async function anEmbedder(status: 200 | 500): Promise<{ url: string; asked: string[][] }> {
  const asked: string[][] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[] };
      asked.push(input);
      const data = input.map((text, index) => ({ index, embedding: [text.length, 1] }));
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data, usage: { prompt_tokens: 1_000 } }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked };
}

async function aTaughtWorld(url: string, setting: string): Promise<TestWorld> {
  const models = path.join(aFolder('models'), 'models.yml');
  writeFileSync(
    models,
    `embedding: small\nsmall:\n  provider: openai-compatible\n  baseUrl: ${url}\n  model: embed-1\n  price: { input: 0.02, output: 0 }\n`,
  );
  const text = `review:\n  settleSeconds: 0\n${setting}`;
  const files = { '.github/quorum.yml': text };
  const world = await aWorld({ env: { QUORUM_MODELS: models }, files });
  for (const name of ['first', 'second', 'third']) {
    await aPull(world, { [`src/${name}.ts`]: EVAL.replace('run', name) }, name);
    await world.idle();
  }
  return world;
}

/** Of all three reviews, in their order. */
async function paidCalls({ store, emulator }: TestWorld) {
  const { id } = emulator.repository(REPO);
  const keys = [1, 2, 3].map((number) => `thread:${id}/${number}`);
  const all = await Promise.all(keys.map((key) => store.records.calls({ key, limit: 1_000 })));
  return all.flat().filter(({ role }) => role === 'embeddings');
}

const ON = 'memory:\n  embeddings: true\n';

test('a review asks once, for the matter and for notes that have no vector yet', async () => {
  const { url, asked } = await anEmbedder(200);
  const world = await aTaughtWorld(url, ON);
  const [last = []] = asked.slice(-1);
  expect(last[0]).toContain('src/third.ts');
  expect(asked.flat().filter((text) => text.startsWith('Seen in src/first.ts'))).toHaveLength(1);
  const calls = await paidCalls(world);
  expect(calls).toHaveLength(asked.length);
  expect(calls[0]).toMatchObject({ model: 'embed-1', outcome: 'ok', costUsd: 0.000_02 });
});

test.each([
  ['goes on by words where the model fails', 500 as const, ON],
  ['asks nothing unless the repository wants it', 200 as const, ''],
])('a review %s', async (_, status, setting) => {
  const { url, asked } = await anEmbedder(status);
  const world = await aTaughtWorld(url, setting);
  expect(asked.length > 0).toBe(setting === ON);
  const outcomes = (await paidCalls(world)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(asked.map(() => 'error'));
  const effects = await world.store.records.effects({ limit: 10_000 });
  const reviews = effects.filter(({ data }) => data.kind === 'review');
  expect(reviews).toHaveLength(3);
});
