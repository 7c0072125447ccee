/** Cuts text in Slack's markup into pieces: between lines or words, and never inside a link, an entity or a character. */
import { graphemesOf, tameGraphemes } from '../text/graphemes.ts';

/** A link, an entity, or a stretch of spaces. */
const WHOLE = /<[^<>]*>|&(?:amp|lt|gt);|\s+/g;

export function splitText(text: string, limit: number): string[] {
  if (text.length <= limit) return [text];
  const pieces: string[] = [];
  let piece = '';
  /** Length up to the last good place to cut. */
  let border = 0;
  for (const token of toTokens(text)) {
    if (piece.length + token.length > limit) {
      const cut = border > limit / 2 ? border : piece.length;
      pieces.push(piece.slice(0, cut).trimEnd());
      piece = piece.slice(cut).trimStart();
      border = 0;
    }
    piece += token;
    if (token.trim() === '') border = piece.length;
  }
  return [...pieces, piece.trimEnd()].filter((each) => each.trim() !== '');
}

function* toTokens(text: string): Generator<string> {
  let from = 0;
  for (const match of text.matchAll(WHOLE)) {
    yield* graphemesOf(tameGraphemes(text.slice(from, match.index)));
    // A stretch of spaces alone can be longer than any message.
    yield match[0].trim() === '' ? match[0].slice(0, 100) : match[0];
    from = match.index + match[0].length;
  }
  yield* graphemesOf(tameGraphemes(text.slice(from)));
}
