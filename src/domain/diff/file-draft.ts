/** A file of a diff while its headers are being read, and what they come to. */
import type { DiffFile, FileContent, FileStatus, Hunk } from './diff.ts';
import { NOWHERE, readPath, stripPrefixes } from './diff-path.ts';

export interface FileDraft {
  isGit: boolean;
  diffLine: number;
  before: string;
  after: string;
  status?: FileStatus;
  oldMode?: string;
  newMode?: string;
  isBinary: boolean;
  submodule?: { from?: string; to?: string };
  hunks: Hunk[];
  additions: number;
  deletions: number;
  isCut: boolean;
}

export function startFile(at: {
  before: string;
  after: string;
  diffLine: number;
  isGit: boolean;
}): FileDraft {
  return { ...at, isBinary: false, hunks: [], additions: 0, deletions: 0, isCut: false };
}

/** Git's extended headers: what each says about the file. */
const EXTENDED: readonly (readonly [RegExp, (draft: FileDraft, value: string) => void])[] = [
  [/^old mode (\d{6})/, (draft, mode) => void (draft.oldMode = mode)],
  [/^new mode (\d{6})/, (draft, mode) => void (draft.newMode = mode)],
  [/^new file mode (\d{6})/, (draft, mode) => set(draft, 'added', { newMode: mode })],
  [/^deleted file mode (\d{6})/, (draft, mode) => set(draft, 'deleted', { oldMode: mode })],
  [/^rename from (.+)/, (draft, path) => set(draft, 'renamed', { before: readPath(path) })],
  [/^rename to (.+)/, (draft, path) => set(draft, 'renamed', { after: readPath(path) })],
  [/^copy from (.+)/, (draft, path) => set(draft, 'copied', { before: readPath(path) })],
  [/^copy to (.+)/, (draft, path) => set(draft, 'copied', { after: readPath(path) })],
  [/^index [0-9a-f]+\.\.[0-9a-f]+ (\d{6})/, (draft, mode) => setMode(draft, mode)],
  [/^(Binary files .* differ|GIT binary patch)/, (draft) => void (draft.isBinary = true)],
];

function set(draft: FileDraft, status: FileStatus, more: Partial<FileDraft>): void {
  Object.assign(draft, more, { status });
}

function setMode(draft: FileDraft, mode: string): void {
  draft.oldMode ??= mode;
  draft.newMode ??= mode;
}

/** Reads one extended header; false for any other line. */
export function readExtendedHeader(draft: FileDraft, line: string): boolean {
  for (const [pattern, read] of EXTENDED) {
    const match = pattern.exec(line);
    if (match === null) continue;
    read(draft, match[1] ?? '');
    return true;
  }
  return false;
}

/** Takes the paths of `---` and `+++`, which are exact where the first line was ambiguous. */
export function setPaths(draft: FileDraft, minus: string, plus: string): void {
  const sides = stripPrefixes(readPath(minus), readPath(plus));
  const isMoved = draft.status === 'renamed' || draft.status === 'copied';
  if (isMoved) return;
  draft.before = sides.before;
  draft.after = sides.after;
}

function statusOf(draft: FileDraft): FileStatus {
  if (draft.status !== undefined) return draft.status;
  if (draft.before === NOWHERE) return 'added';
  if (draft.after === NOWHERE) return 'deleted';
  if (!draft.isGit) return plainStatus(draft.hunks);
  const isMode = draft.oldMode !== draft.newMode && draft.newMode !== undefined;
  return isMode && draft.hunks.length === 0 && !draft.isBinary ? 'mode-changed' : 'modified';
}

/** `diff -u` has no headers for this: an empty side is a file that is not there. */
function plainStatus(hunks: readonly Hunk[]): FileStatus {
  const [first, second] = hunks;
  if (first === undefined || second !== undefined) return 'modified';
  if (first.oldStart === 0 && first.oldLines === 0) return 'added';
  return first.newStart === 0 && first.newLines === 0 ? 'deleted' : 'modified';
}

const SPECIAL: Readonly<Record<string, FileContent>> = {
  '160000': 'submodule',
  '120000': 'symlink',
};
const LFS = /^version https:\/\/git-lfs\.github\.com\/spec\//;

function contentOf(draft: FileDraft): FileContent {
  const special = SPECIAL[draft.newMode ?? draft.oldMode ?? ''];
  if (special !== undefined) return special;
  if (draft.submodule !== undefined) return 'submodule';
  if (draft.isBinary) return 'binary';
  const [first] = draft.hunks;
  if (first === undefined) return draft.isCut ? 'text' : 'none';
  // A pointer's first line is in each of its hunks: pointers have three lines.
  return first.lines.slice(0, 2).some(({ text }) => LFS.test(text)) ? 'lfs' : 'text';
}

const SUBMODULE_LINE = /^Subproject commit ([0-9a-f]{7,64})/;

function submoduleOf(draft: FileDraft): { from?: string; to?: string } {
  const found = { ...draft.submodule };
  for (const { kind, text } of draft.hunks.flatMap(({ lines }) => lines)) {
    const commit = SUBMODULE_LINE.exec(text)?.[1];
    if (commit === undefined) continue;
    if (kind === 'removed') found.from = commit;
    if (kind === 'added') found.to = commit;
  }
  return found;
}

/** The finished file. */
export function finishFile(draft: FileDraft): DiffFile {
  const status = statusOf(draft);
  const content = contentOf(draft);
  const path = status === 'deleted' || draft.after === NOWHERE ? draft.before : draft.after;
  return {
    path,
    ...(status === 'added' || draft.before === NOWHERE ? {} : { oldPath: draft.before }),
    status,
    content,
    ...(draft.oldMode === undefined || status === 'added' ? {} : { oldMode: draft.oldMode }),
    ...(draft.newMode === undefined || status === 'deleted' ? {} : { newMode: draft.newMode }),
    ...(content === 'submodule' ? { submodule: submoduleOf(draft) } : {}),
    hunks: draft.hunks,
    additions: draft.additions,
    deletions: draft.deletions,
    isCut: draft.isCut,
    diffLine: draft.diffLine,
  };
}
