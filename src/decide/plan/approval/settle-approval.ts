/** Approvals that no comment gives: the label of the plan's own author, and a thumbs-up on our comment (CB-4). */
import { doubtOf, isApproved, type ApprovalDoubt } from '../../../domain/plan/approval.ts';
import type { Labeller, PlanState } from '../../../domain/plan/plan-view.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import type { PlanSight } from '../advance.ts';

/** Commands and words were taken before. */
export function settleApproval(state: PlanState, sight: PlanSight, now: number): void {
  const at = new Date(now).toISOString();
  onApprovalLabel(state, sight, at);
  onApprovalReaction(state, sight, at);
  const { digest } = sight;
  const isStill = state.doubted?.digest === digest && !isApproved(state.approval, digest);
  if (!isStill) delete state.doubted;
}

function onApprovalLabel(state: PlanState, sight: PlanSight, at: string): void {
  const { digest, view } = sight;
  const { labelledBy } = state;
  delete state.labelledBy;
  if (labelledBy === undefined || isApproved(state.approval, digest)) return;
  if (!mayByLabel(labelledBy, view)) return;
  const { id, login } = labelledBy;
  const why = labelDoubt(state, labelledBy, sight);
  if (why === undefined) state.approval = { by: { id, login }, digest, how: 'label', at };
  else state.doubted = { by: login, why, digest };
}

/**
 * The look has compared its time with our comment's, and with that of the last edit. A thumbs-up from before a rejection is
 * still there after it, so a rejected text is approved in words alone.
 */
function onApprovalReaction(state: PlanState, { digest, view }: PlanSight, at: string): void {
  const [by] = view.thumbs ?? [];
  const isOfThis = state.shown?.digest === digest && state.rejected?.digest !== digest;
  if (by !== undefined && isOfThis && !isApproved(state.approval, digest))
    state.approval = { by, digest, how: 'reaction', at };
}

/** A plan is approved by the label of its author, with write access. Everybody else says so. */
function mayByLabel({ id }: Labeller, { issue, actorPermission }: PlanSight['view']): boolean {
  return id === issue.author.id && hasPermission(actorPermission ?? 'none', 'write');
}

/**
 * Authors need not be shown their own text in a comment first. It is enough that they labelled this very text, and that
 * GitHub names them as its writer. Somebody else's text has to be shown first.
 */
function labelDoubt(
  { shown }: PlanState,
  { id, plan }: Labeller,
  { digest, view: { writer } }: PlanSight,
): ApprovalDoubt | undefined {
  if (plan === undefined) return 'not-delivered';
  if (plan.digest !== digest) return 'changed';
  if (writer?.id === id) return undefined;
  return doubtOf({ digest, shown, saidAt: plan.at, delivered: plan.digest });
}
