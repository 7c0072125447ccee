/** Cuts text between words: the rest of a credential that was cut has no beginning by which it could be known. */

/** Longer words hold no credential, and are cut. */
const MAX_WORD = 5_000;

/** The last `max` characters at most, from the beginning of a word. */
export function endOfText(text: string, max: number): string {
  return text.length <= max ? text : fromWholeWord(text.slice(-max));
}

/** Text whose beginning was cut off, from its first whole word. */
export function fromWholeWord(text: string): string {
  const at = text.slice(0, MAX_WORD).search(/\s/);
  return text.slice(at === -1 ? MAX_WORD : at);
}

/** Text whose end was cut off, up to its last whole word. */
export function toWholeWord(text: string): string {
  const end = Math.max(0, text.length - MAX_WORD);
  for (let at = text.length; at > end; at -= 1)
    if (/\s/.test(text.charAt(at - 1))) return text.slice(0, at);
  return text.slice(0, end);
}
