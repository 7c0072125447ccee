/** One entry as a line of Markdown: what a person reads, and behind it the facts that a person need not touch. */
import * as z from 'zod';
import { isMatchable } from '../../repository/path-bounds.ts';
import {
  MAX_ORIGINS,
  MAX_REFS,
  MAX_WORDS,
  MEMORY_CATEGORIES,
  MEMORY_STATES,
  memoryId,
  type MemoryCategory,
  type MemoryEntry,
  type MemoryOrigin,
  type MemoryRef,
} from '../memory-entry.ts';
import { faultOfText } from '../memory-text.ts';

const Author = z.tuple([z.number().int().positive(), z.string().regex(/^[\w.[\]-]{1,100}$/)]);
const Run = z.string().regex(/^[\w:./-]{1,100}$/);
const Origin = z.object({
  run: Run.optional(),
  comment: z.number().int().positive().optional(),
  thread: z.number().int().nonnegative().optional(),
  by: Author.optional(),
});
type Origin = z.infer<typeof Origin>;

/** Facts behind a line. Unknown keys of a newer version are dropped. */
const Facts = Origin.extend({
  id: z.string().regex(/^[0-9a-f]{10}$/),
  /** Only where it is not the date of the heading. */
  at: z.iso.date().optional(),
  trust: z.enum(['stranger', 'contributor', 'maintainer']),
  words: z.array(z.string().min(1).max(40)).max(MAX_WORDS).optional(),
  /** Blob and digest of each cited place that was verified. */
  seen: z.record(z.string(), z.tuple([z.string().max(64), z.string().max(64)])).optional(),
  state: z.enum(MEMORY_STATES).optional(),
  from: z.array(Origin).max(MAX_ORIGINS).optional(),
});
type Facts = z.infer<typeof Facts>;

/** What is known of a line from where it is. */
export interface LinePlace {
  persona: string;
  /** Date of the heading above it, or the day on which it was read. */
  date: string;
  /** Category of the heading above it. */
  category: MemoryCategory | undefined;
  /** Whether that heading is a dated one, below which each bullet means to be an entry. */
  isDated: boolean;
}

export type ReadLine =
  | { kind: 'entry'; entry: MemoryEntry }
  | ({ kind: 'malformed'; reason: string } & SkippedFacts)
  /** A bullet that does not mean to be an entry. */
  | { kind: 'other' };

/** What is known of a line that is skipped, so that it can be forgotten all the same. */
export interface SkippedFacts {
  id?: string;
  origins: MemoryOrigin[];
}

/** Beyond this a line is not looked at: an entry with the most places and origins is shorter. */
const LONGEST_LINE = 24_000;
const BULLET = /^ {0,3}[-*+][ \t]+/;
/** What the facts behind a line begin with. */
export const FACTS_OPENING = '<!-- memory ';
const TAG = /^\[([A-Za-z][A-Za-z ]{1,20})\][ \t]*/;
const REF = /^(.{1,1000}?)#L(\d{1,7})(?:-L?(\d{1,7}))?$/;

export function isBullet(line: string): boolean {
  return BULLET.test(line);
}

/** Reads a bullet. It never throws; what is wrong with it is its reason. */
export function readEntryLine(line: string, place: LinePlace): ReadLine {
  if (line.length > LONGEST_LINE) return malformed('the line is too long', undefined);
  const { shown, json } = splitComment(line);
  const body = shown.replace(BULLET, '').trim();
  const tag = TAG.exec(body);
  const named = categoryOf(tag?.[1]);
  const isMeant = named !== undefined || place.isDated || line.includes(FACTS_OPENING);
  if (!isMeant) return { kind: 'other' };
  const facts = readFacts(json);
  if (facts === 'broken') return malformed('the facts behind the line are broken', undefined);
  const category = tag === null ? place.category : named;
  if (category === undefined) return malformed(wrongTag(tag?.[1]), facts);
  return readBody(body.slice(tag?.[0].length ?? 0), { place, category, facts });
}

function wrongTag(word: string | undefined): string {
  return word === undefined ? 'it has no category' : `[${word}] is not a category`;
}

function splitComment(line: string): { shown: string; json?: string } {
  const at = line.lastIndexOf(FACTS_OPENING);
  const end = line.trimEnd();
  if (at === -1 || !end.endsWith('-->')) return { shown: line };
  return { shown: line.slice(0, at), json: end.slice(at + FACTS_OPENING.length, -3) };
}

