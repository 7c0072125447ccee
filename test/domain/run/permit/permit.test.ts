/** How reasons become permits. */
import { describe, expect, test } from 'vitest';
import {
  ALLOWED,
  forbid,
  permitAll,
  permitOf,
  permitUnless,
  type Permit,
} from '../../../../src/domain/run/permit/permit.ts';

describe('a permit', () => {
  test('is refused for the first reason that applies', () => {
    expect(
      permitUnless([
        [false, 'it is archived'],
        [true, 'it is closed'],
        [true, 'it is locked'],
      ]),
    ).toEqual(forbid('it is closed'));
  });

  test('is given where no reason applies', () => {
    expect(permitUnless([[false, 'it is archived']])).toEqual(ALLOWED);
    expect(permitUnless([])).toEqual(ALLOWED);
  });

  test('of a recorded reason is refused, of none it is given', () => {
    expect(permitOf('it is closed')).toEqual(forbid('it is closed'));
    expect(permitOf(undefined)).toEqual(ALLOWED);
  });
});

test('of several permits the first refusal counts, and none is asked for after it', () => {
  const asked: string[] = [];
  const ask = (name: string, permit: Permit) => () => {
    asked.push(name);
    return permit;
  };
  const permit = permitAll(
    ask('one', ALLOWED),
    ask('two', forbid('it is closed')),
    ask('three', forbid('it is locked')),
  );
  expect(permit).toEqual(forbid('it is closed'));
  expect(asked).toEqual(['one', 'two']);
  expect(permitAll(ask('four', ALLOWED))).toEqual(ALLOWED);
});
