/** Reads unified and git diffs, whole or piece by piece. Never throws; what cannot be read is named with its line. */
import type { Diff, DiffFile, DiffLine, DiffProblemCode, FileStatus, Hunk } from './diff.ts';
import { NOWHERE, readGitHeader } from './diff-path.ts';
import { finishFile, readExtendedHeader, setPaths, startFile } from './file-draft.ts';
import type { FileDraft } from './file-draft.ts';

export interface DiffLimits {
  /** Lines kept over all files; beyond it, files keep their counts and lose their text. */
  maxLines: number;
  /** Files kept; the rest is a problem that says how many. */
  maxFiles: number;
  /** UTF-16 units kept of one line. */
  maxLineLength: number;
}

/**
 * A change that people read has less. What is kept of 200,000 lines is some 20 MB besides their text; the text itself
 * stays alive with them, so whoever fetches it bounds how large it may be.
 */
export const DIFF_LIMITS: DiffLimits = {
  maxLines: 200_000,
  maxFiles: 10_000,
  maxLineLength: 10_000,
};

/** Takes a diff in pieces of any size. */
export interface DiffReader {
  push: (piece: string) => void;
  /** Everything that was read. Call once, at the end. */
  end: () => Diff;
}

const HUNK_HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/;
const SUBMODULE_LOG = /^Submodule (.+) (?:([0-9a-f]{7,64})\.{2,3}([0-9a-f]{7,64}))(?: \(.+\))?:?$/;
const MAX_PROBLEMS = 50;

interface Reading {
  limits: DiffLimits;
  files: DiffFile[];
  problems: Diff['problems'];
  /** 1-based number of the line that is being read. */
  at: number;
  kept: number;
  cutFiles: number;
  file: FileDraft | undefined;
  hunk: Hunk | undefined;
  oldLeft: number;
  newLeft: number;
  oldLine: number;
  newLine: number;
  /** `--- x` seen, `+++ y` expected. */
  minus: string | undefined;
  isCombined: boolean;
  sawText: boolean;
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
      return finish(reading);
    },
  };
}

/** Reads a whole diff. Linear in its length. */
export function parseDiff(text: string, limits: DiffLimits = DIFF_LIMITS): Diff {
  const reader = createDiffReader(limits);
  reader.push(text);
  return reader.end();
}

/** One file as GitHub's list of files gives it: hunks without headers. */
export interface FilePatch {
  path: string;
  oldPath?: string;
  status: FileStatus;
  /** Absent for binary files and for those that are too large to be shown. */
  patch?: string;
}

/** Reads a file from its hunks alone. A file without a patch has content `none`. */
export function parseFilePatch(file: FilePatch, limits: DiffLimits = DIFF_LIMITS): Diff {
  const reading = startReading(limits);
  const before = file.status === 'added' ? NOWHERE : (file.oldPath ?? file.path);
  const after = file.status === 'deleted' ? NOWHERE : file.path;
  reading.file = { ...startFile({ before, after, diffLine: 1, isGit: true }), status: file.status };
  for (const line of file.patch?.split('\n') ?? []) readLine(reading, line);
  return finish(reading);
}

function startReading(limits: DiffLimits): Reading {
  return {
    limits,
    files: [],
    problems: [],
    at: 0,
    kept: 0,
    cutFiles: 0,
    file: undefined,
    hunk: undefined,
    oldLeft: 0,
    newLeft: 0,
    oldLine: 0,
    newLine: 0,
    minus: undefined,
    isCombined: false,
    sawText: false,
  };
}

function complain(reading: Reading, code: DiffProblemCode, message: string): void {
  if (reading.problems.length < MAX_PROBLEMS)
    reading.problems.push({ line: Math.max(1, reading.at), code, message });
}

function finish(reading: Reading): Diff {
  endHunk(reading);
  endFile(reading);
  const { files, problems, cutFiles, limits } = reading;
  if (cutFiles > 0)
    complain(
      reading,
      'too-many-files',
      `${cutFiles} files beyond the first ${limits.maxFiles} were left out; split the change`,
    );
  if (files.length === 0 && problems.length === 0 && reading.sawText)
    problems.push({
      line: 1,
      code: 'not-a-diff',
      message: 'no file header was found; give the output of `git diff` or `diff -u`',
    });
  return { files, problems };
}

function endFile(reading: Reading): void {
  const { file, files, limits } = reading;
  reading.file = undefined;
  if (file === undefined) return;
  if (files.length < limits.maxFiles) files.push(finishFile(file));
  else reading.cutFiles += 1;
}

