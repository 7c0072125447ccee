/** A file of a diff as text, cut where it is too long for one part: between hunks first, and inside of the longest ones. */
import type { DiffFile, DiffLine, Hunk } from '../../../../domain/diff/diff.ts';
import { withoutInvisible } from '../../../../domain/diff/invisible-in-diff.ts';
import { renderDiffFile } from '../../../../domain/diff/render-diff.ts';
import { redactSecrets } from '../../../../domain/secrets/secret-text.ts';

export interface FilePieces {
  file: DiffFile;
  /** The lines before the first hunk. */
  head: string;
  /** Hunks, each with its own title, in order: every line of the change is in one of them. */
  pieces: string[];
  /** Invisible characters that were removed from all of it. */
  hidden: number;
}

/**
 * Removes invisible characters, then credentials, before cutting: a credential that is cut in two could not be
 * recognised. Below its head a piece has at most `most` UTF-16 units, unless one line alone has more.
 */
export function cutFile(file: DiffFile, most: number): FilePieces {
  const plain = withoutInvisible(file);
  const rows = redactSecrets(renderDiffFile(plain.file)).split('\n').slice(0, -1);
  const sizes = file.hunks.map(
    ({ lines }) => 1 + lines.reduce((sum, line) => sum + rowsOf(line), 0),
  );
  let at = rows.length - sizes.reduce((sum, size) => sum + size, 0);
  const head = rows.slice(0, at).join('\n');
  const room = most - head.length - 2;
  const pieces = file.hunks.flatMap((hunk, index) => {
    const own = rows.slice(at, (at += sizes[index] ?? 0));
    const text = own.join('\n');
    return text.length <= room ? [text] : cutHunk(hunk, own, room);
  });
  return { file, head, pieces, hidden: plain.hidden };
}

/** Some of its pieces below its head, as a diff. */
export function joinPieces(
  { head, pieces }: Pick<FilePieces, 'head' | 'pieces'>,
  shown: readonly number[],
): string {
  const parts = [head, ...shown.flatMap((index) => pieces[index] ?? [])];
  return `${parts.join('\n')}\n`;
}

/** With a last line without a newline goes a row that says so. */
function rowsOf({ hasNoNewline }: DiffLine): number {
  return hasNoNewline === true ? 2 : 1;
}

/** One hunk in several, with the lines that each begins at and has. */
function cutHunk(hunk: Hunk, [, ...rows]: readonly string[], most: number): string[] {
  const cut: string[] = [];
  let [old, now] = [hunk.oldStart, hunk.newStart];
  let [from, at, length] = [0, 0, 0];
  let lines: DiffLine[] = [];
  const close = (): void => {
    if (lines.length === 0) return;
    const oldLines = lines.filter(({ kind }) => kind !== 'added').length;
    const newLines = lines.filter(({ kind }) => kind !== 'removed').length;
    // As git has it: where a side shows nothing, the number is that of the line before.
    const title = `@@ -${oldLines === 0 ? Math.max(0, old - 1) : old},${oldLines} +${newLines === 0 ? Math.max(0, now - 1) : now},${newLines} @@`;
    cut.push([title, ...rows.slice(from, at)].join('\n'));
    [old, now, from, length, lines] = [old + oldLines, now + newLines, at, 0, []];
  };
  // A side without lines is numbered by the line before it.
  if (hunk.oldLines === 0) old += 1;
  if (hunk.newLines === 0) now += 1;
  for (const line of hunk.lines) {
    const own = rows.slice(at, at + rowsOf(line)).join('\n').length + 1;
    if (length + own > most - TITLE) close();
    lines.push(line);
    length += own;
    at += rowsOf(line);
  }
  close();
  return cut;
}

/** More than a hunk's title takes. */
const TITLE = 80;
