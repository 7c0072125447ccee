/** What our English avoids: idioms that are translated word by word, and metaphors. */

export interface Phrase {
  /** As the list of findings names it. */
  name: string;
  pattern: RegExp;
  instead: string;
}

/** Words in a sentence before it counts as long. */
export const LONGEST_SENTENCE = 25;

export const PHRASES: readonly Phrase[] = [
  { name: 'whoever', pattern: /\bwhoever\b/i, instead: 'name who it is: the reviewer, anyone who' },
  {
    name: 'is none',
    pattern: /\b(?:is|are|was) none\b/i,
    instead: 'there is no …, does not count',
  },
  { name: "nobody's", pattern: /\bnobody[’']s\b/i, instead: 'does not count as anyone’s' },
  { name: 'anew', pattern: /\banew\b/i, instead: 'again' },
  { name: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix, repair' },
  { name: 'of ours', pattern: /\bof ours\b/i, instead: 'our …, Quorum’s …' },
  { name: 'by now', pattern: /\bby now\b/i, instead: 'now, already, since then' },
  { name: 'stands', pattern: /\b(?:stands(?! for\b)|stood)\b/i, instead: 'is, appears' },
  { name: 'as it were', pattern: /\bas it were\b/i, instead: 'leave it out' },
  { name: 'what there is', pattern: /\bwhat there is\b/i, instead: 'name it' },
  { name: 'a yes', pattern: /\ba (?:yes|no)\b(?!-| longer)/i, instead: 'approval, refusal' },
  { name: 'comes back', pattern: /\bc[oa]mes? back\b/i, instead: 'returns' },
  {
    name: 'is told',
    pattern: /\b(?:is|are|was|were|be) told\b/i,
    instead: 'receives, reports, says',
  },
  { name: 'is heard', pattern: /\b(?:is|are|was|were|be) heard\b/i, instead: 'counts, is read' },
  { name: 'put aside', pattern: /\b(?:put|puts|set|sets) aside\b/i, instead: 'dead-letter, skip' },
  { name: 'not there yet', pattern: /\bnot there yet\b/i, instead: 'not available yet' },
  { name: 'says something else', pattern: /\bsays? something else\b/i, instead: 'changed' },
  {
    name: 'with a word',
    pattern: /\b(?:with a|no|without a) word\b/i,
    instead: 'comment, message',
  },
  { name: 'nothing new begins', pattern: /\bnothing new\b/i, instead: 'blocks new work' },
];

export interface ProseFinding {
  /** The phrase's name, or `long sentence`. */
  name: string;
  text: string;
}

/** Phrases of the list in a text. */
export function findPhrases(text: string): ProseFinding[] {
  return PHRASES.flatMap(({ name, pattern }) =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map(({ index }) => ({
      name,
      text: text.slice(Math.max(0, index - 30), index + 40).trim(),
    })),
  );
}

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Sentences of a paragraph with more words than a reader takes in at once. */
export function findLongSentences(paragraph: string): ProseFinding[] {
  return [...SENTENCES.segment(paragraph)].flatMap(({ segment }) => {
    const words = segment.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    if (words <= LONGEST_SENTENCE) return [];
    return [{ name: 'long sentence', text: `${words} words: ${segment.trim().slice(0, 80)}` }];
  });
}
