/** A backup of the store that was made in the middle of a run is put back after that run has ended. */
import { describe, expect } from 'vitest';
import { missingPostgresReason } from '../contract/postgres-place.ts';
import type { KillAt } from '../helpers/a-killed-app.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { openPullOf } from '../helpers/commits.ts';
import { restoreAfterwards, type Story } from '../helpers/restored.ts';
import { embeddedStore, postgresStore } from '../helpers/store-copies.ts';
import { verifies } from '../verifies.ts';

/** Against hangs only: the App is started three times. */
const GUARD = { timeout: 240_000 };
const noPostgres = await missingPostgresReason();
const where = noPostgres === undefined ? '' : ` (skipped: ${noPostgres})`;

const ISSUE: Omit<Story, 'at'> = {
  act: async ({ world }) => world.ask(READY_ISSUE),
  tell: async ({ world }) => ({
    ...(await world.tell(1)),
    comments: await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues/1/comments`),
  }),
};

const IN_A_DISCUSSION: KillAt[] = [
  { kind: 'look', nth: 1, point: 'after-record' },
  { kind: 'ask', nth: 1, point: 'before-effect' },
  { kind: 'ask', nth: 2, point: 'after-record' },
  { kind: 'comment', nth: 1, point: 'before-effect' },
  { kind: 'look', nth: 2, point: 'before-effect' },
  { kind: 'look', nth: 2, point: 'after-record' },
];

describe('a restored backup of the embedded store', GUARD, () => {
  for (const at of IN_A_DISCUSSION)
    verifies(
      ['P1', 'DUR-08'],
      `made ${at.point} of ${at.kind} ${at.nth} leaves a discussion that ended since as it is`,
      async () => {
        const told = await restoreAfterwards(embeddedStore(), { ...ISSUE, at });
        expect(told.before).toMatchObject({ labels: ['ready'], reactions: ['rocket'] });
        expect(told).toMatchObject({ after: told.before, newCalls: 0, mutations: [] });
      },
    );
});

describe.skipIf(noPostgres !== undefined)(`a restored dump of PostgreSQL${where}`, GUARD, () => {
  verifies(
    ['P1', 'DUR-08'],
    'leaves a discussion that ended since as it is: no call to a model, the same verdict',
    async () => {
      const at: KillAt = { kind: 'ask', nth: 1, point: 'before-effect' };
      const told = await restoreAfterwards(await postgresStore(), { ...ISSUE, at });
      expect(told.before).toMatchObject({ labels: ['ready'], reactions: ['rocket'] });
      expect(told).toMatchObject({ after: told.before, newCalls: 0, mutations: [] });
    },
  );
});

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

const REVIEW: Omit<Story, 'at'> = {
  files: { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' },
  act: ({ world }) => openPullOf(world, { 'src/run.ts': EVAL }),
  tell: async ({ world }) => [await world.tell(1), await reviewsOf(world, 1)],
};

describe('a restored backup, of a review', GUARD, () => {
  const POINTS: KillAt[] = [
    { kind: 'look-pull', nth: 1, point: 'after-record' },
    { kind: 'ask', nth: 1, point: 'before-effect' },
    { kind: 'review-check', nth: 1, point: 'before-effect' },
    { kind: 'look-pull', nth: 2, point: 'before-effect' },
  ];
  for (const at of POINTS)
    verifies(
      ['P1', 'DUR-08'],
      `made ${at.point} of ${at.kind} ${at.nth} leaves a review that ended since as it is`,
      async () => {
        const told = await restoreAfterwards(embeddedStore(), { ...REVIEW, at });
        expect(told.before).toMatchObject([{ labels: ['changes-requested'] }, {}]);
        expect(told).toMatchObject({ after: told.before, newCalls: 0, mutations: [] });
      },
    );

  verifies(
    ['P1', 'DUR-08'],
    'leaves the check of a pull request that was closed since as it is',
    async () => {
      const at: KillAt = { kind: 'ask', nth: 1, point: 'before-effect' };
      const told = await restoreAfterwards(embeddedStore(), {
        ...REVIEW,
        at,
        tell: async (app) => {
          const { world } = app;
          const path = `/repos/${REPO}/pulls/1`;
          await world.emulator.as('ana').request('PATCH', path, { state: 'closed' });
          return REVIEW.tell(app);
        },
      });
      expect(told).toMatchObject({ after: told.before, newCalls: 0 });
    },
  );
});
