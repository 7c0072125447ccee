/** How what a persona says in public reads: as a person would write it, by its own rules for emoji (NW-7). */
import type { EmojiCounter } from './humanize/emoji.ts';
import { humanize, type Humanized } from './humanize.ts';
import type { Persona } from './persona.ts';

/**
 * The persona's words for a comment on GitHub. Code, paths, links, numbers, mentions and quotes come out byte for byte.
 * Without the counter of the thread's last message there is no emoji.
 */
export function speakAs(
  { style }: Pick<Persona, 'style'>,
  text: string,
  counter?: EmojiCounter,
): Humanized {
  const options = { place: 'github' as const, emoji: style.emoji.policy };
  return humanize(text, counter === undefined ? options : { ...options, counter });
}

/** The same where several voices share a comment, or one that is no persona speaks: nobody uses an emoji. */
export function speakPlainly(text: string): string {
  return humanize(text, { place: 'github', emoji: 'never' }).text;
}
