/** Lines that verdicts share: lists, who decided, what a change touches, and the first step. */
import type { Evidence } from '../../../../domain/run/evidence.ts';
import type { Signal } from '../../../../domain/review/signal.ts';
import { citeFile, cutAtWord, list, touched } from '../cite.ts';
import type { Hearing } from '../hear.ts';
import { say } from '../voice.ts';

export function bullets(lines: readonly (string | undefined)[]): string {
  return cutAtWord(
    lines
      .filter((line) => line !== undefined && line !== '')
      .map((line) => `- ${line}`)
      .join('\n'),
    4000,
  );
}

export function renderSignals(signals: readonly Signal[], max: number): string[] {
  const seen = new Set<string>();
  return signals
    .filter(({ ruleId }) => !seen.has(ruleId) && seen.add(ruleId))
    .slice(0, max)
    .map((signal) => say(signal, 'architecture'));
}

export function decidedLine({ decided }: Hearing): string | undefined {
  if (decided === undefined) return undefined;
  const taken = decided.option === undefined ? '' : `, which takes "${decided.option}"`;
  return `${decided.login} answered: "${cutAtWord(decided.text, 160)}"${taken}.`;
}

export function touchesLine(evidence: Evidence): string | undefined {
  const files = touched(evidence);
  const [guess] = evidence.files;
  if (files.length > 0) return `Touches ${list(files.slice(0, 3).map(citeFile))}.`;
  return guess === undefined
    ? undefined
    : `Most likely place: ${citeFile(guess)}, as ${guess.why}.`;
}

/** What a change touches and where it begins; the first step alone where it names all of it. */
export function placeLines(evidence: Evidence, step = 'First step'): string[] {
  const first = firstStep(evidence, step);
  const files = touched(evidence).slice(0, 3);
  const isSaid = first !== undefined && files.every(({ path }) => first.includes(`\`${path}`));
  const touches = isSaid && files.length > 0 ? undefined : touchesLine(evidence);
  return [touches, first].filter((line) => line !== undefined);
}

function firstStep(evidence: Evidence, step: string): string | undefined {
  const [file] = touched(evidence).filter(({ path }) => !evidence.tests.includes(path));
  const [test] = evidence.tests;
  if (evidence.subject === 'bug' && test !== undefined)
    return `${step}: the failing case in \`${test}\`${file === undefined ? '' : `, then ${citeFile(file)}`}.`;
  if (file === undefined) return undefined;
  return `${step}: ${citeFile(file)}${test === undefined ? '' : `, with its case in \`${test}\``}.`;
}
