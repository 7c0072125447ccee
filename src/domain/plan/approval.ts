/** The yes that a plan waits for: whose it is, of which text, and which words say it (CB-4). */

export interface Approval {
  by: { id: number; login: string };
  /** Of the plan as it stood. */
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

/** A yes that goes on is none: it asks for another plan. */
const YES_BUT = /^(?:yes|yep|s[ií]|ok(?:ay)?|lgtm|approved)[\s,.;:–—-]{1,4}(?:but|and also)\b/i;
const NO = /^(?:(?:no|wait)(?=\s*(?:[,.;:!?–—-]|$))|actually\b)/i;

/** What a reply that is no command and no plain yes says to a plan that waits; undefined where that is not plain. */
export function planWord(body: string): 'yes-but' | 'no' | undefined {
  const text = body.trim();
  if (YES_BUT.test(text)) return 'yes-but';
  return NO.test(text) ? 'no' : undefined;
}

/** Whether a yes still stands for what the plan says now. */
export function isApproved(approval: Approval | undefined, digest: string): boolean {
  return approval?.digest === digest;
}
