/** How alike two texts are by the words they share, rare words more than common ones (TF-IDF, cosine). */
import { tokenise } from '../text/words.ts';

/** Terms with their weights, of length 1; empty for a text without telling words. */
export type TermVector = ReadonlyMap<string, number>;

/** How much a term says, learned from texts. */
export interface Corpus {
  texts: number;
  /** In how many texts each term is. */
  spread: ReadonlyMap<string, number>;
}

export function corpusOf(texts: readonly string[]): Corpus {
  const spread = new Map<string, number>();
  for (const text of texts)
    for (const term of new Set(tokenise(text))) spread.set(term, (spread.get(term) ?? 0) + 1);
  return { texts: texts.length, spread };
}

/** Smoothed, so that a term of every text still counts a little, and one of no text has a weight. */
function idf(term: string, { texts, spread }: Corpus): number {
  return Math.log((1 + texts) / (1 + (spread.get(term) ?? 0))) + 1;
}

export function vectorOf(text: string, corpus: Corpus): TermVector {
  const counts = new Map<string, number>();
  for (const term of tokenise(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  // Said ten times is not ten times as important.
  const weighted = [...counts].map(
    ([term, count]) => [term, (1 + Math.log(count)) * idf(term, corpus)] as const,
  );
  const length = Math.hypot(...weighted.map(([, weight]) => weight));
  return new Map(weighted.map(([term, weight]) => [term, weight / length]));
}

/** From 0, nothing shared, to 1, the same words. */
export function cosine(a: TermVector, b: TermVector): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0);
  return Math.min(1, sum);
}

/** The terms that say most about a text. */
export function heaviest(vector: TermVector, most: number): string[] {
  return [...vector]
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, most)
    .map(([term]) => term);
}
