/** What a reflecting model answers becomes entries: few, short, plain, and about places that it has seen. */
import * as z from 'zod';
import { isCitable } from './file/entry-line.ts';
import { findOpposed, firstState } from './judge-memory.ts';
import {
  linesDigest,
  MAX_REFS,
  MAX_WORDS,
  MEMORY_CATEGORIES,
  memoryId,
  type MemoryEntry,
  type MemoryRef,
} from './memory-entry.ts';
import { faultOfModelText, isSameLesson } from './memory-text.ts';

/** Most lessons that one reflection adds or refreshes for a persona. */
export const MOST_LESSONS = 5;
/** Most that a model is asked for, for all personas together. */
const MOST_ASKED = 5;

const Ref = z.object({
  path: z.string().max(4_096),
  from: z.number().int().positive(),
  to: z.number().int().positive(),
});

const Lesson = z.object({
  category: z.enum(MEMORY_CATEGORIES),
  text: z.string(),
  refs: z.array(Ref).max(100).default([]),
  words: z.array(z.string()).max(200).default([]),
});
type Lesson = z.infer<typeof Lesson>;

/** The answer that the prompt asks for. */
export const ReflectionForm = z.object({
  lessons: z
    .array(
      z.object({
        for: z.array(z.string().max(40)).min(1).describe('Handles of those whom it helps'),
        category: z.enum(MEMORY_CATEGORIES),
        text: z
          .string()
          .max(300)
          .describe(
            'One sentence that helps in later work. No links, HTML, code blocks or mentions',
          ),
        refs: z.array(Ref).max(MAX_REFS).describe('Lines that show it, only from files above'),
        words: z
          .array(z.string().max(40))
          .max(MAX_WORDS)
          .describe('Other words by which somebody would search for it'),
      }),
    )
    .max(MOST_ASKED)
    .describe('Empty when nothing was learned'),
});

/** For whom a lesson says it is. */
const Addressed = z.object({ for: z.array(z.string()) });

/** What is read of an answer: each lesson is judged by itself, so that one bad lesson costs no other. */
export const Reflection = z.object({ lessons: z.array(z.unknown()) });

/**
 * One answer for several personas, as one for each. A lesson for nobody of them is for all: its text may be right although
 * the handle is not. One for a voice that is switched off (`silent`) is for nobody else.
 */
export function shareLessons(
  answer: unknown,
  handles: readonly string[],
  silent: readonly string[] = [],
): { persona: string; answer: unknown }[] {
  const { data } = Reflection.safeParse(answer);
  if (data === undefined) return handles.map((persona) => ({ persona, answer }));
  const addressed = data.lessons.map((lesson) => ({
    lesson,
    to: addressees(lesson, handles, silent),
  }));
  return handles.map((persona) => {
    const lessons = addressed.filter(({ to }) => to.includes(persona)).map(({ lesson }) => lesson);
    return { persona, answer: { lessons } };
  });
}

function addressees(
  lesson: unknown,
  handles: readonly string[],
  silent: readonly string[],
): readonly string[] {
  const named = Addressed.safeParse(lesson).data?.for.map(toHandle) ?? [];
  const known = handles.filter((handle) => named.includes(handle));
  if (known.length > 0) return known;
  return named.some((handle) => silent.includes(handle)) ? [] : handles;
}

function toHandle(name: string): string {
  return name.trim().replace(/^@/, '').toLowerCase();
}

/** Lines that were in view, by number, as they are in the blob. */
export interface ViewedFile {
  blobSha?: string;
  lines: ReadonlyMap<number, string>;
}

export interface ReflectionContext extends Pick<
  MemoryEntry,
  'persona' | 'source' | 'author' | 'trust'
> {
  /** ISO 8601 date. */
  today: string;
  inView: ReadonlyMap<string, ViewedFile>;
  /** What the persona and the team remember already. */
  existing: readonly MemoryEntry[];
}

export type ReflectionOutcome =
  | {
      kind: 'learned';
      /** New ones; active or quarantined. */
      entries: MemoryEntry[];
      /** Existing ones that were learned again, as they are to be written now. */
      refreshed: MemoryEntry[];
      /** Why lessons were refused, in their order. Never their text: it may be a credential. */
      refused: string[];
      /** Lessons beyond the limit, which were not looked at. */
      over: number;
    }
  | { kind: 'garbage'; reason: string };

