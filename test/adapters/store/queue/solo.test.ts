/** Whose turn it is while suspects wait. */
import { expect, test } from 'vitest';
import { Solo } from '../../../../src/adapters/store/queue/solo.ts';
import {
  FIRST_ALONE_MS,
  MAX_ENDINGS,
  type Suspicion,
} from '../../../../src/domain/event/suspicion.ts';

const FRESH: Suspicion = { endings: 0, outlived: 0, waitMs: 0 };
const none = (): number[] => [];

test('without suspects it is everybody’s turn', () => {
  expect(new Solo<string>(0).turn(0, none)).toEqual({ kind: 'all', until: Infinity });
});

test('a suspect waits for what is in hand, but not for what has run for long', () => {
  const solo = new Solo<string>(0);
  solo.add('a', FRESH);
  const begunAt = (): number[] => [1_000, 7_000];
  expect(solo.turn(8_000, begunAt)).toEqual({ kind: 'none', until: 7_000 + FIRST_ALONE_MS });
  expect(solo.turn(12_000, begunAt)).toMatchObject({ kind: 'alone', item: 'a' });
});

test('nothing is given out in its time alone; then others get as long before the next suspect', () => {
  const solo = new Solo<string>(0);
  solo.add('a', FRESH);
  solo.add('b', FRESH);
  const turn = solo.turn(1_000, none);
  expect(turn).toMatchObject({ item: 'a', suspicion: { aloneUntilMs: 1_000 + FIRST_ALONE_MS } });
  solo.remove('a');
  solo.begin('token', FRESH, 1_000);
  expect(solo.turn(5_999, none)).toEqual({ kind: 'none', until: 6_000 });
  expect(solo.turn(6_000, none)).toEqual({ kind: 'over', token: 'token' });
  solo.outlive(6_000);
  expect(solo.turn(6_000, none)).toEqual({ kind: 'all', until: 11_000 });
  expect(solo.turn(11_000, none)).toMatchObject({ kind: 'alone', item: 'b' });
});

test('when a suspect ends, the next one begins at once', () => {
  const solo = new Solo<string>(0);
  solo.add('b', FRESH);
  solo.begin('token', FRESH, 0);
  solo.end('another');
  expect(solo.turn(1, none)).toMatchObject({ kind: 'none' });
  solo.end('token');
  expect(solo.turn(1, none)).toMatchObject({ kind: 'alone', item: 'b' });
});

test('a second trial waits until the process is old enough, and others run before it', () => {
  const solo = new Solo<string>(1_000);
  solo.add('a', { endings: 1, outlived: 0, waitMs: 30_000 });
  expect(solo.turn(2_000, none)).toEqual({ kind: 'all', until: 31_000 });
  solo.add('b', FRESH);
  expect(solo.turn(2_000, none)).toMatchObject({ kind: 'alone', item: 'b' });
  solo.remove('b');
  expect(solo.turn(31_000, none)).toMatchObject({ kind: 'alone', item: 'a' });
});

test('what is given out only to be dead-lettered does not count as alone', () => {
  const solo = new Solo<string>(0);
  const suspicion = { endings: MAX_ENDINGS, outlived: 0, waitMs: 0 };
  solo.add('a', suspicion);
  expect(solo.turn(0, none)).toEqual({ kind: 'alone', item: 'a', suspicion });
});
