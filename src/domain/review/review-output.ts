/** A review as machines read it: the pinned JSON of `quorum review` (spec 13). More keys may be added, none renamed. */
import type { VerdictWord } from '../run/council.ts';
import type { Severity } from './signal.ts';
import type { Finding } from './finding.ts';

/** The outcome of a review. */
export interface ReviewOutcome {
  verdict: Extract<VerdictWord, 'APPROVE' | 'CHANGES' | 'HUMAN'>;
  /** `offline`, `none`, or the model that closed it. */
  model: string;
  /** Worst first. */
  findings: readonly Finding[];
  notRead: readonly string[];
  /** Null when a price is not known. */
  costUsd: number | null;
}

export interface FindingJson {
  ruleId: string;
  severity: Severity;
  path: string;
  line: number;
  personas: string[];
  title: string;
  evidence: string;
  /** Replaces `line` to `endLine`. */
  suggestion?: string;
  fingerprint: string;
  endLine?: number;
  /** Only where the line is one of the file as it was before. */
  side?: 'LEFT';
  advice?: string;
}

export interface ReviewJson extends Omit<ReviewOutcome, 'findings'> {
  findings: FindingJson[];
}

export function toReviewJson(review: ReviewOutcome): ReviewJson {
  const { verdict, model, findings, notRead, costUsd } = review;
  return {
    verdict,
    model,
    findings: findings.map(toFindingJson),
    notRead: [...notRead],
    costUsd,
  };
}

function toFindingJson(finding: Finding): FindingJson {
  const { ruleId, severity, path, line, personas, title, evidence, fingerprint } = finding;
  const { suggestion, endLine, advice, side } = finding;
  return {
    ruleId,
    severity,
    path,
    line,
    personas,
    title,
    evidence,
    ...(suggestion === undefined ? {} : { suggestion }),
    fingerprint,
    ...(endLine === undefined ? {} : { endLine }),
    ...(side === 'LEFT' ? { side } : {}),
    ...(advice === undefined ? {} : { advice }),
  };
}
