/** One installation's part of a reconcile pass: what is started again, in which order, and what is left to the next pass. */
import { describe, expect, test } from 'vitest';
import { recoverInstallation } from '../../../src/act/recover/recover-installation.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { QuorumError, TransientError } from '../../../src/domain/event/errors.ts';
import type { NewEvent } from '../../../src/domain/event/event.ts';
import { DEFAULT_LABELS } from '../../../src/domain/repository/labels.ts';
import type { OwedRepository } from '../../../src/domain/tenant/recovery.ts';
import type { RepositoryRef } from '../../../src/domain/run/thread-ref.ts';
import {
  createMemoryWorld,
  NOW,
  repositoryOf,
  type MemoryWorld,
} from '../../helpers/memory-github.ts';

const ADA = { id: 2, login: 'ada', isBot: false };
const MINUTE_MS = 60_000;
const AWAY = new TransientError({ code: 'github-unavailable', message: 'away' });
const REFUSED = new QuorumError({ code: 'github-forbidden', message: 'no' });

interface Labelled {
  number?: number;
  labels: string[];
  labelledBy?: typeof ADA | undefined;
}

interface Pass {
  world?: MemoryWorld;
  owed?: OwedRepository[];
  foundSince?: string;
  /** Of every repository. */
  labelled?: Labelled[];
  /** What GitHub answers for its parts; they throw what they are given. */
  fails?: Partial<Record<'config' | 'labelled' | 'recent' | 'repositories', Error>>;
  unread?: { code: 'github-forbidden'; message: string };
  /** How far the clock moves with each repository. */
  stepMs?: number;
}

/** What is missing fails the test. */
async function recover(pass: Pass = {}) {
  const { world = createMemoryWorld(), owed = [], fails = {}, labelled = [], stepMs = 0 } = pass;
  let now = NOW;
  const asked: string[] = [];
  const named: string[] = [];
  const answer = async <T>(what: keyof typeof fails, ref: RepositoryRef, value: T): Promise<T> => {
    asked.push(`${what} ${ref.repositoryId}`);
    const failure = fails[what];
    if (failure !== undefined) throw failure;
    return value;
  };
  const app = {
    ...world.ports.github.app,
    repositories: async (id: number) => {
      if (fails.repositories !== undefined) throw fails.repositories;
      return world.repositories[id] ?? [];
    },
    labelled: async (ref: RepositoryRef, names: string[]) => {
      now += stepMs;
      named.push(names.join(' '));
      return answer(
        'labelled',
        ref,
        labelled.map(({ number = 4, labels, labelledBy }) => ({
          thread: { ...ref, number },
          labels,
          updatedAt: '2026-03-01T08:00:00Z',
          labelledBy,
        })),
      );
    },
    recent: async (ref: RepositoryRef, since: string) => {
      asked.push(`since ${since}`);
      return answer('recent', ref, {
        pulls: [],
        comments: [],
        ...(pass.unread && { unread: pass.unread }),
      });
    },
  };
  const ports = {
    ...world.ports,
    clock: { now: () => now },
    github: { ...world.ports.github, app },
    parseDelivery: async () => ({ kind: 'ignored' }),
  } as unknown as typeof world.ports;
  // Its own tests say when the clock begins a search of the code.
  const sweeps = {
    ...world.config.sweeps,
    codeWatch: { ...world.config.sweeps.codeWatch, enabled: false },
  };
  const readSettings = (async (ref: RepositoryRef) =>
    answer('config', ref, {
      config: { ...world.config, sweeps },
    })) as unknown as typeof world.readSettings;
  const context = { ports, readSettings };
  const done = await recoverInstallation({ installationId: 1, owed }, pass.foundSince, context);
  return { done, asked, named, events: world.appended };
}

const triggers = (events: readonly NewEvent[]) =>
  events.flatMap(({ data }) => (data.kind === 'trigger' ? [data.trigger] : []));

describe('threads with one of the labels', () => {
  test.each(['deliberate', 'prd', 'plan', 'plan-me'] as const)(
    'begin again where `%s` is still on, for the one who put it there',
    async (meaning) => {
      const label = defaultConfig().labels[meaning];
      const { done, events } = await recover({
        labelled: [{ labels: [label, 'bug'], labelledBy: ADA }],
      });
      expect(done).toEqual({ started: 1, owed: [] });
      expect(events).toEqual([
        {
          id: `reconcile:thread:7/4:${label}:2026-03-01T08:00:00Z`,
          key: 'thread:7/4',
          version: expect.any(Number),
          at: new Date(NOW).toISOString(),
          data: {
            kind: 'trigger',
            trigger: {
              kind: 'requested',
              by: 'reconcile',
              thread: { ...repositoryOf(1, 7), number: 4 },
              actor: ADA,
              label,
              meaning,
            },
          },
        },
      ]);
    },
  );

  test('each label begins its own; one that nobody is known to have put there begins nothing', async () => {
    const { deliberate, plan } = defaultConfig().labels;
    const { events } = await recover({
      labelled: [
        { number: 4, labels: [deliberate, plan], labelledBy: ADA },
        { number: 5, labels: [deliberate] },
      ],
    });
    expect(triggers(events)).toMatchObject([{ meaning: 'deliberate' }, { meaning: 'plan' }]);
  });

  test('are asked for by the names that the repository gives its labels, else by ours', async () => {
    const world = createMemoryWorld();
    world.config = { ...world.config, labels: { ...world.config.labels, plan: 'make-it' } };
    const { labels } = world.config;
    const names = [labels.deliberate, labels.prd, 'make-it', labels['plan-me']];
    expect((await recover({ world })).named).toEqual([names.join(' ')]);
    const { deliberate, prd, plan, 'plan-me': planMe } = DEFAULT_LABELS;
    const { named } = await recover({ fails: { config: REFUSED } });
    expect(named).toEqual([[deliberate, prd, plan, planMe].join(' ')]);
  });
});

