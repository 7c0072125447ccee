/** Records of plans: who is believed, what is kept, and how many. */
import { describe, expect, test } from 'vitest';
import {
  digestOfRecords,
  findKeptPlan,
  findOpenPlans,
  isKeptAlready,
  keepPlan,
  parseKeptPlans,
  type KeptPlans,
  type PlanToKeep,
} from '../../../src/domain/actions/kept/kept-plans.ts';
import { renderRecords } from '../../../src/domain/actions/signed-record.ts';
import type { Approval } from '../../../src/domain/plan/approval.ts';
import { PLAN } from '../../helpers/a-task.ts';

const SECRET = 'a secret of tests';
const NONE: KeptPlans = { version: 1, plans: {} };
const AT = '2026-11-27T08:00:00.000Z';
const approval: Approval = {
  by: { id: 7, login: 'ana' },
  digest: 'd'.repeat(40),
  how: 'command',
  at: AT,
};

function aRecord(number = PLAN.number, over: Partial<PlanToKeep> = {}): PlanToKeep {
  const state = { id: 'p1', step: 3, thread: { ...PLAN, number }, approval, tasks: {} };
  const started = { '1': { digest: 'e'.repeat(40), persona: 'dev', at: AT } };
  return { state, started, approvedIn: 9, at: AT, ...over };
}

const written = (kept: KeptPlans): KeptPlans => parseKeptPlans(renderRecords(kept)) ?? NONE;

test('a record is believed after it was written and read, and has what nothing else tells', () => {
  const kept = findKeptPlan(written(keepPlan(NONE, aRecord(), SECRET)), PLAN, SECRET);
  expect(kept).toMatchObject({ approvedIn: 9, started: { '1': { persona: 'dev' } } });
  expect(kept?.state).toEqual({ id: 'p1', step: 3, thread: PLAN, approval });
});

describe('open plans', () => {
  const over = (state: object): Partial<PlanToKeep> => ({
    state: { ...aRecord().state, ...state },
  });

  test('are approved, have not ended and are of this repository', () => {
    const records = [
      aRecord(12),
      aRecord(3),
      aRecord(4, over({ thread: { ...PLAN, number: 4 }, isComplete: true })),
      aRecord(5, over({ thread: { ...PLAN, number: 5 }, approval: undefined })),
      aRecord(6, over({ thread: { ...PLAN, number: 6, repositoryId: 1 } })),
    ];
    const kept = records.reduce((all, one) => keepPlan(all, one, SECRET), NONE);
    expect(findOpenPlans(written(kept), PLAN.repositoryId)).toEqual([3, 12]);
  });

  test.each([{}, { thread: 7 }, { thread: { number: '3' } }, { approval: 'yes', thread: PLAN }])(
    'are not those whose state is %j',
    (state) => {
      const kept = keepPlan(NONE, aRecord(), SECRET);
      const [entry] = Object.values(kept.plans);
      const plans = { '7': { ...entry, state } } as unknown as KeptPlans['plans'];
      expect(findOpenPlans({ version: 1, plans }, PLAN.repositoryId)).toEqual([]);
    },
  );

  test('have a digest that changes with what is approved, begun or done, and not with a look alone', () => {
    const tasks = { version: 1 as const, tasks: {} };
    const digest = (record: PlanToKeep): string =>
      digestOfRecords(keepPlan(NONE, record, SECRET), tasks);
    const base = digest(aRecord());
    expect(
      digest({ ...aRecord(PLAN.number, over({ step: 9 })), at: '2026-11-28T08:00:00.000Z' }),
    ).toBe(base);
    const others = [
      aRecord(99),
      aRecord(PLAN.number, over({ approval: { ...approval, digest: 'f'.repeat(40) } })),
      aRecord(PLAN.number, over({ isComplete: true })),
      aRecord(PLAN.number, { started: {} }),
    ];
    for (const other of others) expect(digest(other)).not.toBe(base);
  });
});

describe('a record is not believed', () => {
  const kept = keepPlan(NONE, aRecord(), SECRET);

  test('with another secret, or of another repository or plan', () => {
    expect(findKeptPlan(kept, PLAN, 'another secret')).toBeUndefined();
    const elsewhere = { ...PLAN, repositoryId: PLAN.repositoryId + 1 };
    expect(findKeptPlan(kept, elsewhere, SECRET)).toBeUndefined();
    const [entry] = Object.values(kept.plans);
    const moved = entry && { version: 1 as const, plans: { '99': entry } };
    expect(moved && findKeptPlan(moved, { ...PLAN, number: 99 }, SECRET)).toBeUndefined();
  });

  test.each([
    ['its approval', '"login": "ana"', '"login": "eve"'],
    ['its digest', '"digest": "d', '"digest": "a'],
    ['what was started', '"digest": "e', '"digest": "a'],
    ['the comment', '"approvedIn": 9', '"approvedIn": 8'],
  ])('once somebody changed %s', (_, from, to) => {
    const text = renderRecords(kept).replace(from, to);
    expect(text).not.toBe(renderRecords(kept));
    const forged = parseKeptPlans(text);
    expect(forged && findKeptPlan(forged, PLAN, SECRET)).toBeUndefined();
  });
});

test('where there are too many, plans without an approval are dropped before those with one', () => {
  const open = aRecord(1, { at: '2020-01-01T00:00:00.000Z' });
  let kept = keepPlan(NONE, open, SECRET);
  for (let number = 2; number <= 60; number += 1) {
    const { approval: _, ...state } = aRecord(number).state;
    kept = keepPlan(kept, aRecord(number, { state }), SECRET);
  }
  expect(Object.keys(kept.plans)).toHaveLength(50);
  expect(findKeptPlan(kept, { ...PLAN, number: 1 }, SECRET)).toBeDefined();
});

test('a text of another form is no file of records', () => {
  expect(parseKeptPlans('{"version":2,"plans":{}}')).toBeUndefined();
  expect(parseKeptPlans('no JSON')).toBeUndefined();
});

test('a record that differs in its steps and its time alone is kept already, and no other is', () => {
  const showing = { effectId: 'p1/3-comment', digest: 'f'.repeat(40) };
  const before = aRecord(PLAN.number, { state: { ...aRecord().state, showing } });
  const standing = findKeptPlan(written(keepPlan(NONE, before, SECRET)), PLAN, SECRET);
  if (standing === undefined) throw new Error('the record is not believed');
  const at = '2026-11-28T08:00:00.000Z';
  const later = { ...before.state, step: 6, showing: { ...showing, effectId: 'p1/6-comment' } };
  expect(isKeptAlready(standing, { ...before, at, state: later })).toBe(true);
  for (const changed of [
    { approvedIn: 10 },
    { started: {} },
    { state: { ...later, showing: { ...showing, digest: 'e'.repeat(40) } } },
    { state: aRecord().state },
    { state: { ...later, isComplete: true } },
  ] satisfies Partial<PlanToKeep>[])
    expect(isKeptAlready(standing, { ...before, at, ...changed })).toBe(false);
});
