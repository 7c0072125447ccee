/** Reads unified and git diffs, whole or piece by piece. Never throws; what cannot be read is named with its line. */
import type { Diff, DiffLine } from './diff.ts';
import {
  type DiffLimits,
  DIFF_LIMITS,
  type Reading,
  startReading,
  finishReading,
  endHunk,
} from './diff-reading.ts';
import { readHeaderLine } from './read-header-line.ts';

/** Takes a diff in pieces of any size. */
export interface DiffReader {
  push: (piece: string) => void;
  /** Everything that was read. Call once, at the end. */
  end: () => Diff;
}

/** A reader that keeps no more than `limits` allow, for diffs of any size. */
export function createDiffReader(limits: DiffLimits = DIFF_LIMITS): DiffReader {
  const reading = startReading(limits);
  let tail: string[] = [];
  return {
    push: (piece) => {
      let from = 0;
      for (let to = piece.indexOf('\n'); to !== -1; to = piece.indexOf('\n', from)) {
        const line = piece.slice(from, to);
        readLine(reading, tail.length === 0 ? line : [...tail, line].join(''));
        tail = [];
        from = to + 1;
      }
      if (from < piece.length) tail.push(piece.slice(from));
    },
    end: () => {
      if (tail.length > 0) readLine(reading, tail.join(''));
      return finishReading(reading);
    },
  };
}

/** Reads a whole diff. Linear in its length. */
export function parseDiff(text: string, limits: DiffLimits = DIFF_LIMITS): Diff {
  const reader = createDiffReader(limits);
  reader.push(text);
  return reader.end();
}

function readLine(reading: Reading, line: string): void {
  reading.at += 1;
  if (!reading.sawText && line.trim() !== '') reading.sawText = true;
  if (reading.oldLeft > 0 || reading.newLeft > 0) {
    if (readHunkLine(reading, line)) return;
    endHunk(reading);
  }
  if (line.startsWith('\\')) return markNoNewline(reading);
  readHeaderLine(reading, line.endsWith('\r') ? line.slice(0, -1) : line);
}

/** Reads a line of the hunk that is open; false when it cannot belong to it. */
function readHunkLine(reading: Reading, line: string): boolean {
  const { oldLine, newLine, oldLeft, newLeft } = reading;
  switch (line === '' || line === '\r' ? ' ' : line.charAt(0)) {
    case '\\':
      markNoNewline(reading);
      return true;
    case '+':
      if (newLeft === 0) return false;
      return keep(reading, { kind: 'added', newLine, ...textOf(reading, line) });
    case '-':
      if (oldLeft === 0) return false;
      return keep(reading, { kind: 'removed', oldLine, ...textOf(reading, line) });
    case ' ':
      if (oldLeft === 0 || newLeft === 0) return false;
      return keep(reading, { kind: 'context', oldLine, newLine, ...textOf(reading, line) });
    default:
      return false;
  }
}

function textOf({ limits }: Reading, line: string): { text: string; isCrlf?: true; isCut?: true } {
  const isCrlf = line.endsWith('\r');
  const end = isCrlf ? line.length - 1 : line.length;
  const isCut = end - 1 > limits.maxLineLength;
  const text = line.slice(1, isCut ? limits.maxLineLength + 1 : Math.max(1, end));
  if (!isCrlf && !isCut) return { text };
  return { text, ...(isCrlf ? { isCrlf: true } : {}), ...(isCut ? { isCut: true } : {}) };
}

/** Counts a line, and keeps it while there is room. */
function keep(reading: Reading, line: DiffLine): true {
  const { file, hunk, limits } = reading;
  if (line.kind !== 'added') {
    reading.oldLine += 1;
    reading.oldLeft -= 1;
  }
  if (line.kind !== 'removed') {
    reading.newLine += 1;
    reading.newLeft -= 1;
  }
  if (file === undefined || hunk === undefined) return true;
  if (line.kind === 'added') file.additions += 1;
  if (line.kind === 'removed') file.deletions += 1;
  if (reading.kept >= limits.maxLines) {
    file.isCut = true;
    return true;
  }
  reading.kept += 1;
  hunk.lines.push(line);
  return true;
}

function markNoNewline({ file }: Reading): void {
  const last = file?.isCut === true ? undefined : file?.hunks.at(-1)?.lines.at(-1);
  if (last !== undefined) last.hasNoNewline = true;
}
