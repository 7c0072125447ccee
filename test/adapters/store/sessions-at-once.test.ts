/** Sessions of the Coder that begin at the same moment share what a cap leaves: none is refused by one that is refused itself. */
import { describe, expect, onTestFinished } from 'vitest';
import { withinCaps } from '../../../src/act/task/coder/coder-money.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { HostCaps } from '../../../src/domain/config/host-caps.ts';
import type { Store } from '../../../src/ports/store.ts';
import {
  dropSchema,
  missingPostgresReason,
  newSchema,
  postgresUrl as url,
} from '../../contract/postgres-place.ts';
import { realClock as clock } from '../../contract/real-clock.ts';
import { ORDER } from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

const { budget, access } = defaultConfig();
const COUNT = 8;
const TASK_USD = budget.coder.perThreadUsd;

interface Caps {
  perDayUsd?: number;
  hostCaps?: Partial<HostCaps>;
}

/** So many sessions at once, each of a task of its own; gives what each may spend, or the code of its refusal. */
async function beginAtOnce(store: Store, { perDayUsd = 1_000, hostCaps }: Caps) {
  const none = { repository: undefined, installation: undefined, total: undefined };
  const ports = { store, clock, hostCaps: { ...none, ...hostCaps } } as unknown as ActPorts;
  const ended = Promise.withResolvers<void>();
  const answers = Array.from({ length: COUNT }, () => Promise.withResolvers<number | string>());
  const sessions = answers.map(async ({ resolve }, n) => {
    const about = { thread: ORDER.ref.plan, task: n + 1, run: `r${n}`, persona: 'dev' };
    const coder = { ...budget.coder, perDayUsd };
    const config = { budget: { ...budget, perDayUsd: 1_000, coder }, access };
    const work = async (usd: number) => {
      resolve(usd);
      await ended.promise;
      return { calls: [] };
    };
    await withinCaps({ ...about, effectId: `e${n}` }, config, { ports, work }).catch(
      (error: { code?: string }) => resolve(error.code ?? 'no code'),
    );
  });
  const said = await Promise.all(answers.map(({ promise }) => promise));
  const { usd: reserved } = await store.records.spent({});
  ended.resolve();
  await Promise.all(sessions);
  expect((await store.records.spent({})).calls).toBe(0);
  const given = said.filter((each): each is number => typeof each === 'number');
  const refused = said.filter((each) => typeof each === 'string');
  return { given: given.toSorted((a, b) => b - a), refused, reserved };
}

function contract(open: () => Promise<Store>): void {
  verifies('CB-14b', 'as many begin as the day of code has room for', async () => {
    const { given, refused, reserved } = await beginAtOnce(await open(), {
      perDayUsd: 2 * TASK_USD + 2,
    });
    expect(given).toEqual([TASK_USD, TASK_USD, 2]);
    expect(new Set(refused)).toEqual(new Set(['budget-day']));
    expect(reserved).toBe(2 * TASK_USD + 2);
  });

  verifies('CB-14b', 'one begins where there is room for one', async () => {
    const { given, refused } = await beginAtOnce(await open(), { perDayUsd: TASK_USD });
    expect(given).toEqual([TASK_USD]);
    expect(refused).toHaveLength(COUNT - 1);
  });

  verifies('CB-14b', 'a share that no sum of floats hits exactly is given out whole', async () => {
    const { given } = await beginAtOnce(await open(), { perDayUsd: TASK_USD + 0.1 + 0.2 });
    expect(given).toEqual([TASK_USD, expect.closeTo(0.3, 9)]);
  });

  verifies('CB-14b', 'the host’s caps are shared in the same way', async () => {
    const { given, refused, reserved } = await beginAtOnce(await open(), {
      hostCaps: { total: TASK_USD + 1 },
    });
    expect(given).toEqual([TASK_USD, 1]);
    expect(new Set(refused)).toEqual(new Set(['budget-host-total']));
    expect(reserved).toBe(TASK_USD + 1);
  });
}

describe('on SQLite', () => {
  contract(async () => {
    const store = await openSqliteStore({ memory: true, clock });
    onTestFinished(() => store.close());
    return store;
  });
});

const missing = await missingPostgresReason();

describe.skipIf(missing !== undefined)(
  `on PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    contract(async () => {
      const schema = newSchema();
      const store = await openPostgresStore({ url, schema, clock });
      onTestFinished(async () => {
        await store.close();
        await dropSchema(schema);
      });
      return store;
    });
  },
);
