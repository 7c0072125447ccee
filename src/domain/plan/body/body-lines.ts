/** A body's lines with their offsets; `\n`, `\r\n` and `\r` end one. */
import type { Lines } from './plan-blocks.ts';
import type { Span } from '../plan.ts';

export interface BodyLines {
  count: number;
  /** Offset at which a line begins; the source's length behind the last one. Lines are counted from 0. */
  start(line: number): number;
  /** Without its end. */
  line(line: number): string;
  /** With all ends but the last one's. */
  text(lines: Lines): string;
  /** With the last one's end too. */
  span(lines: Lines): Span;
}

export function createLines(source: string): BodyLines {
  const starts = [0];
  const ends: number[] = [];
  for (const { index, 0: eol } of source.matchAll(/\r\n?|\n/g)) {
    ends.push(index);
    starts.push(index + eol.length);
  }
  ends.push(source.length);
  const start = (line: number): number => starts[line] ?? source.length;
  return {
    count: starts.length,
    start,
    line: (line) => source.slice(start(line), ends[line] ?? source.length),
    text: ({ first, end }) =>
      end <= first ? '' : source.slice(start(first), ends[end - 1] ?? source.length),
    span: ({ first, end }) => ({ start: start(first), end: start(Math.max(first, end)) }),
  };
}