/** Reads an answer, as a value or as JSON. It never throws. Nothing learned is an answer like any other. */
export function readReflection(answer: unknown, context: ReflectionContext): ReflectionOutcome {
  const value = typeof answer === 'string' ? fromJson(answer) : answer;
  const { data } = Reflection.safeParse(value);
  if (data === undefined)
    return { kind: 'garbage', reason: 'the answer is not an object with a list of lessons' };
  const learned = { kind: 'learned' as const, entries: [], refreshed: [], refused: [], over: 0 };
  return data.lessons.reduce<Learned>((so, lesson) => takeLesson(so, lesson, context), learned);
}

type Learned = Extract<ReflectionOutcome, { kind: 'learned' }>;

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function takeLesson(so: Learned, lesson: unknown, context: ReflectionContext): Learned {
  if (so.entries.length + so.refreshed.length >= MOST_LESSONS) return { ...so, over: so.over + 1 };
  const made = toEntry(lesson, context);
  if (typeof made === 'string') return { ...so, refused: [...so.refused, made] };
  const isKnown = ({ text }: MemoryEntry): boolean => isSameLesson(text, made.text);
  if (so.entries.some(isKnown)) return { ...so, refused: [...so.refused, 'it is there twice'] };
  const known = context.existing.find((entry) => isKnown(entry) || entry.id === made.id);
  if (known === undefined) return { ...so, entries: [...so.entries, made] };
  if (so.refreshed.some(({ id }) => id === known.id))
    return { ...so, refused: [...so.refused, 'it is there twice'] };
  return { ...so, refreshed: [...so.refreshed, refresh(known, made)] };
}

/**
 * A lesson that may be used gives a stale one new places and lets it be used again. It frees none from quarantine, and a
 * person's own line stays as it is.
 */
function refresh(known: MemoryEntry, made: MemoryEntry): MemoryEntry {
  if (known.source.kind !== 'run' || known.state === 'quarantined' || made.state !== 'active')
    return known;
  return { ...known, state: 'active', refs: made.refs.length === 0 ? known.refs : made.refs };
}

/** The entry, or why there is no entry. */
function toEntry(lesson: unknown, context: ReflectionContext): MemoryEntry | string {
  const { data } = Lesson.safeParse(lesson);
  if (data === undefined) return 'it has not the form of a lesson';
  const text = data.text.trim().replaceAll(/[ \t]+/g, ' ');
  const fault = faultOfModelText(text) ?? faultOfForm(text);
  if (fault !== undefined) return fault;
  const refs = seenRefs(data, context.inView);
  if (data.refs.length > 0 && refs.length === 0) return 'it cites only what was not in view';
  const { persona, source, author, trust, today } = context;
  return {
    id: memoryId(persona, text),
    persona,
    category: data.category,
    text,
    refs,
    words: searchWords(data.words),
    source,
    author,
    trust,
    createdAt: today,
    state:
      findOpposed(text, context.existing).length > 0 ? 'quarantined' : firstState({ trust, text }),
  };
}

/** A text that would be read as a place when its line is read again. */
function faultOfForm(text: string): string | undefined {
  return /\(refs?:/.test(text) ? 'it cites inside its text' : undefined;
}

function seenRefs({ refs }: Lesson, inView: ReflectionContext['inView']): MemoryRef[] {
  const seen = refs.map((ref) => seenRef(ref, inView)).filter((ref) => ref !== undefined);
  const byPlace = new Map(seen.map((ref) => [`${ref.path}#${ref.from}-${ref.to}`, ref]));
  return [...byPlace.values()].slice(0, MAX_REFS);
}

/** Longer places say nothing of where to look. */
const MOST_LINES = 200;

function seenRef(
  { path, from, to }: z.infer<typeof Ref>,
  inView: ReflectionContext['inView'],
): MemoryRef | undefined {
  const file = inView.get(path);
  if (file === undefined || !isCitable(path) || to < from || to - from >= MOST_LINES)
    return undefined;
  const lines = Array.from({ length: to - from + 1 }, (_, at) => file.lines.get(from + at));
  const known = lines.filter((line) => line !== undefined);
  if (known.length < lines.length) return undefined;
  const blob = file.blobSha === undefined ? {} : { blobSha: file.blobSha };
  return { path, from, to, ...blob, digest: linesDigest(known) };
}

/** A word or two in letters and digits; anything else is left out. */
function searchWords(words: readonly string[]): string[] {
  const plain = words
    .map((word) => word.normalize('NFKC').trim().toLowerCase())
    .filter((word) => /^[\p{L}\p{N}][\p{L}\p{N} ._+#-]{0,39}$/u.test(word))
    .filter((word) => faultOfModelText(word) === undefined);
  return [...new Set(plain)].slice(0, MAX_WORDS);
}
