/** How entries of memory are kept and looked for, alike in both stores. */
import { createHash } from 'node:crypto';
import { TEAM } from '../../domain/memory/memory-entry.ts';
import { significantTerms } from '../../domain/memory/recall/memory-terms.ts';
import {
  folderOf,
  rarestTerms,
  searchWeights,
  type Candidate,
  type Matter,
} from '../../domain/memory/recall/rank-memory.ts';
import type { IndexedEntry, MemoryQuery } from '../../ports/memory-index.ts';
import { plain, text as textIn, type Row } from './row.ts';

/** One row; `tokens` is what the full text index has of it. */
export interface MemoryRow {
  id: string;
  /** The repository and persona that it is of: each has terms of its own, so that a search reads nothing else. */
  scope: string;
  /** Of everything that was put. */
  digest: string;
  tokens: string[];
  /** {@link ANY} and its distinct terms, of which it is counted how many entries of the scope have them. */
  terms: string[];
  /** A {@link Candidate} as JSON. */
  candidate: string;
}

/** Counted as a term that every entry has. */
const ANY = '';
/** Entries that are ranked in full. */
export const CANDIDATES = 300;
/**
 * Entries that are read for the terms of a search: most of its time. In the bench, recall among 100,000 entries is the same
 * from 2,000 on and falls at 1,000.
 */
const BUDGET = 3_000;
/** Entries that are read for files, and as many for folders, at hand. */
const FILE_BUDGET = 1_000;
/** Of an entry: those beyond these do not find it. */
const MAX_CITED = 300;
/** Of a query. Each costs a look into the index, and what touches more is near to everything. */
const MAX_FILES = 100;
const MAX_FOLDERS = 50;

/** Changes with anything that a row is made of. */
export function digestOf({ id, persona, text, words, paths }: IndexedEntry): string {
  return hash(JSON.stringify([id, persona, text, words, paths]));
}

/** Entries by the id that a row has: of two with the same one the last counts. */
export function byId(entries: readonly IndexedEntry[]): Map<string, IndexedEntry> {
  return new Map(entries.map((entry) => [plain(entry.id), entry]));
}

export function toMemoryRow(repository: number, entry: IndexedEntry): MemoryRow {
  const scope = scopeOf(repository, entry.persona);
  const terms = significantTerms([entry.text]);
  const words = significantTerms(entry.words);
  const all = [...new Set([...terms, ...words])];
  const paths = entry.paths.slice(0, MAX_CITED);
  const candidate: Candidate = { id: plain(entry.id), terms, words, paths };
  return {
    id: candidate.id,
    scope,
    digest: digestOf(entry),
    tokens: [
      ...all.map((term) => termToken(scope, term)),
      ...tokensOf([scope], 'v', new Set(paths)),
      ...tokensOf([scope], 'w', foldersOf(paths).keys()),
    ],
    terms: [ANY, ...all],
    candidate: JSON.stringify(candidate),
  };
}

/** A query in the words of the index. */
export interface Wanted {
  scopes: string[];
  paths: readonly string[];
  /** Every significant term; how many entries have each is asked first. */
  terms: string[];
}

export function toWanted({ repository, persona, paths, terms }: MemoryQuery): Wanted {
  return {
    scopes: [...new Set([TEAM, persona])].map((each) => scopeOf(repository, each)),
    paths,
    terms: [ANY, ...significantTerms([...terms, ...paths.slice(0, MAX_FILES)])],
  };
}

/** `counts`: how many entries have each term that is wanted. */
export function toMatter({ paths }: Wanted, counts: ReadonlyMap<string, number>): Matter {
  const frequencies = new Map([...counts].filter(([term]) => term !== ANY));
  return { paths, frequencies, total: counts.get(ANY) ?? 0 };
}

/** A search for entries that have any of these tokens, and what it adds to each. */
export interface Probe {
  tokens: string[];
  weight: number;
  /** Entries that it reads at most. */
  limit: number;
}

