/** What the text of a memory entry may be, whether it gives orders, and the words by which two entries are compared. */
import { cleanOutput } from '../text/clean-output.ts';
import { findInvisible } from '../text/invisible.ts';
import { redactSecrets } from '../secrets/secret-text.ts';
import { tokenise } from '../text/words.ts';
import { MAX_TEXT } from './memory-entry.ts';

const CODE_SPAN = /`[^`\n]{1,200}`/g;

/** Faults in the order in which they are reported. A text is checked only while it is short. */
const FAULTS: readonly { why: string; test: (text: string) => boolean }[] = [
  { why: 'it has no text', test: (text) => text.trim() === '' },
  { why: `it is longer than ${MAX_TEXT} characters`, test: (text) => text.length > MAX_TEXT },
  { why: 'it has more than one line', test: (text) => /[\r\n\u0085\u2028\u2029]/.test(text) },
  { why: 'it has invisible characters', test: (text) => findInvisible(text).length > 0 },
  { why: 'it looks like a credential', test: (text) => redactSecrets(text) !== text },
  {
    why: 'it has a link',
    test: (text) => /[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\.|\]\(|\bmailto:/i.test(text),
  },
  { why: 'it has a block of code', test: (text) => /`{3}|~{3}/.test(text) },
  { why: 'it has HTML', test: (text) => /<[a-z/!?]/i.test(text.replaceAll(CODE_SPAN, '')) },
];

/** Why a text cannot be an entry's, or undefined. Code in a sentence is allowed, for names and commands. */
export function faultOfText(text: string): string | undefined {
  return FAULTS.find(({ test }) => test(text))?.why;
}

/** As {@link faultOfText}, for what a model wrote: it mentions nobody, commands nothing and closes nothing either. */
export function faultOfModelText(text: string): string | undefined {
  const fault = faultOfText(text);
  if (fault !== undefined) return fault;
  if (/(?<![\w/])\/pm\b/i.test(text)) return 'it has a command';
  const { changed } = cleanOutput(text, { repository: '' });
  const [kind] = Object.keys(changed);
  return kind === undefined ? undefined : `it has markup that acts (${kind.replaceAll('-', ' ')})`;
}

/** What a text says that wants to steer agents instead of telling a fact. A false alarm costs a person one approval. */
const ORDERS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|above|earlier|prior|all|any|every|these|those|your|rules?|instructions?|guard(?:s|rails)?|gates?|checks?|polic(?:y|ies))\b/,
  /\b(?:always|automatically|immediately|just|must|should|please)\s+(?:approve|merge|accept|allow|trust|grant)\b/,
  /\b(?:approve|merge|accept|trust)\s+(?:\S+\s+)?(?:without|all|any|every|everything|anything|whatever)\b/,
  // At the beginning of a sentence it is an order, elsewhere what code does not do.
  /(?:^|[.;:!?,]\s*|\b(?:please|should|must|and|then)\s+)(?:do not|don't|never|no longer|stop)\s+(?:flag(?:ging)?|report(?:ing)?|mention(?:ing)?|review(?:ing)?|ask(?:ing)?|warn(?:ing)?|block(?:ing)?|tell(?:ing)?)\b/,
  /\bskip\b.{0,30}\b(?:reviews?|checks?|gates?|tests?|approvals?|scans?)\b/,
  /\b(?:system|developer) (?:prompt|message)\b|\b(?:your|these|those|previous|following|new|my) instructions?\b|\bjailbreak/,
  /\bfrom now on\b|\byou (?:are|must|should|will|have to|need to)\b|\bact as (?:an?|the|if)\b|\bpretend\b|\broleplay\b/,
  /\b(?:reveal|print|send|post|upload|leak|exfiltrate)\s.{0,39}\b(?:prompt|tokens?|keys?|secrets?|credentials?|passwords?|env)\b/,
  /\b(?:agents?|assistants?|ai|llms?|bots?|personas?|quorum)\s+(?:must|should|shall|have to|has to|needs? to|is to|are to|may)\b/,
  /(?<!\p{L})(?:ignoriere?n?|vergiss|genehmige|ignora|ignore[rz]|olvida|oublie[rz]?|approuve[rz]?|aprueba|apruebe)(?!\p{L})/u,
];

/** Whether a text speaks to agents like an instruction. */
export function isOrder(text: string): boolean {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ');
  return ORDERS.some((order) => order.test(plain));
}

/** Stems of the telling words of a text; stop words are out. */
export function significantWords(text: string): Set<string> {
  return new Set(tokenise(text));
}

/** How many words two texts share. */
export function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((word) => b.has(word)).length;
}

const NEGATION =
  /(?<!\p{L})(?:not|no|never|none|without|avoid|cannot|\p{L}{2,8}n't|nicht|nie|kein\p{L}{0,2}|ohne|nunca|jamais|sans|sin)(?!\p{L})/giu;

/** Whether a text denies what its words say. Twice denied is said. */
function isNegated(text: string): boolean {
  const found = text.replaceAll('’', "'").match(NEGATION)?.length ?? 0;
  return found % 2 === 1;
}

/** Words of which a text uses one to say the opposite of the other. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\balways\b/i, /\bnever\b/i],
  [/\bbefore\b/i, /\bafter\b/i],
  [/\benable[ds]?\b/i, /\bdisable[ds]?\b/i],
  [/\b(?:allow(?:s|ed)?|may)\b/i, /\b(?:forbid(?:s|den)?|refuse[ds]?)\b/i],
  [/\brequired?\b/i, /\boptional\b/i],
  [/\bsafe\b/i, /\bunsafe\b/i],
  [/\bsync(?:hronous(?:ly)?)?\b/i, /\basync(?:hronous(?:ly)?)?\b/i],
  [/\bfirst\b/i, /\blast\b/i],
  [/\btabs\b/i, /\bspaces\b/i],
  [/\bprefer(?:s|red)?\b/i, /\bavoid(?:s|ed)?\b/i],
];
/** Which way a text leans: whether it denies, and which word of each pair of opposites it has. */
export interface Stance {
  isNegated: boolean;
  /** One for each pair; undefined where the text has neither word, or both. */
  sides: readonly ('one' | 'other' | undefined)[];
}

export function stanceOf(text: string): Stance {
  const sides = OPPOSITES.map(([one, other]) => sideOf(text, one, other));
  return { isNegated: isNegated(text), sides };
}

function sideOf(text: string, one: RegExp, other: RegExp): 'one' | 'other' | undefined {
  if (one.test(text) === other.test(text)) return undefined;
  return one.test(text) ? 'one' : 'other';
}

/** Whether one text denies what the other says, or uses the opposite of one of its words. */
export function isOpposed(a: Stance, b: Stance): boolean {
  if (a.isNegated !== b.isNegated) return true;
  return a.sides.some((side, at) => {
    const other = b.sides[at];
    return side !== undefined && other !== undefined && side !== other;
  });
}

/** As {@link isOpposed}, of two texts. */
export function isOpposite(a: string, b: string): boolean {
  return isOpposed(stanceOf(a), stanceOf(b));
}

/** Whether two texts say the same: the same telling words, and none the opposite of the other. */
export function isSameLesson(a: string, b: string): boolean {
  if (isOpposite(a, b)) return false;
  const [left, right] = [significantWords(a), significantWords(b)];
  if (left.size === 0 || right.size === 0) return squeeze(a) === squeeze(b);
  return left.size === right.size && sharedWords(left, right) === left.size;
}

function squeeze(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
