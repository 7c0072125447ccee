/** Text of others inside a Markdown table. */

/** Model text inside a table cell. */
export function cell(text: string): string {
  // A backslash before the bar would escape the one that escapes the bar.
  return text.replaceAll(/(?<!\\)\\*\|/g, String.raw`\|`);
}
