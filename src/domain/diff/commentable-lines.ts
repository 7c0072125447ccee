/** Which lines of a diff may carry a review comment, as GitHub takes them: lines that its hunks show. */
import type { DiffFile, Hunk } from './diff.ts';

export type Side = 'LEFT' | 'RIGHT';

/** A range of lines on one side. */
export interface LineRange {
  line: number;
  /** Absent: one line. */
  endLine?: number;
  side: Side;
}

/** Where a comment goes, in the words of `POST pulls/{n}/reviews`. */
export interface CommentPlace {
  path: string;
  /** The last line. */
  line: number;
  side: Side;
  startLine?: number;
  startSide?: Side;
  /** The range did not fit into one hunk, so the comment stands at its first line; a suggestion would not apply. */
  isShrunk?: true;
}

/** Lines of one side that a comment can be put on, by number, with the hunk each is in. */
export type CommentableLines = Readonly<Record<Side, ReadonlyMap<number, number>>>;

/** Indexes a file once, for many findings. New and unchanged lines are RIGHT, old and unchanged ones LEFT. */
export function commentableLines(file: DiffFile): CommentableLines {
  const lines = { LEFT: new Map<number, number>(), RIGHT: new Map<number, number>() };
  for (const [index, hunk] of file.hunks.entries()) indexHunk(hunk, index, lines);
  return lines;
}

function indexHunk(hunk: Hunk, index: number, lines: Record<Side, Map<number, number>>): void {
  for (const line of hunk.lines) {
    if (line.kind !== 'added') lines.LEFT.set(line.oldLine, index);
    if (line.kind !== 'removed') lines.RIGHT.set(line.newLine, index);
  }
}

/**
 * The place for a comment about a range; undefined when the diff does not show its first line, and the comment belongs
 * into the body. GitHub refuses (422) a range that leaves its hunk.
 */
export function commentPlace(
  path: string,
  range: LineRange,
  lines: CommentableLines,
): CommentPlace | undefined {
  const { line, side } = range;
  const end = range.endLine ?? line;
  const hunk = lines[side].get(line);
  if (hunk === undefined) return undefined;
  if (end <= line) return { path, line, side };
  const isWhole = lines[side].get(end) === hunk;
  return isWhole
    ? { path, line: end, side, startLine: line, startSide: side }
    : { path, line, side, isShrunk: true };
}
