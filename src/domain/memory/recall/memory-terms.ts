/** The terms of a diff, an issue or a lesson: what the index of memory compares. */

/** More of one text are not looked at. */
const MAX_TERMS = 400;
const MAX_LENGTH = 40;
const MIN_LENGTH = 3;
const MAX_TEXT = 200_000;

/** Words of a sentence that say nothing of its subject, and the keywords of common languages. */
const STOP_WORDS = new Set(
  `about above after again against all also and any are because been before being below between both but can cannot could did
   does doing done down during each either else ever every few for from further had has have having her here hers him his how
   into its itself just least less like made make makes many may might more most much must neither never none nor not now off
   often once one only onto other others our out over own per same shall she should since some still such than that the their
   them then there these they this those though through too two under until upon use used uses using very was way were what
   when where whether which while who whom why will with within without would you your
   abstract async await bool boolean break case catch char class const continue def default defer del elif enum except export
   extends false final finally float fmt func function get impl implements import instanceof int interface let long mod module
   mut namespace new nil null number package pass pub private protected public raise readonly ref require return self set
   static str string struct super switch throw throws trait true try typeof undefined unless unsafe usize var void where
   yield`.split(/\s+/),
);

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const WORD = /[\p{L}\p{N}_$-]+/gu;
/** `HTMLParser` is HTML and Parser; digits stay with the letters before them. */
const PART = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+\p{N}*|\p{Lu}+\p{N}*/gu;

/**
 * Distinct significant terms in lower case, in order of appearance. Each identifier counts as a whole and by its parts:
 * `mergePath` gives mergepath, merge, path. A term is made of letters and digits only.
 */
export function significantTerms(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const [word] of texts.join('\n').slice(0, MAX_TEXT).normalize('NFKC').matchAll(WORD)) {
    for (const term of termsOf(word)) if (isSignificant(term)) found.add(term);
    if (found.size >= MAX_TERMS) break;
  }
  return [...found].slice(0, MAX_TERMS);
}

function termsOf(word: string): string[] {
  if (UNSPACED.test(word)) return segment(word);
  const whole = word.replaceAll(/[_$-]/g, '');
  return [whole, ...(word.match(PART) ?? [])].map((term) => term.toLowerCase());
}

function segment(text: string): string[] {
  const segments = new Intl.Segmenter('und', { granularity: 'word' }).segment(text);
  return [...segments].filter((each) => each.isWordLike).map((each) => each.segment.toLowerCase());
}

function isSignificant(term: string): boolean {
  if (UNSPACED.test(term)) return term.length <= MAX_LENGTH;
  const isLong = term.length >= MIN_LENGTH && term.length <= MAX_LENGTH;
  const isWord = /^[\p{L}\p{N}\p{M}]+$/u.test(term) && /\p{L}/u.test(term);
  return isLong && !STOP_WORDS.has(term) && isWord;
}
