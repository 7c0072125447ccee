/** The proof of retrieval stays as it was frozen, and each query is of the class that it claims. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  distractors,
  DISTRACTORS,
  readQueries,
  relevantEntries,
  wordsOf,
  type Lesson,
  type ProofQuery,
} from '../../bench/retrieval/proof.ts';

const queries = readQueries();
const others = distractors(queries, DISTRACTORS);

test('is what was frozen before the retriever was written', () => {
  const text = JSON.stringify([queries, others]);
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    '2714742ab46af45319c0baeab87a95791892350f46bf4545a241cbfdfce80ef0',
  );
});

test('has at least 60 queries with one to three lessons each, and at least 10 of each class', () => {
  expect(queries.length).toBeGreaterThanOrEqual(60);
  for (const { lessons } of queries) {
    expect(lessons.length).toBeGreaterThanOrEqual(1);
    expect(lessons.length).toBeLessThanOrEqual(3);
  }
  for (const of of ['path', 'term', 'paraphrase', 'mixed'])
    expect(queries.filter((query) => query.class === of).length).toBeGreaterThanOrEqual(10);
});

test('a lesson keeps to the bounds of an entry', () => {
  for (const { text } of relevantEntries(queries)) {
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text).not.toMatch(/https?:|<|`/);
  }
});

test.each(queries)('$id is of the class $class', (query) => {
  expect(query.lessons.map((lesson) => look(query, lesson))).toEqual(
    query.lessons.map(() => expect.objectContaining(EXPECTED[query.class])),
  );
});

test('a third of the others cites a path of a query, and has no term of the query but in its common ends', () => {
  const sharing = others.filter((other) => queries.some((query) => sharesPathOnly(query, other)));
  expect(sharing.length).toBeGreaterThanOrEqual(Math.floor(others.length / 3));
});

/** Whether it cites a path of the query, and none of the words that were chosen for it is a term. Many share an end. */
function sharesPathOnly({ paths, terms }: ProofQuery, other: Lesson): boolean {
  if (!other.paths.some((path) => paths.includes(path))) return false;
  const [, verb = '', ...nouns] =
    /^(\w+) the (.+) of each (.+) before the (\w+)/.exec(other.text) ?? [];
  const wanted = wordsOf(terms);
  return ![...wordsOf([verb, ...nouns, ...other.words])].some((word) => wanted.has(word));
}

/** What holds for each lesson of a class; a mixed one may have anything. */
const EXPECTED = {
  path: { citesPath: true },
  term: { citesPath: false, hasRareTerm: true },
  paraphrase: { citesPath: false, hasRareTerm: false, hasSearchWord: true },
  mixed: {},
};

const frequencies = new Map<string, number>();
for (const { text } of others)
  for (const word of wordsOf([text])) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);

function look(query: ProofQuery, lesson: Lesson) {
  const wanted = wordsOf(query.terms);
  const isRare = (word: string): boolean => (frequencies.get(word) ?? 0) <= others.length / 1000;
  return {
    citesPath: lesson.paths.some((path) => query.paths.includes(path)),
    hasRareTerm: [...wordsOf([lesson.text])].some((word) => wanted.has(word) && isRare(word)),
    hasSearchWord: [...wordsOf(lesson.words)].some((word) => wanted.has(word)),
  };
}
