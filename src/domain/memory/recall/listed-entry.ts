/** Memory as people and machines see it listed: each entry with its use, and whether what it cites is still there. */
import { refName, renderLesson } from '../file/entry-line.ts';
import { findStale } from '../judge-memory.ts';
import type { MemoryEntry, MemoryState } from '../memory-entry.ts';
import { rankMemory } from './rank-memory.ts';
import { significantTerms } from './memory-terms.ts';
import { NO_USE, type MemoryUses } from '../file/memory-use.ts';
import { verifyByTree, verifyLines, type FileNow, type TreeBlobs } from './verify-memory.ts';

/** A cited place, where it is now when it was verified. */
interface ListedRef {
  path: string;
  from: number;
  to: number;
  verified: boolean;
}

/** An entry as `quorum memory --json` prints it. */
export interface ListedEntry extends Pick<
  MemoryEntry,
  'id' | 'persona' | 'category' | 'text' | 'source' | 'trust' | 'createdAt'
> {
  refs: ListedRef[];
  /** Login of who said it, or whose words it grew from. */
  author: string | null;
  lastUsedAt: string | null;
  uses: number;
  /** Findings it caused that were kept, and that were dismissed. */
  kept: number;
  dismissed: number;
  state: MemoryState;
}

/** The code at which cited places are looked up; without it none is verified, and none is stale for that. */
export interface CodeNow {
  tree: TreeBlobs;
  files: ReadonlyMap<string, FileNow>;
}

interface Known {
  entries: readonly MemoryEntry[];
  uses: MemoryUses;
  /** ISO 8601 date. */
  today: string;
  /** Days after which an entry expires; the usual number when absent. */
  days?: number | undefined;
  code: CodeNow | undefined;
}

/** Files that changed since they were cited: their texts decide. */
export function pathsToRead(entries: readonly MemoryEntry[], tree: TreeBlobs): string[] {
  const found = [...verifyByTree(entries, tree).values()];
  return [
    ...new Set(found.flatMap((each) => (each.kind === 'lines-wanted' ? each.paths : []))),
  ].toSorted();
}

/** In the order of `entries`. */
export function describeEntries({ entries, uses, today, days, code }: Known): ListedEntry[] {
  const stale = new Set(findStale(entries, uses, { today, days }).map(({ entry }) => entry.id));
  return entries.map((entry) => {
    const { id, persona, category, text, source, trust, createdAt, author } = entry;
    const refs = code === undefined ? unverified(entry) : verifyEach(entry, code);
    const isGone = code !== undefined && refs.some(({ verified }) => !verified);
    const isStale = entry.state === 'active' && (stale.has(id) || isGone);
    const { lastUsedAt, verifiedAt: _, ...counts } = uses[id] ?? NO_USE;
    return {
      id,
      persona,
      category,
      text,
      refs,
      source,
      trust,
      createdAt,
      author: author?.login ?? null,
      lastUsedAt: lastUsedAt ?? null,
      ...counts,
      state: isStale ? 'stale' : entry.state,
    };
  });
}

function unverified({ refs }: MemoryEntry): ListedRef[] {
  return refs.map(({ path, from, to }) => ({ path, from, to, verified: false }));
}

/** One by one, so that each says for itself whether it is still there. */
function verifyEach(entry: MemoryEntry, { tree, files }: CodeNow): ListedRef[] {
  return entry.refs.map((ref) => {
    const found = verifyByTree([{ ...entry, refs: [ref] }], tree).get(entry.id);
    const known = found?.kind === 'lines-wanted' ? verifyLines(found, files) : found;
    const now = known?.kind === 'verified' ? known.refs[0] : undefined;
    const { path, from, to } = now ?? ref;
    return { path, from, to, verified: now !== undefined };
  });
}

/** Newest first; those of one day by their ids. */
export function newestFirst<T extends Pick<MemoryEntry, 'id' | 'createdAt'>>(
  entries: readonly T[],
): T[] {
  return entries.toSorted((a, b) => compare(b.createdAt, a.createdAt) || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Entries that hold a text as it is written, in their words or in what they cite; then those that share terms, best first. */
export function searchEntries(entries: readonly MemoryEntry[], text: string): MemoryEntry[] {
  const candidates = entries.map(({ id, text: said, words, refs }) => ({
    id,
    terms: significantTerms([said]),
    words: significantTerms(words),
    paths: refs.map(({ path }) => path),
  }));
  const counts = new Map<string, number>();
  for (const { terms, words } of candidates)
    for (const term of new Set([...terms, ...words])) counts.set(term, (counts.get(term) ?? 0) + 1);
  const wanted = significantTerms([text]).filter((term) => counts.has(term));
  const frequencies = new Map(wanted.map((term) => [term, counts.get(term) ?? 0]));
  const matter = { paths: [], frequencies, total: entries.length };
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const literal = text.trim().toLowerCase();
  const holding = newestFirst(entries).filter((entry) =>
    [entry.persona, renderLesson(entry)].join('\n').toLowerCase().includes(literal),
  );
  const ranked = rankMemory(candidates, matter).flatMap((id) => byId.get(id) ?? []);
  return [...new Set([...(literal === '' ? [] : holding), ...ranked])];
}

/** All entries as a document, by persona; what may not be used says so. */
export function renderExport(entries: readonly ListedEntry[]): string {
  const handles = [...new Set(entries.map(({ persona }) => persona))].toSorted(compare);
  const sections = handles.map((handle) => {
    const own = entries.filter(({ persona }) => persona === handle);
    return `## ${handle}\n\n${own.map(toLine).join('\n')}\n`;
  });
  return ['# Memory\n', ...sections].join('\n');
}

function toLine(entry: ListedEntry): string {
  const state = entry.state === 'active' ? '' : ` (${entry.state})`;
  return `${renderLesson(entry)} · ${entry.createdAt}${state}`;
}

/** `src/a.ts#L3-L9`, with a note where the lines are gone. */
export function renderListedRef(ref: ListedRef): string {
  return `${refName(ref)}${ref.verified ? '' : ' (not verified)'}`;
}
