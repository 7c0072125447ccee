/** A change as a coder is shown it. */
import { prompt, type PromptText } from '../prompt/prompt-text.ts';
import { quarantine } from '../prompt/quarantine.ts';

/** INJ-10. */
const MAX_CHANGE = 60_000;

/** What was changed before, for the coder that changes the same again. */
export function changePart(
  text: string,
  { source, delimiter }: { source: string; delimiter: string },
): PromptText {
  const { block } = quarantine({ source, trust: 'stranger', text, most: MAX_CHANGE }, delimiter);
  return prompt`## What was changed before\n\n${block}`;
}
