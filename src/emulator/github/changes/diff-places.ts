/** Lines of a diff as review comments name them, and the hunk that each is in. */
import type { FileChange } from '../git/compare-revisions.ts';

export interface LinePlace {
  path: string;
  line: number | undefined;
  startLine: number | undefined;
  side: 'LEFT' | 'RIGHT';
  position: number | undefined;
  diffHunk: string;
}

/** Finds a line in a file's patch; `undefined` when the diff does not show it. */
export function placeInDiff(
  files: readonly FileChange[],
  at: {
    path: string;
    line?: number | undefined;
    position?: number | undefined;
    side: 'LEFT' | 'RIGHT';
    startLine?: number | undefined;
    startSide?: 'LEFT' | 'RIGHT' | undefined;
  },
): LinePlace | undefined {
  const file = files.find((one) => one.filename === at.path);
  if (file === undefined) return undefined;
  const rows = toRows(file.patch ?? '');
  const find = (side: 'LEFT' | 'RIGHT', line: number | undefined): Row | undefined =>
    rows.find((one) => (side === 'LEFT' ? one.oldLine : one.newLine) === line);
  const row =
    at.position === undefined
      ? find(at.side, at.line)
      : rows.find((one) => one.position === at.position);
  if (row === undefined) return undefined;
  if (at.startLine !== undefined && !isBefore(find(at.startSide ?? at.side, at.startLine), row))
    return undefined;
  const side = at.position !== undefined && row.newLine === undefined ? 'LEFT' : at.side;
  return {
    path: at.path,
    line: at.line ?? row.newLine ?? row.oldLine,
    startLine: at.startLine,
    side,
    position: row.position,
    diffHunk: row.hunk,
  };
}

/** Several lines are of one hunk, and the first is above the last. */
function isBefore(start: Row | undefined, end: Row): boolean {
  return start !== undefined && start.hunkAt === end.hunkAt && start.position < end.position;
}

interface Row {
  position: number;
  /** Position of the hunk's header. */
  hunkAt: number;
  oldLine: number | undefined;
  newLine: number | undefined;
  hunk: string;
}

/** Numbers each line of a patch as the old file, the new file and GitHub's `position` count them. */
function toRows(patch: string): Row[] {
  const rows: Row[] = [];
  const next = { old: 0, new: 0 };
  let hunk: string[] = [];
  let hunkAt = 0;
  for (const [position, text] of patch.split('\n').entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text);
    if (header !== null) {
      next.old = Number(header[1]);
      next.new = Number(header[2]);
      hunk = [text];
      hunkAt = position;
      continue;
    }
    hunk.push(text);
    const isOld = !text.startsWith('+');
    const isNew = !text.startsWith('-');
    rows.push({
      position,
      hunkAt,
      oldLine: isOld ? next.old : undefined,
      newLine: isNew ? next.new : undefined,
      hunk: hunk.join('\n'),
    });
    if (isOld) next.old += 1;
    if (isNew) next.new += 1;
  }
  return rows;
}
