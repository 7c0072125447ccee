/** Names a finding so that it is known again after its lines moved, were indented, or its file was renamed. */
import { createHash } from 'node:crypto';
import type { Finding } from './finding.ts';

/** A finding before it has a name. */
export type FindingDraft = Omit<Finding, 'fingerprint' | 'context'> & {
  /** The code it is about, as it stands; for findings without code, what they name. */
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
 * Names findings. Those of one rule about the same code are told apart by their order in the file, so that each keeps
 * its name while they move together.
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

/** Whether the code a finding is about stands somewhere in a text: as many lines in a row as it has. */
export function hasContext(
  text: string,
  finding: Pick<Finding, 'context' | 'line' | 'endLine'>,
): boolean {
  const lines = text.split('\n');
  const height = (finding.endLine ?? finding.line) - finding.line + 1;
  for (let at = 0; at + height <= lines.length; at += 1) {
    if (contextDigest(lines.slice(at, at + height).join('\n')) === finding.context) return true;
  }
  return false;
}
