/** Reads imports of TypeScript and JavaScript, and finds the files they mean. */

import { resolveRelative } from './relative-path.ts';

export interface ImportRead {
  specifier: string;
  /** Names as they are exported there; `*` for all of them. */
  names: readonly string[];
  /** 1-based line at which the statement ends, where the specifier is. */
  line: number;
}

const STATEMENT =
  /(?:^|[\n;])[ \t]*(?:import|export)\s([\w$*{},\s]{0,2000}?)from\s*["']([^"'\n]{1,300})["']|(?:^|[\n;])[ \t]*import\s+["']([^"'\n]{1,300})["']|\b(?:import|require)\(\s*["']([^"'\n]{1,300})["']\s*\)/g;
const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.ts',
  '.json',
  '.vue',
  '.svelte',
];

/** Every import and re-export of a text. Linear. */
export function readImports(text: string): ImportRead[] {
  const found: ImportRead[] = [];
  let [line, from] = [1, 0];
  for (const match of text.matchAll(STATEMENT)) {
    const end = match.index + match[0].length;
    for (let at = text.indexOf('\n', from); at !== -1 && at < end; at = text.indexOf('\n', from)) {
      line += 1;
      from = at + 1;
    }
    const specifier = match[2] ?? match[3] ?? match[4] ?? '';
    found.push({ specifier, names: namesOf(match[1] ?? ''), line });
  }
  return found;
}

function namesOf(clause: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(clause)?.[1];
  if (braces === undefined) return ['*'];
  return braces
    .split(',')
    .map(
      (part) =>
        part
          .trim()
          .replace(/^type\s+/, '')
          .split(/\sas\s/)[0]
          ?.trim() ?? '',
    )
    .filter((name) => name !== '');
}

/** A relative specifier as a path of the repository, ending and all left as written; undefined when it is not relative. */
export function importedPath(from: string, specifier: string): string | undefined {
  const isRelative = /^\.{1,2}(?:\/|$)/.test(specifier);
  return isRelative ? resolveRelative(from, specifier.replace(/[?#][^]*$/, '')) : undefined;
}

/** Paths that an import may mean, likeliest first: TypeScript writes `.js` for `.ts`, bundlers add endings. */
export function candidatePaths(path: string): string[] {
  const bare = path.replace(/\.(?:[cm]?js|jsx)$/, '');
  return [path, bare].flatMap((stem) => [
    ...ENDINGS.map((ending) => stem + ending),
    ...ENDINGS.slice(1).map((ending) =>
      stem === '' ? `index${ending}` : `${stem}/index${ending}`,
    ),
  ]);
}
