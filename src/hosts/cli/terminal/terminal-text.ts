/** What may reach a terminal: text, our own colours and, for live progress, our own cursor movements. */
import { replaceInvisible } from '../../../domain/text/invisible.ts';

const ESCAPE = String.fromCharCode(27);
/** What `createPaint` writes. */
const COLOURS = '(?:1|2|22|3[1236]|39)m';
/** What a live board writes besides: up by so many lines, and clear the line. */
const MOVEMENTS = '\\d{1,3}A|2K';

const OURS = {
  text: new RegExp(`(${ESCAPE}\\[(?:${COLOURS}))`),
  progress: new RegExp(`(${ESCAPE}\\[(?:${COLOURS}|${MOVEMENTS}))`),
};

/**
 * Takes out what would let a path, a title or a log steer the terminal or hide in it. These are other escape
 * sequences, control characters, bidirectional controls, and everything invisible.
 */
export function toTerminal(text: string, kind: keyof typeof OURS): string {
  // The parts at odd places are ours.
  const parts = text.split(OURS[kind]);
  return parts.map((part, at) => (at % 2 === 1 ? part : printable(part))).join('');
}

/** Without any control character but line ends and tabs. */
export function printable(text: string): string {
  return replaceInvisible(text.replaceAll(/\r\n?/g, '\n'), () => '');
}