function splitRefs(body: string): { text: string; list?: string } {
  const at = body.lastIndexOf('(ref');
  const [opening = ''] = /^\(refs?: ?/.exec(body.slice(at)) ?? [];
  if (at === -1 || opening === '' || !body.endsWith(')')) return { text: body };
  return { text: body.slice(0, at).trimEnd(), list: body.slice(at + opening.length, -1) };
}

function readBody(
  body: string,
  about: { place: LinePlace; category: MemoryCategory; facts: Facts | undefined },
): ReadLine {
  const { text, list } = splitRefs(body);
  const fault = faultOfText(text);
  if (fault !== undefined) return malformed(fault, about.facts);
  const refs = readRefs(list, about.facts?.seen ?? {});
  if (typeof refs === 'string') return malformed(refs, about.facts);
  return { kind: 'entry', entry: toEntry({ text, refs }, about) };
}

function toEntry(
  { text, refs }: Pick<MemoryEntry, 'text' | 'refs'>,
  {
    place,
    category,
    facts,
  }: { place: LinePlace; category: MemoryCategory; facts?: Facts | undefined },
): MemoryEntry {
  const { persona, date } = place;
  const common = { persona, category, text, refs };
  if (facts === undefined)
    return {
      ...common,
      id: memoryId(persona, text),
      words: [],
      source: { kind: 'hand' },
      author: undefined,
      trust: 'maintainer',
      createdAt: date,
      state: 'active',
    };
  return {
    ...common,
    id: facts.id,
    words: facts.words ?? [],
    ...originOf(facts),
    trust: facts.trust,
    createdAt: facts.at ?? date,
    state: facts.state ?? 'active',
    ...(facts.from === undefined ? {} : { grewFrom: facts.from.map(originOf) }),
  };
}

function malformed(reason: string, facts: Facts | undefined): ReadLine {
  if (facts === undefined) return { kind: 'malformed', reason, origins: [] };
  const origins = [facts, ...(facts.from ?? [])].map(originOf);
  return { kind: 'malformed', reason, id: facts.id, origins };
}

/** The category that a word in brackets names, in any case. */
export function categoryOf(word: string | undefined): MemoryCategory | undefined {
  return MEMORY_CATEGORIES.find((each) => each === word?.trim().toUpperCase());
}

function readFacts(json: string | undefined): Facts | 'broken' | undefined {
  if (json === undefined) return undefined;
  try {
    return Facts.safeParse(JSON.parse(json)).data ?? 'broken';
  } catch {
    return 'broken';
  }
}

/** Cited places of a line, or what is wrong with them. */
function readRefs(
  list: string | undefined,
  seen: NonNullable<Facts['seen']>,
): MemoryRef[] | string {
  if (list === undefined) return [];
  const names = list.split(/,[ \t]+/).map((each) => each.trim().replaceAll('`', ''));
  if (names.length > MAX_REFS) return `it cites more than ${MAX_REFS} places`;
  const refs = names.map((name) => readRef(name, seen));
  const known = refs.filter((ref) => ref !== undefined);
  return known.length === refs.length ? known : 'a cited place is not written as `path#L1-L2`';
}

function readRef(name: string, seen: NonNullable<Facts['seen']>): MemoryRef | undefined {
  const [, path = '', first = '', last = first] = REF.exec(name) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (!isCitable(path) || from < 1 || to < from) return undefined;
  const known = Object.hasOwn(seen, refName({ path, from, to }))
    ? seen[refName({ path, from, to })]
    : undefined;
  if (known === undefined) return { path, from, to };
  const [blobSha, digest] = known;
  return {
    path,
    from,
    to,
    ...(blobSha === '' ? {} : { blobSha }),
    ...(digest === '' ? {} : { digest }),
  };
}

/** Whether a path can be cited: it is a file's, and a line of Markdown can hold it. */
export function isCitable(path: string): boolean {
  const isPlain = path.length <= 300 && !/[\p{Cc}`<>]|,\s|#L\d|\(ref|^\s|\s$/u.test(path);
  return isPlain && isMatchable(path) && !path.split('/').includes('..');
}

/** `src/a.ts#L3-L9`. */
export function refName({ path, from, to }: Pick<MemoryRef, 'path' | 'from' | 'to'>): string {
  return `${path}#L${from}${to === from ? '' : `-L${to}`}`;
}

/** `- [PATTERN] lesson (ref: src/a.ts#L3-L9)`, what a person reads of an entry. */
export function renderLesson({
  category,
  text,
  refs,
}: Pick<MemoryEntry, 'category' | 'text' | 'refs'>) {
  const cited = refs.length === 0 ? '' : ` (ref: ${refs.map(refName).join(', ')})`;
  return `- [${category}] ${text}${cited}`;
}

/** The whole line. The date is its heading's. */
export function renderEntryLine(entry: MemoryEntry, date: string): string {
  const seen = entry.refs
    .filter(({ blobSha, digest }) => blobSha !== undefined || digest !== undefined)
    .map((ref): [string, [string, string]] => [
      refName(ref),
      [ref.blobSha ?? '', ref.digest ?? ''],
    ]);
  const facts: Facts = {
    id: entry.id,
    ...(entry.createdAt === date ? {} : { at: entry.createdAt }),
    ...factsOf(entry),
    trust: entry.trust,
    ...(entry.words.length === 0 ? {} : { words: entry.words }),
    ...(seen.length === 0 ? {} : { seen: Object.fromEntries(seen) }),
    ...(entry.state === 'active' ? {} : { state: entry.state }),
    ...(entry.grewFrom === undefined ? {} : { from: entry.grewFrom.map(factsOf) }),
  };
  // A comment ends at the first `-->`, wherever that is.
  const json = JSON.stringify(facts)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`);
  return `${renderLesson(entry)} <!-- memory ${json} -->`;
}

function factsOf({ source, author }: MemoryOrigin): Origin {
  return {
    ...(source.kind === 'run' ? { run: source.run, thread: source.thread } : {}),
    ...(source.kind === 'comment' ? { comment: source.commentId, thread: source.thread } : {}),
    ...(author === undefined ? {} : { by: [author.id, author.login] satisfies [number, string] }),
  };
}

function originOf({ run, comment, thread = 0, by }: Origin): MemoryOrigin {
  const author = by === undefined ? undefined : { id: by[0], login: by[1] };
  if (run !== undefined) return { source: { kind: 'run', run, thread }, author };
  if (comment !== undefined)
    return { source: { kind: 'comment', commentId: comment, thread }, author };
  return { source: { kind: 'hand' }, author };
}
