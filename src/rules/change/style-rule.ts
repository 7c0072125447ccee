/** Reads the style rule that contains a line, from its selector to its closing brace. */
import type { ReadLine } from './syntax/lex.ts';

const MAX_LINES = 20;

/** The rule's text, as far as it is shown. */
export function styleRuleAround(lines: ReadonlyMap<number, ReadLine>, line: number): string {
  const text = (at: number): string => lines.get(at)?.live ?? '';
  let start = line;
  while (start > line - MAX_LINES && !startsRule(text, start) && !text(start - 1).includes('}'))
    start -= 1;
  let end = line;
  while (end < line + MAX_LINES && !text(end).includes('}')) end += 1;
  return Array.from({ length: end - start + 1 }, (_, index) => text(start + index)).join('\n');
}

/** A line with the opening brace, unless the selector began on the line above. */
function startsRule(text: (at: number) => string, at: number): boolean {
  return text(at).includes('{') && !/,\s*$/.test(text(at - 1));
}
