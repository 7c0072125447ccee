/** Which paths a build makes, so that nobody misses them in a repository: what git ignores, and what manifests name as output. */
import type { ReviewContext } from './context.ts';
import { readIgnoreFile } from '../../domain/repository/ignore-file.ts';
import { parseJsonObject } from './syntax/manifest.ts';

export interface BuildOutput {
  /** Whether a build makes the path, or what it lies in. */
  isMade(path: string): boolean;
  /** False where the repository has ignore files that were not read: then a path may be made all the same. */
  isKnown: boolean;
}

/** Of a repository whose paths are known. */
export function readBuildOutput({ paths = [], head }: ReviewContext): BuildOutput {
  const ignores = paths.filter((path) => nameFits(path, '.gitignore'));
  const read = ignores.flatMap((path) => {
    const text = head.get(path);
    return text === undefined ? [] : [{ folder: folderOf(path), ...readIgnoreFile(text) }];
  });
  const outputs = outputFolders({ paths, head });
  return {
    isMade: (path) =>
      read.some(({ folder, fits }) => {
        if (!path.startsWith(folder)) return false;
        const inside = path.slice(folder.length);
        // The path may be a folder's: `dist/` names no file.
        return fits(inside) || fits(`${inside}/`);
      }) || outputs.some((folder) => `${path}/`.startsWith(`${folder}/`)),
    isKnown: read.length === ignores.length && read.every(({ isWhole }) => isWhole),
  };
}

function nameFits(path: string, name: string): boolean {
  return path === name || path.endsWith(`/${name}`);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

type Known = Required<Pick<ReviewContext, 'paths' | 'head'>>;

/** Folders that a `package.json` says its code is in, and that are not there. */
function outputFolders({ paths, head }: Known): string[] {
  const isThere = (folder: string): boolean =>
    paths.some((path) => path === folder || path.startsWith(`${folder}/`));
  const named = [...head].flatMap(([path, text]) =>
    nameFits(path, 'package.json')
      ? entriesOf(text).map((entry) => folderOf(path) + (entry.split('/')[0] ?? ''))
      : [],
  );
  return [...new Set(named)].filter((folder) => !isThere(folder));
}

const ENTRIES = ['main', 'module', 'types', 'typings', 'browser', 'bin', 'exports'];

/** Files in folders that others get when they ask for the package. */
function entriesOf(text: string): string[] {
  const manifest = parseJsonObject(text) ?? {};
  return ENTRIES.flatMap((key) => stringsIn(manifest[key]))
    .map((entry) => entry.replace(/^\.\//, ''))
    .filter((entry) => /^[\w@-][^/]*\/./.test(entry));
}

/** Conditions nest, but not deep. */
function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 4) return [];
  return Object.values(value).flatMap((each) => stringsIn(each, depth + 1));
}
