/** Which texts a review needs besides the diff: those a detector of credentials reads, and those rules look things up in. */
import type { Diff, DiffFile } from './diff/diff.ts';
import { findMoved } from './diff/moved.ts';
import { isDocumentPath, isLockfile, isSourcePath, isTestPath, nameOf } from './paths.ts';

/**
 * The new lines of every text file, for a detector: its line numbers count these lines. Lines that stood elsewhere
 * before and lockfiles, which are full of digests, are left out. Linear.
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

/** Paths of texts, most needed first. */
export interface TextsWanted {
  head: string[];
  base: string[];
}

const MANIFEST =
  /^(?:package\.json|pyproject\.toml|requirements[^/]*\.txt|go\.mod|\.gitignore|\.env\.(?:example|sample|template))$/;
const SCRIPT = /\.[cm]?[jt]sx?$/;

/**
 * What rules ask for: the changed files on both sides, manifests, ignore files, documents, and, where something was taken away, the
 * scripts that may still use it. `paths` are those of the head, as far as they are known.
 */
export function textsWanted(diff: Diff, paths: readonly string[]): TextsWanted {
  const texts = diff.files.filter(({ content }) => content === 'text' || content === 'none');
  const changed = texts.filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const beside = [
    ...paths.filter((path) => MANIFEST.test(nameOf(path))),
    ...paths.filter((path) => isDocumentPath(path) && !isTestPath(path)),
    ...(diff.files.some(takesAway) ? paths.filter(isScript) : []),
  ];
  return {
    head: [...new Set([...changed, ...beside])],
    base: texts.flatMap(({ path, oldPath, status }) =>
      status === 'added' ? [] : [oldPath ?? path],
    ),
  };
}

function isScript(path: string): boolean {
  return SCRIPT.test(path) && (isSourcePath(path) || isTestPath(path));
}

function takesAway({ path, status, deletions }: DiffFile): boolean {
  return SCRIPT.test(path) && (status === 'deleted' || status === 'renamed' || deletions > 0);
}
