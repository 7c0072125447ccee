/** What a step writes into the files of the runner: `name=value`, or a value of several lines between two delimiters. */

/** @throws Error for a line that is neither, and for a value without its end */
export function parseFileCommands(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, name = '', delimiter] = /^([^=<]+)<<(.+)$/.exec(line) ?? [];
    if (delimiter !== undefined) {
      const end = lines.indexOf(delimiter, at + 1);
      if (end === -1) throw new Error(`The value of ${name} has no end`);
      found[name] = lines.slice(at + 1, end).join('\n');
      at = end;
    } else if (line.includes('=')) {
      const split = line.indexOf('=');
      found[line.slice(0, split)] = line.slice(split + 1);
    } else if (line !== '') {
      throw new Error(`Invalid format: ${line}`);
    }
  }
  return found;
}

/** Folders of `GITHUB_PATH`, the newest first. */
export function parsePathCommands(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .toReversed();
}
