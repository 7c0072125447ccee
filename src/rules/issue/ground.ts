/** Holds what an issue names against the repository: which of it is there, and where. */
import { escapePattern } from '../../domain/text/pattern.ts';
import type { Evidence } from '../../domain/run/evidence.ts';
import type { Place } from '../../domain/review/signal.ts';
import type { NamedPath, Names, StackFrame } from '../../domain/text/names.ts';
import {
  indexPaths,
  isDocumentPath,
  isGeneratedPath,
  isSourcePath,
  isTestPath,
  knownExtension,
  resolvePath,
  testsFor,
} from '../../domain/repository/paths.ts';
import type { PathIndex } from '../../domain/repository/paths.ts';
import { scorePaths } from '../../domain/text/terms.ts';
import type { IssueView, SourceFile } from '../../domain/run/view.ts';
import { findDefinitions, findLine } from './definitions.ts';

export interface Ground {
  files: Evidence['files'];
  symbols: { name: string; place: Place }[];
  frames: { frame: StackFrame; path: string }[];
  options: { option: string; place: Place }[];
  messages: { message: string; place: Place }[];
  missingPaths: NamedPath[];
  missingSymbols: string[];
  tests: string[];
}

export interface GroundInput {
  view: Pick<IssueView, 'paths' | 'files' | 'notRead'>;
  names: Names;
  title: string;
  /** Running text, code left out. */
  prose: string;
}

/** What a reason to look at a file is worth; words in its path give at most {@link MAX_TERM_SCORE}. */
const WORTH = { named: 10, frame: 9, message: 8, symbol: 7, option: 4.5 };
const MAX_TERM_SCORE = 4;
const MAX_FILES = 12;
const MAX_TERM_FILES = 4;

interface Reason {
  path: string;
  why: string;
  score: number;
  lines?: [number, number];
}

function rangeOf(place: Place): [number, number] | undefined {
  return place.line === undefined ? undefined : [place.line, place.endLine ?? place.line];
}

function reason(place: Place, why: string, score: number): Reason {
  const lines = rangeOf(place);
  return lines === undefined
    ? { path: place.path, why, score }
    : { path: place.path, why, score, lines };
}

/** Resolves everything that can be resolved. Linear in the text of the files that were read. */
export function decideGround(input: GroundInput): Ground {
  const { view, names } = input;
  const index = indexPaths(view.paths);
  const sources = view.files.filter(({ path }) => !isGeneratedPath(path));
  const named = names.paths
    .map((path) => ({ named: path, path: resolvePath(path.path, index) }))
    .filter((one): one is { named: NamedPath; path: string } => one.path !== undefined);
  const frames = names.frames
    .map((frame) => ({ frame, path: resolvePath(frame.path, index) }))
    .filter((one): one is { frame: StackFrame; path: string } => one.path !== undefined);
  const symbols = findDefinitions(
    names.symbols.map(({ name }) => name),
    sources,
  );
  const found = {
    symbols,
    frames,
    options: names.options
      .map((option) => ({ option, place: findInCode(option, sources) }))
      .filter((one): one is { option: string; place: Place } => one.place !== undefined),
    messages: names.errorMessages
      .map((message) => ({ message, place: findMessage(message, sources) }))
      .filter((one): one is { message: string; place: Place } => one.place !== undefined),
  };
  const files = merge(reasonsOf(input, { ...found, named }));
  return {
    ...found,
    files,
    missingPaths: missingPaths(input, index),
    missingSymbols: missingSymbols(input, symbols),
    tests: testsBeside(files, view.paths),
  };
}

interface Resolved {
  named: { named: NamedPath; path: string }[];
  frames: Ground['frames'];
  symbols: Ground['symbols'];
  options: Ground['options'];
  messages: Ground['messages'];
}

/** Every reason to look at a file, one for each thing that was found. */
function reasonsOf(input: GroundInput, found: Resolved): Reason[] {
  return [
    ...found.named.map(({ named: { path: _written, ...lines }, path }) =>
      reason({ path, ...linesOf(lines) }, 'named in the issue', WORTH.named),
    ),
    ...found.frames.map(({ frame, path }) =>
      reason({ path, line: frame.line }, `in the stack trace, line ${frame.line}`, WORTH.frame),
    ),
    ...found.messages.map(({ message, place }) =>
      reason(place, `raises "${message.slice(0, 60)}"`, WORTH.message),
    ),
    ...found.symbols.map(({ name, place }) => reason(place, `defines \`${name}\``, WORTH.symbol)),
    ...found.options.map(({ option, place }) =>
      reason(
        place,
        `reads \`${option}\``,
        input.title.includes(option) ? WORTH.symbol : WORTH.option,
      ),
    ),
    ...byTerms(input),
  ];
}

/** Tests of the code that is pointed to, not of what only sounds like it. */
function testsBeside(files: Evidence['files'], paths: readonly string[]): string[] {
  const found = files
    .filter(({ score }) => score >= 5)
    .flatMap(({ path }) => (isTestPath(path) ? [path] : testsFor(path, paths)));
  return [...new Set(found)].slice(0, 8);
}

