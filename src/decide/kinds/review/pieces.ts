/** Pieces of a review's text: sentences, places and names that are safe to show. */
import type { Run } from '../../../domain/run/state/run-record.ts';
import { cleanOutput } from '../../../domain/text/clean-output.ts';
import { codeSpan } from '../../../domain/text/code-span.ts';
import { speakPlainly } from '../../../domain/persona/speak-as.ts';
import type { Finding } from '../../../domain/review/finding.ts';

export function headOf(finding: Finding, run: Run<'pr_review'>): string {
  const { severity, title } = finding;
  const what = sentence(inOwnWords(title, finding), run);
  // Emphasis inside of emphasis would end it.
  return /[*_]{2}/.test(what) ? `**${severity}** · ${what}` : `**${severity} · ${what}**`;
}

/** Who found it; the rule is named where code did. */
export function namesOf({ personas, ruleId, source }: Finding, run: Run<'pr_review'>): string {
  const names = personas.map((handle) => voiceNameOf(handle, run)).join(', ');
  return source === 'model' ? names : `${names} · \`${ruleId}\``;
}

/**
 * What a persona says without filler (NW-7). What rules say stays, and so does evidence: it may quote the change without
 * saying so.
 */
export function inOwnWords(
  text: string | undefined,
  { source }: Pick<Finding, 'source'>,
): string | undefined {
  return text === undefined || source !== 'model' ? text : speakPlainly(text);
}

/** Begins with a capital and ends with a full stop, whatever it is made of. */
export function sentence(text: string | undefined, run: Run<'pr_review'>): string {
  const words = cleanLine(text ?? '', run);
  if (words === '') return '';
  const begun = /^[a-z]+ /.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

export function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** What has no line of its own. */
export function numbered(
  findings: readonly Finding[],
  run: Run<'pr_review'>,
  first: number,
): string {
  return findings
    .map((finding, index) => {
      const { scope, path, line, isQuote, evidence } = finding;
      const [why, advice] = [finding.why, finding.advice].map((text) => inOwnWords(text, finding));
      const place = scope === 'line' ? `${path}#L${line}` : path;
      const where = scope === 'change' ? '' : `In ${codeSpan(place)}:`;
      const seen = isQuote === true ? `${codeSpan(evidence)}.` : sentence(evidence, run);
      const told = [headOf(finding, run), where, seen, sentence(why, run), sentence(advice, run)];
      return `${first + index}. ${joined(told)} <sub>${namesOf(finding, run)}</sub>`;
    })
    .join('\n');
}

export function voiceNameOf(handle: string, run: Run<'pr_review'>): string {
  const voices = run.lead === undefined ? run.participants : [run.lead, ...run.participants];
  return voices.find((voice) => voice.handle === handle)?.name ?? handle;
}

/** Evidence quotes the change, which anybody may have written. */
export function cleanLine(text: string, { thread, host }: Run<'pr_review'>): string {
  return cleanOutput(text, { repository: `${thread.owner}/${thread.repo}`, host })
    .text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
    .trim();
}
