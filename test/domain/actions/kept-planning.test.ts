/** Records of the PM's questions: who is believed, and how many are kept. */
import { expect, test } from 'vitest';
import {
  findPlanning,
  isSameSeed,
  keepPlanning,
  parseKeptPlannings,
  type KeptPlannings,
} from '../../../src/domain/actions/kept/kept-planning.ts';
import { renderRecords } from '../../../src/domain/actions/signed-record.ts';
import { PLAN } from '../../helpers/a-task.ts';

const SECRET = 'a secret of tests';
const NONE: KeptPlannings = { version: 1, threads: {} };
const AT = '2026-11-27T08:00:00.000Z';
const seed = { proposed: { number: 12, title: 'A quiet command' } };
const kept = keepPlanning(NONE, { thread: PLAN, seed, at: AT }, SECRET);

test('a record is believed after it was written and read, with the secret or without one', () => {
  const read = parseKeptPlannings(renderRecords(kept)) ?? NONE;
  expect(findPlanning(read, PLAN, SECRET)?.seed).toEqual(seed);
  expect(findPlanning(read, PLAN)?.seed).toEqual(seed);
  expect(isSameSeed(findPlanning(read, PLAN)?.seed, seed)).toBe(true);
});

test('a record is not believed with another secret, in another place, or once it was changed', () => {
  expect(findPlanning(kept, PLAN, 'another secret')).toBeUndefined();
  expect(findPlanning(kept, { ...PLAN, repositoryId: 1 }, SECRET)).toBeUndefined();
  const forged = parseKeptPlannings(renderRecords(kept).replace('12', '13'));
  expect(forged && findPlanning(forged, PLAN, SECRET)).toBeUndefined();
  expect(isSameSeed(forged && findPlanning(forged, PLAN)?.seed, seed)).toBe(false);
});

test('the oldest records are dropped where there are too many', () => {
  let all = NONE;
  for (let number = 1; number <= 60; number += 1) {
    const at = new Date(Date.parse(AT) + number * 1000).toISOString();
    all = keepPlanning(all, { thread: { ...PLAN, number }, seed, at }, SECRET);
  }
  expect(Object.keys(all.threads)).toHaveLength(50);
  expect(findPlanning(all, { ...PLAN, number: 60 }, SECRET)).toBeDefined();
  expect(parseKeptPlannings('{}')).toBeUndefined();
});
