/** A head that has no commit in common with its base, read as a change that adds every file. */
import { renderDiff } from '../../../domain/diff/render-diff.ts';
import type { DiffFile, DiffLine } from '../../../domain/diff/diff.ts';
import { isLockfile } from '../../../domain/repository/paths.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { SourceFile } from '../../../domain/run/view.ts';
import type { PullSession } from '../../../ports/github/pulls.ts';
import { OVER_THE_NETWORK, type TextLimits } from './pull-texts.ts';
import { MAX_PATHS } from '../survey.ts';

/** As many as GitHub lists of a comparison. */
const MAX_FILES = 300;
/** As many as GitHub names of a pull request. */
const MAX_NAMED = 3_000;

const UNRELATED =
  'the base branch: no commit in common with this head, so every file was reviewed as added';

export interface WholeHead {
  diff: string;
  /** Never empty: what the base has and this head lacks is not known. */
  notRead: string[];
}

/** Undefined where the head has no files to read: the commit is gone, or GitHub does not show it yet. */
export async function readWholeHead(
  { read }: PullSession,
  thread: ThreadRef,
  { headSha, limits = OVER_THE_NETWORK }: { headSha: string; limits: TextLimits | undefined },
): Promise<WholeHead | undefined> {
  const { paths, isCut } = await read.paths(thread, headSha, MAX_PATHS);
  if (paths.length === 0) return undefined;
  const wanted = paths.filter((path) => !isLockfile(path)).slice(0, MAX_FILES);
  const found = await read.files(thread, headSha, { paths: wanted, maxBytes: limits.bytes });
  const files = fitting(found, limits.total);
  const has = new Set(files.map(({ path }) => path));
  const left = paths.filter((path) => !has.has(path));
  const unnamed = left.length - MAX_NAMED;
  return {
    diff: renderDiff({ files: files.map(toAdded) }),
    notRead: [
      UNRELATED,
      ...left.slice(0, MAX_NAMED).map((path) => `${path}: not read`),
      ...(unnamed > 0 ? [`${unnamed} more files`] : []),
      ...(isCut ? ['files that GitHub leaves out of the list'] : []),
    ],
  };
}

function fitting(found: readonly SourceFile[], total: number): SourceFile[] {
  let left = total;
  return found.filter(({ text, isCut }) => {
    if (isCut || text.length > left) return false;
    left -= text.length;
    return true;
  });
}

function toAdded({ path, text }: SourceFile): DiffFile {
  const lines = toLines(text);
  const newLines = lines.length;
  const hunk = { oldStart: 0, oldLines: 0, newStart: 1, newLines, section: '', lines };
  return {
    path,
    status: 'added',
    content: newLines === 0 ? 'none' : 'text',
    hunks: newLines === 0 ? [] : [hunk],
    additions: newLines,
    deletions: 0,
    isCut: false,
    diffLine: 1,
  };
}

function toLines(text: string): DiffLine[] {
  if (text === '') return [];
  const isWhole = text.endsWith('\n');
  const lines = (isWhole ? text.slice(0, -1) : text).split('\n');
  return lines.map((line, index) => ({
    kind: 'added',
    text: line,
    newLine: index + 1,
    ...(!isWhole && index === lines.length - 1 ? { hasNoNewline: true as const } : {}),
  }));
}
