/** Emoji: at most one in a message, in every third message, one that is no face in every ninth (NW-7). */

/** How far a persona is in a thread: from 0 to 8, kept between messages. */
export interface EmojiCounter {
  messages: number;
}

export const NO_MESSAGES: EmojiCounter = { messages: 0 };

const EVERY = 3;
const NON_FACE_EVERY = 9;

export type EmojiPolicy = 'never' | 'rare' | 'some';

/** What this message may have, and the counter for the next. Any number that was stored is brought into its bounds. */
export function nextEmoji(
  { messages }: EmojiCounter,
  policy: EmojiPolicy,
): { allows: 'none' | 'face' | 'any'; counter: EmojiCounter } {
  const before = Number.isSafeInteger(messages) && messages > 0 ? messages % NON_FACE_EVERY : 0;
  const now = (before + 1) % NON_FACE_EVERY;
  const counter = { messages: now };
  if (policy === 'never' || now % EVERY !== 0) return { allows: 'none', counter };
  return { allows: now === 0 ? 'any' : 'face', counter };
}

/** Pictures only: digits, arrows and signs like the trade mark are text. */
const EMOJI =
  /(?:\p{Regional_Indicator}{2}|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\u{fe0f})\p{Emoji_Modifier}?(?:\u{200d}\p{Extended_Pictographic}\u{fe0f}?\p{Emoji_Modifier}?){0,6}|:(?:tada|rocket|sparkles|thumbsup|thumbsdown|smile|smiley|grin|joy|fire|heart|eyes|clap|pray|wave|star|bulb|warning|mag|muscle|raised_hands|white_check_mark|heavy_check_mark|x|100|\+1|-1):)/gu;

/** Faces of people and moods: the emoticon block and those that came later. */
const FACE =
  /^(?:[\u{1f600}-\u{1f644}\u{1f910}-\u{1f917}\u{1f920}-\u{1f92f}\u{1f970}-\u{1f97a}\u{1f9d0}\u{1fae0}-\u{1fae8}]|[\u{2639}\u{263a}]\u{fe0f}|:(?:smile|smiley|grin|joy):)/u;

export interface FoundEmoji {
  start: number;
  end: number;
  isFace: boolean;
}

/** Every emoji of a text, with the blank before it. */
export function findEmoji(text: string): FoundEmoji[] {
  return Array.from(text.matchAll(EMOJI), (match) => {
    const isSpaced = /[ \t]/.test(text[match.index - 1] ?? '');
    return {
      start: match.index - (isSpaced ? 1 : 0),
      end: match.index + match[0].length,
      isFace: FACE.test(match[0]),
    };
  });
}
