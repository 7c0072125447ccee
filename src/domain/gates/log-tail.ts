/** The end of what tests printed, for people and for the next attempt. */
import { stripVTControlCharacters } from 'node:util';
import { stripInvisible } from '../text/invisible.ts';
import { scrubSecrets } from '../secrets/scrub.ts';
import { endOfText } from '../text/whole-words.ts';

/** Runners say at the end what failed; it is kept with the task, and shown whole. */
const MOST_CHARS = 3_000;
/** Scrubbed before it is cut: what begins before the cut would not be known as a key any more. */
const LOOKED_AT = 8 * MOST_CHARS;

/** Without colours, characters that nobody sees, and what looks like a key. It is still what a stranger's code printed. */
export function tailOfLog(output: string): string {
  const plain = stripVTControlCharacters(endOfText(output, LOOKED_AT)).replaceAll(/\r\n?/g, '\n');
  const clean = scrubSecrets(stripInvisible(plain).text).trim();
  return clean.slice(-MOST_CHARS).toWellFormed();
}
