/** Why an approval of a plan does not hold, what changed since the text was shown, and how to approve it. */
import { codeBlock, codeSpan } from '../../../domain/text/code-span.ts';
import type { ApprovalDoubt, ShownPlan } from '../../../domain/plan/approval.ts';
import type { Plan } from '../../../domain/plan/plan.ts';
import { renderDifference } from '../../../domain/plan/body/plan-difference.ts';
import { instructionsOf } from '../note-shown.ts';

interface Doubted {
  /** As it is read now. */
  plan: Plan;
  digest: string;
  /** What the person was shown before they approved. */
  seen: ShownPlan | undefined;
}

const REASONS: Readonly<Record<ApprovalDoubt, string>> = {
  'another-named': 'The digest in your command is not the digest of the current plan.',
  'not-shown': 'The current plan was not shown here before you approved it.',
  changed: 'The plan changed after it was shown here, or while you approved it.',
  'shown-later': 'The plan was shown here in the same second as your approval, or after it.',
  'not-delivered':
    'GitHub did not deliver your approval, so Quorum does not know which text you saw.',
};

const LABEL_REASONS: Readonly<Partial<Record<ApprovalDoubt, string>>> = {
  'not-shown':
    'The person who added the label did not write the text, and it was not shown here before.',
  changed: 'The text changed after the label was added.',
  'shown-later':
    'The person who added the label did not write the text, and it was not shown here before.',
  'not-delivered': 'No delivery from GitHub says to which text the label was added.',
};

/** Why a label does not approve a plan, in one sentence. */
export function labelReason(doubt: ApprovalDoubt): string {
  return LABEL_REASONS[doubt] ?? REASONS[doubt];
}

export function explainDoubt(doubt: ApprovalDoubt, { plan, digest, seen }: Doubted): string {
  const isOther = doubt === 'shown-later' && seen !== undefined && seen.digest !== digest;
  return [
    `Not approved. ${REASONS[isOther ? 'changed' : doubt]}`,
    renderChange(plan, { digest, seen }),
    `Read the plan, then comment \`/pm approve\` again. \`/pm approve ${digest}\` approves exactly the text ${codeSpan(digest.slice(0, 12))}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Empty where nothing was shown before, or the same text. */
function renderChange(plan: Plan, { digest, seen }: Pick<Doubted, 'digest' | 'seen'>): string {
  if (seen === undefined || seen.digest === digest) return '';
  const since = `What changed since ${codeSpan(seen.digest.slice(0, 12))} was shown`;
  if (seen.text === undefined)
    return `${since} is in the edit history of the issue; the text is too long to compare here.`;
  const difference = renderDifference(seen.text, instructionsOf(plan));
  return `${since}:\n\n${codeBlock(difference, 'diff')}`;
}
