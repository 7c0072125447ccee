/** What rules about a whole repository look things up in: made once, asked by all of them. */
import { isDocumentPath, isTestPath } from '../../domain/repository/paths.ts';
import { stripInvisible } from '../../domain/text/invisible.ts';
import { redactSecrets } from '../../domain/secrets/secret-text.ts';
import type { SourceFile } from '../../domain/run/view.ts';
import type { WatchedCode } from '../../domain/repository/watched-code.ts';
import { toLine } from '../issue/quote.ts';
import { readBuildOutput } from '../change/build-output.ts';
import { candidatePaths, importedPath, readImports } from '../change/syntax/imports.ts';
import { readPackageJson, type PackageJson } from '../change/syntax/manifest.ts';
import type { Change, ChangedFile } from '../change/read-change.ts';

/** One import of a script. */
export interface ScriptImport {
  specifier: string;
  line: number;
  names: readonly string[];
  /** The file that is meant, when it is one of the repository. */
  target: string | undefined;
}

export interface Repository extends Pick<WatchedCode, 'isWhole' | 'today'> {
  /** Every file that was read, as if all of it were new. */
  change: Change;
  files: readonly ChangedFile[];
  paths: ReadonlySet<string>;
  closedIssues: ReadonlySet<number>;
  /** Imports of scripts, by path. */
  imports: ReadonlyMap<string, readonly ScriptImport[]>;
  /** Files that a file names in a string, by path: workers, programs that are started. */
  named: ReadonlyMap<string, readonly string[]>;
  /** How often each identifier occurs outside documents. */
  identifiers: ReadonlyMap<string, number>;
  /** `package.json` files that can be read, by path. */
  manifests: ReadonlyMap<string, PackageJson>;
  /** Whether a build makes a path, so that nobody misses it. */
  isMade: (path: string) => boolean;
}

/** What is counted and linked while files are read, part by part. */
export type Links = Pick<Repository, 'imports' | 'named' | 'identifiers'> & {
  /** Takes one part. Linear in its texts. */
  add(files: readonly ChangedFile[], texts: readonly SourceFile[]): void;
};

export function createLinks(paths: ReadonlySet<string>): Links {
  const imports = new Map<string, ScriptImport[]>();
  const named = new Map<string, string[]>();
  const identifiers = new Map<string, number>();
  return {
    imports,
    named,
    identifiers,
    add: (files, texts) => {
      for (const file of files.filter(({ language }) => language === 'script')) {
        imports.set(file.path, importsOf(file, paths));
        named.set(file.path, namedIn(file, paths));
      }
      for (const { path, text } of texts) if (!isDocumentPath(path)) count(text, identifiers);
    },
  };
}

export function toRuleRepository(
  change: Change,
  { imports, named, identifiers }: Links,
  { isWhole, today, closedIssues }: Pick<WatchedCode, 'isWhole' | 'today' | 'closedIssues'>,
): Repository {
  const { files, context } = change;
  const output = readBuildOutput(context);
  return {
    change,
    files,
    isWhole,
    today,
    paths: new Set(context.paths),
    closedIssues: new Set(closedIssues),
    imports,
    named,
    identifiers,
    manifests: readManifests(context.head),
    isMade: (path) => output.isMade(path),
  };
}

/** Code of a file as one text, comments blank. */
export function liveText({ lines }: ChangedFile): string {
  return Array.from(lines.values(), ({ live }) => live).join('\n');
}

function importsOf(file: ChangedFile, paths: ReadonlySet<string>): ScriptImport[] {
  return readImports(liveText(file)).flatMap(({ specifier, line, names }) => {
    // An import in a string is an example.
    if (!/\b(?:import|from|require)\b/.test(file.lines.get(line)?.code ?? '')) return [];
    const wanted = importedPath(file.path, specifier);
    const target =
      wanted === undefined ? undefined : candidatePaths(wanted).find((path) => paths.has(path));
    return [{ specifier, line, names, target }];
  });
}

const PATH_IN_STRING = /["'`]((?:\.{1,2}\/|[\w-]{1,60}\/)[\w./-]{1,200}\.\w{1,5})["'`]/g;

function namedIn(file: ChangedFile, paths: ReadonlySet<string>): string[] {
  const found = Array.from(liveText(file).matchAll(PATH_IN_STRING), ([, text = '']) =>
    [importedPath(file.path, text), text].find((path) => path !== undefined && paths.has(path)),
  );
  return [...new Set(found)].filter((path) => path !== undefined);
}

const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

function count(text: string, counts: Map<string, number>): void {
  for (const [name] of text.matchAll(IDENTIFIER)) counts.set(name, (counts.get(name) ?? 0) + 1);
}

function readManifests(texts: ReadonlyMap<string, string>): Map<string, PackageJson> {
  const found = new Map<string, PackageJson>();
  for (const [path, text] of texts) {
    const manifest = /(?:^|\/)package\.json$/.test(path) ? readPackageJson(text) : undefined;
    if (manifest !== undefined) found.set(path, manifest);
  }
  return found;
}

/** Files that some files lead to, over any number of imports and names. */
export function reachedFrom(
  start: readonly string[],
  { imports, named }: Pick<Repository, 'imports' | 'named'>,
): Set<string> {
  const reached = new Set(start);
  const waiting = [...start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const targets = (imports.get(path) ?? []).map(({ target }) => target);
    for (const next of [...targets, ...(named.get(path) ?? [])]) {
      if (next === undefined || reached.has(next)) continue;
      reached.add(next);
      waiting.push(next);
    }
  }
  return reached;
}

/** Programs that people wrote here: no tests. */
export function isOwnCode({ path, isTest }: ChangedFile): boolean {
  return !isTest && !isTestPath(path);
}

/** A line as evidence: cut, and without what looks like a credential. */
export function quoteLine({ lines }: ChangedFile, line: number): string {
  return toLine(redactSecrets(stripInvisible(lines.get(line)?.text ?? '').text));
}

/** A line that begins with these words, from 1. */
export function lineOf(text: string, wanted: RegExp): number | undefined {
  const at = text.split('\n').findIndex((line) => wanted.test(line));
  return at === -1 ? undefined : at + 1;
}
