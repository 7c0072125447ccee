/** What the apply job of a task carries out where an earlier attempt left a pull request that was closed. */
import { expect, onTestFinished, test } from 'vitest';
import type { Performed } from '../../src/act/ports.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import type { Effect } from '../../src/domain/event/effect.ts';
import { APPLIED_KINDS } from '../../src/hosts/action/task/apply-task-step.ts';
import { playTask } from '../../src/hosts/action/task/play-task.ts';
import { createFastClock } from '../contract/fast-clock.ts';
import { GOOD, mergeView, ORDER, playToPull, REVIEWED } from '../helpers/a-task.ts';

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet, debug: quiet };

const NEXT = { number: 12, url: 'https://github.test/acme/tidy/pull/12' };

function toPerformed({ data }: Effect): Performed {
  if (data.kind === 'publish')
    return { ...GOOD.publish, result: { ...GOOD.publish.result, pull: NEXT }, githubCalls: {} };
  if (data.kind === 'describe')
    return { effectKind: 'describe', result: { outcome: 'edited' }, githubCalls: {} };
  if (data.kind === 'plan-edit')
    return { effectKind: 'plan-edit', result: { outcome: 'edited' }, githubCalls: {} };
  throw new Error(`${data.kind} is not answered here`);
}

test('the closed pull request of an earlier attempt says which one replaced it', async () => {
  const before = playToPull();
  before.send(REVIEWED);
  before.answer(mergeView({ pull: { state: 'closed' } }));
  before.answer({ effectKind: 'plan-edit', result: { outcome: 'edited' } });
  const clock = createFastClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const carried: Effect[] = [];
  await playTask({
    basics: { env: {}, log, clock, random: systemRandom },
    store,
    order: ORDER,
    earlier: before.stream(),
    claim: 'claim',
    at: new Date(clock.now()).toISOString(),
    known: [GOOD.claim, GOOD.code, GOOD.verify].map((result) => ({ result })),
    carriesOut: APPLIED_KINDS,
    perform: async (effect) => {
      carried.push(effect);
      return toPerformed(effect);
    },
    isFirst: true,
    timeoutMs: 3_600_000,
  });
  const described = carried.flatMap(({ data }) => (data.kind === 'describe' ? [data] : []));
  expect(described).toMatchObject([
    { thread: { number: 9 }, to: expect.stringContaining('Replaced by #12') as string },
  ]);
});
