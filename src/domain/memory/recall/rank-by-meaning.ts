/** Brings notes that were found by their words into an order that heeds their meaning as well. */

/** A vector as it is kept: one byte for each dimension, in base64. Its direction is what counts, so that its length is lost. */
export function packVector(vector: readonly number[]): string {
  const most = Math.max(...vector.map(Math.abs));
  const scale = most > 0 ? 127 / most : 0;
  return Buffer.from(Int8Array.from(vector, (each) => Math.round(each * scale))).toString('base64');
}

export function unpackVector(text: string): Int8Array {
  return new Int8Array(Buffer.from(text, 'base64'));
}

/** From 1, where both point the same way, to -1; 0 where they cannot be compared. */
export function vectorCloseness(a: Int8Array, b: Int8Array): number {
  if (a.length !== b.length) return 0;
  let [product, ofA, ofB] = [0, 0, 0];
  a.forEach((each, at) => {
    const other = b[at] ?? 0;
    product += each * other;
    ofA += each * each;
    ofB += other * other;
  });
  return ofA === 0 || ofB === 0 ? 0 : product / Math.sqrt(ofA * ofB);
}

/** How much the first places count against those behind them; both orders weigh the same. */
const SMOOTHING = 10;

/**
 * Joins two orders by reciprocal rank: of words, best first, and of meaning. What has no closeness keeps its place by words.
 *
 * @param ids - best first, by their words
 */
export function rankByMeaning(
  ids: readonly string[],
  closeness: ReadonlyMap<string, number>,
): string[] {
  const byWords = new Map(ids.map((id, at) => [id, at]));
  const known = ids.filter((id) => closeness.has(id));
  const byMeaning = new Map(
    known
      .toSorted((a, b) => (closeness.get(b) ?? 0) - (closeness.get(a) ?? 0))
      .map((id, at) => [id, at]),
  );
  const score = (id: string): number => {
    const words = byWords.get(id) ?? ids.length;
    return 1 / (SMOOTHING + words) + 1 / (SMOOTHING + (byMeaning.get(id) ?? words));
  };
  // Sorting is stable: of equal ones, the order by words decides.
  return ids.toSorted((a, b) => score(b) - score(a));
}
