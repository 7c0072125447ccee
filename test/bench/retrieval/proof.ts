/**
 * The proof of retrieval, frozen before the retriever was written: queries from real diffs of public projects, the lessons
 * that a reviewer would want for each, and made-up lessons to tell them from.
 *
 * A query has changed paths and identifiers only; every text was written for the proof.
 */
import { readFileSync } from 'node:fs';

export const SEED = 20_260_221;
/** Of the 10,000 that recall is measured with, every third cites a path of a query and has its terms only in its common end. */
export const DISTRACTORS = 10_000;

export type QueryClass = 'path' | 'term' | 'paraphrase' | 'mixed';

export interface Lesson {
  persona: string;
  text: string;
  /** Search words, as a model writes them with a lesson. */
  words: string[];
  paths: string[];
}

export interface ProofQuery {
  id: string;
  class: QueryClass;
  persona: string;
  paths: string[];
  terms: string[];
  /** The relevant ones. */
  lessons: Lesson[];
}

type Entry = Lesson & { id: string };

interface WordLists {
  verbs: string[];
  nouns: string[];
  ends: string[];
  why: string[];
  folders: string[];
  extensions: string[];
  personas: string[];
}

const FIXTURES = new URL('../../fixtures/memory-index/', import.meta.url);

export function readQueries(): ProofQuery[] {
  return JSON.parse(readFileSync(new URL('queries.json', FIXTURES), 'utf8'));
}

/** The id under which a relevant lesson is kept. */
export function lessonId(query: ProofQuery, at: number): string {
  return `lesson-${query.id}-${at}`;
}

export function relevantEntries(queries: readonly ProofQuery[]): Entry[] {
  return queries.flatMap((query) =>
    query.lessons.map((lesson, at) => ({ id: lessonId(query, at), ...lesson })),
  );
}

/**
 * Made-up lessons, the same for the same seed. One in three cites a path of a query and has none of its terms
 * but in the end that many share; one in six has one of a query's terms and none of its paths.
 */
export function distractors(queries: readonly ProofQuery[], count: number): Entry[] {
  const words: WordLists = JSON.parse(readFileSync(new URL('words.json', FIXTURES), 'utf8'));
  const random = mulberry32(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, (_, at) => {
    const query = pick(queries);
    const isPath = at % 3 === 0;
    const known = isPath ? wordsOf(query.terms) : new Set<string>();
    const noun = (): string => pickOther({ words: words.nouns, known, random });
    const verb = pickOther({ words: words.verbs, known, random });
    const term = at % 6 === 1 ? ` ${pick(query.terms)}` : '';
    const text = `${capital(verb)} the ${noun()} of each ${noun()}${term} before the ${noun()} ${pick(words.ends)}: ${pick(words.why)}.`;
    const ownPath = `${pick(words.folders)}/${pick(words.folders)}/${pick(words.nouns)}-${pick(words.nouns)}.${pick(words.extensions)}`;
    return {
      id: `distractor-${at}`,
      persona: pick(words.personas),
      text,
      words: [noun(), noun(), noun(), noun()],
      paths: [isPath ? pick(query.paths) : ownPath],
    };
  });
}

function pickOther(from: {
  words: readonly string[];
  known: ReadonlySet<string>;
  random: () => number;
}): string {
  const { words, known, random } = from;
  for (;;) {
    // Squared, so that some words are common and others rare, as in what people write.
    const word = words[Math.floor(random() ** 2 * words.length)] ?? '';
    if (!known.has(word)) return word;
  }
}

/** Whole identifiers and their parts, in lower case. */
export function wordsOf(texts: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const word of texts.join(' ').match(/[A-Za-z]{2,}/g) ?? []) {
    found.add(word.toLowerCase());
    for (const part of word.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []) found.add(part.toLowerCase());
  }
  return found;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** https://en.wikipedia.org/wiki/Linear_congruential_generator would repeat in its low bits; this 32-bit mixer does not. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
