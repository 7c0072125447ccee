/** Goes from a file's text on one side of a change to the other: what a diff shows is taken out, and put in. */
import type { DiffFile, DiffLine, Hunk } from './diff.ts';

/** What each side shows: the other side's own lines are not there. */
type Side = 'old' | 'new';

/** The text before the change, from the one after it. Undefined where the two do not fit, or not all is known. */
export function undoChange(file: DiffFile, head: string): string | undefined {
  return turn(file, head, 'new');
}

/** The text after the change, from the one before it. Undefined where the two do not fit, or not all is known. */
export function applyDiff(file: DiffFile, base: string): string | undefined {
  return turn(file, base, 'old');
}

function turn(file: DiffFile, text: string, from: Side): string | undefined {
  if (!isKnown(file)) return undefined;
  const to = from === 'old' ? 'new' : 'old';
  const rows = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const turned: string[] = [];
  let at = 0;
  for (const hunk of file.hunks) {
    const start = startOf(hunk, from);
    const shown = rowsOn(hunk, from);
    const fits = start >= at && start <= rows.length;
    if (!fits || shown.some((row, index) => rows[start + index] !== row)) return undefined;
    for (const row of rows.slice(at, start)) turned.push(row);
    for (const row of rowsOn(hunk, to)) turned.push(row);
    at = start + shown.length;
  }
  for (const row of rows.slice(at)) turned.push(row);
  // A line without an end can only be the last one.
  return turned.slice(0, -1).every((row) => row.endsWith('\n')) ? turned.join('') : undefined;
}

/** A file without hunks is unchanged, except one that was modified or deleted: its hunks are missing. */
function isKnown({ content, status, hunks, isCut }: DiffFile): boolean {
  if (isCut) return false;
  if (content === 'text') return hunks.every((hunk) => hunk.lines.every((line) => !line.isCut));
  return content === 'none' && status !== 'modified' && status !== 'deleted';
}

/** Index of its first line; where it shows none of that side, its number is that of the line before. */
function startOf({ oldStart, oldLines, newStart, newLines }: Hunk, side: Side): number {
  const [start, lines] = side === 'old' ? [oldStart, oldLines] : [newStart, newLines];
  return lines === 0 ? start : start - 1;
}

function rowsOn({ lines }: Hunk, side: Side): string[] {
  const others = side === 'old' ? 'added' : 'removed';
  return lines.filter(({ kind }) => kind !== others).map(rowOf);
}

function rowOf({ text, isCrlf, hasNoNewline }: DiffLine): string {
  return `${text}${isCrlf === true ? '\r' : ''}${hasNoNewline === true ? '' : '\n'}`;
}
