/** Which lines of a diff may carry a review comment, as GitHub takes them: lines that its hunks show. */
import type { DiffFile, Side } from '../diff/diff.ts';
import type { Finding } from './finding.ts';
import type { HunkLines } from './review.ts';

/** Where a comment goes, in the words of `POST pulls/{n}/reviews`. */
export interface CommentPlace {
  path: string;
  /** The last line. */
  line: number;
  side: Side;
  startLine?: number;
  startSide?: Side;
  /** Whether the whole range fits, so that a suggestion applies. */
  isWhole: boolean;
}

/** The lines that each hunk of a file shows, on both sides. */
export function hunkLinesOf({ path, hunks }: Pick<DiffFile, 'path' | 'hunks'>): HunkLines[] {
  return hunks.map(({ oldStart, oldLines, newStart, newLines }) => ({
    path,
    old: [oldStart, oldStart + oldLines - 1],
    new: [newStart, newStart + newLines - 1],
  }));
}

/** Undefined where the diff does not show the first line. GitHub refuses (422) a range that leaves its hunk. */
export function placeComment(
  finding: Pick<Finding, 'path' | 'line' | 'endLine' | 'side'>,
  hunks: readonly HunkLines[],
): CommentPlace | undefined {
  const { path, line, side } = finding;
  const end = finding.endLine ?? line;
  const range = (hunk: HunkLines) => (side === 'LEFT' ? hunk.old : hunk.new);
  const hunk = hunks.find(
    (each) => each.path === path && range(each)[0] <= line && line <= range(each)[1],
  );
  if (hunk === undefined) return undefined;
  if (end === line) return { path, line, side, isWhole: true };
  if (end > range(hunk)[1]) return { path, line, side, isWhole: false };
  return { path, line: end, side, startLine: line, startSide: side, isWhole: true };
}
