/** What a tension rests on, as digests: to tell whether its lines changed, or are gone. */
import { createHash } from 'node:crypto';
import type { InsightRef } from '../standup/insight.ts';
import type { Viewed } from '../standup/inventions.ts';
import type { Evidence } from './tension.ts';

/** Of one place; only the beginning of a longer one is shown. */
const MAX_LINES = 40;
/** A brace or an `else` alone is found in every file. */
const SAYS_SOMETHING = /\w{3}/;

/**
 * Of a path without a line only its existence counts: a file changes every day. Without any place the evidence never
 * changes, so what was rejected stays silent.
 */
export function evidenceOf(
  refs: readonly InsightRef[],
  { texts = {} }: Pick<Viewed, 'texts'>,
): Evidence {
  const places = refs.map(({ path, line, endLine = line }) => {
    const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
    if (text === undefined || line === undefined || endLine === undefined)
      return { path, lines: [] };
    const lines = text.split('\n').slice(line - 1, Math.min(endLine, line - 1 + MAX_LINES));
    return { path, lines: lines.filter((each) => SAYS_SOMETHING.test(each)).map(lineDigest) };
  });
  const all = places.map(({ path, lines }) => [path, ...lines].join('\n')).toSorted();
  return { digest: digestOf(all.join('\n\n')), places };
}

/** Whether nothing that is cited is left at a head. What was not in view is not known to be gone. */
export function isGone({ places }: Evidence, { paths, texts = {} }: Viewed): boolean {
  if (places.length === 0) return false;
  const all = new Set(paths);
  return places.every(({ path, lines }) => {
    if (!all.has(path)) return true;
    if (lines.length === 0 || !Object.hasOwn(texts, path)) return false;
    const present = new Set((texts[path] ?? '').split('\n').map(lineDigest));
    return !lines.some((line) => present.has(line));
  });
}

/** The same places under the names that files have now. */
export function renamePlaces(
  { places }: Evidence,
  renamed: Readonly<Record<string, string>>,
): Evidence {
  const moved = places.map(({ path, lines }) => ({ path: nowOf(path, renamed), lines }));
  const all = moved.map(({ path, lines }) => [path, ...lines].join('\n')).toSorted();
  return { digest: digestOf(all.join('\n\n')), places: moved };
}

export function nowOf(path: string, renamed: Readonly<Record<string, string>>): string {
  return Object.hasOwn(renamed, path) ? (renamed[path] ?? path) : path;
}

/** Indentation and blanks do not make another line. */
function lineDigest(line: string): string {
  return digestOf(line.trim().replaceAll(/\s+/g, ' '));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
