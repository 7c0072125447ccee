/** Which files of a repository a text is about, by the words they share, and which of them are worth reading for it. */
import { readNames } from './names.ts';
import {
  indexPaths,
  isGeneratedPath,
  isTestPath,
  nameOf,
  resolvePath,
  testsFor,
} from '../repository/paths.ts';
import { splitName, tokenise, toStem, wordsByStem } from './words.ts';

export interface ScoredPath {
  path: string;
  score: number;
  /** The words of the text that its path holds. */
  terms: string[];
}

/** Words that most paths hold, and that say nothing about what a file is for. */
const COMMON = new Set([
  'src',
  'lib',
  'index',
  'test',
  'spec',
  'main',
  'app',
  'ts',
  'js',
  'py',
  'go',
  'md',
  'json',
  'yml',
  'file',
  'code',
  'type',
  'util',
  'doc',
]);

function telling(text: string): Set<string> {
  return new Set(
    splitName(text)
      .map(toStem)
      .filter((term) => term.length > 1 && !COMMON.has(term)),
  );
}

function pathTerms(path: string): { name: Set<string>; folder: Set<string> } {
  const name = nameOf(path);
  const bare = name.includes('.', 1) ? name.slice(0, name.indexOf('.', 1)) : name;
  return { name: telling(bare), folder: telling(path.slice(0, path.length - name.length)) };
}

/** Scores paths by the telling words they share with a text: rare words more, file names twice as much as folders. */
export function scorePaths(text: string, paths: readonly string[]): ScoredPath[] {
  const wanted = new Set(tokenise(text));
  if (wanted.size === 0) return [];
  const terms = paths.map(pathTerms);
  const words = wordsByStem(text);
  const spread = new Map<string, number>();
  for (const { name, folder } of terms)
    for (const term of new Set([...name, ...folder])) spread.set(term, (spread.get(term) ?? 0) + 1);
  const weigh = (term: string): number => Math.log(1 + paths.length / (spread.get(term) ?? 1));
  return paths
    .map((path, at): ScoredPath => {
      const { name = new Set<string>(), folder = new Set<string>() } = terms[at] ?? {};
      const inName = [...name].filter((term) => wanted.has(term));
      const inFolder = [...folder].filter((term) => wanted.has(term) && !name.has(term));
      const sum = 2 * total(inName, weigh) + total(inFolder, weigh);
      const score = isGeneratedPath(path) ? 0 : sum / (1 + 0.15 * name.size);
      const shown = [...inName, ...inFolder].map((term) => words.get(term) ?? term);
      return { path, score, terms: shown };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

function total(terms: readonly string[], weigh: (term: string) => number): number {
  return terms.reduce((sum, term) => sum + weigh(term), 0);
}

const BASICS =
  /^(?:readme(?:\.[a-z]+)?|contributing\.md|\.github\/contributing\.md|package\.json|pyproject\.toml|go\.mod|cargo\.toml)$/i;

/**
 * Chooses what to read of a repository for a text, best first. First come files that it names and stack frames point
 * to, then files whose paths share its words. The tests of both follow, and last README, CONTRIBUTING and the manifest.
 */
export function pickPaths(text: string, paths: readonly string[], limit: number): string[] {
  const index = indexPaths(paths);
  const names = readNames(text);
  const named = [...names.frames, ...names.paths]
    .map(({ path }) => resolvePath(path, index))
    .filter((path) => path !== undefined);
  const title = text.split('\n', 1)[0] ?? '';
  const scored = scorePaths(`${title}\n${title}\n${text}`, paths).map(({ path }) => path);
  const sources = scored
    .filter((path) => !isTestPath(path))
    .slice(0, Math.max(1, Math.ceil(limit * 0.6)));
  const tests = [...named, ...sources.slice(0, 3)].flatMap((path) =>
    testsFor(path, paths).slice(0, 2),
  );
  const basics = paths.filter((path) => BASICS.test(path));
  const picked = new Set([...named, ...sources.slice(0, 3), ...tests, ...sources, ...basics]);
  return [...picked].filter((path) => !isBinary(path)).slice(0, limit);
}

function isBinary(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|ico|pdf|zip|gz|woff2?|ttf|mp4|mp3|wasm|exe|dll|so|bin)$/i.test(
    path,
  );
}