/** What is searched for, within the budgets. */
export function toProbes({ scopes, paths }: Wanted, matter: Matter): Probe[] {
  const weights = searchWeights(matter);
  const terms = rarestTerms(matter.frequencies, BUDGET).map((term) => ({
    tokens: scopes.map((scope) => termToken(scope, term)),
    weight: weights.term(term),
    limit: BUDGET,
  }));
  const folders = busiestFolders(paths);
  const known = new Set(folders);
  const isBeside = (path: string): boolean => known.has(folderOf(path));
  const [beside, others] = mostCited(paths, isBeside);
  const places = [
    // Its folder adds the rest.
    {
      tokens: tokensOf(scopes, 'v', beside),
      weight: weights.file - weights.folder,
      limit: FILE_BUDGET,
    },
    { tokens: tokensOf(scopes, 'v', others), weight: weights.file, limit: FILE_BUDGET },
    { tokens: tokensOf(scopes, 'w', folders), weight: weights.folder, limit: FILE_BUDGET },
  ];
  return [...terms, ...places].filter(({ tokens }) => tokens.length > 0);
}

/** A vector with the model that made it, as a row keeps it. */
export function toVectorText(model: string, vector: string): string {
  return `${vector} ${model}`;
}

/** Of rows `{ id, digest, vector }`: the vectors of these entries as they are, made by this model. */
export function toVectors(
  rows: readonly Row[],
  { model, entries }: { model: string; entries: readonly IndexedEntry[] },
): Map<string, string> {
  const wanted = byId(entries);
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const [vector = '', ...by] = textIn(row, 'vector').split(' ');
      const entry = wanted.get(textIn(row, 'id'));
      const isKnown = entry !== undefined && digestOf(entry) === textIn(row, 'digest');
      return isKnown && by.join(' ') === model ? [[entry.id, vector]] : [];
    }),
  );
}

export function toCandidate(json: string): Candidate {
  const candidate: Candidate = JSON.parse(json);
  return candidate;
}

function scopeOf(repository: number, persona: string): string {
  return `${repository}p${hash(persona).slice(0, 12)}`;
}

/**
 * Letters a to z and digits only, whatever the term is: nothing in it can be read as a part of a query. The letter after the
 * scope tells the kinds apart.
 */
function termToken(scope: string, term: string): string {
  return /^[a-z0-9]+$/.test(term)
    ? `${scope}t${term}`
    : `${scope}u${Buffer.from(term).toString('hex')}`;
}

/** `kind`: v of files, w of folders. */
function tokensOf(scopes: readonly string[], kind: 'v' | 'w', names: Iterable<string>): string[] {
  const hashes = [...names].map(hash);
  return scopes.flatMap((scope) => hashes.map((each) => `${scope}${kind}${each}`));
}

/** How many of the files are in each folder. */
function foldersOf(paths: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const folder of paths.map(folderOf).filter((each) => each !== ''))
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
}

/** Those of most files first, the deepest of equal ones: what is cited there is closest to the change. */
function busiestFolders(paths: readonly string[]): string[] {
  return [...foldersOf(paths)]
    .toSorted(([a, ofA], [b, ofB]) => ofB - ofA || depthOf(b) - depthOf(a))
    .slice(0, MAX_FOLDERS)
    .map(([folder]) => folder);
}

/**
 * Files that are looked for, those whose folder is looked for too and the rest. The rest comes first: nothing else finds them.
 */
function mostCited(
  paths: readonly string[],
  isBeside: (path: string) => boolean,
): [beside: Set<string>, others: Set<string>] {
  const others = new Set([...new Set(paths)].filter((path) => !isBeside(path)).slice(0, MAX_FILES));
  const beside = [...new Set(paths)].filter(isBeside).slice(0, MAX_FILES - others.size);
  return [new Set(beside), others];
}

function depthOf(folder: string): number {
  return folder.split('/').length;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
