/** Makes one finding of what several voices found at the same place. */
import type { Finding } from './finding.ts';
import { compareFindings, severityRank } from './finding.ts';
import { tokenise } from '../text/words.ts';

/** Lines that two readers may be apart about the same thing. */
const NEAR_LINES = 2;
/** Share of telling words that two titles have in common when they say the same. */
const ALIKE = 0.5;

/**
 * Merges findings that are the same: one rule on overlapping lines, or titles that say the same within two lines. The
 * merged one has the worst severity, every name, and the words of the first in order (code's before a model's).
 * Independent of the order of the input. Quadratic only within a file.
 */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const byFile = new Map<string, Finding[]>();
  for (const finding of findings.toSorted(compareFindings)) {
    const key = `${finding.side}\0${finding.path}`;
    const kept = byFile.get(key) ?? [];
    const at = kept.findIndex((other) => isSame(other, finding));
    const twin = kept[at];
    byFile.set(
      key,
      twin === undefined ? [...kept, finding] : kept.with(at, mergePair(twin, finding)),
    );
  }
  return [...byFile.values()].flat().toSorted(compareFindings);
}

function isSame(a: Finding, b: Finding): boolean {
  if (a.fingerprint === b.fingerprint) return true;
  if (a.scope !== b.scope) return false;
  const gap = Math.max(a.line, b.line) - Math.min(a.endLine ?? a.line, b.endLine ?? b.line);
  if (a.ruleId === b.ruleId && a.source === 'signal' && b.source === 'signal') return false;
  if (a.ruleId === b.ruleId && gap <= 0) return true;
  return gap <= NEAR_LINES && isAlike(a.title, b.title);
}

function isAlike(a: string, b: string): boolean {
  const [first, second] = [new Set(tokenise(a)), new Set(tokenise(b))];
  const common = [...first].filter((word) => second.has(word)).length;
  const all = new Set([...first, ...second]).size;
  return all > 0 && common / all >= ALIKE;
}

function mergePair(one: Finding, two: Finding): Finding {
  const [kept, other] = one.source === 'model' && two.source === 'signal' ? [two, one] : [one, two];
  const isWorse = severityRank(other.severity) < severityRank(kept.severity);
  const hasOwnPlace = kept.line === other.line && kept.endLine === other.endLine;
  const suggestion = kept.suggestion ?? (hasOwnPlace ? other.suggestion : undefined);
  const advice = kept.advice ?? other.advice;
  return {
    ...kept,
    severity: isWorse ? other.severity : kept.severity,
    personas: [...new Set([...kept.personas, ...other.personas])],
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(advice === undefined ? {} : { advice }),
    ...mergeMemory(kept, other),
  };
}

function mergeMemory(one: Finding, two: Finding): Pick<Finding, 'memory'> {
  const memory = [...new Set([one, two].flatMap((each) => each.memory ?? []))];
  return memory.length === 0 ? {} : { memory };
}
