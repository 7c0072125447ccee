/** Regular expressions that are made while the program runs. */

/** `text` as part of a pattern that matches it as it is written. No other text may be put into a pattern. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
