/** What GitHub's answers tell of limits. */
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../verifies.ts';
import { readLimit } from '../../../../src/adapters/github/client/read-limit.ts';

const NOW = Date.parse('2026-11-05T10:00:00Z');
const reset = (ms: number): string => String((NOW + ms) / 1000);

function limitOf(status: number, headers: Record<string, string>, data: unknown = {}) {
  return readLimit({ status, headers, data }, NOW);
}

type Row = [string, number, Record<string, string>, object | undefined];

describe('readLimit', () => {
  test.each<Row>([
    ['retry-after in seconds', 403, { 'retry-after': '30' }, { kind: 'secondary', waitMs: 30_000 }],
    [
      'retry-after as a date',
      429,
      { 'retry-after': 'Thu, 05 Nov 2026 10:02:00 GMT' },
      { kind: 'secondary', waitMs: 120_000 },
    ],
    [
      'an absurd retry-after is cut to an hour',
      429,
      { 'retry-after': '99999999' },
      { kind: 'secondary', waitMs: 3_600_000 },
    ],
    [
      'a negative retry-after counts as none',
      429,
      { 'retry-after': '-5' },
      { kind: 'secondary', waitMs: undefined },
    ],
    [
      'words for a retry-after count as none',
      429,
      { 'retry-after': 'soon' },
      { kind: 'secondary', waitMs: undefined },
    ],
    ['429 without anything', 429, {}, { kind: 'secondary', waitMs: undefined }],
    [
      'the hour used up',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset(600_000) },
      { kind: 'primary', waitMs: 600_000 },
    ],
    [
      'the last call of the hour',
      200,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset(600_000) },
      { kind: 'primary', waitMs: 600_000 },
    ],
    ['a missing permission', 403, {}, undefined],
    ['a missing permission with calls left', 403, { 'x-ratelimit-remaining': '4000' }, undefined],
    [
      'another resource used up',
      200,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-resource': 'search' },
      undefined,
    ],
  ])('%s', (...[, status, headers, expected]) => {
    expect(limitOf(status, headers)).toEqual(expected);
  });

  verifies(
    'DUR-04: reset of a limit',
    'counts to the reset by the clock of the server, not by ours',
    () => {
      const headers = {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': reset(600_000),
        date: 'Thu, 05 Nov 2026 10:09:00 GMT',
      };
      expect(limitOf(403, headers)).toEqual({ kind: 'primary', waitMs: 60_000 });
    },
  );

  verifies(
    'DUR-04: reset of a limit',
    'counts to a date in retry-after by the clock of the server',
    () => {
      const headers = {
        'retry-after': 'Thu, 05 Nov 2026 10:12:00 GMT',
        date: 'Thu, 05 Nov 2026 10:10:00 GMT',
      };
      expect(limitOf(429, headers)).toEqual({ kind: 'secondary', waitMs: 120_000 });
    },
  );

  test('knows a secondary refusal without headers by its documentation address', () => {
    const data = {
      message: 'Slow down.',
      documentation_url:
        'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits',
    };
    expect(limitOf(403, {}, data)).toEqual({ kind: 'secondary', waitMs: undefined });
  });
});
