/** A task's session takes a slot of this machine of its own type, and only where it lasts. */
import { describe, expect, test } from 'vitest';
import { codeTask } from '../../../../src/act/task/coder/code-task.ts';
import { createConcurrencyLimit } from '../../../../src/act/task/coder/concurrency-limit.ts';
import { leasePlace } from '../../../../src/act/task/coder/coding-runtime.ts';
import { takeLease } from '../../../../src/act/task/lease/take-lease.ts';
import { systemClock } from '../../../../src/adapters/system/system-clock.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import { toFailure } from '../../../../src/domain/event/errors.ts';
import type { Coder } from '../../../../src/ports/coder.ts';
import { createMemoryRefs } from '../../../helpers/memory-leases.ts';
import { THREAD } from '../../../helpers/play.ts';

type Args = Parameters<typeof codeTask>;

const HELD = {
  thread: THREAD,
  task: 1,
  leaseAt: { namespace: 'refs/quorum/leases', lastsMs: 1_800_000 },
};
/** A machine that works on many things, so that only the type of a session can be what is full. */
const WORKERS = 16;

type SessionType = Parameters<ReturnType<typeof createConcurrencyLimit>['session']>[0];

/** Codes a task while `busy` sessions are at work here; returns whether its coder ran, or why not. */
async function codeBeside(
  busy: readonly SessionType[],
  coder: Partial<Coder>,
  workers = WORKERS,
): Promise<string> {
  const turns = createConcurrencyLimit(workers);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const others = busy.map((type) => turns.session(type, () => promise));
  const leases = createMemoryRefs().open();
  const wanted = { issue: THREAD.number, holder: 'run', digest: 'd', ...HELD, lastsMs: 1_800_000 };
  const taken = await takeLease({ leases, clock: systemClock }, leasePlace(HELD, 'base'), wanted);
  if (taken.outcome !== 'taken') throw new Error(taken.outcome);
  let ran = 'nobody';
  const base = { paths: async () => 'Cargo.toml', file: async () => '', mode: async () => '' };
  const worktree = {
    base,
    folder: '/',
    patch: async () => ({ text: '', isTooLarge: false, files: [] }),
    close: async () => undefined,
  };
  const config = { ...defaultConfig(), gates: { ...defaultConfig().gates } };
  const facts = { headSha: 'base' };
  const ports = {
    clock: systemClock,
    random: { id: () => 'an-id-of-enough-letters' },
    store: { load: async () => ({ state: { run: { id: 'run' } } }) },
    github: {
      at: () => ({
        counts: {},
        leases,
        tasks: {},
        plans: {},
        survey: {
          issue: async () => ({ repository: facts, files: [], permissions: new Map(), paths: [] }),
        },
      }),
    },
    codingRuntime: {
      git: { open: async () => worktree, read: async () => base },
      coder: () => ({
        name: 'fake',
        isPaid: false,
        runsCommands: false,
        run: async () => {
          ran = 'the coder';
          return { outcome: 'failed', reason: 'enough', calls: [], transcript: '' };
        },
        ...coder,
      }),
    },
  };
  const context = {
    ports,
    run: 'run',
    effectId: 'run/3-code',
    at: '2026-03-02T09:00:00Z',
    isUntouched: true,
    turns,
    readSettings: async () => ({ config, personas: [], problems: [] }),
    readMemory: async () => undefined,
    fillProject: async () => ({}),
  };
  const data = { kind: 'code', ...HELD, lease: taken.lease, name: 'n', branch: 'b', from: 'base' };
  const came = codeTask(data as unknown as Args[0], context as unknown as Args[1]);
  const why = await came.then(
    () => undefined,
    (error: unknown) => toFailure(error).code,
  );
  resolve(undefined);
  await Promise.all(others);
  return why ?? ran;
}

const many = (type: SessionType, count: number): SessionType[] =>
  Array.from({ length: count }, () => type);

describe('the session of a task', () => {
  test('that runs commands counts as its project, by what the base holds', async () => {
    const coder = { runsCommands: true };
    expect(await codeBeside(many('rust', 2), coder)).toBe('the coder');
    expect(await codeBeside(many('rust', 3), coder)).toBe('machine-busy');
    expect(await codeBeside(many('other', 5), coder)).toBe('the coder');
  });

  test('that ends at once waits for nobody', async () => {
    expect(await codeBeside(['node'], {}, 3)).toBe('the coder');
  });
});
