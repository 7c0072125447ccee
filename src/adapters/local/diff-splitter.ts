/** Takes a diff of any size in pieces and keeps what a review can use: memory stays bounded, what is dropped is named. */
import { NOWHERE, readGitHeader, readPath, stripPrefixes } from '../../domain/diff/diff-path.ts';

export interface SplitLimits {
  /** Of one file's part; a larger one is left out. */
  fileBytes: number;
  /** Of all parts together; those that come later are left out. */
  totalBytes: number;
}

export interface SplitDiff {
  diff: string;
  /** Every path that was named, in order, left out or not. */
  files: string[];
  leftOut: string[];
}

export interface DiffSplitter {
  push(piece: Uint8Array): void;
  /** Call once, at the end. */
  end(): SplitDiff;
}

/** What begins a file, outside of a hunk; lines of hunks begin otherwise. */
const START = /^(?:diff -|Index: )/;
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** More of a line is never needed to tell what it is. */
const HEAD_BYTES = 8192;
const NEWLINE = 10;

interface Part {
  chunks: Uint8Array[];
  bytes: number;
  isDropped: boolean;
  /** Header lines up to the first hunk, as text: paths are read from them. */
  header: string[];
  isInHunks: boolean;
  /** Lines of the hunk that are still to come on each side. */
  oldLeft: number;
  newLeft: number;
}

interface State {
  limits: SplitLimits;
  parts: Part[];
  keptBytes: number;
  part: Part | undefined;
  /** The beginning of a line whose end has not come yet. */
  line: Uint8Array[];
  lineBytes: number;
}

export function createDiffSplitter(limits: SplitLimits): DiffSplitter {
  const state: State = {
    limits,
    parts: [],
    keptBytes: 0,
    part: undefined,
    line: [],
    lineBytes: 0,
  };
  return {
    push: (piece) => {
      let from = 0;
      for (let to = piece.indexOf(NEWLINE); to !== -1; to = piece.indexOf(NEWLINE, from)) {
        addToLine(state, piece.subarray(from, to + 1));
        endLine(state);
        from = to + 1;
      }
      if (from < piece.length) addToLine(state, piece.subarray(from));
    },
    end: () => {
      if (state.lineBytes > 0) endLine(state);
      return finish(state);
    },
  };
}

/** Of a line that belongs to a dropped part only the head is kept. */
function addToLine(state: State, bytes: Uint8Array): void {
  const isTooLong = state.lineBytes > state.limits.fileBytes;
  // The piece may be reused by its owner.
  if (!isTooLong) state.line.push(Uint8Array.from(bytes));
  state.lineBytes += bytes.length;
}

function endLine(state: State): void {
  const line = Buffer.concat(state.line);
  const bytes = state.lineBytes;
  state.line = [];
  state.lineBytes = 0;
  const text = line
    .subarray(0, HEAD_BYTES)
    .toString()
    .replace(/\r?\n$/, '');
  const part = isStart(state.part, text) ? startPart(state) : (state.part ?? startPart(state));
  addLine(state, part, { line, bytes, text });
}

/** In a diff without headers of git's, a file begins with `---` where no hunk expects a removed line. */
function isStart(part: Part | undefined, text: string): boolean {
  if (START.test(text)) return true;
  if (part === undefined || !part.isInHunks || !text.startsWith('--- ')) return false;
  return part.oldLeft <= 0 && part.newLeft <= 0;
}

function startPart(state: State): Part {
  const part: Part = {
    chunks: [],
    bytes: 0,
    isDropped: false,
    header: [],
    isInHunks: false,
    oldLeft: 0,
    newLeft: 0,
  };
  state.part = part;
  state.parts.push(part);
  return part;
}

function follow(part: Part, text: string): void {
  const [header, oldLines = '1', newLines = '1'] = HUNK.exec(text) ?? [];
  if (header !== undefined) {
    part.isInHunks = true;
    part.oldLeft = Number(oldLines);
    part.newLeft = Number(newLines);
    return;
  }
  if (text.startsWith('\\')) return;
  if (!text.startsWith('+')) part.oldLeft -= 1;
  if (!text.startsWith('-')) part.newLeft -= 1;
}

function addLine(
  state: State,
  part: Part,
  one: { line: Uint8Array; bytes: number; text: string },
): void {
  follow(part, one.text);
  if (!part.isInHunks && part.header.length < 20) part.header.push(one.text);
  part.bytes += one.bytes;
  if (part.isDropped) return;
  state.keptBytes += one.bytes;
  part.chunks.push(one.line);
  const isOver = part.bytes > state.limits.fileBytes || state.keptBytes > state.limits.totalBytes;
  if (!isOver) return;
  state.keptBytes -= part.bytes;
  part.isDropped = true;
  part.chunks = [];
}

function finish(state: State): SplitDiff {
  const files: string[] = [];
  const leftOut: string[] = [];
  for (const part of state.parts) {
    const path = pathOf(part.header);
    if (path !== undefined) files.push(path);
    if (part.isDropped) leftOut.push(path ?? 'a part without a file name');
  }
  const kept = state.parts.flatMap((part) => part.chunks);
  return { diff: Buffer.concat(kept).toString(), files, leftOut };
}

/** The new path, or the old one of a file that was deleted. */
function pathOf(header: readonly string[]): string | undefined {
  const after = header.find((line) => line.startsWith('+++ '));
  const before = header.find((line) => line.startsWith('--- '));
  if (after !== undefined && before !== undefined) {
    const sides = stripPrefixes(readPath(before.slice(4)), readPath(after.slice(4)));
    return sides.after === NOWHERE ? sides.before : sides.after;
  }
  const moved = header.find((line) => /^(?:rename|copy) to /.test(line));
  if (moved !== undefined) return readPath(moved.replace(/^\w+ to /, ''));
  const first = header[0] ?? '';
  if (first.startsWith('diff --git ')) return readGitHeader(first.slice(11))?.after;
  const [, combined] = /^diff --(?:cc|combined) (.+)$/.exec(first) ?? [];
  return combined === undefined ? undefined : readPath(combined);
}
