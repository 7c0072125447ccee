/** Phrases for a persona that has none: the question to a model, and what of its answer can be used (spec TG-19). */
import * as z from 'zod';
import { joinPrompt, listed, prompt, type PromptText } from '../prompt/prompt-text.ts';
import { phraseFault, PhraseName, placeholdersOf } from './phrases.ts';

type Phrases = Partial<Record<PhraseName, string>>;

/** What each sentence is said about. */
const OCCASIONS = {
  claim: 'you begin a task',
  release: 'you give a task back',
  progress: 'a task has come further',
  blocked: 'a task waits for a person',
  failed: 'a task failed',
  complete: 'a task is done',
  planComplete: 'every task of a plan is done',
  issueCreated: 'you opened an issue that somebody asked for',
  planCreated: 'a plan waits for approval',
} as const satisfies Record<PhraseName, string>;

/** Any text per name: {@link keepFit} judges each by itself, so that one bad sentence does not cost the others. */
export const WrittenPhrases = z.object({
  claim: z.string(),
  release: z.string(),
  progress: z.string(),
  blocked: z.string(),
  failed: z.string(),
  complete: z.string(),
  planComplete: z.string(),
  issueCreated: z.string(),
  planCreated: z.string(),
}) satisfies z.ZodType<Record<PhraseName, string>>;

/** Follows the persona's own prompt, which says how it speaks. */
export function phrasesQuestion(): PromptText {
  const lines = PhraseName.options.map((name) => {
    const wanted = listed(placeholdersOf(name).map((word) => `{{${word}}}` as const));
    return prompt`- ${name}: ${OCCASIONS[name]}. It contains ${wanted}.`;
  });
  return joinPrompt([
    prompt`Write one short sentence in your own voice for each occasion below.`,
    prompt`The words in double braces are filled in later. Keep them as they are, and use no others. At most 140 characters each, no greeting, no emoji.`,
    joinPrompt(lines, '\n'),
  ]);
}

export interface FitPhrases {
  phrases: Phrases;
  /** Why the others are left out: the built-in sentence is said instead. */
  faults: { name: PhraseName; why: string }[];
}

export function keepFit(written: Readonly<Record<PhraseName, string>>): FitPhrases {
  const fit: FitPhrases = { phrases: {}, faults: [] };
  for (const name of PhraseName.options) {
    const sentence = written[name].replaceAll(/\s+/g, ' ').trim();
    const why = sentence === '' ? 'it is empty' : phraseFault(name, sentence);
    if (why === undefined) fit.phrases[name] = sentence;
    else fit.faults.push({ name, why });
  }
  return fit;
}

/** The section of a persona's file, in the order of the names. */
export function renderPhrases(phrases: Phrases): string {
  const lines = PhraseName.options.flatMap((name) => {
    const sentence = phrases[name];
    return sentence === undefined ? [] : [`- ${titleOf(name)}: ${sentence}`];
  });
  return `## Phrases\n\n${lines.join('\n')}\n`;
}

/** A file has `plan complete` for `planComplete`. */
function titleOf(name: PhraseName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
