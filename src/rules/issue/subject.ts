/** What kind of issue this is, as far as its labels and words show. */
import type { Evidence } from '../../domain/run/evidence.ts';

export type Subject = Evidence['subject'];

export interface SubjectInput {
  title: string;
  prose: string;
  labels: readonly string[];
  hasFrames: boolean;
  /** Whether every file it names is a document. */
  namesOnlyDocuments: boolean;
}

const LABELS: readonly (readonly [RegExp, Subject])[] = [
  [/^(?:type[:/ ]*|kind[:/ ]*)?bug\b|regression|defect/i, 'bug'],
  [/enhancement|^(?:type[:/ ]*|kind[:/ ]*)?feature/i, 'feature'],
  [/^(?:type[:/ ]*|kind[:/ ]*)?question|support request/i, 'question'],
  [/^(?:type[:/ ]*|kind[:/ ]*)?doc(?:s|umentation)/i, 'docs'],
  [/chore|maintenance|dependencies|refactor/i, 'chore'],
];

const PREFIXES: readonly (readonly [RegExp, Subject])[] = [
  [/^\W*(?:fix|bug)(?:\([^)]*\))?\W*[:\]]/i, 'bug'],
  [
    /^\W*(?:feat|feature|feature request|enhancement|proposal|rfc)(?:\([^)]*\))?\W*[:\]]/i,
    'feature',
  ],
  [/^\W*(?:question|help)\W*[:\]]/i, 'question'],
  [/^\W*docs?(?:\([^)]*\))?\W*[:\]]/i, 'docs'],
  [/^\W*(?:chore|build|ci|refactor|deps?)(?:\([^)]*\))?\W*[:\]]/i, 'chore'],
];

/** Words with what each is worth in the title; half of it in the body. */
const WORDS: readonly (readonly [Subject, number, RegExp])[] = [
  [
    'bug',
    4,
    /\b(?:crash(?:es|ed|ing)?|exception|traceback|segfault|stack trace|regression|broken|bug)\b/i,
  ],
  [
    'bug',
    3,
    /\b(?:fail(?:s|ed|ing|ure)?|errors?|wrong(?:ly)?|incorrect(?:ly)?|hangs?|freezes?|leaks?|corrupt(?:s|ed)?|duplicated?|missing|ignored|lost|loses|drops|swallows?|truncat(?:es|ed)|vulnerab\w+|bypass\w*|slow(?:er|ness|ly)?|split in two|attacker|traversal|injection|exploit\w*)\b/i,
  ],
  ['bug', 3, /\b(?:does not|doesn't|do not|don't|cannot|can't|is not|isn't|no longer|never)\b/i],
  ['bug', 2, /\binstead of\b|\bexpected\b[^.\n]{0,80}\bactual|\bsteps to reproduce\b/i],
  [
    'feature',
    4,
    /^\W*(?:add|support|allow|implement|introduce|provide|enable|offer|expose|let|make|align|improve|show|print|sort|format|log|warn|validate|accept|highlight|colou?r|cache|detect|include|extend|speed up|rewrite|redesign)\b/i,
  ],
  [
    'feature',
    3,
    /\b(?:feature request|would be (?:nice|great|useful|helpful)|it'd be|i(?:'d| would) (?:like|love)|please add|ability to|proposal|we need an?|option to|flag to|new (?:option|flag|command|endpoint|setting))\b/i,
  ],
  ['feature', 2, /\b(?:as an? \w+,? i want|so that (?:i|we|users)|use case)\b/i],
  [
    'question',
    4,
    /^\W*(?:how (?:do|can|to|should)|why (?:is|does|do)|what (?:is|are|does)|where|is it possible|is there (?:a|any) way|can (?:i|someone|anyone)|does (?:this|it)|question)\b/i,
  ],
  [
    'question',
    3,
    /\b(?:how (?:do|can|would) i\b|is there (?:a|any) way|could (?:someone|anybody|anyone) (?:explain|tell|help)|i(?:'m| am) (?:confused|wondering|new to))/i,
  ],
  ['docs', 4, /\b(?:docs?|documentation|readme|typos?|docstring|jsdoc|tutorial|changelog)\b/i],
  [
    'chore',
    4,
    /^\W*(?:upgrade|bump|update|refactor|rename|clean ?up|remove|drop|delete|move|migrate|pin|split|extract|replace|switch|deprecate)\b/i,
  ],
];

const MAX_PROSE = 1500;
const ORDER: readonly Subject[] = ['bug', 'feature', 'docs', 'chore', 'question'];

function firstMatch(
  text: string,
  table: readonly (readonly [RegExp, Subject])[],
): Subject | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}

function scoreOf(subject: Subject, input: SubjectInput): number {
  const words = WORDS.filter(([of]) => of === subject).reduce((sum, [, weight, pattern]) => {
    const inTitle = pattern.test(input.title) ? weight : 0;
    // A pattern bound to the beginning says something of a title only.
    const inBody = !pattern.source.startsWith('^') && pattern.test(input.prose) ? weight / 2 : 0;
    return sum + Math.max(inTitle, inBody);
  }, 0);
  if (subject === 'bug' && input.hasFrames) return words + 4;
  if (subject === 'docs')
    return input.namesOnlyDocuments
      ? words + 3
      : words * (/docs?|readme|documentation|typo/i.test(input.title) ? 1 : 0);
  return words;
}

/** Labels first, then a conventional prefix, then what the words add up to; `unclear` below a bare minimum. */
export function decideSubject(input: SubjectInput): Subject {
  const labelled = input.labels.map((label) => firstMatch(label, LABELS)).find((found) => found);
  const said = labelled ?? firstMatch(input.title, PREFIXES);
  if (said !== undefined) return said;
  // A long text holds every word of every kind: its beginning says what it is about.
  const start = { ...input, prose: input.prose.slice(0, MAX_PROSE) };
  const scores = ORDER.map((subject) => ({ subject, score: scoreOf(subject, start) }));
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  if (best.score < 1.5) return /\bshould\b/i.test(input.prose) ? 'feature' : 'unclear';
  const isAsking = input.title.trim().endsWith('?') && best.subject !== 'bug';
  const question = scores.find(({ subject }) => subject === 'question')?.score ?? 0;
  return isAsking && question >= 3 ? 'question' : best.subject;
}
