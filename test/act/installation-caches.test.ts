/** What a process remembers of an installation is dropped when that is closed, by what the store says. */
import { describe, expect, test } from 'vitest';
import { closedByEvent, forgetClosed } from '../../src/act/forget-closed.ts';
import { createInstallationCaches } from '../../src/act/installation-caches.ts';
import type { ActPorts } from '../../src/act/ports.ts';
import type { Event, EventData } from '../../src/domain/event/event.ts';
import type { Trigger } from '../../src/domain/event/trigger.ts';

test('every cache drops its entries together with the installation', () => {
  const caches = createInstallationCaches();
  const dropped: string[] = [];
  caches.onForget((id) => void dropped.push(`tokens ${id}`));
  caches.onForget((id) => void dropped.push(`settings ${id}`));
  expect(dropped).toEqual([]);
  caches.forget(41);
  expect(dropped).toEqual(['tokens 41', 'settings 41']);
});

describe('an event', () => {
  const eventOf = (data: EventData): Event => ({ id: 'e', key: 'k', version: 1, at: '', data });
  const told = (action: Extract<Trigger, { kind: 'installation' }>['action']): Event =>
    eventOf({
      kind: 'trigger',
      trigger: { kind: 'installation', action, installationId: 41, repositories: [] },
    });
  const tick: Trigger = { kind: 'tick', loop: 'purge', installationId: 41 };

  test.each<[string, Event, number | undefined]>([
    ['that the App was removed', told('removed'), 41],
    ['that it was suspended', told('suspended'), 41],
    ['that it was added', told('added'), undefined],
    ['that it is back', told('unsuspended'), undefined],
    ['that its account was renamed', told('renamed'), undefined],
    ['of another kind', eventOf({ kind: 'trigger', trigger: tick }), undefined],
    ['that is no trigger', eventOf({ kind: 'timer', timer: 't', run: 'r' }), undefined],
  ])('%s takes away from: %s', (_, event, installationId) => {
    expect(closedByEvent(event)).toBe(installationId);
  });
});

test('installations that are removed or suspended are forgotten, and no others', async () => {
  const open = { v: 1, isRemoved: false, isSuspended: false, removedRepositories: [] };
  const states: Record<string, unknown> = {
    'installation:41': { ...open, isRemoved: true },
    'installation:42': { ...open, isSuspended: true },
    'installation:43': open,
    'installation:44': undefined,
    'installation:all': { ...open, isRemoved: true },
    'installation:45': { v: 1 },
  };
  const asked: (string | undefined)[] = [];
  const store = {
    erasure: {
      keys: async (start?: string) => {
        asked.push(start);
        return Object.keys(states);
      },
    },
    load: async (key: string) => {
      asked.push(key);
      return { version: 1, state: states[key] };
    },
  } as unknown as ActPorts['store'];
  const caches = createInstallationCaches();
  const forgotten: number[] = [];
  caches.onForget((id) => void forgotten.push(id));
  await forgetClosed({ store, caches });
  expect(forgotten).toEqual([41, 42]);
  expect(asked).toEqual([
    'installation:',
    ...[41, 42, 43, 44, 45].map((id) => `installation:${id}`),
  ]);
});
