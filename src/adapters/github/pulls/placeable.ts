/** On which lines of a diff GitHub takes a comment: those that a hunk shows, on the side that they are of. */
import { parseDiff } from '../../../domain/diff/parse-diff.ts';
import type { DiffLine } from '../../../domain/diff/diff.ts';
import type { PlacedComment } from '../../../ports/github/pulls.ts';

type Side = PlacedComment['side'];

export interface Placeable {
  /** For several lines: both ends in one hunk, the first above the last. */
  has(at: Pick<PlacedComment, 'path' | 'line' | 'side' | 'startLine' | 'startSide'>): boolean;
}

interface Row {
  hunk: number;
  /** What is above what, whichever side the lines are of. */
  at: number;
}

/** @param diff - text as `git diff` writes it; other lines are skipped */
export function readPlaceable(diff: string): Placeable {
  const rows = readRows(diff);
  const find = (path: string, side: Side, line: number): Row | undefined =>
    rows.get(keyOf(path, side, line));
  return {
    has: ({ path, line, side, startLine, startSide = side }) => {
      const end = find(path, side, line);
      if (end === undefined || startLine === undefined) return end !== undefined;
      const start = find(path, startSide, startLine);
      return start !== undefined && start.hunk === end.hunk && start.at < end.at;
    },
  };
}

function keyOf(path: string, side: Side, line: number): string {
  return `${side}:${line}:${path}`;
}

/** A deleted file keeps its old path; a moved one is known by its new path on both sides. */
function readRows(diff: string): Map<string, Row> {
  const rows = new Map<string, Row>();
  const hunks = parseDiff(diff).files.flatMap(({ path, hunks: own }) =>
    own.map(({ lines }) => ({ path, lines })),
  );
  for (const [hunk, { path, lines }] of hunks.entries())
    for (const [at, line] of lines.entries())
      for (const [side, number] of sidesOf(line)) rows.set(keyOf(path, side, number), { hunk, at });
  return rows;
}

function sidesOf(line: DiffLine): [Side, number][] {
  switch (line.kind) {
    case 'added':
      return [['RIGHT', line.newLine]];
    case 'removed':
      return [['LEFT', line.oldLine]];
    case 'context':
      return [
        ['LEFT', line.oldLine],
        ['RIGHT', line.newLine],
      ];
  }
}
