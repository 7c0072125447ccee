/** Takes from a text what a plan's reader would take for the plan itself: headings, fields, separators, changes. */
import { matchField } from './body/plan-blocks.ts';

const FENCE = /^[ \t>]*(`{3,}|~{3,})[ \t]*([^\s`]*)/;
/** Marks of quotes and lists before what a line says. */
const LEAD = /^(?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*/;
const HEADING = /^#{1,6}(?:[ \t]+|$)/;
const RULE = /^(?:(?:-[ \t]*)+|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,}|=+[ \t]*)$/;
/** The planner writes no code (CB-1): a block in one of these would be applied unchanged. */
const CHANGE = /^(?:diff|patch)$/i;

/** The text without them. The content of code blocks stays, but an unclosed block is closed. */
export function withoutGrammar(source: string): string {
  let open: string | undefined;
  const lines = source
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .flatMap((line): string[] => {
      const [, ticks, language = ''] = FENCE.exec(line) ?? [];
      if (open !== undefined) {
        if (ticks !== undefined && language === '' && ticks.startsWith(open)) open = undefined;
        return [line];
      }
      if (ticks !== undefined) {
        open = ticks;
        return [CHANGE.test(language) ? line.replace(language, 'text') : line];
      }
      return blunt(line);
    });
  return [...lines, ...(open === undefined ? [] : [open])].join('\n');
}

function blunt(line: string): string[] {
  const lead = LEAD.exec(line)?.[0] ?? '';
  const rest = line.slice(lead.length);
  if (RULE.test(rest.trim())) return [];
  if (HEADING.test(rest))
    return blunt(`${lead}${rest.replace(HEADING, '').replace(/(?<![ \t])[ \t]+#+$/, '')}`);
  const field = matchField(rest);
  if (field === undefined) return [line];
  return [
    `${lead}${rest.slice(0, field.length).replaceAll(/[*_]/g, '')}${rest.slice(field.length)}`,
  ];
}
