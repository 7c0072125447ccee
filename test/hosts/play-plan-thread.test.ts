/** What a job of a plan could not decide or read fails the job: a green one would mark an approval as done. */
import { expect, onTestFinished, test } from 'vitest';
import type { Performed } from '../../src/act/ports.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import { RefusedError } from '../../src/domain/event/errors.ts';
import type { Effect } from '../../src/domain/event/effect.ts';
import type { PlanView } from '../../src/domain/plan/plan-view.ts';
import { PLAN_KINDS } from '../../src/hosts/action/plan/advance-plan.ts';
import { playPlanThread, type PlanPlayed } from '../../src/hosts/action/plan/play-plan-thread.ts';
import { createFastClock } from '../contract/fast-clock.ts';
import { aPlanView } from '../helpers/a-plan.ts';
import { PLAN } from '../helpers/a-task.ts';
import { ANA } from '../helpers/play.ts';

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet, debug: quiet };

async function play(answerLook: () => PlanView): Promise<PlanPlayed> {
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const perform = async ({ data }: Effect): Promise<Performed> => {
    if (data.kind === 'look-plan')
      return { effectKind: 'look-plan', result: answerLook(), githubCalls: {} };
    if (data.kind === 'comment') {
      const result = { id: 9, url: '', updatedAt: new Date(clock.now()).toISOString() };
      return { effectKind: 'comment', result: { ...result, outcome: 'created' }, githubCalls: {} };
    }
    throw new Error(`${data.kind} is not answered here`);
  };
  return playPlanThread({
    basics: { env: {}, log, clock, random: systemRandom },
    store,
    thread: PLAN,
    claim: 'claim',
    at: new Date(clock.now()).toISOString(),
    trigger: { kind: 'edited', thread: PLAN, actor: ANA },
    seed: { plan: { id: 'plan', step: 0, thread: PLAN, tasks: {} } },
    others: {},
    carriesOut: PLAN_KINDS,
    perform,
    timeoutMs: 3_600_000,
  });
}

test('a plan that is read is shown', async () => {
  const { done } = await play(() => aPlanView({}));
  expect(done.map(({ effectKind }) => effectKind)).toEqual(['look-plan', 'comment']);
});

test('a plan that cannot be read fails the job', async () => {
  const refuse = () => {
    throw new RefusedError({ code: 'github-forbidden', message: 'GitHub refused.' });
  };
  await expect(play(refuse)).rejects.toMatchObject({
    code: 'action-run-failed',
    message: expect.stringContaining('GitHub refused.') as string,
  });
});

test('an event that no decision came of fails the job', async () => {
  await expect(play(() => ({}) as PlanView)).rejects.toMatchObject({ code: 'action-run-failed' });
});
