/** What changed between two texts of a plan, short enough to be read in a comment. */
import { diffLines } from 'diff';
import { stripInvisible } from '../../text/invisible.ts';
import { redactSecrets } from '../../secrets/secret-text.ts';

const MAX_LINES = 40;
const MAX_CHARS = 200;
/** Texts that are further apart are shown as removed and added as a whole. */
const MAX_EDITS = 2_000;

/**
 * Lines that were taken out (`-`) and put in (`+`), in the order of the text, without those that stayed.
 *
 * The text is untrusted. Characters that a page does not show are taken out and counted, and keys are redacted. The
 * caller shows it in a block of code.
 */
export function renderDifference(before: string, after: string): string {
  const parts = diffLines(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines = parts.flatMap(({ value, added, removed }) =>
    added || removed ? linesOf(value).map((line) => `${added ? '+' : '-'} ${toVisible(line)}`) : [],
  );
  const left = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(left > 0 ? [`  … and ${left} more lines`] : [])].join(
    '\n',
  );
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
}

function toVisible(line: string): string {
  const { text, counts } = stripInvisible(line);
  const hidden = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const shown = redactSecrets(text);
  const cut = shown.length > MAX_CHARS ? `${shown.slice(0, MAX_CHARS - 1)}…` : shown;
  return hidden === 0 ? cut : `${cut} [${hidden} invisible characters]`;
}
