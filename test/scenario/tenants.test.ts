/** A day of ten tenants on one App, one of them hostile: what it sends changes nothing for the others. */
import { describe, expect } from 'vitest';
import { WEBHOOK_PATH } from '../../src/hosts/setup/app-manifest.ts';
import type { Exchange } from '../../src/emulator/github/listener.ts';
import { aWorld, isWrite, type TestWorld } from '../helpers/a-world.ts';
import { aModel } from '../helpers/a-model.ts';
import {
  addTenant,
  answerAll,
  aRequest,
  discuss,
  FILTERED,
  hasVerdict,
  hostileRequests,
  HOSTILE_SETTINGS,
  missingIssues,
  threadOf,
  type Tenant,
} from '../helpers/tenants.ts';
import { verifies } from '../verifies.ts';

/** Against hangs only. */
const GUARD = { timeout: 600_000 };
const QUIET = 9;
const FLOOD = 100;

async function aDay() {
  const { server, env } = await aModel();
  server.setScript(answerAll({ delayMs: 0, slowMs: 0 }));
  const world = await aWorld({ env });
  const writes: Exchange[] = [];
  world.emulator.onExchange((exchange) => {
    if (isWrite(exchange) && exchange.actor.startsWith('installation:')) writes.push(exchange);
  });
  const quiet: Tenant[] = [];
  for (let n = 1; n <= QUIET; n += 1) quiet.push(await addTenant(world, `tenant-${n}`));
  const hostile = await addTenant(world, 'hostile', HOSTILE_SETTINGS);
  await world.idle();
  return { world, server, quiet, hostile, writes };
}

/** As GitHub sends it, past the emulator: nothing there has such an issue. */
async function flood(world: TestWorld, hostile: Tenant): Promise<void> {
  for (const { event, signature, body } of missingIssues(world, hostile, FLOOD)) {
    const headers = {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': crypto.randomUUID(),
      'x-hub-signature-256': signature,
    };
    const url = `${world.app.url}${WEBHOOK_PATH}`;
    expect((await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).ok).toBe(
      true,
    );
  }
}

describe('ten tenants', GUARD, () => {
  verifies(
    ['LOOP-06: installations are served in turn', 'LOOP-06: money of each installation', 'CB-15'],
    'one of them hostile: each gets its verdicts, pays for itself alone, and nobody else writes to it',
    async () => {
      const { world, server, quiet, hostile, writes } = await aDay();
      const [bait = aRequest('Bait'), ...others] = hostileRequests();
      await discuss(world, hostile, bait);
      // The others may take what is left of its budget for the day.
      await world.idle();
      for (const issue of others) await discuss(world, hostile, issue);
      await flood(world, hostile);
      const asked: { tenant: Tenant; number: number }[] = [];
      for (const tenant of quiet)
        asked.push({
          tenant,
          number: await discuss(world, tenant, aRequest(`Flag of ${tenant.owner}`)),
        });
      await world.idle();

      for (const { tenant, number } of asked) {
        const thread = threadOf(world, tenant, number);
        expect(hasVerdict(thread), `${tenant.repo}#${number}`).toBe(true);
        const bodies = thread.comments.map(({ body }) => body).join('\n');
        expect(bodies).toMatch(/^### Ready: worth doing, small/m);
        expect(bodies).not.toContain('offline rules');
      }

      const { records } = world.store;
      const tenants = [...quiet, hostile];
      for (const one of tenants) {
        const { installationId, repositoryId } = one;
        const paid = await records.spent({ installationId });
        expect(paid.usd).toBeGreaterThan(0);
        expect(await records.spent({ repositoryId })).toEqual(paid);
        expect(await records.spent({ keyStart: `thread:${repositoryId}/` })).toEqual(paid);
        for (const other of tenants)
          if (other !== one)
            expect(
              await records.spent({ installationId, repositoryId: other.repositoryId }),
            ).toMatchObject({ usd: 0, calls: 0 });
      }
      const filtered = server.calls.filter(({ lastText, system }) =>
        `${system} ${lastText}`.includes(FILTERED),
      );
      expect(filtered.length).toBeGreaterThan(0);

      expect(writes.length).toBeGreaterThan(tenants.length);
      const repoOf = new Map(
        tenants.map(({ installationId, repo }) => [`installation:${installationId}`, repo]),
      );
      for (const { actor, path } of writes)
        expect(path.startsWith(`/repos/${repoOf.get(actor)}/`), `${actor} wrote to ${path}`).toBe(
          true,
        );
      for (const { tenant, number } of asked) {
        const thread = threadOf(world, tenant, number);
        const texts = [thread.body ?? '', ...thread.comments.map(({ body }) => body)].join('\n');
        expect(texts).not.toMatch(/hostile|forbidden/);
      }
    },
  );
});
