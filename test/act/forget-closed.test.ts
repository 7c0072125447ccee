/** What a process keeps in caches of an installation that is closed is dropped, whichever process reduced the event. */
import { expect, onTestFinished, test } from 'vitest';
import { closedByEvent, forgetClosed } from '../../src/act/forget-closed.ts';
import { createInstallationCaches } from '../../src/act/installation-caches.ts';
import { createTtlCache } from '../../src/act/ttl-cache.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock as clock } from '../../src/adapters/system/system-clock.ts';
import { decide } from '../../src/decide/route.ts';
import type { NewEvent } from '../../src/domain/event/event.ts';
import type { Trigger } from '../../src/domain/event/trigger.ts';
import { aWorld, READY_ISSUE } from '../helpers/a-world.ts';
import { idle } from '../contract/store-words.ts';
import { verifies } from '../verifies.ts';

type Action = Extract<Trigger, { kind: 'installation' }>['action'];

function told(installationId: number, action: Action): NewEvent {
  const trigger = { kind: 'installation' as const, action, installationId, repositories: [] };
  return {
    id: `${action}-${installationId}`,
    key: `installation:${installationId}`,
    version: 1,
    at: '2026-11-23T10:00:00.000Z',
    data: { kind: 'trigger', trigger },
  };
}

test('by what the store says: of removed and suspended installations, and of no other', async () => {
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const events = [
    told(41, 'removed'),
    told(42, 'suspended'),
    told(43, 'renamed'),
    told(44, 'added'),
  ];
  await store.append(events);
  await store.work({
    concurrency: 1,
    consume: async (work) => {
      if (work.kind === 'effect') return store.settle(work, { kind: 'finish', status: 'done' });
      const value = decide(undefined, work.event, { now: clock.now() }).state;
      const state = { key: work.event.key, expected: 0, value };
      return store.settle(work, { kind: 'finish', status: 'done', state });
    },
  });
  await idle(store);
  const caches = createInstallationCaches();
  const kept = createTtlCache<string>(clock, { ttlMs: 60_000, most: 10 });
  caches.onForget((id) => kept.forget(`${id}/`));
  for (const id of [41, 42, 43, 44]) kept.set(`${id}/settings`, 'text');
  await forgetClosed({ store, caches });
  expect([41, 42, 43, 44].map((id) => kept.get(`${id}/settings`))).toEqual([
    undefined,
    undefined,
    'text',
    'text',
  ]);
  expect(events.map(closedByEvent)).toEqual([41, 42, undefined, undefined]);
});

verifies(
  'ING-12',
  'a repository is taken out of the installation: tokens and answers are asked for again',
  async () => {
    const world = await aWorld();
    const { emulator, installationId } = world;
    await emulator.createRepository({ owner: 'acme', name: 'other', files: { 'a.txt': 'a' } });
    const tokens = () =>
      emulator.requests.filter(({ path }) => path.endsWith(`/${installationId}/access_tokens`))
        .length;
    await world.ask(READY_ISSUE);
    await world.idle();
    await world.ask({ ...READY_ISSUE, title: 'Add a --silent flag to the tidy command' });
    await world.idle();
    expect(tokens()).toBe(1);
    emulator.changeRepositories(installationId, { removed: ['acme/other'] });
    await world.idle();
    await world.ask({ ...READY_ISSUE, title: 'Add a --calm flag to the tidy command' });
    await world.idle();
    expect(tokens()).toBe(2);
    expect((await world.tell(1)).comments).toHaveLength(1);
  },
);