function linesOf(named: { line?: number; endLine?: number }): { line?: number; endLine?: number } {
  return {
    ...(named.line === undefined ? {} : { line: named.line }),
    ...(named.endLine === undefined ? {} : { endLine: named.endLine }),
  };
}

function merge(reasons: readonly Reason[]): Evidence['files'] {
  const merged = new Map<string, Reason>();
  for (const one of reasons) {
    const known = merged.get(one.path);
    if (known === undefined) {
      merged.set(one.path, one);
      continue;
    }
    const better = one.score > known.score ? one : known;
    const lines = better.lines ?? known.lines ?? one.lines;
    const why = known.why.includes(one.why) ? known.why : `${known.why}; ${one.why}`;
    merged.set(one.path, {
      path: one.path,
      why: why.slice(0, 200),
      score: Math.min(20, Math.max(one.score, known.score) + Math.min(one.score, known.score) / 4),
      ...(lines === undefined ? {} : { lines }),
    });
  }
  return [...merged.values()]
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_FILES)
    .map((one) => ({ ...one, score: Math.round(one.score * 10) / 10 }));
}

/** Files whose paths share words with the title: at least two words, or one that few other paths hold. */
function byTerms({ view, title, prose }: GroundInput): Reason[] {
  const scored = scorePaths(title, view.paths).filter(({ path }) => !isTestPath(path));
  const inBody = new Map(
    scorePaths(prose.slice(0, 4000), view.paths).map(({ path, score }) => [path, score]),
  );
  const best = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score >= best * 0.6)
    .map((one) => ({ ...one, score: one.score + (inBody.get(one.path) ?? 0) / 4 }))
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_TERM_FILES)
    .map(({ path, score, terms }) => ({
      path,
      why: `its path matches "${terms.join('", "')}"`,
      score: Math.min(MAX_TERM_SCORE, score / 2),
    }));
}

function findInCode(option: string, sources: readonly SourceFile[]): Place | undefined {
  const inCode = sources.filter(({ path }) => isSourcePath(path));
  return findLine(new RegExp(`(?<![\\w-])${escapePattern(option)}(?![\\w-])`), inCode);
}

/** The place in code that raises a message: by its longest run of words without values in it. */
function findMessage(message: string, sources: readonly SourceFile[]): Place | undefined {
  const fixed = message
    .split(/["'`:{}()[\]<>]|\b\d+\b|(?<!\S)[^\s/]*\/\S*/)
    .map((part) => part.trim())
    .toSorted((a, b) => b.length - a.length)[0];
  if (fixed === undefined || fixed.length < 12 || !fixed.includes(' ')) return undefined;
  const code = sources.filter(({ path }) => isSourcePath(path));
  const hit = code.find(({ text }) => text.includes(fixed));
  if (hit === undefined) return undefined;
  return { path: hit.path, line: hit.text.slice(0, hit.text.indexOf(fixed)).split('\n').length };
}

function missingPaths({ view, names }: GroundInput, index: PathIndex): NamedPath[] {
  const isCut = view.paths.length === 0 || view.notRead.some((note) => /\bpaths?\b/i.test(note));
  if (isCut) return [];
  return names.paths.filter(
    ({ path, isExplicit, isProposed }) =>
      isExplicit &&
      !isProposed &&
      knownExtension(path.slice(path.lastIndexOf('/') + 1)) &&
      !/^[/~@]|^[A-Z]:/i.test(path.replace(/^([A-Za-z]):.*/, '$1:')) &&
      !isGeneratedPath(path) &&
      /^(?:[\w.@-]+\/)*[\w.@+-]+$/.test(path) &&
      !names.frames.some((frame) => frame.path.endsWith(path)) &&
      resolvePath(path, index) === undefined &&
      (index.byName.get(path.slice(path.lastIndexOf('/') + 1).toLowerCase()) ?? []).length < 2,
  );
}

/** Only said when every source file was read in full: otherwise nobody knows. */
function missingSymbols({ view, names }: GroundInput, found: Ground['symbols']): string[] {
  const read = new Set(view.files.filter(({ isCut }) => !isCut).map(({ path }) => path));
  const code = view.paths.filter((path) => isSourcePath(path) || isTestPath(path));
  if (code.length === 0 || !code.every((path) => read.has(path))) return [];
  const known = new Set(found.map(({ name }) => name));
  const everything = view.files.map(({ text }) => text);
  return names.symbols
    .filter(({ name, isCode, isProposed }) => isCode && !isProposed && !known.has(name))
    .map(({ name }) => name)
    .filter(
      (name) =>
        /[a-z][A-Z]|_|\./.test(name) &&
        !/^(?:process|console|Math|JSON|Object|Array|Promise|window|document|os|sys|fmt|node)\./.test(
          name,
        ),
    )
    .filter((name) => {
      const last = name.split(/\.|::|#/).at(-1) ?? name;
      return !everything.some((text) => text.includes(last));
    });
}

/** Whether every existing file that is named is a document. */
export function namesOnlyDocuments(names: Names): boolean {
  const paths = names.paths.filter(({ isExplicit }) => isExplicit);
  return (
    paths.length > 0 && names.frames.length === 0 && paths.every(({ path }) => isDocumentPath(path))
  );
}
