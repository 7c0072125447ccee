/** Embeddings over the wire: what is sent, what counts as an answer, and what an error costs and shows. */
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOpenAiEmbeddings } from '../../../../src/adapters/model/openai/openai-embeddings.ts';
import { createOpenAiClient } from '../../../../src/adapters/model/openai/openai-model.ts';
import { systemClock } from '../../../../src/adapters/system/system-clock.ts';
import type { Embeddings } from '../../../../src/ports/embeddings.ts';
import { callsOf } from '../../../../src/ports/model.ts';
import { openEmbeddings } from '../../../../src/hosts/host-parts.ts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { aFolder } from '../../../helpers/a-folder.ts';

const KEY = ['a', 'key'].join('-');
const price = { input: 2, output: 0, cacheWrite: 0, cacheRead: 0 };

interface Asked {
  url: string | undefined;
  key: string | undefined;
  body: unknown;
}

/** A server on loopback that answers everything the same. */
async function aServer(answer: unknown, status = 200): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const { url, headers } = request;
      asked.push({ url, key: headers.authorization, body: JSON.parse(text) });
      if (answer === undefined) return;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}/v1`, asked };
}

function embeddingsAt(baseUrl: string): Embeddings {
  const client = createOpenAiClient({ apiKey: KEY, baseUrl });
  const about = { name: 'small', model: 'embed-1', price, provider: 'openai' };
  return createOpenAiEmbeddings(client, { ...about, clock: systemClock });
}

const vector = (index: number, embedding: unknown) => ({ object: 'embedding', index, embedding });

async function failureOf(answer: unknown, status?: number): Promise<Error> {
  const { url } = await aServer(answer, status);
  const request = { texts: ['one', 'two'], timeoutMs: 300 };
  return embeddingsAt(url)
    .embed(request)
    .then(
      () => expect.unreachable(),
      (error: unknown) => error as Error,
    );
}

describe('embeddings', () => {
  test('asks once for all texts, and gives vectors in their order with what they cost', async () => {
    const data = [vector(1, [0, 1]), vector(0, [1, 0])];
    const usage = { prompt_tokens: 500, total_tokens: 500 };
    const { url, asked } = await aServer({ object: 'list', data, model: 'embed-1', usage });
    const request = { texts: ['one', 'two'], timeoutMs: 1_000 };
    const { vectors, call } = await embeddingsAt(url).embed(request);
    expect(vectors).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(call).toMatchObject({ pool: 'small', model: 'embed-1', outcome: 'ok', costUsd: 0.001 });
    const body = { model: 'embed-1', input: ['one', 'two'], encoding_format: 'float' };
    expect(asked).toEqual([{ url: '/v1/embeddings', key: `Bearer ${KEY}`, body }]);
  });

  test('estimates by the length of the texts', () => {
    expect(embeddingsAt('http://127.0.0.1:9/v1').estimateUsd(['a'.repeat(3_000)])).toBe(0.002);
  });

  test.each([
    ['too few vectors', { data: [vector(0, [1])] }],
    ['vectors of different sizes', { data: [vector(0, [1]), vector(1, [1, 2])] }],
    ['something else than numbers', { data: [vector(0, ['a']), vector(1, ['b'])] }],
    ['empty vectors', { data: [vector(0, []), vector(1, [])] }],
    ['no data', { data: 'none' }],
  ])('refuses %s, and tells what they cost', async (_, answer) => {
    const error = await failureOf({ ...answer, usage: { prompt_tokens: 1_000 } });
    expect(error).toMatchObject({ code: 'model-invalid-output' });
    expect(callsOf(error)).toMatchObject([{ outcome: 'invalid', costUsd: 0.002 }]);
  });

  test('repeats no request that fails, and shows no key', async () => {
    const { url, asked } = await aServer({ error: { message: `Bad key ${KEY}` } }, 500);
    const error: unknown = await embeddingsAt(url)
      .embed({ texts: ['one'], timeoutMs: 1_000 })
      .catch((caught: unknown) => caught);
    expect(asked).toHaveLength(1);
    expect(String(error)).not.toContain(KEY);
    expect(callsOf(error)).toMatchObject([{ outcome: 'error', costUsd: 0 }]);
  });

  test('gives up when the time is over', async () => {
    const error = await failureOf(undefined);
    expect(callsOf(error)).toMatchObject([{ outcome: 'error' }]);
  });
});

describe('the embedding model of a host', () => {
  const MODELS = 'embedding: small\nsmall:\n  provider: openai\n  model: embed-1\n';

  function opened(text: string, more: Record<string, string> = {}) {
    const file = path.join(aFolder('models'), 'models.yml');
    writeFileSync(file, text);
    const warned: unknown[] = [];
    const log = { warn: (about: unknown) => void warned.push(about) };
    const env = { QUORUM_MODELS: file, ...more };
    const found = openEmbeddings({ env, clock: systemClock, log } as never);
    return { model: found?.model, warned: warned.length };
  }

  const openai = { OPENAI_API_KEY: KEY };
  const own = MODELS.replace('openai', 'openai-compatible');
  const ownAt = own.replace('compatible', 'compatible\n  baseUrl: http://127.0.0.1:9/v1');
  const claude = MODELS.replace('openai', 'anthropic');

  test.each([
    { what: 'is opened where the key is there', text: MODELS, env: openai, model: 'embed-1' },
    { what: 'is opened on a server of its own without a key', text: ownAt, model: 'embed-1' },
    {
      what: 'is undefined where the file names no embedding model',
      text: 'cheap: offline\n',
      env: openai,
    },
    { what: 'is refused without its key', text: MODELS, warned: 1 },
    { what: 'is refused where the file does not define it', text: 'embedding: small\n', warned: 1 },
    { what: 'is refused on a server without an address', text: own, warned: 1 },
    {
      what: 'is refused at a provider without embeddings',
      text: claude,
      env: { ANTHROPIC_API_KEY: KEY },
      warned: 1,
    },
  ])('$what', ({ text, env = {}, model, warned = 0 }) => {
    expect(opened(text, env)).toEqual({ model, warned });
  });
});
