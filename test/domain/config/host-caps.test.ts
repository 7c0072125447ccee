/** The host's caps as decisions: which one is passed, what is left, and what people read. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  HOST_SCOPES,
  capWords,
  leftOnHost,
  lowerCap,
  NO_HOST_CAPS,
  passedScope,
  renderHostCap,
} from '../../../src/domain/config/host-caps.ts';
import { verifies } from '../../verifies.ts';

const usd = fc.double({ min: 0, max: 10_000, noNaN: true });
const figures = fc.record({ repository: usd, installation: usd, total: usd });

verifies('CB-14b', 'a cap is passed exactly where less than nothing is left of one', () => {
  fc.assert(
    fc.property(figures, figures, (spent, caps) => {
      const left = leftOnHost(spent, caps);
      expect(passedScope(spent, caps) !== undefined).toBe((left?.usd ?? 0) < 0);
      for (const scope of HOST_SCOPES)
        expect(left?.usd).toBeLessThanOrEqual(caps[scope] - spent[scope]);
    }),
  );
});

test('the narrowest passed cap is named, because it tells a tenant least about others', () => {
  const caps = { repository: 1, installation: 2, total: 3 };
  const passed = (repository: number, installation: number, total: number) =>
    passedScope({ repository, installation, total }, caps);
  expect([passed(9, 9, 9), passed(1, 9, 9), passed(1, 2, 9), passed(1, 2, 3)]).toEqual([
    'repository',
    'installation',
    'total',
    undefined,
  ]);
});

verifies('CB-14b', 'a repository may only lower what its host allows for it', () => {
  expect(lowerCap(5000, { ...NO_HOST_CAPS, repository: 10 })).toBe(10);
  expect(lowerCap(3, { ...NO_HOST_CAPS, repository: 10 })).toBe(3);
  expect(lowerCap(3, NO_HOST_CAPS)).toBe(3);
});

test('without caps nothing is passed', () => {
  const spent = { repository: 1e9, installation: 1e9, total: 1e9 };
  expect(passedScope(spent, NO_HOST_CAPS)).toBeUndefined();
  expect(leftOnHost(spent, NO_HOST_CAPS)).toBeUndefined();
});

verifies(
  'CB-14b',
  'people read whose limit is reached and until when, and no figure of all tenants',
  () => {
    const roomAt = Date.UTC(2026, 10, 25, 15);
    expect(renderHostCap('repository', { capUsd: 10, roomAt })).toBe(
      "The operator's limit of $10.00 in 24 hours for this repository is reached. Quorum can spend again from 2026-11-25 15:00 UTC.",
    );
    expect(renderHostCap('total', { capUsd: 1234, roomAt })).toBe(
      "The operator's limit in 24 hours for all repositories together is reached. Quorum can spend again from 2026-11-25 15:00 UTC.",
    );
    expect(renderHostCap('installation', { capUsd: 0, roomAt: undefined })).toBe(
      "The operator's limit of $0.00 in 24 hours for this installation is reached. One call may cost more than the limit: ask the operator to raise it.",
    );
  },
);

test('only a cap of the host speaks for itself', () => {
  const message = 'said';
  expect(capWords({ code: 'budget-host-total', message })).toBe('said');
  expect(capWords({ code: 'budget-repository', message })).toBeUndefined();
});
