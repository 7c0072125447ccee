/** Who may take a lease, keep it, give it back, and speak for its task. */
import { describe, expect, test } from 'vitest';
import { CLOCK_SKEW_MS, type HeldLease, type Lease } from '../../src/domain/plan/lease.ts';
import {
  decideLease,
  decideRenewal,
  isHeld,
  mayEnd,
  maySay,
  type LeaseWanted,
} from '../../src/policy/decide-lease.ts';
import { verifies } from '../verifies.ts';

const NOW = 1_000_000_000;
const LASTS = 60_000;
const DIGEST = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);

const WANTED: LeaseWanted = {
  issue: 4,
  task: 2,
  holder: 'here',
  digest: DIGEST,
  lastsMs: LASTS,
};
const LEASE: Lease = {
  issue: 4,
  task: 2,
  holder: 'here',
  digest: DIGEST,
  fence: 3,
  issuedAt: NOW - 1000,
  expiresAt: NOW + 1000,
  isReleased: false,
};
const held = (over: Partial<Lease> = {}): HeldLease => ({
  sha: 'c1',
  lease: { ...LEASE, ...over },
});
const unreadable: HeldLease = { sha: 'c1', lease: undefined };
const renewed = (fence: number) => ({
  issue: 4,
  task: 2,
  holder: 'here',
  digest: DIGEST,
  issuedAt: NOW,
  expiresAt: NOW + LASTS,
  isReleased: false,
  fence,
});
const moved = (fence: number) => ({ kind: 'move', from: 'c1', lease: renewed(fence) });

describe('a lease that is wanted', () => {
  test('is made with the number 1 where nobody has held it', () => {
    expect(decideLease(undefined, { ...WANTED, isFreed: true }, NOW)).toEqual({
      kind: 'create',
      lease: renewed(1),
    });
  });

  test('that nobody can read is held for ever by somebody unknown', () => {
    expect(decideLease(unreadable, WANTED, NOW)).toEqual({
      kind: 'held',
      by: 'somebody unknown',
      expiresAt: Infinity,
    });
  });

  test.each<[string, Partial<Lease>, number]>([
    ['goes on under its number where it is our own', {}, 3],
    ['gets a new number where our own has expired', { expiresAt: NOW }, 4],
    ['gets a new number where our own was given back', { isReleased: true }, 4],
    ['gets a new number where our own was for another text', { digest: OTHER }, 4],
    ['is taken where somebody gave it back', { holder: 'there', isReleased: true }, 4],
    [
      'is taken where it expired longer ago than clocks differ',
      { holder: 'there', expiresAt: NOW - CLOCK_SKEW_MS - 1 },
      4,
    ],
  ])('%s', (_, over, fence) => {
    expect(decideLease(held(over), WANTED, NOW)).toEqual(moved(fence));
  });

  test.each([NOW + 1000, NOW - 1, NOW - CLOCK_SKEW_MS])(
    'is left to somebody else while their clock may call it held: %d',
    (expiresAt) => {
      expect(decideLease(held({ holder: 'there', expiresAt }), WANTED, NOW)).toEqual({
        kind: 'held',
        by: 'there',
        expiresAt,
      });
    },
  );

  const done = { status: 'completed', reason: 'merged' } as const;
  const blocked = { status: 'blocked', reason: 'stuck' } as const;
  const pending = { status: 'pending', reason: '' } as const;
  const ended = (end: Lease['end'] & object, digest = DIGEST) =>
    held({ isReleased: true, end, digest });

  test('is not taken where its text is done, even by somebody who freed it', () => {
    const over = { kind: 'ended', end: done };
    expect(decideLease(ended(done), WANTED, NOW)).toEqual(over);
    expect(decideLease(ended(done), { ...WANTED, isFreed: true }, NOW)).toEqual(over);
    expect(decideLease(ended(done, OTHER), WANTED, NOW)).toEqual(moved(4));
  });

  test('is not taken where its text is blocked, until somebody frees it', () => {
    expect(decideLease(ended(blocked), WANTED, NOW)).toEqual({ kind: 'ended', end: blocked });
    expect(decideLease(ended(blocked), { ...WANTED, isFreed: true }, NOW)).toEqual(moved(4));
    expect(decideLease(ended(pending), WANTED, NOW)).toEqual(moved(4));
  });
});

