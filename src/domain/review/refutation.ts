/** How the team takes back what a rule found: who says so, why, and the code that shows it. */
import { z } from 'zod';
import { stripForModel } from '../text/invisible.ts';

const MAX_QUOTE = 600;

/** One voice's objection to one open finding of a rule. */
export const Refutation = z.object({
  fingerprint: z.string().max(80).describe('As listed with the open finding'),
  why: z.string().trim().min(1).max(400).describe('Why the rule is wrong here, in one sentence'),
  quote: z
    .string()
    .max(MAX_QUOTE)
    .describe('Code of the change that shows it, two words or more, copied character by character'),
});
export type Refutation = z.infer<typeof Refutation>;

/** An objection that counted. */
export interface Refuted extends Omit<Refutation, 'fingerprint'> {
  handle: string;
}

/** Characters, and different words or numbers, that a quote has at least: a keyword alone is in every file. */
const MIN_QUOTE = 6;
const MIN_WORDS = 2;

/** Whether one of the texts contains a quote literally, apart from white space. */
export function isQuoted(quote: string, texts: readonly string[]): boolean {
  const wanted = squeeze(quote);
  const words = new Set(wanted.match(/[\p{L}\p{N}_]+/gu));
  if (wanted.length < MIN_QUOTE || words.size < MIN_WORDS) return false;
  return texts.some((text) => text.includes(wanted));
}

/** Text in the form in which {@link isQuoted} looks into it. */
export function squeeze(text: string): string {
  return stripForModel(text).text.replaceAll(/\s+/g, ' ').trim();
}
