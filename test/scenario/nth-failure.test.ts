/** Every outside call goes wrong once, each in every way; the run still ends as it should, with one comment. */
import { describe, expect } from 'vitest';
import type { Fault } from '../../src/adapters/sandbox/github/faults.ts';
import { systemRandom } from '../../src/adapters/system/clock.ts';
import { createFastClock } from '../contract/fast-clock.ts';
import { aWorld, READY_ISSUE, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const FAULTS: Record<string, Fault> = {
  'answers 500': { kind: 'status', status: 500 },
  'answers 502 after the effect': { kind: 'effect-then-fail', status: 502 },
  'drops the connection after the effect': { kind: 'effect-then-fail', reset: true },
  'drops the connection before the effect': { kind: 'reset' },
  'cuts the body after the effect': { kind: 'truncated' },
  'answers 429 with a wait': { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
  'answers a secondary limit': {
    kind: 'status',
    status: 403,
    headers: { 'retry-after': '3' },
    body: { message: 'You have exceeded a secondary rate limit.' },
  },
};
/** More calls than a run makes; the loop stops at the first run that was not hit. */
const MAX_CALLS = 80;

describe.each(Object.entries(FAULTS))('GitHub %s', (_, fault) => {
  verifies(
    ['P2', 'TG-22'],
    'at the n-th call, for every n: one comment, the same end',
    async () => {
      const world = await aWorld({ clock: createFastClock(Date.now()), random: systemRandom });
      let hits = 0;
      for (let nth = 1; nth <= MAX_CALLS; nth += 1) {
        const wasHit = await runWith(world, fault, nth);
        if (!wasHit) break;
        hits += 1;
      }
      expect(hits).toBeGreaterThan(15);
      expect(hits).toBeLessThan(MAX_CALLS);
    },
  );
});

async function runWith(world: TestWorld, fault: Fault, nth: number): Promise<boolean> {
  const { number } = await world.sandbox.as('tom').openIssue('acme/tidy', READY_ISSUE);
  world.sandbox.faults.add({ path: /^\/(?!app)/, nth, fault });
  await world.sandbox.as('ana').label('acme/tidy', number, ['deliberate']);
  await world.idle();
  const wasHit = world.sandbox.faults.hits().some((hits) => hits > 0);
  world.sandbox.faults.clear();
  const told = await world.tell(number);
  expect([nth, told.comments.length]).toEqual([nth, 1]);
  expect(told.comments[0]).toMatch(/^### (?!Discussing)/);
  expect([nth, told.labels.includes('deliberate')]).toEqual([nth, false]);
  return wasHit;
}
