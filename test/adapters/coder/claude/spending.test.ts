/** The cap of a session holds however its client behaves: a request is reserved first and settled by what it used. */
import { expect, test } from 'vitest';
import type { Script, ScriptedAnswer } from '../../../../src/emulator/model-server/script.ts';
import { createJumpClock } from '../../../helpers/a-jump-clock.ts';
import { verifies } from '../../../verifies.ts';
import { aGateway, USAGE, type GatewayOptions } from './a-gateway.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const HANG: Script = () => ({ fault: { kind: 'hang' } });
/** 10 tokens of output and the provider's 2,000 of input, besides those of the request itself. */
const LEAST_RESERVED_USD = 2_000 * 2.5e-6 + 10 * 1e-5;

async function hangUp(options: GatewayOptions, afterBytes = false) {
  const gateway = await aGateway(options);
  const req = gateway.open();
  req.on('error', () => undefined);
  if (afterBytes)
    await new Promise((resolve) => {
      req.on('response', (res) => res.once('data', resolve));
    });
  await waitUntil(() => gateway.server.calls.length === 1);
  req.destroy();
  return gateway;
}

verifies('CB-14b', 'an answer is read to its end after its client hung up', async () => {
  const slow: ScriptedAnswer = { text: 'a '.repeat(40), usage: USAGE, tokenDelayMs: 20 };
  const { meter, server } = await hangUp({ script: () => slow }, true);
  await waitUntil(() => meter.calls.length === 1);
  expect(meter.calls).toMatchObject([
    { outcome: 'aborted', costUsd: expect.closeTo(0.004, 10), usage: { outputTokens: 100 } },
  ]);
  expect(server.calls[0]?.wasDropped).toBe(false);
});

verifies('CB-14b', 'a hung-up call that stays silent counts as reserved after 30 s', async () => {
  const clock = createJumpClock();
  const { meter, server } = await hangUp({ script: HANG, clock });
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  clock.jump(29_000);
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  expect(meter.calls).toEqual([]);
  clock.jump(2_000);
  await waitUntil(() => meter.calls.length === 1 && server.calls[0]?.wasDropped === true);
  expect(meter.calls).toMatchObject([{ outcome: 'aborted' }]);
  expect(meter.calls[0]?.costUsd).toBeGreaterThan(LEAST_RESERVED_USD);
});

verifies('CB-14b', 'after a stop nothing is read on, and the reservation counts', async () => {
  const { meter, server, stop, close, open } = await aGateway({ script: HANG });
  open().on('error', () => undefined);
  await waitUntil(() => server.calls.length === 1);
  stop.abort();
  await close();
  await waitUntil(() => server.calls[0]?.wasDropped === true);
  expect(meter.calls).toHaveLength(1);
  expect(meter.calls[0]?.costUsd).toBeGreaterThan(LEAST_RESERVED_USD);
});

verifies('CB-14b', 'a gateway is closed when what its client left behind is counted', async () => {
  const slow: ScriptedAnswer = { text: 'a '.repeat(20), usage: USAGE, tokenDelayMs: 20 };
  const { meter, server, close, open } = await aGateway({ script: () => slow });
  open().on('error', () => undefined);
  await waitUntil(() => server.calls.length === 1);
  await close();
  expect(meter.calls).toMatchObject([{ costUsd: expect.closeTo(0.004, 10) }]);
});

verifies('CB-14b', 'requests that are made together do not pass the cap together', async () => {
  const limits = { turns: 10, usd: 2 * LEAST_RESERVED_USD };
  const { ask: go, open, server } = await aGateway({ script: HANG, limits });
  open().on('error', () => undefined);
  await waitUntil(() => server.calls.length === 1);
  expect(await go()).toMatchObject({
    status: 403,
    body: expect.stringContaining('it could cost'),
  });
  expect(server.calls).toHaveLength(1);
});

verifies('CB-14b', 'a client that always hangs up spends no more than the cap', async () => {
  const usd = 0.02;
  const gateway = await aGateway({ script: HANG, limits: { turns: 10, usd } });
  for (let i = 0; i < 8; i += 1) {
    const clients = [1, 2].map(() => gateway.open().on('error', () => undefined));
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
    for (const client of clients) client.destroy();
  }
  expect(gateway.server.calls.length).toBeLessThanOrEqual(usd / LEAST_RESERVED_USD);
  gateway.stop.abort();
  await gateway.close();
  const spent = gateway.meter.calls.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  expect(spent).toBeGreaterThan(LEAST_RESERVED_USD);
  expect(spent).toBeLessThanOrEqual(usd);
});

verifies('CB-14b', '`max_tokens` is reserved, whatever is used of it', async () => {
  const { ask: go, server } = await aGateway({ limits: { turns: 10, usd: 1 } });
  const { status, body } = await go({ body: { max_tokens: 128_000 } });
  expect([status, server.calls.length]).toEqual([403, 0]);
  expect(body).toMatch(/it could cost \$1\.28/);
  const none = await go({ body: { max_tokens: undefined } });
  expect(none).toMatchObject({ status: 403, body: expect.stringContaining('`max_tokens`') });
});

verifies('CB-14b', 'bytes that would pass the cap are counted by the provider first', async () => {
  const limits = { turns: 10, usd: 0.1 };
  const { ask: go, server, meter } = await aGateway({ limits });
  const long = (chars: number) => ({ messages: [{ role: 'user', content: 'x'.repeat(chars) }] });
  expect((await go({ body: long(100_000) })).status).toBe(200);
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v1/messages/count_tokens',
    '/v1/messages',
  ]);
  expect((await go({ body: long(400_000) })).status).toBe(403);
  expect(server.calls).toHaveLength(1);
  expect(meter.calls).toHaveLength(1);
});

test.each([
  ['a stream without usage', { text: 'hi', noUsage: true }, true],
  ['an answer without usage', { text: 'hi', noUsage: true }, false],
  ['an answer that is not JSON', { fault: { kind: 'garbage' } }, false],
  ['an empty answer', { fault: { kind: 'empty' } }, false],
  ['a connection that breaks', { fault: { kind: 'reset' } }, true],
] as const)('%s counts as it was reserved', async (_, answer, stream) => {
  const { ask: go, meter } = await aGateway({ script: () => answer });
  await go({ stream });
  expect(meter.calls).toHaveLength(1);
  expect(meter.calls[0]?.costUsd).toBeGreaterThan(LEAST_RESERVED_USD);
});

test('a stream that breaks counts what it named, and all the output that it could have', async () => {
  const fault = { kind: 'end', afterEvents: 4 } as const;
  const { ask: go, meter } = await aGateway({
    script: () => ({ text: 'hi', usage: USAGE, fault }),
  });
  await go({ body: { max_tokens: 1_000 } });
  const inputUsd = 1000 * 2e-6 + 10_000 * 1e-7;
  expect(meter.calls).toMatchObject([
    { outcome: 'error', costUsd: expect.closeTo(inputUsd + 1_000 * 1e-5, 10) },
  ]);
});

test('a request that the provider refuses, or that does not reach it, costs nothing', async () => {
  const fault = { kind: 'status', status: 529 } as const;
  const overloaded = await aGateway({ script: () => ({ fault }) });
  const unreachable = await aGateway();
  await unreachable.server.close();
  for (const { ask: go, meter } of [overloaded, unreachable]) {
    await go();
    expect(meter.calls).toMatchObject([{ outcome: 'error', costUsd: 0 }]);
  }
});
