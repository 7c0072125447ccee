/** What a command line looks like, anywhere in a text; the parser decides whether it counts there. */

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

/** A comment without its commands. Commands address the App, and say nothing about the matter. */
export function withoutCommands(text: string): string {
  if (!hasCommandLine(text)) return text;
  const lines = text.split(/\r\n|\n|\r/).filter((line) => !isCommandLine(line));
  return lines.join('\n').trim();
}
