/** Evidence demotes, people approve, and opposite lessons are both shown. */
import { describe, expect, test } from 'vitest';
import {
  approveEntry,
  findContradictions,
  findStale,
  isDemoted,
} from '../../../src/domain/memory/judge-memory.ts';
import type { Permission } from '../../../src/domain/run/thread-ref.ts';
import { anEntry } from './some-memory.ts';

test.each([
  [0, 0, false],
  [0, 2, false],
  [0, 3, true],
  [1, 2, true],
  [2, 2, false],
  [5, 4, false],
])('%i kept and %i dismissed findings: demoted is %s', (kept, dismissed, expected) => {
  expect(isDemoted({ kept, dismissed })).toBe(expected);
});

test('finds what is to be stale, each with its reason, and leaves what is not in use', () => {
  const [bad, old, fine] = ['Bad one', 'Old one', 'Fine one'].map((text) =>
    anEntry({ text, createdAt: '2026-05-20' }),
  );
  if (bad === undefined || old === undefined || fine === undefined) return expect.fail();
  const entries = [
    bad,
    { ...old, createdAt: '2026-01-01' },
    fine,
    anEntry({ state: 'quarantined' }),
  ];
  const uses = { [bad.id]: { uses: 9, kept: 0, dismissed: 3 } };
  const found = findStale(entries, uses, { today: '2026-06-01' });
  expect(found.map(({ entry, reason }) => [entry.text, reason])).toEqual([
    ['Bad one', 'dismissed'],
    ['Old one', 'expired'],
  ]);
});

test.each<[Permission, boolean]>([
  ['none', false],
  ['read', false],
  ['triage', false],
  ['write', true],
  ['admin', true],
])('quarantine ends with the approval of somebody with %s: %s', (permission, isFreed) => {
  const approved = approveEntry(anEntry({ state: 'quarantined' }), permission);
  expect(approved?.state).toBe(isFreed ? 'active' : undefined);
});

test('an approval revives no stale entry', () => {
  expect(approveEntry(anEntry({ state: 'stale' }), 'admin')).toBeUndefined();
});

describe('contradictions', () => {
  const pairs = (...texts: string[]) =>
    findContradictions(texts.map((text) => anEntry({ text }))).map(({ one, other }) => [
      one.text,
      other.text,
    ]);

  test.each([
    ['Migrations run before the integration suite', 'Migrations run after the integration suite'],
    ['Cache entries are shared between tenants', 'Cache entries are not shared between tenants'],
    ['Always squash commits of release branches', 'Never squash commits of release branches'],
    ['Retry of webhook deliveries is safe', 'Retry of webhook deliveries is unsafe'],
  ])('shows both: %s / %s', (one, other) => {
    expect(pairs(one, other)).toEqual([[one, other]]);
  });

  test.each([
    ['Cache entries are shared between tenants', 'Cache entries of tenants expire nightly'],
    ['Migrations run before the suite', 'Linters run after formatting'],
    ['Never log tokens', 'Never log request tokens of users'],
  ])('sees none between: %s / %s', (one, other) => {
    expect(pairs(one, other)).toEqual([]);
  });

  test('entries that are not in use contradict nothing', () => {
    const [one, other] = ['Retry of deliveries is safe', 'Retry of deliveries is unsafe'];
    const stale = anEntry({ text: other ?? '', state: 'stale' });
    expect(findContradictions([anEntry({ text: one ?? '' }), stale])).toEqual([]);
  });
});