function endHunk(reading: Reading): void {
  if (reading.oldLeft > 0 || reading.newLeft > 0) {
    const missing = `${reading.oldLeft} old and ${reading.newLeft} new lines fewer`;
    complain(reading, 'short-hunk', `the hunk above has ${missing} than its header says`);
  }
  reading.hunk = undefined;
  reading.oldLeft = 0;
  reading.newLeft = 0;
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

/** What begins a line outside hunks, and what it does; the first that fits is taken. */
const HEADERS: readonly (readonly [string, (reading: Reading, line: string) => void])[] = [
  ['diff --git ', startGitFile],
  ['diff --cc ', refuseCombined],
  ['diff --combined ', refuseCombined],
  ['@@@', refuseCombined],
  ['--- ', (reading, line) => void (reading.minus = line.slice(4))],
  ['+++ ', (reading, line) => startSides(reading, line.slice(4))],
  ['@@ ', startHunk],
  ['@@', startHunk],
  ['Submodule ', startSubmodule],
];

function readHeaderLine(reading: Reading, line: string): void {
  const header = HEADERS.find(([start]) => line.startsWith(start));
  const isPending = reading.minus !== undefined;
  if (header !== undefined) {
    header[1](reading, line);
    if (isPending && header[0] !== '--- ') reading.minus = undefined;
    return;
  }
  reading.minus = undefined;
  const { file } = reading;
  if (file === undefined || reading.isCombined) return;
  if (file.isGit && file.hunks.length === 0) {
    readExtendedHeader(file, line);
    return;
  }
  if (!file.isGit && /^Binary files .* differ$/.test(line)) file.isBinary = true;
  if (reading.hunk !== undefined && isLeftover(line)) {
    complain(reading, 'long-hunk', 'the hunk above has more lines than its header says');
    reading.hunk = undefined;
  }
}

/** A changed line after the end of a hunk; `-- ` is how mails end. */
function isLeftover(line: string): boolean {
  return line.startsWith('+') || (line.startsWith('-') && !/^--(?: |$)/.test(line));
}

function startGitFile(reading: Reading, line: string): void {
  endHunk(reading);
  endFile(reading);
  reading.isCombined = false;
  const paths = readGitHeader(line.slice('diff --git '.length));
  if (paths === undefined) {
    complain(reading, 'bad-path', 'the paths of this file are ambiguous');
    return;
  }
  reading.file = startFile({ ...paths, diffLine: reading.at, isGit: true });
}

function refuseCombined(reading: Reading): void {
  endHunk(reading);
  if (reading.isCombined) return;
  endFile(reading);
  reading.isCombined = true;
  complain(
    reading,
    'combined-diff',
    'this is the combined diff of a merge, which has no single base; give a diff against one parent (`git diff A...B`)',
  );
}

function startSides(reading: Reading, plus: string): void {
  const { minus, file } = reading;
  if (minus === undefined || reading.isCombined) return;
  endHunk(reading);
  if (file !== undefined && file.isGit && file.hunks.length === 0) {
    setPaths(file, minus, plus);
    return;
  }
  endFile(reading);
  const started = startFile({ before: '', after: '', diffLine: reading.at - 1, isGit: false });
  setPaths(started, minus, plus);
  reading.file = started;
}

function startHunk(reading: Reading, line: string): void {
  endHunk(reading);
  if (reading.isCombined) return;
  const { file } = reading;
  const match = HUNK_HEADER.exec(line);
  if (match === null) {
    complain(reading, 'bad-hunk-header', 'a hunk begins with `@@ -line,count +line,count @@`');
    return;
  }
  if (file === undefined) {
    complain(reading, 'hunk-without-file', 'no `--- old` and `+++ new` stand before this hunk');
    return;
  }
  const [oldStart, newStart] = [Number(match[1]), Number(match[3])];
  const [oldLines, newLines] = [Number(match[2] ?? 1), Number(match[4] ?? 1)];
  const section = match[5] ?? '';
  const hunk: Hunk = { oldStart, oldLines, newStart, newLines, section, lines: [] };
  file.hunks.push(hunk);
  Object.assign(reading, { hunk, oldLine: oldStart, newLine: newStart });
  Object.assign(reading, { oldLeft: oldLines, newLeft: newLines });
}

/** `git diff --submodule=log` writes no file header for a submodule. */
function startSubmodule(reading: Reading, line: string): void {
  const match = SUBMODULE_LOG.exec(line);
  if (match === null) return;
  endHunk(reading);
  endFile(reading);
  const path = match[1] ?? '';
  const draft = startFile({ before: path, after: path, diffLine: reading.at, isGit: true });
  const [from, to] = [match[2], match[3]];
  reading.file = {
    ...draft,
    submodule: { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
  };
}
