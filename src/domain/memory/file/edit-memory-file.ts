/** Adds, rewrites and removes entries of a memory file, and touches nothing else in it. */
import { renderEntryLine } from './entry-line.ts';
import { MEMORY_CATEGORIES, type MemoryCategory, type MemoryEntry } from '../memory-entry.ts';
import {
  BYTE_ORDER_MARK,
  entriesOf,
  renderMemoryFile,
  type MemoryFile,
  type MemoryPart,
} from './memory-file.ts';

/**
 * Adds entries, each below the heading of its date and category. Where they come to stand depends on their dates and ids
 * alone, so that two writers who add in another order write the same file. Ids that are there already are left out.
 */
export function addEntries(file: MemoryFile, entries: readonly MemoryEntry[]): MemoryFile {
  return entries.reduce(addEntry, file);
}

function addEntry(file: MemoryFile, entry: MemoryEntry): MemoryFile {
  if (entriesOf(file).some(({ id }) => id === entry.id)) return file;
  const parts = [...file.parts];
  const at = parts.findIndex(
    (part) =>
      part.kind === 'section' && part.date === entry.createdAt && part.category === entry.category,
  );
  if (at === -1) insertSection(parts, entry);
  else insertLine(parts, at, entry);
  return { ...file, parts };
}

const lineEndOf = (parts: readonly MemoryPart[]): string =>
  parts.some(({ raw }) => raw.endsWith('\r\n')) ? '\r\n' : '\n';

function toPart(entry: MemoryEntry, date: string, end: string): MemoryPart {
  return { kind: 'entry', raw: `${renderEntryLine(entry, date)}${end}`, entry };
}

/** Before the first entry with a greater id, else behind the last entry of the section. */
function insertLine(parts: MemoryPart[], at: number, entry: MemoryEntry): void {
  const inside = partsBelow(parts, at);
  const greater = inside.findIndex((part) => part.kind === 'entry' && part.entry.id > entry.id);
  const last = inside.findLastIndex(({ kind }) => kind === 'entry');
  const place = at + 1 + (greater === -1 ? last + 1 : greater);
  const end = lineEndOf(parts);
  closeLine(parts, place - 1, end);
  const gap: MemoryPart[] = last === -1 ? [{ kind: 'foreign', raw: end }] : [];
  parts.splice(place, 0, ...gap, toPart(entry, entry.createdAt, end));
}

/** Up to the next heading of any kind. */
function partsBelow(parts: readonly MemoryPart[], at: number): readonly MemoryPart[] {
  const next = parts.findIndex((part, index) => index > at && isHeading(part));
  return parts.slice(at + 1, next === -1 ? parts.length : next);
}

function isHeading({ kind }: MemoryPart): boolean {
  return kind === 'section' || kind === 'heading';
}

function orderOf({
  date,
  category,
}: {
  date: string;
  category: MemoryCategory | undefined;
}): string {
  return `${date} ${category === undefined ? -1 : MEMORY_CATEGORIES.indexOf(category)}`;
}

/** Before the first later section, else at the end of the file. */
function insertSection(parts: MemoryPart[], entry: MemoryEntry): void {
  const { createdAt: date, category } = entry;
  const own = orderOf({ date, category });
  const later = parts.findIndex((part) => part.kind === 'section' && orderOf(part) > own);
  const end = lineEndOf(parts);
  const place = later === -1 ? parts.length : later;
  closeLine(parts, place - 1, end);
  const before = renderMemoryFile({ parts: parts.slice(0, place) });
  const isApart = before === '' || before === BYTE_ORDER_MARK || /(?:^|\n)\r?\n$/.test(before);
  const blank: MemoryPart = { kind: 'foreign', raw: end };
  parts.splice(
    place,
    0,
    ...(isApart ? [] : [blank]),
    { kind: 'section', raw: `## ${date} [${category}]${end}`, date, category },
    blank,
    toPart(entry, date, end),
    ...(later === -1 ? [] : [blank]),
  );
}

/** The last line of a file may have no end. */
function closeLine(parts: MemoryPart[], at: number, end: string): void {
  const part = parts[at];
  if (part === undefined || part.raw.endsWith('\n')) return;
  if (at === 0 && part.raw === BYTE_ORDER_MARK) return;
  parts[at] = { ...part, raw: `${part.raw}${end}` };
}

/** Writes the lines of these entries again. Ids that are not there are left out. */
export function replaceEntries(file: MemoryFile, entries: readonly MemoryEntry[]): MemoryFile {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return changeEntries(file, (entry) => byId.get(entry.id) ?? entry);
}

/** Writes those lines again whose entry `change` gives back as another one. */
export function changeEntries(
  file: MemoryFile,
  change: (entry: MemoryEntry) => MemoryEntry,
): MemoryFile {
  let date = '';
  const parts = file.parts.map((part): MemoryPart => {
    if (part.kind === 'section') date = part.date;
    if (part.kind === 'heading') date = '';
    const entry = part.kind === 'entry' ? change(part.entry) : undefined;
    if (entry === undefined || (part.kind === 'entry' && part.entry === entry)) return part;
    const end = part.raw.endsWith('\n') ? (part.raw.endsWith('\r\n') ? '\r\n' : '\n') : '';
    return toPart(entry, date, end);
  });
  return { ...file, parts };
}

/** Removes entries, and Quorum's own headings with nothing left below them. */
export function removeEntries(file: MemoryFile, ids: ReadonlySet<string>): MemoryFile {
  return removeParts(file, (part) => {
    const id =
      part.kind === 'entry' ? part.entry.id : part.kind === 'skipped' ? part.id : undefined;
    return id !== undefined && ids.has(id);
  });
}

/** Removes parts, and Quorum's own headings with nothing left below them. */
export function removeParts(file: MemoryFile, isGone: (part: MemoryPart) => boolean): MemoryFile {
  if (!file.parts.some(isGone)) return file;
  const touched = new Set<number>();
  let section = -1;
  for (const [at, part] of file.parts.entries()) {
    if (part.kind === 'section') section = at;
    if (part.kind === 'heading') section = -1;
    if (isGone(part)) touched.add(section);
  }
  const empty = new Set(
    [...touched].filter((at) => at !== -1 && isEmptied(file.parts, at, isGone)),
  );
  let isInEmpty = false;
  const parts = file.parts.filter((part, at) => {
    if (isHeading(part)) isInEmpty = empty.has(at);
    return !isInEmpty && !isGone(part);
  });
  return { ...file, parts };
}

function isEmptied(
  parts: readonly MemoryPart[],
  at: number,
  isGone: (part: MemoryPart) => boolean,
): boolean {
  return partsBelow(parts, at).every((part) => isGone(part) || part.raw.trim() === '');
}
