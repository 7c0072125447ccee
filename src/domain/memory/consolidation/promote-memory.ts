/** What repeats in `working.md` is proposed for `core.md`, and long files are condensed (NW-14). Nothing here is silent. */
import { isBullet, readEntryLine, renderLesson } from '../file/entry-line.ts';
import { joinEntries } from '../join-entries.ts';
import type { MemoryEntry } from '../memory-entry.ts';
import { entriesOf, type MemoryFile } from '../file/memory-file.ts';
import { faultOfModelText, isOpposite, sharedWords, significantWords } from '../memory-text.ts';

const LEAST_SECTIONS = 3;
const LEAST_DATES = 3;
const LEAST_SHARED = 3;

/** A lesson for `core.md`, and the entries that leave `working.md` for it. */
export interface Promotion {
  lesson: MemoryEntry;
  leaves: MemoryEntry[];
}

/**
 * Lessons that share at least three telling words over at least three dates. The text is that of the newest; a model's
 * may replace it, see {@link rewordPromotion}.
 */
export function findPromotions(working: MemoryFile, today: string): Promotion[] {
  const sections = working.parts.filter(({ kind }) => kind === 'section');
  if (sections.length < LEAST_SECTIONS) return [];
  const newestFirst = withWords(entriesOf(working))
    .filter(({ entry }) => entry.state === 'active')
    .toSorted((a, b) => newerFirst(a.entry, b.entry));
  const used = new Set<string>();
  return newestFirst.flatMap((seed): Promotion[] => {
    if (used.has(seed.entry.id)) return [];
    const free = newestFirst.filter(({ entry }) => !used.has(entry.id));
    const leaves = groupOf(seed, free);
    if (new Set(leaves.map(({ createdAt }) => createdAt)).size < LEAST_DATES) return [];
    const lesson = joinEntries(leaves, { ...seed.entry, createdAt: today });
    if (lesson === undefined) return [];
    for (const { id } of leaves) used.add(id);
    return [{ lesson, leaves }];
  });
}

interface Worded {
  entry: MemoryEntry;
  words: ReadonlySet<string>;
}

function withWords(entries: readonly MemoryEntry[]): Worded[] {
  return entries.map((entry) => ({ entry, words: significantWords(entry.text) }));
}

function newerFirst(a: MemoryEntry, b: MemoryEntry): number {
  return a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0;
}

/** The seed and, closest first, the lessons that share the same words with all that are in the group before them. */
function groupOf(seed: Worded, others: readonly Worded[]): MemoryEntry[] {
  const near = others
    .filter(({ entry }) => entry.id !== seed.entry.id)
    .map((each) => ({ ...each, shared: sharedWords(seed.words, each.words) }))
    .filter(({ shared }) => shared >= LEAST_SHARED)
    .filter(({ entry }) => !isOpposite(seed.entry.text, entry.text))
    .toSorted((a, b) => b.shared - a.shared);
  let common = seed.words;
  const group = [seed.entry];
  for (const { entry, words } of near) {
    const left = new Set([...common].filter((word) => words.has(word)));
    if (left.size < LEAST_SHARED) continue;
    common = left;
    group.push(entry);
  }
  return group;
}

/** The same promotion in a model's words; undefined when the text may not be kept. */
export function rewordPromotion(promotion: Promotion, words: string): Promotion | undefined {
  const text = words
    .trim()
    .replace(/^[-*+][ \t]+/, '')
    .replace(/^\[[A-Z]+\][ \t]*/, '');
  if (faultOfModelText(text) !== undefined || /\(refs?:/.test(text)) return undefined;
  const { category, createdAt } = promotion.lesson;
  const lesson = joinEntries(promotion.leaves, { category, text, createdAt });
  return lesson === undefined ? undefined : { ...promotion, lesson };
}

/** Lines of `working.md` from which on it is to be condensed. */
const LONGEST_WORKING = 150;

export function isCompactionDue(text: string): boolean {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines > LONGEST_WORKING;
}

/** What a model is shown of the entries that it condenses: each with its id, to cite where a line comes from. */
export function renderForCondensing(entries: readonly MemoryEntry[]): string {
  return condensable(entries)
    .map((entry) => `${renderLesson({ ...entry, refs: [] })} [m:${entry.id}]`)
    .join('\n');
}

/** What waits for a person, or is to be removed, is not mixed with what is in use. */
function condensable(entries: readonly MemoryEntry[]): MemoryEntry[] {
  return entries.filter(({ state }) => state === 'active');
}

export type Condensed =
  /** Active entries as they are to be; the others stay as they are. */
  { kind: 'accepted'; entries: MemoryEntry[] } | { kind: 'refused'; reason: string };

/** Reads a model's shorter version: bullets only, shorter, and each from entries that there are. Else the old one stays. */
export function condense(old: readonly MemoryEntry[], answer: string): Condensed {
  const before = condensable(old);
  const lines = answer.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return refuse('the answer is empty');
  const worded = withWords(before);
  const made = lines.map((line) => readCondensed(line, worded));
  const refused = made.find((each) => typeof each === 'string');
  if (refused !== undefined) return refuse(refused);
  const entries = made.filter((each) => typeof each !== 'string');
  const byId = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  if (lengthOf(byId) >= lengthOf(before)) return refuse('the answer is not shorter');
  return { kind: 'accepted', entries: byId };
}

function refuse(reason: string): Condensed {
  return { kind: 'refused', reason };
}

function lengthOf(entries: readonly MemoryEntry[]): number {
  return entries.reduce((sum, entry) => sum + renderLesson({ ...entry, refs: [] }).length + 1, 0);
}

const CITED = /[ \t]{0,3}\[m:([0-9a-f]{10}(?:, ?(?:m:)?[0-9a-f]{10}){0,49})\]/g;

function readCondensed(line: string, old: readonly Worded[]): MemoryEntry | string {
  if (!isBullet(line)) return 'the answer has a line that is no bullet';
  if (line.includes('<!--')) return 'the answer has a comment';
  const cited = new Set(line.match(CITED)?.flatMap((each) => each.match(/[0-9a-f]{10}/g) ?? []));
  const place = { persona: '', date: '', category: undefined, isDated: true };
  const read = readEntryLine(line.replaceAll(CITED, '').trimEnd(), place);
  if (read.kind !== 'entry')
    return `a bullet is no entry: ${read.kind === 'malformed' ? read.reason : 'it has no category'}`;
  const { text, category } = read.entry;
  const fault = faultOfModelText(text);
  if (fault !== undefined) return `a bullet is no entry: ${fault}`;
  const parents = parentsOf(text, cited, old);
  const [newest] = parents;
  if (newest === undefined) return 'a bullet says something that no entry said';
  if (parents.length === 1 && newest.text === text && newest.category === category) return newest;
  const joined = joinEntries(parents, { category, text, createdAt: newest.createdAt });
  return joined ?? 'a bullet comes from too many entries';
}

/** The entries that a line cites, or else those that share its words; newest first. */
function parentsOf(
  text: string,
  cited: ReadonlySet<string>,
  old: readonly Worded[],
): MemoryEntry[] {
  const own = significantWords(text);
  const least = Math.max(1, Math.min(LEAST_SHARED, own.size));
  const named = old.filter(({ entry }) => cited.has(entry.id));
  const near = ({ words }: Worded): boolean => sharedWords(own, words) >= least;
  const parents = named.length > 0 ? named : old.filter(near);
  return parents.map(({ entry }) => entry).toSorted(newerFirst);
}
