/** Keeps the beginning and the end of an output of any length. */
import { fromWholeWord, toWholeWord } from '../../domain/text/whole-words.ts';

export interface KeptOutput {
  add: (piece: Buffer) => void;
  text: () => string;
}

/** Keeps at most `maxBytes`, and says how much of the middle is missing. */
export function createKeptOutput(maxBytes: number): KeptOutput {
  const half = Math.floor(maxBytes / 2);
  let head = Buffer.alloc(0);
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let lost = 0;
  const shorten = (): void => {
    const whole = Buffer.concat(tail);
    lost += whole.length - half;
    tail = [whole.subarray(whole.length - half)];
    tailBytes = half;
  };
  return {
    add: (piece) => {
      const room = half - head.length;
      if (room > 0) head = Buffer.concat([head, piece.subarray(0, room)]);
      const rest = piece.subarray(Math.max(0, room));
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest));
      tailBytes += rest.length;
      // Seldom, so that a long output is not copied with each of its pieces.
      if (tailBytes > 2 * half) shorten();
    },
    text: () => {
      if (tailBytes > half) shorten();
      const [before, after] = [head.toString(), Buffer.concat(tail).toString()];
      if (lost === 0) return `${before}${after}`;
      return `${toWholeWord(before)}\n… ${lost} bytes left out …\n${fromWholeWord(after)}`;
    },
  };
}