describe('what is asked of a repository', () => {
  test('what came since a pass that failed there, else since the given time, else nothing recent', async () => {
    const owed = [
      { repositoryId: 7, name: 'acme/r7', code: 'github-unavailable', since: 'then' } as const,
    ];
    expect((await recover({ owed, foundSince: 'now' })).asked).toContain('since then');
    expect((await recover({ foundSince: 'now' })).asked).toContain('since now');
    expect((await recover()).asked.join()).not.toContain('since');
  });

  test('after GitHub was away nothing more is asked there, and it is owed with the time since when', async () => {
    const { done, asked } = await recover({ fails: { config: AWAY }, foundSince: 'now' });
    expect(asked).toEqual(['config 7']);
    expect(done).toEqual({
      started: 0,
      owed: [{ repositoryId: 7, name: 'acme/r7', code: 'github-unavailable', since: 'now' }],
    });
  });

  test('after a refusal the rest is asked all the same, and the first failure is owed', async () => {
    const { done, asked } = await recover({
      fails: { config: REFUSED, recent: AWAY },
      foundSince: 'now',
    });
    expect(asked).toEqual(['config 7', 'labelled 7', 'since now', 'recent 7']);
    expect(done.owed).toMatchObject([{ code: 'github-forbidden' }]);
    expect((await recover({ fails: { config: REFUSED } })).done.owed[0]).not.toHaveProperty(
      'since',
    );
  });

  test('what could not be read of the recent is owed, and what was found is begun', async () => {
    const { deliberate } = defaultConfig().labels;
    const labelled = [{ labels: [deliberate], labelledBy: ADA }];
    const { done } = await recover({
      labelled,
      foundSince: 'now',
      unread: { code: 'github-forbidden', message: 'no' },
    });
    expect(done).toMatchObject({ started: 1, owed: [{ code: 'github-forbidden' }] });
  });

  test('one that lives in workspaces is reminded once an hour to look whether it may rest', async () => {
    const world = createMemoryWorld();
    world.config = { ...world.config, plans: { ...world.config.plans, workspace: true } };
    const { done, events } = await recover({ world });
    expect(done.started).toBe(0);
    expect(events).toMatchObject([
      {
        id: 'rest:7:2026-03-02T09',
        key: 'repository:7',
        data: { kind: 'rest-hint', after: 'hour' },
      },
    ]);
  });

  test('one that the store holds for gone is only reopened, and owed to the next pass', async () => {
    const world = createMemoryWorld();
    world.states.set('repository:7', { v: 1, isGone: true });
    const { done, asked } = await recover({ world });
    expect(done.owed).toEqual([{ repositoryId: 7, name: 'acme/r7', code: 'place-reopened' }]);
    expect(asked).toEqual([]);
  });
});

describe('several repositories', () => {
  const world = (): MemoryWorld => {
    const made = createMemoryWorld();
    made.repositories = { 1: [7, 8, 9].map((id) => repositoryOf(1, id)) };
    return made;
  };
  const owed: OwedRepository[] = [
    { repositoryId: 7, name: 'acme/r7', code: 'github-unavailable' },
    { repositoryId: 9, name: 'acme/r9', code: 'reconcile-unfinished' },
  ];

  test('come in turn: what the last pass had no time for, the others, what failed in it', async () => {
    const { asked } = await recover({ world: world(), owed });
    expect(asked.filter((call) => call.startsWith('config'))).toEqual([
      'config 9',
      'config 8',
      'config 7',
    ]);
  });

  test('after ten minutes the others are left to the next pass', async () => {
    const atTheLimit = await recover({ world: world(), stepMs: 5 * MINUTE_MS });
    expect(atTheLimit.done.owed).toEqual([]);
    const { done, asked } = await recover({ world: world(), stepMs: 10 * MINUTE_MS + 1 });
    expect(asked).toEqual(['config 7', 'labelled 7']);
    expect(done.owed).toMatchObject([
      { repositoryId: 8, code: 'reconcile-unfinished' },
      { repositoryId: 9, code: 'reconcile-unfinished' },
    ]);
  });

  test('one that fails does not stop the others', async () => {
    const { done } = await recover({ world: world(), fails: { labelled: REFUSED } });
    expect(done.owed.map(({ repositoryId }) => repositoryId)).toEqual([7, 8, 9]);
  });

  test('where none can be listed, everything stays owed and the answer carries the reason', async () => {
    const { done } = await recover({ world: world(), owed, fails: { repositories: AWAY } });
    expect(done).toEqual({ started: 0, owed, failure: 'github-unavailable' });
  });
});
