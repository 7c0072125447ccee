/** The state of a diff that is being read: its limits, the open file and hunk, and the problems found so far. */
import type { Diff, DiffFile, DiffProblemCode, Hunk } from './diff.ts';
import { finishFile, type FileDraft } from './file-draft.ts';

export interface DiffLimits {
  /** Lines kept over all files; beyond it, files keep their counts and lose their text. */
  maxLines: number;
  /** Files kept; the rest is a problem that says how many. */
  maxFiles: number;
  /** UTF-16 units kept of one line. */
  maxLineLength: number;
}

/**
 * Changes that people read are smaller. 200,000 lines take about 20 MB besides their text. The text stays in memory as long as
 * the lines do, so the code that fetches it must limit its size.
 */
export const DIFF_LIMITS: DiffLimits = {
  maxLines: 200_000,
  maxFiles: 10_000,
  maxLineLength: 10_000,
};

const MAX_PROBLEMS = 50;

export interface Reading {
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

export function startReading(limits: DiffLimits): Reading {
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

export function addProblem(reading: Reading, code: DiffProblemCode, message: string): void {
  if (reading.problems.length < MAX_PROBLEMS)
    reading.problems.push({ line: Math.max(1, reading.at), code, message });
}

export function finishReading(reading: Reading): Diff {
  endHunk(reading);
  endFile(reading);
  const { files, problems, cutFiles, limits } = reading;
  if (cutFiles > 0)
    addProblem(
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

export function endFile(reading: Reading): void {
  const { file, files, limits } = reading;
  reading.file = undefined;
  if (file === undefined) return;
  if (files.length < limits.maxFiles) files.push(finishFile(file));
  else reading.cutFiles += 1;
}

export function endHunk(reading: Reading): void {
  if (reading.oldLeft > 0 || reading.newLeft > 0) {
    const missing = `${reading.oldLeft} old and ${reading.newLeft} new lines fewer`;
    addProblem(reading, 'short-hunk', `the hunk above has ${missing} than its header says`);
  }
  reading.hunk = undefined;
  reading.oldLeft = 0;
  reading.newLeft = 0;
}
