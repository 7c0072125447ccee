/** Which texts a review needs besides the diff: those a detector of credentials reads, and those rules look things up in. */
import type { Diff, DiffFile } from '../diff/diff.ts';
import { findMoved } from '../diff/moved.ts';
import { leftOutReason } from '../repository/left-out.ts';
import {
  isDocumentPath,
  isLockfile,
  isSourcePath,
  isTestPath,
  nameOf,
} from '../repository/paths.ts';

/**
 * The new lines of every text file, for a detector: its line numbers count these lines. Moved lines are left out, and
 * so are lockfiles, which are full of digests. Linear.
 */
export function addedTexts(diff: Diff): { path: string; text: string }[] {
  const moved = findMoved(diff);
  return diff.files
    .filter(({ path, content }) => content === 'text' && !isLockfile(path))
    .flatMap(({ path, hunks }) => {
      const added = hunks
        .flatMap(({ lines }) => lines)
        .filter((line) => line.kind === 'added' && !moved.added.has(line));
      return added.length === 0 ? [] : [{ path, text: added.map(({ text }) => text).join('\n') }];
    });
}

/** Paths at the head of a change, most needed first. */
export interface TextsWanted {
  /** Changed files that somebody wrote; what they were before follows from the diff. */
  changed: string[];
  /** Manifests, ignore files, and examples of settings. */
  manifests: string[];
  /** Only all of them say what no document names. */
  documents: string[];
  /** Where something was taken away: the scripts that may still use it. */
  users: string[];
}

const MANIFEST =
  /^(?:package\.json|pyproject\.toml|requirements[^/]*\.txt|go\.mod|\.gitignore|\.env\.(?:example|sample|template))$/;
const SCRIPT = /\.[cm]?[jt]sx?$/;

/** What rules look things up in. `paths` are those of the head, as far as they are known. */
export function textsWanted(diff: Diff, paths: readonly string[]): TextsWanted {
  const changed = diff.files.filter(isWritten).map(({ path }) => path);
  const isChanged = new Set(changed);
  const others = paths.filter((path) => !isChanged.has(path));
  return {
    changed,
    manifests: others.filter((path) => MANIFEST.test(nameOf(path))),
    documents: others.filter(isToldIn),
    users: diff.files.some(takesAway) ? others.filter(isScript) : [],
  };
}

/** Histories name what was, and are long. */
function isToldIn(path: string): boolean {
  const isDocument = isDocumentPath(path) && !isTestPath(path) && !MANIFEST.test(nameOf(path));
  return isDocument && !/changelog|history/i.test(path);
}

/** Lockfiles are no text of anybody's, but rules hold manifests against them. */
function isWritten(file: DiffFile): boolean {
  if (file.status === 'deleted') return false;
  return isLockfile(file.path) || leftOutReason(file, undefined) === undefined;
}

function isScript(path: string): boolean {
  return SCRIPT.test(path) && (isSourcePath(path) || isTestPath(path));
}

function takesAway({ path, status, deletions }: DiffFile): boolean {
  return SCRIPT.test(path) && (status === 'deleted' || status === 'renamed' || deletions > 0);
}
