/** Tables of plain text: aligned columns, the last one wrapped to the terminal's width. */
import { stripVTControlCharacters } from 'node:util';

export interface TableOptions {
  /** Width in characters. */
  columns: number;
  /** Characters before each line. */
  indent?: number;
}

const GAP = '  ';
/** A last column narrower than this is not wrapped: it would be worse to read. */
const NARROWEST = 24;

/** Renders rows of cells, one line or more each, with a line end after each. */
export function renderTable(rows: readonly (readonly string[])[], options: TableOptions): string {
  const indent = ' '.repeat(options.indent ?? 0);
  const width = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: width }, (_, at) =>
    Math.max(0, ...rows.map((row) => visibleLength(row[at] ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, indent.length);
  const room = options.columns - before;
  return rows
    .map((row) => {
      const head = widths
        .slice(0, -1)
        .map((each, at) => pad(row[at] ?? '', each) + GAP)
        .join('');
      const last = wrap(row[width - 1] ?? '', room < NARROWEST ? Infinity : room);
      const lines = last.map(
        (line, at) => (at === 0 ? head : ' '.repeat(visibleLength(head))) + line,
      );
      return lines.map((line) => `${indent}${line}`.trimEnd()).join('\n') + '\n';
    })
    .join('');
}

/** Breaks at spaces; a word that is too long stays whole, and so do leading spaces. */
export function wrap(text: string, width: number): string[] {
  if (visibleLength(text) <= width) return [text];
  const margin = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = '';
  for (const word of text.trimStart().split(' ')) {
    const longer = line === '' ? margin + word : `${line} ${word}`;
    if (line !== '' && visibleLength(longer) > width) {
      lines.push(line);
      line = margin + word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Cuts to a width, with a mark where something is missing. Only for text without colours. */
export function cutToWidth(text: string, width: number): string {
  const signs = signsOf(text);
  return signs.length <= width ? text : `${signs.slice(0, Math.max(0, width - 1)).join('')}…`;
}

function visibleLength(text: string): number {
  return signsOf(stripVTControlCharacters(text)).length;
}

/** What a reader takes for one sign, however many code points it has. */
function signsOf(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - visibleLength(text)));
}
