/** The words of a diff: files, hunks and lines with their numbers on both sides. */

/** One line of a hunk, without the character that marks it and without a carriage return. */
export type DiffLine = {
  text: string;
  /** The line ended with CR LF. */
  isCrlf?: true;
  /** Last line of its file, which does not end with a newline. */
  hasNoNewline?: true;
  /** Longer than what is kept; `text` is its beginning. */
  isCut?: true;
} & (
  | { kind: 'context'; oldLine: number; newLine: number }
  | { kind: 'added'; newLine: number }
  | { kind: 'removed'; oldLine: number }
);

/** GitHub's words for the old and the new side of a diff. */
export type Side = 'LEFT' | 'RIGHT';

export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** What git found to be the function around it; may be empty. */
  section: string;
  lines: DiffLine[];
}

export type FileStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'mode-changed';

/** What a file holds. `none`: no content changed (a rename or a mode alone, or an empty file). */
export type FileContent = 'text' | 'binary' | 'submodule' | 'lfs' | 'symlink' | 'none';

export interface DiffFile {
  /** Its path after the change; for a deleted file, its former path. */
  path: string;
  /** Its path before the change, when it existed. */
  oldPath?: string;
  status: FileStatus;
  content: FileContent;
  /** Octal, as git writes them. */
  oldMode?: string;
  newMode?: string;
  /** Commits of a submodule, as far as the diff says. */
  submodule?: { from?: string; to?: string };
  hunks: Hunk[];
  additions: number;
  deletions: number;
  /** Lines were left out because the diff has more than what is kept; the counts are right. */
  isCut: boolean;
  /** 1-based line of the diff at which this file begins. */
  diffLine: number;
}

export type DiffProblemCode =
  | 'combined-diff'
  | 'not-a-diff'
  | 'bad-hunk-header'
  | 'hunk-without-file'
  | 'short-hunk'
  | 'long-hunk'
  | 'bad-path'
  | 'too-many-files';

/** Something in a diff that could not be read. */
export interface DiffProblem {
  /** 1-based line of the diff. */
  line: number;
  code: DiffProblemCode;
  /** What is wrong and what to do, as a sentence. */
  message: string;
}

export interface Diff {
  files: DiffFile[];
  problems: DiffProblem[];
}
