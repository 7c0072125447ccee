/** Reads the lines of a diff outside its hunks: headers of files, of hunks and of submodules. */
import type { Hunk } from './diff.ts';
import { readGitHeader } from './diff-path.ts';
import { readExtendedHeader, setPaths, startFile } from './file-draft.ts';
import { type Reading, addProblem, endFile, endHunk } from './diff-reading.ts';

const HUNK_HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/;

const SUBMODULE_LOG = /^Submodule (.+) (?:([0-9a-f]{7,64})\.{2,3}([0-9a-f]{7,64}))(?: \(.+\))?:?$/;

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

export function readHeaderLine(reading: Reading, line: string): void {
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
    addProblem(reading, 'long-hunk', 'the hunk above has more lines than its header says');
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
    addProblem(reading, 'bad-path', 'the paths of this file are ambiguous');
    return;
  }
  reading.file = startFile({ ...paths, diffLine: reading.at, isGit: true });
}

function refuseCombined(reading: Reading): void {
  endHunk(reading);
  if (reading.isCombined) return;
  endFile(reading);
  reading.isCombined = true;
  addProblem(
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
    addProblem(reading, 'bad-hunk-header', 'a hunk begins with `@@ -line,count +line,count @@`');
    return;
  }
  if (file === undefined) {
    addProblem(reading, 'hunk-without-file', 'no `--- old` and `+++ new` stand before this hunk');
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
