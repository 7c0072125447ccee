/** Two Apps with the same credentials and separate stores get the same deliveries: one of them speaks. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { aModel } from '../helpers/a-model.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { openPullOf } from '../helpers/commits.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aSecondApp, type TwoApps } from '../helpers/two-apps.ts';
import { quorum } from '../hosts/cli/fake-io.ts';
import { verifies } from '../verifies.ts';
import { waitUntil } from '../helpers/wait-until.ts';

/** Against hangs only. */
const GUARD = { timeout: 600_000 };

async function callsOf({ stores }: TwoApps): Promise<number[]> {
  return Promise.all(
    stores.map(async ({ records }) => {
      const effects = await records.effects({ idEnd: '-ask', limit: 100 });
      return effects.length;
    }),
  );
}

/** Resolves when both have posted, or one of them has decided to keep still. */
async function bothHaveMoved(world: TestWorld, { stores }: TwoApps): Promise<void> {
  for (let i = 0; i < 600; i += 1) {
    if ((await world.tell(1)).comments.length === 2 || (await isWaiting(stores))) return;
    await wait(50);
  }
}

/** Resolves when both have begun a check, or one of them has decided to keep still. */
async function bothHaveBegun({ stores }: TwoApps): Promise<void> {
  for (let i = 0; i < 600; i += 1) {
    const begun = await Promise.all(
      stores.map(({ records }) =>
        records.effects({ idEnd: '-review-check', status: 'done', limit: 1 }),
      ),
    );
    if (begun.every(({ length }) => length > 0) || (await isWaiting(stores))) return;
    await wait(50);
  }
}

async function isWaiting(stores: TwoApps['stores']): Promise<boolean> {
  const pending = await Promise.all(
    stores.map(({ records }) => records.events({ status: 'pending', limit: 100 })),
  );
  return pending.flat().some(({ data }) => data.kind === 'timer');
}

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

describe('two Apps with the same credentials and separate stores', GUARD, () => {
  verifies(
    ['P1', 'LOOP-02'],
    'that begin at the same moment leave one comment, one set of labels, and one verdict was asked for',
    async () => {
      let moved: () => Promise<void> = () => Promise.resolve();
      const { env } = await aModel({
        position: async (_, handle) => {
          await moved();
          return { json: aPosition({ reasons: handle }) };
        },
      });
      const world = await aWorld({ env });
      const both = await aSecondApp(world);
      moved = () => bothHaveMoved(world, both);
      // Each has looked before the other one has written.
      const posts = { method: 'POST', path: /\/issues\/1\/comments$/, times: 2 };
      world.emulator.faults.add({ ...posts, fault: { kind: 'latency', ms: 5_000 } });
      await world.ask(READY_ISSUE);
      await both.idle();
      const told = await world.tell(1);
      expect(told.comments).toHaveLength(1);
      expect(told.comments[0]).toMatch(/^### Ready: /);
      expect(told).toMatchObject({ labels: ['ready'], reactions: ['rocket'] });
      const calls = await callsOf(both);
      const [most = 0, least = 0] = calls.toSorted((a, b) => b - a);
      // The one that gave way asked for no verdict.
      expect(least).toBeLessThan(most);
      const loser = calls[0] === least ? world.appEnv : both.env;
      const { out } = await quorum(['doctor'], { env: loser });
      expect(out).toMatch(/warn\s+one store for this App\s+1 run\S* that this store does not know/);
    },
  );

  verifies(
    ['P1', 'LOOP-02'],
    'that begin a review at the same moment leave one review and one check that counts',
    async () => {
      const files = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
      let moved: () => Promise<void> = () => Promise.resolve();
      const { env } = await aModel({
        position: async (_, handle) => {
          await moved();
          return { json: aPosition({ reasons: handle, vote: 'CHANGES' }) };
        },
        verdict: () => ({ json: aVerdict({ verdict: 'CHANGES' }) }),
      });
      const world = await aWorld({ env, files });
      const both = await aSecondApp(world);
      moved = () => bothHaveBegun(both);
      const posts = { method: 'POST', path: /\/check-runs$/, times: 2 };
      world.emulator.faults.add({ ...posts, fault: { kind: 'latency', ms: 5_000 } });
      await openPullOf(world, { 'src/run.ts': EVAL });
      await both.idle();
      const { checks, reviews } = await reviewsOf(world, 1);
      expect(reviews).toHaveLength(1);
      expect(checks.map(({ conclusion }) => conclusion)).toContain('action_required');
      expect(checks.every(({ status }) => status === 'completed')).toBe(true);
      expect((await world.tell(1)).labels).toEqual(['changes-requested']);
      const [most = 0, least = 0] = (await callsOf(both)).toSorted((a, b) => b - a);
      expect(least).toBeLessThan(most);
    },
  );

  verifies(
    ['P1', 'LOOP-02'],
    'keep still where the other one speaks already, and say why in the record',
    async () => {
      const world = await aWorld();
      const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
      await world.idle();
      let speaks: () => void = () => undefined;
      const spoken = new Promise<void>((resolve) => (speaks = resolve));
      const { env } = await aModel({
        position: async (_, handle) => {
          await spoken;
          return { json: aPosition({ reasons: handle }) };
        },
      });
      await world.stopApp();
      Object.assign(world.appEnv, env);
      await world.startApp();
      await world.emulator.as('ana').label(REPO, number, ['deliberate']);
      await waitUntil(async () => (await world.tell(number)).comments.length > 0);
      // Its first pass finds the label.
      const both = await aSecondApp(world, { reconcileEveryMs: 3_600_000 });
      const records = both.second.store.records;
      const whyStill = async () =>
        (await records.events({ limit: 100 })).flatMap(({ reason }) =>
          reason?.includes('another instance') === true ? [reason] : [],
        );
      await waitUntil(async () => (await whyStill()).length > 0);
      expect((await whyStill())[0]).toMatch(
        /^another instance of the App works on this thread \(run 01\w+\)$/,
      );
      speaks();
      await both.idle();
      const told = await world.tell(number);
      expect(told.comments).toHaveLength(1);
      expect(told.comments[0]).toMatch(/^### Ready: /);
      expect(told).toMatchObject({ labels: ['ready'], reactions: ['rocket'] });
      expect((await callsOf(both))[1]).toBe(0);
      const first = await quorum(['doctor'], { env: world.appEnv });
      expect(first.out).toMatch(/ok\s+one store for this App/);
    },
  );
});
