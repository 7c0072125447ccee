/** How many characters memory may take of a prompt. */
import type { PromptText } from '../../../domain/prompt/prompt-text.ts';

/** What memory adds at most to the input cost of a review (spec 07). */
const MOST_ADDED = 0.15;
/** Anthropic's multiples of plain input: to write the cache, and to read it. */
const WRITE = 1.25;
const READ = 0.1;
/** Three voices and a verdict of one model. More calls of one model pay less for what they share, so notes may add more there. */
const COUNCIL = 4;

/** A prompt without memory: the part that all voices share, and the part that each pays for in full. */
export interface RestOfPrompt {
  shared: readonly PromptText[];
  own: readonly PromptText[];
  /** How many read the shared part: the first writes the cache, and the others read it. Those of a council where absent. */
  voices?: number;
  /**
   * The first round wrote the shared part to the cache: a voice of the second one only reads it, where one model is asked.
   * That supposes that the cache is still warm: a voice that comes after it expired writes it again, and memory adds more.
   */
  isRead?: boolean;
}

/** For all that memory puts into one prompt, headings and marks included. */
export function memoryRoom({ shared, own, voices = COUNCIL, isRead }: RestOfPrompt): number {
  const each = isRead === true ? READ : (WRITE + (voices - 1) * READ) / voices;
  return Math.floor(MOST_ADDED * (each * lengthOf(shared) + lengthOf(own)));
}

export function lengthOf(texts: readonly PromptText[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
