/** The scripted model server, asked directly over HTTP. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ScriptedCall } from '../../../src/emulator/model-server/script.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../../src/emulator/model-server/start-model-server.ts';
import { createFastClock } from '../../contract/fast-clock.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

type Json = Record<string, unknown>;

const clock = createFastClock();
let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ clock, minCacheTokens: 100 });
});
afterEach(() => server.close());

function post(path: string, body: unknown, headers: Record<string, string> = { 'x-api-key': 'k' }) {
  const all = { 'content-type': 'application/json', ...headers };
  return fetch(server.url + path, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

async function postJson(path: string, body: unknown): Promise<Json> {
  return (await (await post(path, body)).json()) as Json;
}

function message(content: unknown, more: Json = {}): Json {
  return { model: 'claude-test', max_tokens: 50, messages: [{ role: 'user', content }], ...more };
}

const mark = { cache_control: { type: 'ephemeral' } };
const long = (word: string): string => `${word} `.repeat(200);

/** Asks with these system blocks, and gives what the call counted. */
async function countOf(system: Json[], more: Json = {}): Promise<ScriptedCall['usage']> {
  await postJson('/v1/messages', message('hi', { system, ...more }));
  return server.calls.at(-1)?.usage;
}

describe('model server', () => {
  test('says what was said, in both protocols, whole and as a stream', async () => {
    const whole = await postJson('/v1/messages', message('hello'));
    expect(whole).toMatchObject({
      type: 'message',
      role: 'assistant',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'hello' }],
    });
    const chat = await postJson('/v1/chat/completions', message('hello'));
    expect(chat).toMatchObject({
      object: 'chat.completion',
      choices: [{ finish_reason: 'stop', message: { content: 'hello' } }],
    });
    const stream = await (await post('/v1/messages', message('hello', { stream: true }))).text();
    const names = [...stream.matchAll(/^event: (.+)$/gm)].map((found) => found[1]);
    expect(names).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const chunks = await (
      await post('/v1/chat/completions', message('hello', { stream: true }))
    ).text();
    expect(chunks.trim().endsWith('data: [DONE]')).toBe(true);
    expect(chunks).not.toContain('"usage"');
  });

  test('lets nobody in without a key, nor with another than its own', async () => {
    expect((await post('/v1/messages', message('x'), {})).status).toBe(401);
    expect((await post('/v1/chat/completions', message('x'), {})).status).toBe(401);
    const strict = await startModelServer({ clock, apiKey: 'right' });
    const ask = async (key: string): Promise<number> =>
      (await fetch(`${strict.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }))
        .status;
    expect(await ask('wrong')).toBe(401);
    expect(await ask('right')).toBe(200);
    await strict.close();
  });

  test('counts tokens, lists models, and knows no other routes', async () => {
    const counted = await postJson('/v1/messages/count_tokens', message('x'.repeat(400)));
    expect(counted['input_tokens']).toBeGreaterThan(100);
    expect(server.calls).toHaveLength(0);
    const headers = { 'x-api-key': 'k' };
    expect(await (await fetch(`${server.url}/v1/models`, { headers })).json()).toMatchObject({
      data: [{ id: 'scripted' }],
    });
    expect((await post('/v1/other', {})).status).toBe(404);
    expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(200);
  });

  test('refuses what the real API refuses', async () => {
    const bad = [
      message('x', { max_tokens: undefined }),
      message('x', { temperature: 1 }),
      message('x', { messages: [] }),
      message('x', {
        system: Array.from({ length: 5 }, () => ({ type: 'text', text: 's', ...mark })),
      }),
      message('x', {
        output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      }),
    ];
    for (const body of bad) expect((await post('/v1/messages', body)).status).toBe(400);
  });

  test('shows the script tool results and notes that follow them, as Claude Code sends them', async () => {
    server.setScript((call) => (call.toolResults.length > 0 ? 'seen' : 'not seen'));
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'n', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r' }] },
      { role: 'system', content: 'a note' },
    ];
    const answer = await postJson('/v1/messages?beta=true', message('', { messages }));
    expect(answer['content']).toMatchObject([{ text: 'seen' }]);
    expect(server.calls[0]).toMatchObject({ turn: 1, toolResults: [{ id: 't', text: 'r' }] });
  });

  test('writes tool calls whole in both protocols', async () => {
    server.setScript(() => ({
      thinking: 'hm',
      toolCalls: [{ id: 'i', name: 'n', args: { a: 1 } }],
    }));
    const whole = await postJson('/v1/messages', message('x'));
    expect(whole).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'thinking' }, { type: 'tool_use', id: 'i', name: 'n', input: { a: 1 } }],
    });
    const chat = await postJson('/v1/chat/completions', message('x'));
    expect(chat['choices']).toMatchObject([
      { message: { tool_calls: [{ id: 'i', function: { name: 'n', arguments: '{"a":1}' } }] } },
    ]);
  });

  test('cuts an answer that is no stream in its middle', async () => {
    server.setScript(() => ({ text: 'long', fault: { kind: 'cut', afterEvents: 1 } }));
    const response = await post('/v1/messages', message('x'));
    await expect(response.text()).rejects.toThrow('terminated');
  });

  test('notices a client that goes away, and closes while one still waits', async () => {
    server.setScript(() => ({ fault: { kind: 'hang' } }));
    const controller = new AbortController();
    const headers = { 'x-api-key': 'k' };
    const init = { method: 'POST', headers, body: JSON.stringify(message('x')) };
    const url = `${server.url}/v1/messages`;
    const gone = fetch(url, { ...init, signal: controller.signal }).catch(() => 'gone');
    const left = fetch(url, init).catch(() => 'left');
    await waitUntil(() => server.calls.length === 2);
    controller.abort();
    expect(await gone).toBe('gone');
    await waitUntil(() => server.calls.some((call) => call.wasDropped));
    await server.close();
    expect(await left).toBe('left');
  });
});

describe('prompt cache', () => {
  const rules = { type: 'text', text: long('rules'), ...mark };

  test('is written once and read by requests that begin alike', async () => {
    const first = await countOf([rules, { type: 'text', text: 'soul one' }]);
    const second = await countOf([rules, { type: 'text', text: 'soul two' }]);
    expect(first?.cacheWrite).toBeGreaterThan(200);
    expect(first?.cacheRead).toBe(0);
    expect(second).toMatchObject({ cacheRead: first?.cacheWrite, cacheWrite: 0 });
    expect(second?.input).toBe(first?.input);
  });

  test('is missed when a byte, a tool, the model or the output format differs', async () => {
    await countOf([rules]);
    const others = [
      await countOf([{ ...rules, text: `${rules.text}.` }]),
      await countOf([rules], { tools: [{ name: 't', input_schema: { type: 'object' } }] }),
      await countOf([rules], { model: 'claude-other' }),
      await countOf([rules], { output_config: { effort: 'low' } }),
    ];
    expect(others.map((usage) => usage?.cacheRead)).toEqual([0, 0, 0, 0]);
    expect((await countOf([rules]))?.cacheRead).toBeGreaterThan(0);
  });

  test('is extended from an earlier breakpoint', async () => {
    const first = await countOf([rules]);
    const more = { type: 'text', text: long('more'), ...mark };
    const second = await countOf([rules, more]);
    expect(second?.cacheRead).toBe(first?.cacheWrite);
    expect(second?.cacheWrite).toBeGreaterThan(200);
    const bare = { type: 'text', text: rules.text };
    const third = await countOf([bare, more]);
    expect(third?.cacheRead).toBe((second?.cacheRead ?? 0) + (second?.cacheWrite ?? 0));
  });

  test('is found at most twenty blocks back', async () => {
    await countOf([rules]);
    const filler = (n: number): Json[] =>
      Array.from({ length: n }, (_, i) => ({ type: 'text', text: `block ${i}` }));
    const bare = { type: 'text', text: rules.text };
    const end = { type: 'text', text: 'end', ...mark };
    expect((await countOf([bare, ...filler(19), end]))?.cacheRead).toBe(0);
    expect((await countOf([bare, ...filler(18), end]))?.cacheRead).toBeGreaterThan(0);
  });

  test('keeps nothing that is too short, and forgets after five minutes without use', async () => {
    const short = { type: 'text', text: 'short', ...mark };
    expect(await countOf([short])).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
    await countOf([rules]);
    clock.advance(4 * 60 * 1000);
    expect((await countOf([rules]))?.cacheRead).toBeGreaterThan(0);
    clock.advance(4 * 60 * 1000);
    expect((await countOf([rules]))?.cacheRead).toBeGreaterThan(0);
    clock.advance(5 * 60 * 1000);
    expect((await countOf([rules]))?.cacheRead).toBe(0);
  });

  test('is of no use to calls that start before the first answer begins', async () => {
    const gate = Promise.withResolvers<void>();
    server.setScript(async () => {
      await gate.promise;
      return { text: 'x', delayMs: 100 };
    });
    const all = [1, 2, 3].map(() => countOf([rules]));
    await waitUntil(() => server.calls.length === 3);
    gate.resolve();
    await Promise.all(all);
    expect(server.calls.map((c) => c.usage?.cacheRead)).toEqual([0, 0, 0]);
  });

  test('counts nothing when it is off', async () => {
    const plain = await startModelServer({ clock, cache: 'off' });
    for (let i = 0; i < 2; i += 1) {
      const body = JSON.stringify(
        message('hi', { system: [{ ...rules, text: long('much').repeat(9) }] }),
      );
      await (
        await fetch(`${plain.url}/v1/messages`, {
          method: 'POST',
          body,
          headers: { 'x-api-key': 'k' },
        })
      ).text();
    }
    expect(plain.calls.at(-1)?.usage).toMatchObject({ cacheRead: 0, cacheWrite: 0 });
    expect(plain.calls.at(-1)?.usage?.input).toBeGreaterThan(1000);
    await plain.close();
  });
});
