/** What workflows keep of a repository's weeks: believed only as an apply job with the same key wrote it. */
import { describe, expect, test } from 'vitest';
import { parseKeptWeek, signKeptWeek } from '../../../src/domain/actions/kept/kept-week.ts';
import { renderRecords } from '../../../src/domain/actions/signed-record.ts';
import type { WeekState } from '../../../src/domain/digest/week-view.ts';

const SIGNER = { repositoryId: 1, secret: 'a secret of tests' };
const WEEK: WeekState = {
  id: 'w1',
  step: 3,
  repository: { installationId: 0, repositoryId: 1, owner: 'acme', repo: 'tidy' },
  until: '2026-11-23T08:00:00.000Z',
};

function textOf(signer = SIGNER): string {
  return renderRecords(signKeptWeek(WEEK, signer));
}

test('without a file there is no week, and what was written is read again', () => {
  expect(parseKeptWeek(undefined, SIGNER)).toEqual({ kind: 'none' });
  expect(parseKeptWeek(textOf(), SIGNER)).toEqual({
    kind: 'kept',
    kept: { version: 1, week: WEEK },
  });
});

describe('the file is not believed', () => {
  const text = textOf();

  test.each<[string, string]>([
    ['signed with another key', textOf({ ...SIGNER, secret: 'of somebody else' })],
    ['of another repository', textOf({ ...SIGNER, repositoryId: 2 })],
    ['with another week', text.replace('2026-11-23', '2026-11-16')],
    ['with another repository in it', text.replace('"tidy"', '"other"')],
    ['without its signature', text.replace(/"signature": "[^"]+"/, '"signature": ""')],
    ['of a newer version', text.replace('"version": 1', '"version": 2')],
    ['cut off', text.slice(0, -20)],
    ['of another form', '{"version": 1, "week": [], "signature": 7}'],
    ['empty', ''],
  ])('%s', (_, changed) => {
    expect(changed).not.toBe(text);
    expect(parseKeptWeek(changed, SIGNER)).toBeUndefined();
  });
});
