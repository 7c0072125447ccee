/** Tells text that nobody wrote (random characters, base64, hex) from prose in any language, logs, code and tables. */

/** More than this is not needed to know noise, and keeps the reading of a megabyte cheap. */
const MAX_READ = 20_000;
/** Fewer letters and digits than this are too few to judge by. */
const MIN_LENGTH = 40;
/** What one run counts at most, so that a few hashes do not outweigh the sentence around them. */
const MAX_WEIGHT = 12;
/** Measured on both sides: random letters reach 0.2, logs and code stay above 0.5. */
const NOISE_BELOW = 0.35;
/** A run tells something once this share of it is words; random base64 reaches 0.1. */
const RUN_TELLS = 0.3;
const LONGEST_WORD = 45;
const LONGEST_NEUTRAL = 60;

/** Pairs of consonants that European languages join within a word, as first letter to seconds. */
const JOINED: Readonly<Record<string, string>> = {
  b: 'bdjlmnrstv',
  c: 'chklnqrstz',
  d: 'dghjlmnrstvwz',
  f: 'fglnrst',
  g: 'bdghlmnrst',
  h: 'hklmnrstvw',
  j: 'dknst',
  k: 'bcklnprstvw',
  l: 'bcdfghjklmnpstvwz',
  m: 'bdfgklmnprst',
  n: 'cdfghjklmnstvwz',
  p: 'fhklnprstw',
  q: '',
  r: 'bcdfghjklmnprstvwz',
  s: 'bcdfghklmnpqrstvwz',
  t: 'bcfghklmnprstvwz',
  v: 'dlnrsv',
  w: 'bdhklnrstwz',
  x: 'chpst',
  z: 'bdklmntvwz',
};
const SHORT_WORDS = new Set(
  (
    'the and for not are was can has but you all any out how why who get set add use run new old row key file bug fix see ' +
    'der die das und ist ein mit von den dem auf les des une est pas que los las por con del uma não per che non het een van'
  ).split(' '),
);
/** Words in camelCase, as capitals or as they are. */
const PART = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu;
/** Two letters in a row of a script that is not Latin: Japanese, Cyrillic, Arabic and so on. */
const OTHER_SCRIPT = /(?:(?!\p{Script=Latin})\p{L}[\p{M}ー]*){2,}/gu;
/** Numbers, times, versions and addresses stand in logs and tables, and say nothing either way. */
const NEUTRAL = /^[^\p{L}]*$|^\W*(?:0x)?[0-9a-f]{1,16}\W*$|^\P{L}*\d\P{L}*\p{L}{1,2}\P{L}*$/iu;

/** True for text of some length in which next to nothing could be a word. */
export function isNoise(text: string): boolean {
  const { length, share } = measure(text);
  return length >= MIN_LENGTH && share < NOISE_BELOW;
}

/** True when a short text such as a title is made of words. */
export function isMeaningful(text: string): boolean {
  const { weight, share } = measure(text);
  return weight >= 3 && share >= 0.5;
}

interface Measure {
  /** Letters and digits in all that was judged. */
  length: number;
  weight: number;
  /** Part of the weight that is words; 1 where nothing could be judged. */
  share: number;
}

function measure(text: string): Measure {
  const total = { length: 0, weight: 0, telling: 0 };
  for (const run of text.slice(0, MAX_READ).split(/\s+/)) {
    const length = run.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (run.length <= LONGEST_NEUTRAL && NEUTRAL.test(run)) continue;
    const told = wordsIn(run);
    if (length <= 3 && told === 0) continue;
    const weight = Math.min(MAX_WEIGHT, length);
    total.length += length;
    total.weight += weight;
    if (told / length >= RUN_TELLS) total.telling += weight;
  }
  const { length, weight, telling } = total;
  return { length, weight, share: weight === 0 ? 1 : telling / weight };
}

/** How many letters of a run belong to words. */
function wordsIn(run: string): number {
  const others = Array.from(run.matchAll(OTHER_SCRIPT), ([found]) => found.length);
  const parts = Array.from(run.matchAll(PART), ([found]) => found).filter(isWordlike);
  return [...others, ...parts.map((part) => part.length)].reduce((sum, one) => sum + one, 0);
}

function isWordlike(part: string): boolean {
  const word = part.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  if (word.length < 4) return SHORT_WORDS.has(part.toLowerCase());
  if (word.length > LONGEST_WORD) return false;
  const vowels = word.match(/[aeiouy]|[^a-z]/g)?.length ?? 0;
  const ratio = vowels / word.length;
  if (ratio < 0.15 || ratio > 0.8) return false;
  return [...word.matchAll(/[b-df-hj-np-tv-xz](?=([b-df-hj-np-tv-xz]))/g)].every(
    ([first, second = '']) => JOINED[first]?.includes(second) === true,
  );
}
