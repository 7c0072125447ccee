/**
 * A persona's `core.md` and `working.md`: dated headings, one entry a line, and whatever people wrote between them. What
 * is not understood stays as it is, byte for byte; only lines that change are written again.
 */
import {
  categoryOf,
  isBullet,
  readEntryLine,
  renderLesson,
  type SkippedFacts,
} from './entry-line.ts';
import { BlockEnds } from './file-blocks.ts';
import { memoryId, type MemoryCategory, type MemoryEntry } from '../memory-entry.ts';

/** Pieces whose `raw` texts, one after the other, are the file. */
export type MemoryPart =
  | { kind: 'foreign'; raw: string }
  | { kind: 'section'; raw: string; date: string; category: MemoryCategory | undefined }
  /** A heading of people's own. It ends the dated section above. */
  | { kind: 'heading'; raw: string }
  | { kind: 'entry'; raw: string; entry: MemoryEntry }
  /** Meant to be an entry, and counted as a problem. */
  | ({ kind: 'skipped'; raw: string } & SkippedFacts);

/** An entry that was skipped. */
export interface MemoryProblem {
  /** From 1. */
  line: number;
  reason: string;
}

export interface MemoryFile {
  parts: MemoryPart[];
  problems: MemoryProblem[];
}

export interface MemoryFileContext {
  /** Handle of the persona whose folder the file is in. */
  persona: string;
  /** For entries below no dated heading, ISO 8601 date. */
  today: string;
}

const DATED = /^ {0,3}## +(\d{4}-\d{2}-\d{2})(?:[ \t]+\[([A-Za-z]{1,20})\])?[ \t]*$/;
const HEADING = /^ {0,3}#{1,2}(?:[ \t]|$)/;
const CONTINUED = /^(?: {2}|\t)[ \t]*(?![-*+][ \t]|\d{1,9}[.)][ \t])\S/;
const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

/** What some editors write before the first line; nothing may come before it. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Reads a file. It never throws; `renderMemoryFile` of the result is the same file. */
export function parseMemoryFile(source: string, context: MemoryFileContext): MemoryFile {
  const mark = source.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const lines = source.slice(mark.length).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const reader = new Reader(context, new BlockEnds(lines.map(bare)));
  if (mark !== '') reader.parts.push({ kind: 'foreign', raw: mark });
  for (let at = 0; at < lines.length; at += 1) at += reader.read(lines, at);
  return { parts: reader.parts, problems: reader.problems };
}

export function renderMemoryFile({ parts }: Pick<MemoryFile, 'parts'>): string {
  return parts.map(({ raw }) => raw).join('');
}

export function entriesOf({ parts }: Pick<MemoryFile, 'parts'>): MemoryEntry[] {
  return parts.flatMap((part) => (part.kind === 'entry' ? [part.entry] : []));
}

class Reader {
  readonly parts: MemoryPart[] = [];
  readonly problems: MemoryProblem[] = [];
  readonly #context: MemoryFileContext;
  readonly #ends: BlockEnds;
  readonly #seen = new Map<string, string>();
  #section: { date: string; category: MemoryCategory | undefined } | undefined;
  /** What ends the block that the line is in. */
  #closes: ((line: string) => boolean) | undefined;

  constructor(context: MemoryFileContext, ends: BlockEnds) {
    this.#context = context;
    this.#ends = ends;
  }

  /** Reads one line, and says how many more were read with it. */
  read(lines: readonly string[], at: number): number {
    const raw = lines[at] ?? '';
    const line = bare(raw);
    if (this.#isInBlock(line, at)) return this.#foreign(raw);
    const dated = DATED.exec(line);
    if (dated !== null) return this.#heading(raw, dated);
    if (HEADING.test(line)) return this.#ownHeading(raw);
    if (CONFLICT.test(line)) this.#note(at, 'it is the mark of a merge conflict');
    if (!isBullet(line)) return this.#foreign(raw);
    const more = countContinued(lines, at);
    return this.#bullet(lines.slice(at, at + more + 1), at);
  }

  #isInBlock(line: string, at: number): boolean {
    if (this.#closes === undefined) {
      this.#closes = this.#ends.closing(line, at);
      return this.#closes !== undefined;
    }
    if (this.#closes(line)) this.#closes = undefined;
    return true;
  }

  #foreign(raw: string): number {
    const last = this.parts.at(-1);
    if (last?.kind === 'foreign')
      this.parts.splice(-1, 1, { kind: 'foreign', raw: last.raw + raw });
    else this.parts.push({ kind: 'foreign', raw });
    return 0;
  }

