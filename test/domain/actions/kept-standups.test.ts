/** What workflows keep of standups: believed only as an apply job with the same key wrote it. */
import { describe, expect, test } from 'vitest';
import {
  parseKeptStandups,
  renderKeptStandups,
  type StandupsToKeep,
} from '../../../src/domain/actions/kept/kept-standups.ts';
import { NO_TENSIONS } from '../../../src/domain/tension/tension.ts';

const SIGNER = { repositoryId: 1, secret: 'a secret of tests' };

function keptOf(count: number): StandupsToKeep {
  const runs = Array.from({ length: count }, (_, at) => [
    `thread:1/4 standup:${at}`,
    { id: `r${at}`, startedAt: `2026-11-27T08:00:${String(at).padStart(2, '0')}.000Z` },
  ]);
  return {
    version: 1,
    values: { tensions: NO_TENSIONS },
    runs: Object.fromEntries(runs) as StandupsToKeep['runs'],
  };
}

test('without a file there is nothing, and what was written is read again', () => {
  expect(parseKeptStandups(undefined, SIGNER)).toEqual({ version: 1, values: {}, runs: {} });
  const kept = keptOf(2);
  expect(parseKeptStandups(renderKeptStandups(kept, SIGNER), SIGNER)).toEqual(kept);
});

describe('the file is not believed', () => {
  const text = renderKeptStandups(keptOf(1), SIGNER);

  test.each<[string, string]>([
    [
      'signed with another key',
      renderKeptStandups(keptOf(1), { ...SIGNER, secret: 'of somebody else' }),
    ],
    ['of another repository', renderKeptStandups(keptOf(1), { ...SIGNER, repositoryId: 2 })],
    ['with a changed run', text.replace('"r0"', '"r9"')],
    ['with a changed tension', text.replace('"next": 1', '"next": 2')],
    ['of a newer version', text.replace('"version": 1', '"version": 2')],
    ['cut off', text.slice(0, -20)],
  ])('%s', (_, changed) => {
    expect(changed).not.toBe(text);
    expect(parseKeptStandups(changed, SIGNER)).toBeUndefined();
  });
});

test('of more than 20 standups the oldest are dropped', () => {
  const read = parseKeptStandups(renderKeptStandups(keptOf(25), SIGNER), SIGNER);
  const ids = Object.values(read?.runs ?? {}).map(({ id }) => id);
  expect([ids.length, ids.includes('r24'), ids.includes('r4')]).toEqual([20, true, false]);
});
