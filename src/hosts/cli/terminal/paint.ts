/** Colour and weight for people at a terminal: only there, and never when NO_COLOR is set (no-color.org). */
import { styleText } from 'node:util';
import type { Io } from './io.ts';

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

export type Paint = Record<(typeof STYLES)[number], (text: string) => string>;

/** Returns text as it is where colours are not wanted. */
export function createPaint({ isTty, env }: Pick<Io, 'isTty' | 'env'>): Paint {
  const isColoured = isTty && (env['NO_COLOR'] ?? '') === '';
  const paint = (style: (typeof STYLES)[number]) => (text: string) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}