  #heading(raw: string, [, date = '', word]: RegExpExecArray): number {
    const category = categoryOf(word);
    this.#section = { date, category };
    this.parts.push({ kind: 'section', raw, date, category });
    return 0;
  }

  #ownHeading(raw: string): number {
    this.#section = undefined;
    this.parts.push({ kind: 'heading', raw });
    return 0;
  }

  #bullet(raws: readonly string[], at: number): number {
    const raw = raws.join('');
    const line = raws.map((each) => bare(each).trim()).join(' ');
    const { persona, today } = this.#context;
    const read = readEntryLine(line, {
      persona,
      date: this.#section?.date ?? today,
      category: this.#section?.category,
      isDated: this.#section !== undefined,
    });
    if (read.kind === 'other') this.#foreign(raw);
    else if (read.kind === 'entry') this.#entry({ kind: 'entry', raw, entry: read.entry }, at);
    else this.#skip({ ...read, raw }, at);
    return raws.length - 1;
  }

  #entry(part: Extract<MemoryPart, { kind: 'entry' }>, at: number): void {
    const entry = this.#withOwnId(part.entry);
    const { id, text, source, author, grewFrom = [] } = entry;
    if (this.#seen.get(id) === text) {
      const origins = [{ source, author }, ...grewFrom];
      this.#skip({ raw: part.raw, reason: 'the same entry is above', id, origins }, at);
      return;
    }
    this.#seen.set(id, text);
    this.parts.push({ ...part, entry });
  }

  /** A line that was copied and reworded is another entry. */
  #withOwnId(entry: MemoryEntry): MemoryEntry {
    const known = this.#seen.get(entry.id);
    if (known === undefined || known === entry.text) return entry;
    return { ...entry, id: memoryId(entry.persona, entry.text) };
  }

  #skip(
    { raw, reason, ...facts }: { raw: string; reason: string } & SkippedFacts,
    at: number,
  ): void {
    this.#note(at, reason);
    const { id, origins } = facts;
    this.parts.push({ kind: 'skipped', raw, origins, ...(id === undefined ? {} : { id }) });
  }

  #note(at: number, reason: string): void {
    this.problems.push({ line: at + 1, reason });
  }
}

function bare(raw: string): string {
  return raw.replace(/\r?\n$/, '');
}

/** Lines of a bullet that goes on. */
function countContinued(lines: readonly string[], at: number): number {
  let more = 0;
  const isComplete = (): boolean => (lines[at + more] ?? '').trimEnd().endsWith('-->');
  while (more < 20 && !isComplete() && CONTINUED.test(lines[at + more + 1] ?? '')) more += 1;
  return more;
}

/** Most characters of `core.md` that are read; facts behind lines do not count. */
const CORE_CHARS = 4_000;

/** What a person reads of an entry, with its line's end. */
const lengthOf = (entry: MemoryEntry): number => renderLesson(entry).length + 1;

/** The first entries of `core.md` that its budget holds. */
export function readCore(file: MemoryFile): MemoryEntry[] {
  return withinBudget(entriesOf(file), CORE_CHARS);
}

/** Whether `core.md` has more than is read of it: then a merge of its entries is to be proposed. */
export function isOverCore(file: MemoryFile): boolean {
  return readCore(file).length < entriesOf(file).length;
}

function withinBudget(entries: readonly MemoryEntry[], budget: number): MemoryEntry[] {
  let left = budget;
  const end = entries.findIndex((entry) => (left -= lengthOf(entry)) < 0);
  return entries.slice(0, end === -1 ? entries.length : end);
}
