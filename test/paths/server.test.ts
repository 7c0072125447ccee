/** The path of an operator whose server writes code: `quorum start`, signed webhooks, an approved plan, a merged pull request. */
import { describe, expect, test } from 'vitest';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import { webhookAt } from '../helpers/an-app-process.ts';
import { aCodeServer } from './a-code-server.ts';
import { printTimes } from './print-times.ts';

describe.skipIf(noClaude !== undefined)('a server with code writing', () => {
  test('refuses a forged delivery, and brings an approved task to a merged pull request', async () => {
    const times = printTimes('a server with code writing');
    const { world, port, start, openPlan, pullProven, merged } = await aCodeServer();
    await start();
    times.ended('start');
    expect((await deliverForged(port)).status).toBe(401);
    const plan = await openPlan();
    await pullProven();
    times.ended('pull request with gates and review');
    expect(world.server.calls.length).toBeGreaterThan(0);
    await merged(plan);
    times.ended('merge');
  });
});

/** With a signature of the right form that no secret makes. */
function deliverForged(port: string): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'ping',
    'x-github-delivery': crypto.randomUUID(),
    'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
  };
  return fetch(webhookAt(port), { method: 'POST', headers, body: '{}' });
}
