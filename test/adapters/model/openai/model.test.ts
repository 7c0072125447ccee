/** OpenAI and compatible servers through the real SDK against the scripted server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trusted } from '../../../../src/domain/prompt/prompt-text.ts';
import {
  createCompatibleModel,
  createOpenAiClient,
  createOpenAiModel,
} from '../../../../src/adapters/model/openai/openai-model.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../../../src/emulator/model-server/start-model-server.ts';
import type { Model } from '../../../../src/ports/model.ts';
import { createFastClock, createPlainRandom } from '../../../contract/fast-clock.ts';
import { ask, failureOf, wireContract, type Wire } from '../../../contract/model.ts';

const price = { input: 1, output: 5, cacheWrite: 1.25, cacheRead: 0.05 };

function optionsFor(clock: Wire['clock']) {
  return { name: 'terra', model: 'gpt-test', price, clock, random: createPlainRandom() };
}

function makeOwn({ server, clock, apiKey }: Wire): Model {
  const client = createOpenAiClient({ apiKey, baseUrl: `${server.url}/v1` });
  return createOpenAiModel(client, optionsFor(clock));
}

function makeCompatible({ server, clock, apiKey }: Wire): Model {
  const client = createOpenAiClient({ apiKey, baseUrl: `${server.url}/v1` });
  return createCompatibleModel(client, { ...optionsFor(clock), structured: 'json_object' });
}

wireContract('openai', { protocol: 'openai', make: makeOwn, hasSchema: true });
wireContract('openai-compatible with json_object', {
  protocol: 'openai',
  make: makeCompatible,
  hasSchema: false,
});

describe('openai', () => {
  const clock = createFastClock();
  const apiKey = ['a', 'key'].join('-');
  let server: ModelServer;
  let wire: Wire;
  beforeAll(async () => {
    server = await startModelServer({ clock });
    wire = { server, clock, apiKey };
  });
  afterAll(() => server.close());

  test('makes optional properties nullable for strict mode and drops the nulls again', async () => {
    server.setScript(() => ({ json: { a: 'x', b: null, c: null } }));
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'string' },
        c: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['a', 'c'],
      additionalProperties: false,
    };
    const answer = await makeOwn(wire).generate(ask('x', { output: { name: 'n', schema } }));
    expect(JSON.parse(answer.text)).toEqual({ a: 'x', c: null });
    expect(server.calls.at(-1)?.body['response_format']).toMatchObject({
      json_schema: {
        strict: true,
        schema: {
          required: ['a', 'b', 'c'],
          properties: { b: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        },
      },
    });
  });

  test('uses the newer parameters with OpenAI and the older ones elsewhere', async () => {
    server.setScript(() => 'ok');
    const request = ask('x', { temperature: 0.2, system: [{ text: trusted('s'), cache: true }] });
    await makeOwn(wire).generate(request);
    const own = server.calls.at(-1)?.body;
    expect(own).toMatchObject({ max_completion_tokens: 4596 });
    expect(own?.['prompt_cache_key']).toMatch(/^[0-9a-f]{32}$/);
    expect(own).not.toHaveProperty('temperature');
    await makeCompatible(wire).generate(request);
    const other = server.calls.at(-1)?.body;
    expect(other).toMatchObject({ max_tokens: 500, temperature: 0.2 });
    expect(other).not.toHaveProperty('prompt_cache_key');
  });

  test('takes a 429 about the quota as a matter of credits', async () => {
    server.setScript(() => ({
      fault: {
        kind: 'status',
        status: 429,
        code: 'insufficient_quota',
        type: 'insufficient_quota',
      },
    }));
    expect(await failureOf(makeOwn(wire).generate(ask('x')))).toMatchObject({
      code: 'model-credits',
    });
  });

  test('does not know the cost where the server tells no usage', async () => {
    server.setScript(() => ({ text: 'ok', noUsage: true }));
    const answer = await makeCompatible(wire).generate(ask('x'));
    expect(answer.calls[0]?.costUsd).toBeUndefined();
  });

  test('works without a key where the server needs none', async () => {
    server.setScript(() => 'ok');
    const local = makeCompatible({ ...wire, apiKey: '' });
    expect((await local.generate(ask('x'))).text).toBe('ok');
  });
});
