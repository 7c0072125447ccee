/** Names a finding so that it is known again after its lines moved, were indented, or its file was renamed. */
import { createHash } from 'node:crypto';
import type { Finding } from './finding.ts';

/** A finding before it has a name. */
export type FindingDraft = Omit<Finding, 'fingerprint' | 'context'> & {
  /** The exact code it is about; for findings without code, what they name. */
  code: string;
  /** Path at the base of the change, so that a rename inside it changes nothing. */
  basePath: string;
};

const LENGTH = 20;

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
}

/** Digest of code without its whitespace: the same after a formatter went over it. Says nothing of what the code is. */
export function contextDigest(code: string): string {
  return digest(code.replaceAll(/\s+/g, ''));
}

/** The name of the `ordinal`th finding (from 0) of a rule about the same code in the same file. */
export function toFingerprint(of: {
  ruleId: string;
  basePath: string;
  context: string;
  ordinal: number;
}): string {
  return digest([of.ruleId, of.basePath, of.context, of.ordinal].join('\0'));
}

/**
 * Names findings. Findings of one rule about the same code differ by their order in the file. So each keeps its name
 * while they move together.
 */
export function nameFindings(drafts: readonly FindingDraft[]): Finding[] {
  const seen = new Map<string, number>();
  const inOrder = drafts.toSorted((a, b) => a.line - b.line || (a.endLine ?? 0) - (b.endLine ?? 0));
  return inOrder.map(({ code, basePath, ...finding }) => {
    const context = contextDigest(code);
    const key = [finding.ruleId, basePath, context].join('\0');
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    const fingerprint = toFingerprint({ ruleId: finding.ruleId, basePath, context, ordinal });
    return { ...finding, context, fingerprint };
  });
}
