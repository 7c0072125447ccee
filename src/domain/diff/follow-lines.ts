/** Where lines of a file stand after a change that may have gone over them. */
import type { DiffFile, Hunk } from './diff.ts';

interface Lines {
  line: number;
  /** Absent: one line. */
  endLine?: number;
}

/** How far a change of this file moves a range of lines of its old side; undefined when it changes or splits them. */
export function followLines(file: DiffFile, { line, endLine = line }: Lines): number | undefined {
  if (file.status === 'deleted' || file.isCut) return undefined;
  let moved = 0;
  for (const { kind, at } of file.hunks.flatMap(editsOf)) {
    const isInside = kind === 'added' ? at > line && at <= endLine : at >= line && at <= endLine;
    if (isInside) return undefined;
    if (at <= line) moved += kind === 'added' ? 1 : -1;
  }
  return moved;
}

interface Edit {
  kind: 'added' | 'removed';
  /** The old line that goes, or before which a new one comes. */
  at: number;
}

function editsOf({ oldStart, oldLines, lines }: Hunk): Edit[] {
  // Without a line of the old side the number is of the line before.
  let at = oldLines === 0 ? oldStart + 1 : oldStart;
  return lines.flatMap(({ kind }) => {
    if (kind !== 'added') at += 1;
    return kind === 'context' ? [] : [{ kind, at: kind === 'added' ? at : at - 1 }];
  });
}