describe('a lease that is to be kept', () => {
  const wanted = { now: NOW, lastsMs: LASTS, atLeastMs: 500 };

  test('stays as it is while it holds long enough', () => {
    const { lease } = held({ expiresAt: NOW + 501 });
    expect(decideRenewal({ sha: 'c1', lease }, LEASE, wanted)).toEqual({ kind: 'holds', lease });
  });

  test.each([NOW + 500, NOW - 5000])('is moved on where it ends at %d', (expiresAt) => {
    expect(decideRenewal(held({ expiresAt }), LEASE, wanted)).toEqual(moved(3));
  });

  verifies(
    'DUR-04: jump of the clock of a holder',
    'is not lost by a clock that jumps a day, and keeps its number',
    () => {
      const day = 24 * 3_600_000;
      const ahead = decideRenewal(held(), LEASE, { ...wanted, now: NOW + day });
      expect(ahead).toMatchObject({
        kind: 'move',
        lease: { fence: 3, expiresAt: NOW + day + LASTS },
      });
      const back = decideRenewal(held(), LEASE, { ...wanted, now: NOW - day });
      expect(back).toEqual({ kind: 'holds', lease: LEASE });
      // Nobody takes it over on the word of a slow clock.
      const other = { ...WANTED, holder: 'there' };
      expect(decideLease(held(), other, NOW - day)).toMatchObject({ kind: 'held', by: 'here' });
    },
  );

  test.each<[string, HeldLease | undefined]>([
    ['nobody holds it', undefined],
    ['nobody can read it', unreadable],
    ['it is of another holder', held({ holder: 'there' })],
    ['it has another number', held({ fence: 4 })],
    ['it is for another text', held({ digest: OTHER })],
    ['it was given back', held({ isReleased: true })],
  ])('is lost where %s', (_, found) => {
    expect(decideRenewal(found, LEASE, wanted)).toEqual({ kind: 'lost' });
  });
});

describe('an end', () => {
  const end = (status: 'pending' | 'blocked' | 'completed') => ({ status, reason: '' });

  test.each<[string, Partial<Lease>, Lease['end'], boolean]>([
    ['is written on a lease that is held', {}, end('pending'), true],
    ['needs no words where the lease is held', {}, undefined, true],
    ['is no news without words', { isReleased: true }, undefined, false],
    ['comes after one that said nothing', { isReleased: true }, end('blocked'), true],
    ['does not undo a block', { isReleased: true, end: end('blocked') }, end('pending'), false],
    [
      'of a merge comes after a block',
      { isReleased: true, end: end('blocked') },
      end('completed'),
      true,
    ],
    [
      'of a merge is the last',
      { isReleased: true, end: end('completed') },
      end('completed'),
      false,
    ],
  ])('%s', (_, ...[over, said, may]) => {
    expect(mayEnd({ ...LEASE, ...over }, said)).toBe(may);
  });
});

describe('words about a task', () => {
  const back = { isReleased: true, end: { status: 'blocked', reason: '' } } as const;

  test.each<[string, HeldLease | undefined, boolean]>([
    ['are the holder’s', held(), true],
    ['are nobody’s without a lease', undefined, false],
    ['are nobody’s where the lease cannot be read', unreadable, false],
    ['are not an earlier holder’s', held({ holder: 'there' }), false],
    ['are not an earlier number’s', held({ fence: 4 }), false],
    ['are the last holder’s where they say what the end says', held(back), true],
    [
      'are nobody’s where the end says something else',
      held({ ...back, end: { status: 'pending', reason: '' } }),
      false,
    ],
    ['are nobody’s where the end says nothing', held({ isReleased: true }), false],
  ])('%s', (_, found, may) => {
    expect(maySay(found, LEASE, 'blocked')).toBe(may);
  });
});

test.each<[string, HeldLease | undefined, boolean]>([
  ['nothing that nobody holds', undefined, false],
  ['what nobody can read', unreadable, true],
  ['what has not expired', held(), true],
  ['what a slow clock still calls held', held({ expiresAt: NOW - CLOCK_SKEW_MS }), true],
  ['nothing that expired on every clock', held({ expiresAt: NOW - CLOCK_SKEW_MS - 1 }), false],
  ['nothing that was given back', held({ isReleased: true }), false],
])('another machine respects %s', (_, found, is) => {
  expect(isHeld(found, NOW)).toBe(is);
});
