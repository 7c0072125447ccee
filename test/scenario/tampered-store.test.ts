/** Somebody changes what the store has of a task's gates: its receipts are verified again, and nothing merges on them. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';
import type { GateReceipt } from '../../src/domain/gates/receipt.ts';
import type { TaskRun, TaskStream } from '../../src/domain/task/task.ts';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

const PULL = 2;

function change(run: TaskRun, how: (receipt: GateReceipt) => GateReceipt | undefined): void {
  run.receipts = run.receipts.flatMap((receipt) => how(receipt) ?? []);
}

function isTests({ gate }: GateReceipt): boolean {
  return gate === '2';
}

/** What is done to the receipts, and what the check says then. */
const TAMPERINGS: [what: string, tamper: (run: TaskRun) => void, says: string][] = [
  [
    'of a failed run, made one that passed',
    (run) => {
      change(run, (one) => (isTests(one) ? { ...one, sentence: '9 tests pass.' } : one));
    },
    'gate 2 (tests): its receipt is not as it was signed',
  ],
  [
    'taken away',
    (run) => {
      change(run, (one) => (one.gate === 'S' ? undefined : one));
    },
    'gate S (scope) has not passed for this head',
  ],
  [
    'of another head',
    (run) => {
      change(run, (one) => (isTests(one) ? { ...one, headSha: 'f'.repeat(40) } : one));
    },
    'gate 2 (tests) has not passed for this head',
  ],
  [
    'of another task',
    (run) => {
      run.order.ref.task = 7;
    },
    'gate P (branch): its receipt is not as it was signed',
  ],
];

/** While nobody has the store open. */
async function meddle(world: PlanWorld, tamper: (run: TaskRun) => void): Promise<void> {
  await world.stopApp();
  const db = new DatabaseSync(path.join(world.appEnv['QUORUM_DATA'] ?? '', 'quorum.db'));
  const row = db.prepare("SELECT value FROM states WHERE key LIKE 'task:%'").get();
  const stream = JSON.parse(String(row?.['value'])) as TaskStream;
  if (stream.run === undefined) throw new Error('nobody works on the task');
  tamper(stream.run);
  db.prepare("UPDATE states SET value = ? WHERE key LIKE 'task:%'").run(JSON.stringify(stream));
  db.close();
  await world.startApp();
}

describe.skipIf(noBwrap !== undefined)('receipts in the store', () => {
  for (const [what, tamper, says] of TAMPERINGS)
    verifies(['TG-5', 'TG-6', 'P3'], `that are ${what} merge nothing`, async () => {
      const world = await aPlanWorld();
      await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      let before: Pick<TaskRun, 'receipts' | 'order'> | undefined;
      await meddle(world, (run) => {
        before = structuredClone({ receipts: run.receipts, order: run.order });
        tamper(run);
      });
      const tom = world.emulator.as('tom');
      await tom.comment(REPO, PULL, '/pm approve');
      await world.idle();
      expect((await world.pulls()).map(({ merged_at: at }) => at)).toEqual([null]);
      const { checks } = await reviewsOf(world, PULL);
      const merge = checks.find(({ name }) => name === 'quorum / merge');
      expect(merge).toMatchObject({ conclusion: 'action_required' });
      expect(merge?.output.summary).toContain(says);
      await meddle(world, (run) => Object.assign(run, before));
      await tom.comment(REPO, PULL, '/pm approve');
      await world.idle();
      expect((await world.pulls()).map(({ merged_at: at }) => at)).toEqual([expect.any(String)]);
    });
});
