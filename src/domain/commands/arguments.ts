/** What follows a command's name: checked word by word, refused rather than guessed at (CMD-10). */
import type { CommandEntry } from './command.ts';
import { stripInvisible } from '../text/invisible.ts';

/** Longer words are no names, numbers or paths. */
const MAX_WORD = 200;
/** A question of this length is an issue. */
const MAX_TEXT = 2_000;

interface ReadArguments {
  args: string[];
  text: string;
}

/** Either the arguments or why they are refused, as the rest of a sentence. */
export type ArgumentsOutcome = ReadArguments | { refused: string };

/** Reads what follows a command's name on its line. */
export function readArguments(entry: CommandEntry, rest: string): ArgumentsOutcome {
  const text = rest.trim();
  const args = text === '' ? [] : text.split(/[ \t]+/);
  const refused = tooMuch(args, text) ?? misfit(entry, args);
  return refused === undefined ? { args, text } : { refused };
}

/** Whether a line holds something that the page does not show. */
export function hasHidden(line: string): boolean {
  return line.includes('<!--') || Object.keys(stripInvisible(line).counts).length > 0;
}

function tooMuch(args: readonly string[], text: string): string | undefined {
  if (text.length > MAX_TEXT) return `more than ${MAX_TEXT} characters follow the command`;
  if (args.some((word) => word.length > MAX_WORD))
    return `a word has more than ${MAX_WORD} characters`;
  return args[0]?.startsWith('-') === true ? 'there are no options that begin with -' : undefined;
}

function misfit({ takes, usage }: CommandEntry, args: readonly string[]): string | undefined {
  const { prose, words, head = prose === undefined ? args.length : 0 } = takes;
  const typed = args.slice(0, head).join(' ');
  const asUsed = `it is written \`${usage}\``;
  if (words === undefined ? typed !== '' : !words.test(typed)) return asUsed;
  return prose === 'required' && args.length <= head ? asUsed : undefined;
}
