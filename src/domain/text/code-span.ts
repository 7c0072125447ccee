/** Text as code in Markdown: shown as it is but for what nobody sees, and nothing in it is markup, a mention or a link. */
import { stripInvisible } from './invisible.ts';

/** A fence that no run of backticks in the text closes; of `least` backticks or more. */
export function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), (match) => match[0].length));
  return '`'.repeat(Math.max(least, longest + 1));
}

/** Text as a block of code, in which nothing is a mention, a link or markup. A suggestion of no text takes lines out. */
export function codeBlock(text: string, language = 'text'): string {
  const fence = fenceFor(text, 3);
  const shown = stripInvisible(text).text;
  return [`${fence}${language}`, ...(shown === '' ? [] : [shown]), fence].join('\n');
}

/** Text as code in a sentence, on one line: a path may hold line ends and backticks. Nothing for no text. */
export function codeSpan(text: string): string {
  const visible = text
    .replaceAll(/(?<!\s)\s*[\r\n\u2028\u2029]\s*/g, ' ')
    .replaceAll(/\p{Cc}/gu, ' ');
  const line = stripInvisible(visible).text.trim();
  if (line === '') return '';
  const fence = fenceFor(line, 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
