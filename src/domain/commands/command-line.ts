/** What a line with a command looks like, wherever one is looked for; the parser says whether it stands where one counts. */

/**
 * `/pm` at the start of a line, its letters in any case: three spaces are Markdown's own, a tab is not. Only ASCII
 * letters are folded (`[pP]`, never `/iu`), so that no letter of another script passes for them.
 */
const COMMAND_LINE = /^ {0,3}\/[pP][mM](?![\w/-])/;

/** Whether a line may be a command. */
export function isCommandLine(line: string): boolean {
  return COMMAND_LINE.test(line);
}

/** Whether any line of a text may be a command. */
export function hasCommandLine(text: string): boolean {
  return text.split(/\r\n|\n|\r/).some(isCommandLine);
}

/** What a comment says besides commands. They are orders to the App, and no words about the matter. */
export function withoutCommands(text: string): string {
  if (!hasCommandLine(text)) return text;
  const lines = text.split(/\r\n|\n|\r/).filter((line) => !isCommandLine(line));
  return lines.join('\n').trim();
}
