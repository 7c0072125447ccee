/** Makes a model's answer harmless before it is kept: what is posted later needs no second thought. */
import { speakPlainly } from '../../domain/persona/speak-as.ts';
import { cleanOutput } from '../../domain/text/clean-output.ts';
import { takeCitations } from '../../domain/memory/recall/recalled.ts';
import type { Citing, CouncilFinding, Position, Verdict } from '../../domain/run/council.ts';
import type { LookedAt } from '../../domain/run/state/team-state.ts';
import type { RunBase } from '../../domain/run/state/run-base.ts';
import { refutesOf } from './verdict/tally-votes.ts';

/** Where links may lead, and which notes were shown. */
type Repository = Pick<RunBase, 'thread' | 'host'> & {
  lookedAt?: Pick<LookedAt, 'notes'>;
};

export function cleanPosition(position: Position, run: Repository): Position {
  const reasons = takeCitations(position.reasons);
  const line = takeCitations(position.line);
  return {
    ...position,
    line: sayOnOneLine(line.text, run),
    reasons: say(reasons.text, run),
    findings: position.findings.map((finding) => cleanFinding(finding, run)),
    questions: position.questions.map((question) => sayOnOneLine(question, run)),
    // The quote is compared and never shown.
    ...('refutes' in position
      ? { refutes: refutesOf(position).map((one) => ({ ...one, why: sayOnOneLine(one.why, run) })) }
      : {}),
    ...toCiting([...line.cited, ...reasons.cited], run),
  };
}

export function cleanVerdict(verdict: Verdict, run: Repository): Verdict {
  const reasons = takeCitations(verdict.reasons);
  const headline = takeCitations(verdict.headline);
  return {
    ...verdict,
    headline: sayOnOneLine(headline.text, run),
    reasons: say(reasons.text, run),
    changes: verdict.changes.map((change) => ({
      ...change,
      text: sayOnOneLine(takeCitations(change.text).text, run),
    })),
    ...(verdict.question === undefined ? {} : { question: sayOnOneLine(verdict.question, run) }),
    ...toCiting([...headline.cited, ...reasons.cited], run),
  };
}

function cleanFinding(finding: CouncilFinding, run: Repository): CouncilFinding {
  const title = takeCitations(finding.title);
  const evidence = takeCitations(finding.evidence);
  return {
    ...finding,
    title: oneLine(title.text, run).replace(/(?<![.\s])[.\s]+$/, ''),
    evidence: oneLine(evidence.text, run),
    ...toCiting([...title.cited, ...evidence.cited], run),
  };
}

/** A mark that stands for no shown note is invented. */
function toCiting(cited: readonly string[], { lookedAt }: Repository): Citing {
  const shown = new Set(lookedAt?.notes?.map(({ id }) => id));
  const memory = [...new Set(cited)].filter((id) => shown.has(id));
  return memory.length === 0 ? {} : { memory };
}

/**
 * What a persona says, without canned words and repetitions (NW-7). A council's comment shows many voices at once, so no
 * voice may use an emoji. Titles and evidence of findings are compared between rounds and stay as they were said.
 */
function say(text: string, run: Repository): string {
  return cleanBlock(speakPlainly(text), run);
}

/** The line ends go first: a heading or a list in one line is prose. */
function sayOnOneLine(text: string, run: Repository): string {
  return oneLine(speakPlainly(text.replaceAll(/\s+/g, ' ')), run);
}

/** Several lines of somebody else's, made harmless. */
export function cleanBlock(text: string, { thread, host }: Repository): string {
  return cleanOutput(text, { repository: `${thread.owner}/${thread.repo}`, host }).text.trim();
}

/** One line before it is cleaned: a fence that is joined afterwards would let go of what it held. */
export function oneLine(text: string, run: Repository): string {
  return cleanBlock(text.replaceAll(/\s+/g, ' '), run).replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
}
