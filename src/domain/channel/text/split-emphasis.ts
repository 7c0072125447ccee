/** Emphasis in one line of Markdown, one level deep, in time that does not grow out of hand. */
import type { Span } from './rich-text.ts';

type Mark = Exclude<keyof Span, 'text' | 'url' | 'isCode'>;

/** Longer markers first. */
const MARKERS: readonly (readonly [string, Mark])[] = [
  ['**', 'isStrong'],
  ['__', 'isStrong'],
  ['~~', 'isStruck'],
  ['*', 'isEmphasised'],
  ['_', 'isEmphasised'],
];
/** Emphasis is for a few words. */
const MAX_EMPHASIS = 400;
const WORD = /[\p{L}\p{N}]/u;

/** Splits `a **b** c` into three spans; a marker that nothing closes stays text. */
export function splitEmphasis(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const found = readEmphasis(text, at);
    if (found === undefined) continue;
    if (at > from) spans.push({ text: text.slice(from, at) });
    spans.push(found.span);
    from = found.end;
    at = found.end - 1;
  }
  if (from < text.length) spans.push({ text: text.slice(from) });
  return spans;
}

function readEmphasis(text: string, at: number): { span: Span; end: number } | undefined {
  const marker = MARKERS.find(([each]) => text.startsWith(each, at));
  if (marker === undefined || WORD.test(text[at - 1] ?? '')) return undefined;
  const [mark, kind] = marker;
  const start = at + mark.length;
  const window = text.slice(start, start + MAX_EMPHASIS);
  const length = window.indexOf(mark);
  if (length < 1) return undefined;
  const inner = window.slice(0, length);
  const after = text[start + length + mark.length] ?? '';
  if (inner.trim() !== inner || WORD.test(after) || after === mark[0]) return undefined;
  return { span: { text: inner, [kind]: true }, end: start + length + mark.length };
}
