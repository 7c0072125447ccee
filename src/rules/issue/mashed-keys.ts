/** Words that fingers make on a keyboard when nothing is meant. */

/** Runs of neighbouring keys, from three letters on, and words that people type to have typed something. */
const PIECES: readonly string[] = [
  ...['asdfghjkl', 'qwertyui', 'zxcvbnm'].flatMap(beginnings),
  ...'hjkl jkl sdf fgh dfg abc xyz foo bla blah lol test testing hello hi 123'.split(' '),
];
/** The longest word that is looked at; what is longer was not typed as one. */
const MAX_WORD = 200;

function beginnings(row: string): string[] {
  return Array.from({ length: row.length - 2 }, (_, n) => row.slice(0, n + 3));
}

/**
 * Whether a word is nothing but such pieces in a row, or one character four times or more, in any case.
 * Takes at most {@link MAX_WORD} times the number of pieces steps; false for a longer word.
 */
export function isMashed(word: string): boolean {
  if (word.length > MAX_WORD) return false;
  const lower = word.toLowerCase();
  return isRepeated(lower) || isMadeOfPieces(lower);
}

function isRepeated(word: string): boolean {
  return word.length >= 4 && word.replaceAll(word.charAt(0), '') === '';
}

/** Marks each length up to which the word can be cut into pieces. */
function isMadeOfPieces(word: string): boolean {
  const ends = new Set([0]);
  for (let at = 0; at < word.length; at += 1) {
    const fitting = ends.has(at) ? PIECES.filter((piece) => word.startsWith(piece, at)) : [];
    for (const piece of fitting) ends.add(at + piece.length);
  }
  return word !== '' && ends.has(word.length);
}
