/** How long a recording counts as: by what is claimed, what was measured, and its size. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  billedSeconds,
  knownSeconds,
  type RecordingLength,
} from '../../../src/domain/channel/recording-length.ts';

type Length = Partial<RecordingLength> & { bytes: number };

const lengthOf = ({ bytes, claimed, measured }: Length) => {
  const length = { bytes, claimed, measured };
  return [knownSeconds(length), billedSeconds(length)];
};

test.each<[string, Length, number[]]>([
  [
    'the measured length, where more is measured than claimed',
    { bytes: 36_000, claimed: 5, measured: 3_600 },
    [3_600, 3_600],
  ],
  [
    'the claimed length, where more is claimed than measured',
    { bytes: 36_000, claimed: 5_000, measured: 3_600 },
    [5_000, 5_000],
  ],
  ['for a price the most that fits, where nothing is known', { bytes: 40_000 }, [0, 20]],
  ['the claim, where it is usual for so many bytes', { bytes: 40_000, claimed: 5 }, [5, 5]],
  [
    'for a price more than the claim, where so many bytes would be unusual',
    { bytes: 160_000, claimed: 5 },
    [5, 10],
  ],
])('is %s', (_, length, expected) => {
  expect(lengthOf(length)).toEqual(expected);
});

test('a measured length is not believed where more bytes are there than it could have', () => {
  expect(lengthOf({ bytes: 400_000, measured: 2 })).toEqual([2, 2]);
  expect(lengthOf({ bytes: 400_001, measured: 2 })).toEqual([0, 200.0005]);
});

test('whatever is measured, the length is a number, and no shorter than the claim', () => {
  fc.assert(
    fc.property(
      fc.record({
        bytes: fc.nat(25 * 1024 * 1024),
        claimed: fc.option(fc.nat(10_000), { nil: undefined }),
        measured: fc.option(fc.double(), { nil: undefined }),
      }),
      (length) => {
        for (const seconds of lengthOf(length))
          expect(Number.isFinite(seconds) && seconds >= (length.claimed ?? 0)).toBe(true);
      },
    ),
  );
});
