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
    .replace(/[.,!…]+$/, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
  return YES.has(words);
}

/** Whether a yes still stands for what the plan says now. */
export function isApproved(approval: Approval | undefined, digest: string): boolean {
  return approval?.digest === digest;
}
