/** The approval that a plan waits for: whose it is, of which text, and which words say it (CB-4). */

export interface Approval {
  by: { id: number; login: string };
  /** Of the plan at that time. */
  digest: string;
  how: 'command' | 'label' | 'words' | 'reaction';
  /** ISO 8601. */
  at: string;
}

/** Whole replies that say yes, in lower case (spec CB-4). */
const YES: ReadonlySet<string> = new Set([
  'yes',
  'si',
  'sí',
  'dale',
  'go',
  'do it',
  'proceed',
  'ok',
  'lgtm',
  'ship it',
  'approved',
  "let's go",
  'let’s go',
]);
const LONGEST = 20;

/** Whether a reply says yes and nothing else: any case, trailing punctuation allowed. */
export function isYes(body: string): boolean {
  if (body.length > LONGEST) return false;
  const words = body
    .trim()
    .replace(/(?<![.,!…])[.,!…]+$/, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
  return YES.has(words);
}

/** Approval with a condition does not count: it asks for another plan. */
const YES_BUT = /^(?:yes|yep|s[ií]|ok(?:ay)?|lgtm|approved)[\s,.;:–—-]{1,4}(?:but|and also)\b/i;
const NO = /^(?:(?:no|wait)(?=\s*(?:[,.;:!?–—-]|$))|actually\b)/i;

/** What a reply that is no command and no plain yes says to a plan that waits; undefined where that is not plain. */
export function planWord(body: string): 'yes-but' | 'no' | undefined {
  const text = body.trim();
  if (YES_BUT.test(text)) return 'yes-but';
  return NO.test(text) ? 'no' : undefined;
}

/** Whether an approval is of what the plan says now. */
export function isApproved(approval: Approval | undefined, digest: string): boolean {
  return approval?.digest === digest;
}

/** The plan that one of Quorum's comments shows to people. */
export interface ShownPlan {
  digest: string;
  /** GitHub's own time of the comment that showed this digest first, ISO 8601. */
  at: string;
  /** What the digest is of, line by line; absent when it is too long to be kept. */
  text?: string;
}

/** The plan in the body, as a signed delivery carries it. */
export interface DeliveredPlan {
  digest: string;
  /** GitHub's own time of what the delivery tells, ISO 8601. */
  at: string;
}

/** All that decides whether an approval is of the text that is read now. */
export interface ApprovalAsked {
  /** Of the plan as it is read now. */
  digest: string;
  /** The digest that the approval names, or its first digits. */
  named?: string | undefined;
  shown: ShownPlan | undefined;
  /** When the person approved, by GitHub's clock, ISO 8601. */
  saidAt: string;
  /** Of the plan in the approval's own delivery; absent for an approval that was found without one. */
  delivered: string | undefined;
}

/** Why an approval does not hold. */
export type ApprovalDoubt =
  /** It names another text. */
  | 'another-named'
  /** None of Quorum's comments has shown a text yet. */
  | 'not-shown'
  /** Another text was shown, or was there when the person approved. */
  | 'changed'
  /** The text was shown in the same second, or later. */
  | 'shown-later'
  /** No delivery tells what the person saw: the reconcile pass found it. */
  | 'not-delivered';

/**
 * Whether a person approved exactly the text that is read now. An approval that names the whole digest is bound by
 * that. Any other holds only for a text that Quorum had shown before. That text must also have been in place at the
 * approval.
 *
 * @returns why it does not hold, or undefined
 */
export function doubtOf(asked: ApprovalAsked): ApprovalDoubt | undefined {
  const { digest, named, shown, saidAt, delivered } = asked;
  if (named !== undefined && !digest.startsWith(named)) return 'another-named';
  if (named === digest) return undefined;
  if (shown === undefined) return 'not-shown';
  if (shown.digest !== digest) return 'changed';
  if (!isBefore(shown.at, saidAt)) return 'shown-later';
  if (delivered === undefined) return 'not-delivered';
  return delivered === digest ? undefined : 'changed';
}

/** GitHub's times are whole seconds: within one second nothing tells what came first, so equal is not before. */
export function isBefore(earlier: string | undefined, later: string): boolean {
  return earlier !== undefined && Date.parse(earlier) < Date.parse(later);
}
