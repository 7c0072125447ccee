/** Evidence demotes, and opposite lessons are both shown. */
import { describe, expect, test } from 'vitest';
import { findOpposed, findStale, isDemoted } from '../../../src/domain/memory/judge-memory.ts';
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

describe('what a text contradicts', () => {
  const opposed = (text: string, ...others: string[]) =>
    findOpposed(
      text,
      others.map((other) => anEntry({ text: other })),
    ).map((entry) => entry.text);

  test.each([
    ['Migrations run before the integration suite', 'Migrations run after the integration suite'],
    ['Cache entries are shared between tenants', 'Cache entries are not shared between tenants'],
    ['Always squash commits of release branches', 'Never squash commits of release branches'],
    ['Retry of webhook deliveries is safe', 'Retry of webhook deliveries is unsafe'],
  ])('is its opposite, either way: %s / %s', (one, other) => {
    expect(opposed(one, other)).toEqual([other]);
    expect(opposed(other, one)).toEqual([one]);
  });

  test.each([
    ['Cache entries are shared between tenants', 'Cache entries of tenants expire nightly'],
    ['Migrations run before the suite', 'Linters run after formatting'],
    ['Never log tokens', 'Never log request tokens of users'],
  ])('is nothing else: %s / %s', (one, other) => {
    expect(opposed(one, other)).toEqual([]);
  });

  test('is no entry that is not in use', () => {
    const stale = anEntry({ text: 'Retry of deliveries is unsafe', state: 'stale' });
    expect(findOpposed('Retry of deliveries is safe', [stale])).toEqual([]);
  });
});
