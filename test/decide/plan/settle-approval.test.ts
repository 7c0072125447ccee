/** Approvals without a comment: the author's label, and a thumbs-up below the plan that was shown. */
import { expect, test } from 'vitest';
import { settleApproval } from '../../../src/decide/plan/approval/settle-approval.ts';
import type { PlanSight } from '../../../src/decide/plan/advance.ts';
import type { PlanState } from '../../../src/domain/plan/plan-view.ts';
import { verifies } from '../../verifies.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');
const AT = '2026-11-22T08:00:00Z';
const ANA = { id: 7, login: 'ana' };
const TOM = { id: 8, login: 'tom' };

function settled(state: object, view: object): PlanState {
  const kept = structuredClone(state) as PlanState;
  const seen = { issue: { author: ANA }, actorPermission: 'write', writer: ANA, ...view };
  settleApproval(kept, { digest: 'd1', view: seen } as unknown as PlanSight, NOW);
  return kept;
}

const label = (over: object = {}) => ({
  labelledBy: { ...ANA, plan: { digest: 'd1', at: AT }, ...over },
});

verifies('CB-4', 'a thumbs-up approves the plan that was shown, and no other', () => {
  const shown = { shown: { digest: 'd1', at: AT } };
  expect(settled(shown, { thumbs: [TOM] }).approval).toEqual({
    by: TOM,
    digest: 'd1',
    how: 'reaction',
    at: '2026-11-22T09:00:00.000Z',
  });
  expect(settled({ shown: { digest: 'd0', at: AT } }, { thumbs: [TOM] }).approval).toBeUndefined();
  expect(settled(shown, { thumbs: [] }).approval).toBeUndefined();
  const rejected = { ...shown, rejected: { by: 'ana', digest: shown.shown.digest } };
  expect(settled(rejected, { thumbs: [TOM] }).approval).toBeUndefined();
  const earlier = { ...shown, rejected: { by: 'ana', digest: 'd0' } };
  expect(settled(earlier, { thumbs: [TOM] }).approval).toMatchObject({ how: 'reaction' });
  expect(settled(shown, {}).approval).toBeUndefined();
});

verifies('CB-4', 'the label of the author approves what they labelled, once they may write', () => {
  expect(settled(label(), {}).approval).toMatchObject({ by: ANA, how: 'label', digest: 'd1' });
  expect(settled(label(), { actorPermission: 'triage' }).approval).toBeUndefined();
  expect(settled(label(), { issue: { author: TOM } }).approval).toBeUndefined();
  expect(settled(label(), {}).labelledBy).toBeUndefined();
});

test.each([
  ['not-delivered', { plan: undefined }, {}],
  ['changed', { plan: { digest: 'd0', at: AT } }, {}],
  ['not-shown', {}, { writer: TOM }],
])('a label that does not hold says why: %s', (why, over, view) => {
  const { approval, doubted } = settled(label(over), view);
  expect([approval, doubted]).toEqual([undefined, { by: 'ana', why, digest: 'd1' }]);
});

test('a doubt is kept while the plan is the same, and goes with another text or an approval', () => {
  const doubted = { by: 'ana', why: 'changed', digest: 'd1' };
  const approval = { by: TOM, digest: 'd1', how: 'words', at: AT };
  expect(settled({ doubted }, {}).doubted).toEqual(doubted);
  expect(settled({ doubted: { ...doubted, digest: 'd0' } }, {}).doubted).toBeUndefined();
  expect(settled({ doubted, approval }, {}).doubted).toBeUndefined();
});
