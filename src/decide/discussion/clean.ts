/** Makes a model's answer harmless before it is kept: what is posted later needs no second thought. */
import { cleanOutput } from '../../domain/text/clean-output.ts';
import type { CouncilFinding, Position, Verdict } from '../../domain/run/council.ts';
import type { RunBase } from '../../domain/run/state/run-base.ts';
import { refutesOf } from './verdict/tally-votes.ts';

/** Where links may lead. */
type Repository = Pick<RunBase, 'thread' | 'host'>;

export function cleanPosition(position: Position, run: Repository): Position {
  return {
    ...position,
    line: oneLine(position.line, run),
    reasons: clean(position.reasons, run),
    findings: position.findings.map((finding) => cleanFinding(finding, run)),
    questions: position.questions.map((question) => oneLine(question, run)),
    // The quote is compared and never shown.
    ...('refutes' in position
      ? { refutes: refutesOf(position).map((one) => ({ ...one, why: oneLine(one.why, run) })) }
      : {}),
  };
}

export function cleanVerdict(verdict: Verdict, run: Repository): Verdict {
  return {
    ...verdict,
    headline: oneLine(verdict.headline, run),
    reasons: clean(verdict.reasons, run),
    changes: verdict.changes.map((change) => ({ ...change, text: oneLine(change.text, run) })),
    ...(verdict.question === undefined ? {} : { question: oneLine(verdict.question, run) }),
  };
}

function cleanFinding(finding: CouncilFinding, run: Repository): CouncilFinding {
  return {
    ...finding,
    title: oneLine(finding.title, run).replace(/(?<![.\s])[.\s]+$/, ''),
    evidence: oneLine(finding.evidence, run),
  };
}

/** Several lines of somebody else's, made harmless. */
export function clean(text: string, { thread, host }: Repository): string {
  return cleanOutput(text, { repository: `${thread.owner}/${thread.repo}`, host }).text.trim();
}

/** One line before it is cleaned: a fence that is joined afterwards would let go of what it held. */
export function oneLine(text: string, run: Repository): string {
  return clean(text.replaceAll(/\s+/g, ' '), run).replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
}
