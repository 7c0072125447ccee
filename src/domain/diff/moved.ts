/** Tells moved lines from new ones: code that was elsewhere before was not written by this change. */
import type { Diff, DiffLine } from './diff.ts';

/** Shorter lines (`}`, `else`) stand everywhere and tell nothing. */
const MIN_TELLING = 6;

function keyOf(line: DiffLine): string {
  return line.text.replaceAll(/\s+/g, '');
}

export interface Moved {
  /** New lines whose text was removed elsewhere in the change, whitespace aside. */
  added: ReadonlySet<DiffLine>;
  /** Removed lines whose text reappeared elsewhere. */
  removed: ReadonlySet<DiffLine>;
}

/** Pairs each new line with one removed line of the same text. Linear. */
export function findMoved({ files }: Pick<Diff, 'files'>): Moved {
  const waiting = new Map<string, DiffLine[]>();
  const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  for (const line of lines) {
    if (line.kind !== 'removed') continue;
    const key = keyOf(line);
    if (key.length < MIN_TELLING) continue;
    const known = waiting.get(key);
    if (known === undefined) waiting.set(key, [line]);
    else known.push(line);
  }
  const [added, removed] = [new Set<DiffLine>(), new Set<DiffLine>()];
  if (waiting.size === 0) return { added, removed };
  for (const line of lines) {
    if (line.kind !== 'added') continue;
    const twin = waiting.get(keyOf(line))?.pop();
    if (twin === undefined) continue;
    added.add(line);
    removed.add(twin);
  }
  return { added, removed };
}
