/** No inventions (LS-12): an insight that cites what does not exist at the run's head is dropped and counted. */
import { nameOf } from '../repository/paths.ts';
import {
  hasStrayLine,
  readCitations,
  readFolders,
  readQuotes,
  type Citation,
} from './citations.ts';
import type { Insight, InsightRef } from './insight.ts';

/** What was in view at the run's head. What is not in it cannot be checked, and counts as invented. */
export interface Viewed {
  /** Every path of the head. */
  paths: readonly string[];
  /** How many lines a file has, by path, where only that is known. */
  lines?: Readonly<Record<string, number>>;
  /** Texts of files, by path. */
  texts?: Readonly<Record<string, string>>;
  /** Other texts that participants were shown and may quote: the request, results, answers, notes. */
  record?: readonly string[];
}

export const INVENTIONS = ['unknown-path', 'unknown-line', 'unseen-line', 'unknown-quote'] as const;
export type InventionReason = (typeof INVENTIONS)[number];

export interface Invention {
  insight: Insight;
  reason: InventionReason;
  /** The path, line or quote. */
  what: string;
}

export interface Checked {
  /** With places that exist, by their whole paths. */
  kept: Insight[];
  invented: Invention[];
}

/** Checks every insight against what was in view. */
export function dropInventions(insights: readonly Insight[], viewed: Viewed): Checked {
  const view = indexView(viewed);
  const checked: Checked = { kept: [], invented: [] };
  for (const insight of insights) {
    const found = checkMessage(insight, view);
    if ('reason' in found) checked.invented.push({ insight, ...found });
    else checked.kept.push({ ...insight, refs: found.refs });
  }
  return checked;
}

/** Finds what a message invents, against one view; undefined when all that it cites exists. */
export function inventionFinder(viewed: Viewed): (said: Words) => InventionReason | undefined {
  const view = indexView(viewed);
  return (said) => {
    const found = checkMessage(said, view);
    return 'reason' in found ? found.reason : undefined;
  };
}

interface View {
  paths: ReadonlySet<string>;
  byName: ReadonlyMap<string, readonly string[]>;
  folders: ReadonlySet<string>;
  linesOf: (path: string) => number | undefined;
  material: string;
}

function indexView({ paths, lines = {}, texts = {}, record = [] }: Viewed): View {
  const byName = Map.groupBy(paths, nameOf);
  const folders = new Set(
    paths.flatMap((path) => {
      const parts = path.split('/').slice(0, -1);
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    }),
  );
  return {
    paths: new Set(paths),
    byName,
    folders,
    linesOf: (path) => {
      const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
      if (text !== undefined) return lineCountOf(text);
      return Object.hasOwn(lines, path) ? lines[path] : undefined;
    },
    material: squeeze([...Object.values(texts), ...record].join('\n')),
  };
}

/** As editors count them: an empty file has none, and a line end at the end begins no further one. */
export function lineCountOf(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

type Words = Pick<Insight, 'message' | 'refs'>;
type Fault = Pick<Invention, 'reason' | 'what'>;

function checkMessage({ message, refs }: Words, view: View): { refs: InsightRef[] } | Fault {
  const cited = [...readCitations(message), ...refs];
  const places = cited.map((citation) => checkPlace(citation, view));
  const fault = places.find((place) => 'reason' in place) ?? faultOfWords(message, view);
  if (fault !== undefined && 'reason' in fault) return fault;
  const known = places.flatMap((place) => ('path' in place ? [place] : []));
  return { refs: withoutTwins(known) };
}

function faultOfWords(message: string, view: View): Fault | undefined {
  if (hasStrayLine(message)) return { reason: 'unseen-line', what: 'a line of no file' };
  const folder = readFolders(message).find((path) => !isFolderOrForeign(path, view));
  if (folder !== undefined) return { reason: 'unknown-path', what: folder };
  const quote = readQuotes(message).find((text) => !view.material.includes(squeeze(text)));
  return quote === undefined ? undefined : { reason: 'unknown-quote', what: quote };
}

/** A branch or a package does not begin with the name of a folder at the top. */
function isFolderOrForeign(written: string, { paths, folders }: View): boolean {
  const path = written.replace(/^\.\//, '').replace(/\/$/, '');
  const [top = ''] = path.split('/');
  return !folders.has(top) || folders.has(path) || paths.has(path);
}

function checkPlace({ path, line, endLine }: Citation, view: View): InsightRef | Fault {
  const candidates = resolve(path, view);
  if (candidates.length === 0) return { reason: 'unknown-path', what: path };
  const [first = path] = candidates;
  if (line === undefined) return { path: candidates.length === 1 ? first : path };
  const last = endLine ?? line;
  const lengths = candidates.map((each) => ({ path: each, count: view.linesOf(each) }));
  const what = `${path}:${line}${endLine === undefined ? '' : `-${endLine}`}`;
  if (lengths.every(({ count }) => count === undefined)) return { reason: 'unseen-line', what };
  const fits = lengths.find(({ count }) => count !== undefined && last <= count);
  if (fits === undefined || line < 1 || last < line) return { reason: 'unknown-line', what };
  return { path: fits.path, line, ...(endLine === undefined ? {} : { endLine }) };
}

/** The whole path, or those that end with what was written. */
function resolve(path: string, { paths, byName }: View): string[] {
  if (paths.has(path)) return [path];
  return (byName.get(nameOf(path)) ?? []).filter((each) => each.endsWith(`/${path}`));
}

/** Each place once. A path without a line goes where the same path has one. */
function withoutTwins(places: readonly InsightRef[]): InsightRef[] {
  const unique = new Map(
    places.map((place) => [`${place.path}:${place.line ?? ''}-${place.endLine ?? ''}`, place]),
  );
  const all = [...unique.values()];
  return all.filter(
    (place) =>
      place.line !== undefined ||
      !all.some(({ path, line }) => path === place.path && line !== undefined),
  );
}

/** Blanks, quotation marks and what cleaning did to it do not make another quote. */
function squeeze(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll(/["“”«»`]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
