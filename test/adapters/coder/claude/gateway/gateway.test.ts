/** The one door of a sandboxed CLI: who may ask which model how often, what it costs, and what never goes through. */
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Script } from '../../../../../src/emulator/model-server/script.ts';
import { verifies } from '../../../../verifies.ts';
import { aGateway, TOKEN, USAGE } from '../a-gateway.ts';
import { MODEL, REAL_KEY } from '../a-session.ts';

verifies('CB-13', 'a call is counted alike, as a stream and whole', async () => {
  const { ask: go, meter } = await aGateway();
  for (const stream of [true, false]) {
    const { status, body } = await go({ stream });
    expect(status).toBe(200);
    expect(body).toContain(stream ? 'message_stop' : '"text":"hi"');
  }
  const { input, output, cacheRead, cacheWrite } = USAGE;
  expect(meter.calls).toMatchObject(
    [1, 2].map(() => ({
      provider: 'anthropic',
      pool: 'sonnet',
      model: MODEL,
      outcome: 'ok',
      costUsd: expect.closeTo(0.004, 10),
      usage: {
        inputTokens: input,
        outputTokens: output,
        cacheReadTokens: cacheRead,
        cacheWriteTokens: cacheWrite,
      },
    })),
  );
});

verifies(
  ['P5', 'EXE-01: key only outside of the sandbox'],
  'the key goes to the model and nothing else of the caller does',
  async () => {
    const { ask: go, server } = await aGateway();
    await go({ headers: { cookie: 'c', 'x-forwarded-for': '1.2.3.4', 'anthropic-version': '1' } });
    const headers = server.calls[0]?.headers;
    expect(headers).toMatchObject({ 'x-api-key': REAL_KEY, 'anthropic-version': '1' });
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('x-forwarded-for');
    expect(JSON.stringify(headers)).not.toContain(TOKEN);
  },
);

test.each([
  ['another token', { headers: { 'x-api-key': 'x' } }, 401],
  ['the real key', { headers: { 'x-api-key': REAL_KEY } }, 401],
  ['another model', { model: 'claude-opus-5-5' }, 403],
  ['another path', { url: '/v1/files' }, 404],
  ['a path that climbs', { url: '/v1/messages/../files' }, 404],
  ['a reading method', { method: 'GET' }, 404],
] as const)('%s goes no further', async (_, asking, status) => {
  const { ask: go, server, meter } = await aGateway();
  expect((await go(asking)).status).toBe(status);
  expect(server.requests).toEqual([]);
  expect(meter.calls).toEqual([]);
});

const BY_ADDRESS = { type: 'image', source: { type: 'url', url: 'http://evil.test/?leak' } };
const IN_A_RESULT = { type: 'tool_result', tool_use_id: 't', content: [BY_ADDRESS] };
const IN_A_DOCUMENT = { type: 'document', source: { type: 'content', content: [BY_ADDRESS] } };
const said = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });

const WAYS_OUT: Record<string, Record<string, unknown>> = {
  'a search by the provider': { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  'a fetch among other tools': { tools: [{ name: 'Bash' }, { type: 'web_fetch_20250910' }] },
  'code on the provider’s machine': { tools: [{ type: 'code_execution_20250825' }] },
  'a server of tools': { mcp_servers: [{ type: 'url', url: 'http://evil.test' }] },
  'a container': { container: 'c_1' },
  'an image by its address': said(BY_ADDRESS),
  'one in the result of a tool': said({ type: 'text', text: 'x' }, IN_A_RESULT),
  'one in a document': said(IN_A_DOCUMENT),
  'one in the system prompt': { system: [BY_ADDRESS] },
  'a file that was put there before': said({ type: 'document', source: { type: 'file' } }),
};
for (const [name, body] of Object.entries(WAYS_OUT))
  verifies(
    'EXE-02: MCP and tools of the provider',
    `no way out leads through the provider: ${name}`,
    async () => {
      const { ask: go, server } = await aGateway();
      for (const url of ['/v1/messages', '/v1/messages/count_tokens'])
        expect(await go({ body, url })).toMatchObject({
          status: 403,
          body: expect.stringContaining('This run has no network'),
        });
      expect(server.requests).toEqual([]);
    },
  );

test('what carries its own bytes, and words about addresses, go through', async () => {
  const { ask: go, server } = await aGateway();
  const source = { type: 'base64', media_type: 'image/png', data: '' };
  const call = { type: 'tool_use', id: 't', name: 'Write', input: { content: [BY_ADDRESS] } };
  const body = {
    ...said({ type: 'image', source }, call),
    tools: [{ name: 'Bash' }, { type: 'custom', name: 'Read' }],
    system: 'words',
  };
  expect((await go({ body })).status).toBe(200);
  expect(server.calls).toHaveLength(1);
});

test('counting tokens is passed on and costs nothing', async () => {
  const { ask: go, meter } = await aGateway();
  expect((await go({ url: '/v1/messages/count_tokens' })).body).toMatch(/input_tokens/);
  expect(meter.calls).toEqual([]);
});

verifies(
  ['CB-14b', 'LIM-08: runaway turns'],
  'a budget or turns that are used up let no further call through',
  async () => {
    const money = await aGateway({ limits: { turns: 10, usd: 0.01 } });
    const turns = await aGateway({ limits: { turns: 1, usd: 10 } });
    for (const { ask: go } of [money, turns]) for (let i = 0; i < 10; i += 1) await go();
    expect(money.server.calls).toHaveLength(2);
    expect(turns.server.calls).toHaveLength(6);
    const { status, body } = await money.ask();
    expect(status).toBe(403);
    expect(body).toMatch(
      /it could cost \$0\.00\d+, and \$0\.0020 of the budget of \$0\.01 is left/,
    );
  },
);

test('calls that fail are not made without end', async () => {
  const script: Script = () => ({ fault: { kind: 'status', status: 500 } });
  const { ask: go, server } = await aGateway({ script, limits: { turns: 1, usd: 9 } });
  for (let i = 0; i < 40; i += 1) await go();
  expect(server.calls).toHaveLength(30);
});

test.each([
  ['a failure', { kind: 'status', status: 529 }, 0],
  ['a stream that breaks', { kind: 'end', afterEvents: 4 }, expect.any(Number)],
] as const)('%s is counted as one', async (_, fault, costUsd) => {
  const { ask: go, meter } = await aGateway({ script: () => ({ text: 'hi there', fault }) });
  await go();
  expect(meter.calls).toMatchObject([{ outcome: 'error', costUsd }]);
});

verifies(
  'P5',
  'an endpoint that repeats the key, or sends on elsewhere, gives it to nobody',
  async () => {
    const elsewhere: string[] = [];
    const odd = createServer((req, res) => {
      elsewhere.push(req.url ?? '');
      if (req.url === '/v1/messages') res.writeHead(307, { location: '/stolen' }).end();
      else res.writeHead(400).end(`bad key ${String(req.headers['x-api-key'])}`);
    });
    await new Promise<void>((resolve) => {
      odd.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void odd.close());
    const address = odd.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const { ask: go } = await aGateway({ baseUrl });
    expect((await go()).status).toBe(502);
    const { status, body } = await go({ url: '/v1/messages/count_tokens' });
    expect([status, body]).toEqual([400, 'bad key [redacted]']);
    expect(elsewhere).toEqual(['/v1/messages', '/v1/messages/count_tokens']);
  },
);
