/** Other people's and models' words in a journal: no secret, no mention, no link that acts, and never too long. */
import { redactSecrets } from '../../domain/secrets/secret-text.ts';
import { cleanOutput, type OutputRules } from '../../domain/text/clean-output.ts';
import { codeSpan } from '../../domain/text/code-span.ts';

const LONGEST_QUOTE = 2_000;
const LONGEST_LINE = 400;

/**
 * Prose, paths, headings, lists and emphasis: no address, no mention, no reference, nothing that is invisible. It needs no
 * parser, which takes most of the time of a long journal.
 */
const PLAIN = /^(?:[A-Za-zÀ-ÖØ-öø-ÿ0-9 \n.,;:'"()?%+−/*_={}–—’“”…-]|#(?=[# ]))*$/;
/** Code within a line that could be prose as well. A tick that is left over needs the parser. */
const PLAIN_CODE = /`[A-Za-z0-9 .,;:'"()?%+/*_={}-]{1,200}`/g;
/** A slash is plain inside a path only: not in an address, and not where a command begins. */
const ACTS = /www\.|::|gh-\d|\/\/|(?<!\w)\//i;

/** A mention of a person among words. Beside anything else, or in what may be code, the parser decides. */
const MENTION = /(?<=^|[ (\n])@[A-Za-z0-9][A-Za-z0-9-]{0,38}(?=$|[ ,;:)\n]|\.(?:\s|$))/g;
const MAY_BE_CODE = /`| {4}/;

function clean(text: string, rules: OutputRules): string {
  if (isPlain(text)) return text;
  const isSimple = rules.mentions === undefined && !MAY_BE_CODE.test(text);
  return isSimple && isPlain(text.replaceAll(MENTION, 'x'))
    ? text.replaceAll(MENTION, '`$&`')
    : cleanOutput(text, rules).text;
}

function isPlain(text: string): boolean {
  return PLAIN.test(text.replaceAll(PLAIN_CODE, 'x')) && !ACTS.test(text);
}

/** Text of several lines. */
export function quoted(text: string, rules: OutputRules): string {
  const { kept, more } = cut(redactSecrets(text.trim()), LONGEST_QUOTE);
  const shown = clean(kept, rules).trim();
  return more === 0 ? shown : `${shown}\n\n(${more} more characters)`;
}

/** The same titles and sentences come again and again. */
const LINES = new WeakMap<OutputRules, Map<string, string>>();

/** The same on one line, inside a sentence. */
export function inLine(text: string, rules: OutputRules): string {
  const known = LINES.get(rules) ?? new Map<string, string>();
  LINES.set(rules, known);
  const line = known.get(text) ?? cleanLine(text, rules);
  known.set(text, line);
  return line;
}

function cleanLine(text: string, rules: OutputRules): string {
  const flat = redactSecrets(text).replaceAll(/\s+/g, ' ').trim();
  const { kept, more } = cut(flat, LONGEST_LINE);
  return `${clean(kept, rules).replaceAll(/\s+/g, ' ').trim()}${more === 0 ? '' : '…'}`;
}

/** A name, path or branch as code. */
export function quoteCode(text: string): string {
  return codeSpan(redactSecrets(text).slice(0, LONGEST_LINE));
}

/** In whole code points: half a pair is no character. */
function cut(text: string, most: number): { kept: string; more: number } {
  if (text.length <= most) return { kept: text, more: 0 };
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  return { kept, more: text.length - kept.length };
}
