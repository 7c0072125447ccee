/** Short references to what was seen: places, issues and quotes, as they stand in a sentence. */
import { codeSpan } from '../../../domain/text/code-span.ts';
import type { Evidence } from '../../../domain/run/evidence.ts';
import type { Place, Signal } from '../../../domain/review/signal.ts';

/** `` `src/a.ts#L3-L9` ``. */
export function citePlace({ path, line, endLine }: Place): string {
  if (line === undefined) return codeSpan(path);
  const lines = endLine === undefined || endLine === line ? `L${line}` : `L${line}-L${endLine}`;
  return codeSpan(`${path}#${lines}`);
}

/** ` (place)` after a statement, or nothing. */
export function at({ place }: Signal): string {
  return place === undefined ? '' : ` (${citePlace(place)})`;
}

/** A file with its lines. */
export function citeFile({ path, lines }: Evidence['files'][number]): string {
  const [line, endLine] = lines ?? [];
  return citePlace(line === undefined ? { path } : { path, line, endLine: endLine ?? line });
}

/** Files that the issue points to, not those that only sound like it. */
export function touched(evidence: Evidence): Evidence['files'] {
  return evidence.files.filter(({ score }) => score >= 5);
}

/** `a, b and c`. */
export function list(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** Without the full stop, to go on in the same sentence. */
export function bare(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/** Cut at a word, for fields with a limit. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  const space = kept.lastIndexOf(' ');
  return `${(space > max / 2 ? kept.slice(0, space) : kept).replace(/[`"]$/, '')}…`;
}

/** First letter small, unless it is a name or code. */
export function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
