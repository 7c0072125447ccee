/** What the gateway passes on, and its limits on requests, connections and bytes. */
import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createBodyReader } from '../../../../src/adapters/coder/claude/gateway/read-body.ts';
import type { Script } from '../../../../src/emulator/model-server/script.ts';
import { verifies } from '../../../verifies.ts';
import { aGateway, type Asking } from './a-gateway.ts';
import { MODEL } from './a-session.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const HANG: Script = () => ({ fault: { kind: 'hang' } });
const KEPT_LONG = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const said = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });

const REFUSED: Record<string, { asking: Asking; names: string }> = {
  'a faster and dearer mode': { asking: { body: { speed: 'fast' } }, names: 'speed' },
  'a dearer region': { asking: { body: { inference_geo: 'us' } }, names: 'inference_geo' },
  'a dearer tier': { asking: { body: { service_tier: 'auto' } }, names: 'service_tier' },
  'other models to fall back to': { asking: { body: { fallbacks: [] } }, names: 'fallbacks' },
  'a thread that the provider keeps': { asking: { body: { thread: {} } }, names: 'thread' },
  'a key that nobody knows': { asking: { body: { tomorrow: 1 } }, names: 'tomorrow' },
  'a beta with a dearer window': {
    asking: { headers: { 'anthropic-beta': 'effort-2025-11-24, context-1m-2025-08-07' } },
    names: 'context-1m-2025-08-07',
  },
  'a beta that nobody knows': {
    asking: { headers: { 'anthropic-beta': 'all-free-2027-01-01' } },
    names: 'all-free-2027-01-01',
  },
  'a compaction, which is a call of its own': {
    asking: { body: { context_management: { edits: [{ type: 'compact_20260112' }] } } },
    names: 'compact_20260112',
  },
  'a context edit in another form': {
    asking: { body: { context_management: { edits: { type: 'compact_20260112' } } } },
    names: 'compact_20260112',
  },
  'a cache for an hour': {
    asking: { body: said({ type: 'text', text: 'x', ...KEPT_LONG }) },
    names: '5 minutes',
  },
  'a cache of tools for an hour': {
    asking: { body: { tools: [{ name: 'Bash', ...KEPT_LONG }] } },
    names: '5 minutes',
  },
};
for (const [name, { asking, names }] of Object.entries(REFUSED))
  verifies('CB-14b', `what its usage would not show is refused: ${name}`, async () => {
    const { ask: go, server } = await aGateway();
    for (const url of ['/v1/messages', '/v1/messages/count_tokens'])
      expect(await go({ ...asking, url })).toMatchObject({
        status: 403,
        body: expect.stringContaining(names),
      });
    expect(server.requests).toEqual([]);
  });

verifies('CB-14b', 'what was checked is what is sent: a key twice is sent once', async () => {
  const { ask: go, server } = await aGateway();
  const messages = '[{"role":"user","content":"x"}]';
  const raw = `{"model":"${MODEL}","max_tokens":128000,"messages":${messages},"max_tokens":10}`;
  expect((await go({ raw })).status).toBe(200);
  expect(server.calls[0]?.body['max_tokens']).toBe(10);
  const far = `{"model":"${MODEL}","max_tokens":10,"messages":${messages},"max_tokens":128000}`;
  expect((await go({ raw: far })).status).toBe(403);
});

test('what Claude Code sends goes through, each beta and each key', async () => {
  const { ask: go, server } = await aGateway();
  const betas =
    'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,per-turn-control-2026-07-01,thinking-token-count-2026-05-13,effort-2025-11-24,fallback-credit-2026-06-01,thinking-display-updates-2026-08-18';
  const body = {
    metadata: { user_id: 'u' },
    thinking: { type: 'adaptive', display: 'updates' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'medium' },
    ...said({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }),
  };
  expect((await go({ body, headers: { 'anthropic-beta': betas } })).status).toBe(200);
  expect(server.calls[0]).toMatchObject({ body, headers: { 'anthropic-beta': betas } });
});

test('more than four requests at once get a 429', async () => {
  const { ask: go, open, server } = await aGateway({ script: HANG });
  for (let i = 0; i < 4; i += 1) open().on('error', () => undefined);
  await waitUntil(() => server.calls.length === 4);
  for (const url of ['/v1/messages', '/v1/messages/count_tokens'])
    expect(await go({ url })).toMatchObject({
      status: 429,
      body: expect.stringContaining('4 requests are under way'),
    });
});

test('tokens are not counted without end', async () => {
  const { ask: go, server } = await aGateway({ limits: { turns: 1, usd: 1 } });
  for (let i = 0; i < 32; i += 1) await go({ url: '/v1/messages/count_tokens' });
  expect(server.requests).toHaveLength(30);
});

test.each(['/v1/models', '/v1/complete', '/v1/messages/batches', '/v1/messages/', '/constructor'])(
  '%s is not served',
  async (url) => {
    const { ask: go, server } = await aGateway();
    for (const method of ['GET', 'POST'])
      expect(await go({ url, method })).toMatchObject({ status: 404 });
    expect(server.requests).toEqual([]);
  },
);

function aBody(bytes: number): IncomingMessage {
  return Readable.from([Buffer.from(`"${'x'.repeat(bytes - 2)}"`)]) as IncomingMessage;
}

test('bodies are limited, one by one and together, and are free again when they are answered', async () => {
  const read = createBodyReader(1_000);
  const seen: unknown[] = [];
  const keep = async (body: unknown): Promise<void> => void seen.push(body);
  await expect(read(aBody(801), 800, keep)).rejects.toThrow('The request is too large.');
  const held = Promise.withResolvers<void>();
  const first = read(aBody(600), 800, () => held.promise);
  await expect(read(aBody(600), 800, keep)).rejects.toThrow('too large together');
  held.resolve();
  await first;
  await read(aBody(600), 800, keep);
  await read(Readable.from([Buffer.from('{')]) as IncomingMessage, 800, keep);
  expect(seen).toEqual(['x'.repeat(598), undefined]);
});
