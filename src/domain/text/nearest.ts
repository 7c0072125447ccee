/** The word that was probably meant: nearest by edit distance, for messages about misspelt keys. */

/** Longer words are not compared: nobody misspells a key of this length, and the cost is quadratic. */
const MAX_LENGTH = 64;

/** The candidate nearest to `word`, or undefined when none is near enough to be a likely slip. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const wanted = fold(word);
  let best: string | undefined;
  // A third of the letters wrong, and at least two, is still the same word to a reader.
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > MAX_LENGTH) continue;
    const distance = editDistance(wanted, fold(candidate));
    // Two wrong letters out of three say nothing.
    if (distance >= bestDistance || distance >= candidate.length) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** Case and separators are not slips: `max_rounds` means `maxRounds`. */
function fold(word: string): string {
  return word.toLowerCase().replace(/[\s_-]+/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const changed = a[row - 1] === b[column - 1] ? 0 : 1;
      current.push(
        Math.min(
          at(last, column - 1) + changed,
          at(current, column - 1) + 1,
          at(last, column) + 1,
          isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

/** A cell of the table; outside of it no way leads. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
