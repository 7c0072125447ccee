/** What people have answered, and which open points that settles. */
import type { Evidence } from '../../../domain/run/evidence.ts';
import { tokenise } from '../../../domain/text/words.ts';

export interface Hearing {
  /** Rules whose point a person has settled. */
  settled: ReadonlySet<string>;
  /** What a maintainer wants done with the issue as a whole. */
  wish: 'go' | 'close' | undefined;
  /** The words that settled it, and whose they are. */
  decided: { login: string; text: string; option?: string } | undefined;
}

type Answer = Evidence['answers'][number];

const CLOSING =
  /\b(?:(?:please |let'?s |we (?:can|should) |i(?:'ll| will) )?close (?:it|this)|not planned|won'?t ?(?:fix|do|add|merge)|out of scope|let'?s not|we (?:don'?t|do not) want|reject(?:ed)?|declin(?:e|ed)|not (?:something|a feature) we)\b/i;
const GOING =
  /\b(?:go ahead|yes|yep|agreed?|approved?|ship it|lgtm|sounds good|let'?s (?:do|go|use|keep|take|drop|remove|add)|do it|please (?:do|proceed|go)|fine (?:by|with) me|ok(?:ay)?|works for me|\+1|decided|we(?:'ll| will) (?:keep|use|take|drop|remove|add|go)|i(?:'d| would)? (?:prefer|vote|choose|pick|say|go)|prefer|option [a-d1-4]|the (?:first|second|former|latter))\b/i;
const UNSURE =
  /\b(?:not sure|unsure|don'?t know|no idea|need to think|will think|let me (?:think|check|ask)|depends|hard to say|maybe later)\b/i;
const OTHER_THING =
  /\b(?:not a dup(?:licate)?|different (?:from|than|issue|problem)|not the same|isn'?t the same|unrelated to)\b/i;
const REVOKED =
  /\b(?:revoked|rotated|invalidated|expired|dummy|fake|placeholder|test key|not a real)\b/i;

/** Points that a maintainer's go-ahead settles: they are choices and not facts. */
const CHOICES = [
  'decision-needed',
  'breaking-change',
  'touches-auth',
  'touches-crypto',
  'touches-secrets',
  'touches-migration',
  'touches-ci-workflow',
  'dependency-request',
  'security-report-in-public',
  'instructions-to-agents',
  'hidden-text-found',
  'pull-request-open',
  'refused-before',
  'large-scope',
];

const BY_PLACE =
  /\b(?:option|alternative|variant)\s+([a-d1-4])\b|\bthe (first|second|former|latter)\b/i;
const PLACES: Readonly<Record<string, number>> = {
  a: 0,
  '1': 0,
  first: 0,
  former: 0,
  b: 1,
  '2': 1,
  second: 1,
  latter: 1,
  c: 2,
  '3': 2,
  d: 3,
  '4': 3,
};

/** Which of the options an answer takes: by number or letter, or by the words that only one of them has. */
export function pickOption(text: string, options: readonly string[]): string | undefined {
  const named = BY_PLACE.exec(text);
  const place = PLACES[(named?.[1] ?? named?.[2] ?? '').toLowerCase()];
  if (place !== undefined) return options[place];
  const said = new Set(tokenise(text));
  const scored = options.map((option) => ({ option, score: ownWords(option, options, said) }));
  const [best, second] = scored.toSorted((a, b) => b.score - a.score);
  return best !== undefined && best.score > (second?.score ?? 0) ? best.option : undefined;
}

/** How many words that only this option has were said. */
function ownWords(option: string, options: readonly string[], said: ReadonlySet<string>): number {
  const others = options.filter((other) => other !== option).flatMap(tokenise);
  const own = new Set(tokenise(option).filter((word) => !others.includes(word)));
  return [...own].filter((word) => said.has(word)).length;
}

function isAnswer({ text, isByMaintainer }: Answer): boolean {
  return isByMaintainer && !text.trim().endsWith('?') && !UNSURE.test(text);
}

/** The last maintainer's word holds. */
export function hear(evidence: Evidence): Hearing {
  const settled = new Set<string>();
  const answers = evidence.answers.filter(isAnswer);
  for (const { text } of answers) {
    if (OTHER_THING.test(text))
      for (const rule of ['duplicate-open-issue', 'duplicate-closed-issue', 'refused-before'])
        settled.add(rule);
    if (REVOKED.test(text)) settled.add('contains-secret');
  }
  const last = answers.findLast(({ text }) => wishOf(text, evidence) !== undefined);
  if (last === undefined) return { settled, wish: undefined, decided: undefined };
  const wish = wishOf(last.text, evidence);
  if (wish !== undefined) for (const rule of CHOICES) settled.add(rule);
  const option = pickOption(last.text, evidence.decision?.options ?? []);
  const decided = {
    login: last.login,
    text: last.text,
    ...(option === undefined ? {} : { option }),
  };
  return { settled, wish, decided };
}

function wishOf(text: string, evidence: Evidence): Hearing['wish'] {
  if (CLOSING.test(text)) return 'close';
  if (GOING.test(text)) return 'go';
  return pickOption(text, evidence.decision?.options ?? []) === undefined ? undefined : 'go';
}
