/**
 * Fairness: after one of our tasks ends, other instances whose leases we know may choose first, for
 * one poll interval.
 */
import { expect, test } from 'vitest';
import { COOL_MS, findReady, sightOf } from '../../../src/decide/plan/advance.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import type { PlanState } from '../../../src/domain/plan/plan-view.ts';
import { BODY, NOW, PLAN_STATE, viewOf, YES } from './show-plan.ts';

const ago = (ms: number): string => new Date(NOW - ms).toISOString();
const LEASE_MS = defaultConfig().plans.leaseMinutes * 60_000;

test.each<[string, Pick<PlanState, 'othersAt' | 'endedAt'>, number[]]>([
  ['nobody else was seen, and none of ours ended', {}, [1]],
  ['nobody else was seen', { endedAt: ago(0) }, [1]],
  ['others were seen, and none of ours ended', { othersAt: ago(0) }, [1]],
  ['others are around, and ours just ended', { othersAt: ago(0), endedAt: ago(0) }, []],
  ['ours ended almost an interval ago', { othersAt: ago(0), endedAt: ago(COOL_MS - 1) }, []],
  ['ours ended an interval ago', { othersAt: ago(0), endedAt: ago(COOL_MS) }, [1]],
  ['others were seen almost a lease ago', { othersAt: ago(LEASE_MS - 1), endedAt: ago(0) }, []],
  ['others were seen a lease ago', { othersAt: ago(LEASE_MS), endedAt: ago(0) }, [1]],
])('where %s', (_, seen, tasks) => {
  const sight = sightOf(parsePlan(BODY), viewOf());
  const ready = findReady({ ...PLAN_STATE, approval: YES, ...seen }, sight, NOW);
  expect(ready.map(({ ref }) => ref.task)).toEqual(tasks);
});
