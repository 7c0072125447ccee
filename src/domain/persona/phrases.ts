/** The operational sentences a persona says about its work, with the placeholders that each must keep (spec TG-19). */
import * as z from 'zod';

export const PhraseName = z.enum([
  'claim',
  'release',
  'progress',
  'blocked',
  'failed',
  'complete',
  'planComplete',
  'issueCreated',
  'planCreated',
]);
export type PhraseName = z.infer<typeof PhraseName>;

export const Placeholder = z.enum(['number', 'title', 'url', 'details', 'username']);
export type Placeholder = z.infer<typeof Placeholder>;

/** What each sentence must name to be of use to its reader. */
const REQUIRED_PLACEHOLDERS: Readonly<Record<PhraseName, readonly Placeholder[]>> = {
  claim: ['number', 'title'],
  release: ['number', 'details'],
  progress: ['number', 'details'],
  blocked: ['number', 'details'],
  failed: ['number', 'details'],
  complete: ['number', 'url'],
  planComplete: ['title'],
  issueCreated: ['username', 'url'],
  planCreated: ['title', 'url'],
};

/** Said when a persona has no valid sentence of its own. */
export const BUILT_IN_PHRASES: Readonly<Record<PhraseName, string>> = {
  claim: 'Taking task {{number}}: {{title}}.',
  release: 'Task {{number}} is free again: {{details}}',
  progress: 'Task {{number}}: {{details}}',
  blocked: 'Task {{number}} is blocked: {{details}}',
  failed: 'Task {{number}} failed: {{details}}',
  complete: 'Task {{number}} is done: {{url}}',
  planComplete: 'Every task of “{{title}}” is done.',
  issueCreated: '@{{username}}, the issue is open: {{url}}',
  planCreated: 'Plan “{{title}}” is open: {{url}}',
};

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const MAX_PHRASE = 300;

/** What a sentence must contain. */
export function placeholdersOf(name: PhraseName): readonly Placeholder[] {
  return REQUIRED_PLACEHOLDERS[name];
}

/** Why a sentence cannot be used, or undefined when it can. */
export function phraseFault(name: PhraseName, sentence: string): string | undefined {
  if (sentence.length > MAX_PHRASE) return `at most ${MAX_PHRASE} characters`;
  const found = [...sentence.matchAll(PLACEHOLDER)].map((match) => (match[1] ?? '').trim());
  const unknown = found.find((word) => !Placeholder.safeParse(word).success);
  if (unknown !== undefined)
    return `{{${unknown}}} is not one of ${Placeholder.options.join(', ')}`;
  const missing = REQUIRED_PLACEHOLDERS[name].find((word) => !found.includes(word));
  return missing === undefined ? undefined : `it must contain {{${missing}}}`;
}

/** The persona's sentence filled in, or the built-in one where its own is missing or unfit. Never throws. */
export function renderPhrase(
  phrases: Readonly<Partial<Record<PhraseName, string>>>,
  name: PhraseName,
  values: Readonly<Partial<Record<Placeholder, string>>>,
): string {
  const own = phrases[name];
  const usable = own !== undefined && phraseFault(name, own) === undefined;
  const sentence = usable ? own : BUILT_IN_PHRASES[name];
  return sentence.replace(PLACEHOLDER, (_, word: string) => {
    const placeholder = Placeholder.safeParse(word.trim());
    return placeholder.success ? (values[placeholder.data] ?? '') : '';
  });
}
