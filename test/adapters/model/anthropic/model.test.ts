/** Claude through the real SDK against the scripted server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trusted } from '../../../../src/domain/prompt/prompt-text.ts';
import {
  createAnthropicClient,
  createAnthropicModel,
} from '../../../../src/adapters/model/anthropic/anthropic-model.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../../../src/emulator/model-server/start-model-server.ts';
import { NO_USAGE } from '../../../../src/domain/run/ledger.ts';
import type { Model } from '../../../../src/ports/model.ts';
import { createFastClock, createPlainRandom } from '../../../contract/fast-clock.ts';
import { ask, wireContract, type Wire } from '../../../contract/model.ts';

const price = { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.2 };

function make({ server, clock, apiKey }: Wire): Model {
  const client = createAnthropicClient({ apiKey, baseUrl: server.url });
  const random = createPlainRandom();
  return createAnthropicModel(client, {
    name: 'sonnet',
    model: 'claude-test',
    price,
    clock,
    random,
  });
}

wireContract('anthropic', { protocol: 'anthropic', make, hasSchema: true });

describe('anthropic', () => {
  const clock = createFastClock();
  const apiKey = ['a', 'key'].join('-');
  let server: ModelServer;
  let model: Model;
  beforeAll(async () => {
    server = await startModelServer({ clock });
    model = make({ server, clock, apiKey });
  });
  afterAll(() => server.close());

  test('counts what it writes to the cache and what it reads from it, and their prices', async () => {
    server.setScript(() => 'ok');
    const system = [{ text: trusted('rules '.repeat(1200)), cache: true }];
    const first = (await model.generate(ask('a', { system }))).calls[0];
    const second = (await model.generate(ask('b', { system }))).calls[0];
    expect(first?.usage.cacheWriteTokens).toBeGreaterThan(1000);
    expect(second?.usage.cacheReadTokens).toBe(first?.usage.cacheWriteTokens);
    expect(second?.usage.cacheWriteTokens).toBe(0);
    const { inputTokens, outputTokens, cacheReadTokens } = second?.usage ?? NO_USAGE;
    const expected = (inputTokens * 2 + outputTokens * 10 + cacheReadTokens * 0.2) / 1_000_000;
    expect(second?.costUsd).toBeCloseTo(expected, 10);
  });

  test('sets at most four breakpoints: the first three and the last', async () => {
    server.setScript(() => 'ok');
    const texts = ['a', 'b', 'c', 'd', 'e'];
    await model.generate(
      ask('x', { system: texts.map((text) => ({ text: trusted(text), cache: true })) }),
    );
    const body = server.calls.at(-1)?.body;
    const marked = texts.filter((text) =>
      JSON.stringify(body).includes(`"text":"${text}","cache_control"`),
    );
    expect(marked).toEqual(['a', 'b', 'c', 'e']);
  });

  test('gives room for thinking beside the answer, and sends no temperature', async () => {
    server.setScript(() => 'ok');
    await model.generate(ask('x', { maxOutputTokens: 100, temperature: 0.3 }));
    expect(server.calls.at(-1)?.body).toMatchObject({ max_tokens: 4196 });
    expect(server.calls.at(-1)?.body).not.toHaveProperty('temperature');
  });

  test('returns its thinking with the turn of a tool loop, signature included', async () => {
    server.setScript((call) =>
      call.turn === 0 ? { thinking: 'hm', toolCalls: [{ name: 't', args: { q: 1 } }] } : 'done',
    );
    const tools = [{ name: 't', description: '', parameters: { type: 'object' } }];
    const request = ask('x', { tools });
    const turn = await model.generate(request);
    const { text, toolCalls, continuation } = turn;
    const id = toolCalls[0]?.id ?? '';
    const messages = [
      ...request.messages,
      { role: 'assistant' as const, text, toolCalls, continuation },
      { role: 'tool' as const, results: [{ id, text: trusted('r'), isError: true }] },
    ];
    await model.generate({ ...request, messages });
    const sent = JSON.stringify(server.calls.at(-1)?.body['messages']);
    expect(sent).toContain('"type":"thinking","thinking":"hm","signature":"signed-');
    expect(server.calls.at(-1)?.toolResults).toEqual([{ id, text: 'r', isError: true }]);
  });

  test('writes a turn of another model again, without what it cannot read', async () => {
    server.setScript(() => 'done');
    const continuation = {
      provider: 'anthropic',
      model: 'another',
      blocks: [{ type: 'thinking' }],
    };
    const toolCalls = [{ id: 'i', name: 't', args: undefined }];
    await model.generate(
      ask('x', {
        messages: [
          { role: 'user', content: [{ text: trusted('go') }] },
          { role: 'assistant', text: 'so', toolCalls, continuation },
          { role: 'tool', results: [{ id: 'i', text: trusted('r') }] },
        ],
      }),
    );
    const sent = JSON.stringify(server.calls.at(-1)?.body['messages']);
    expect(sent).not.toContain('thinking');
    expect(sent).toContain('{"type":"tool_use","id":"i","name":"t","input":{}}');
  });

  test('leaves an unknown price unknown', async () => {
    server.setScript(() => 'ok');
    const client = createAnthropicClient({ apiKey, baseUrl: server.url });
    const random = createPlainRandom();
    const options = { name: 'n', model: 'm', price: undefined, clock, random };
    const answer = await createAnthropicModel(client, options).generate(ask('x'));
    expect(answer.calls[0]?.costUsd).toBeUndefined();
    expect(answer.calls[0]?.usage.inputTokens).toBeGreaterThan(0);
  });

  test('cannot reach a server that is not there, and says so', async () => {
    const gone = await startModelServer({ clock });
    await gone.close();
    const lost = make({ server: gone, clock, apiKey });
    await expect(lost.generate(ask('x'))).rejects.toMatchObject({ code: 'model-unreachable' });
  });
});
