/** Holds the mutants that no test noticed against the list of those that were accepted, each with its reason. */
import { readFileSync } from 'node:fs';
import type { Mutant } from './find-mutants.ts';

/** Mutants of one line that may survive; a line is named by its text, because its number moves. */
export interface Accepted {
  file: string;
  code: string;
  /** One for each mutant: two that read alike are listed twice. */
  changes: readonly string[];
  reason: string;
}

export type Named = Pick<Mutant, 'file' | 'code' | 'change'>;

export interface Comparison<T extends Named = Mutant> {
  /** Survivors that nobody accepted. */
  unlisted: T[];
  /** Accepted ones that a test noticed. */
  noticed: Named[];
  /** Accepted ones whose code is no longer there. */
  gone: Named[];
}

/** What the list of a scope accepts. */
export function readAccepted(name: string): Accepted[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return JSON.parse(text) as Accepted[];
}

/** What to add to the list, with the reason, or what to take out of it. */
export function toEntry({ code, change }: Named): string {
  return JSON.stringify({ code, changes: [change] });
}

export function compareSurvivors<T extends Named>(
  accepted: readonly Accepted[],
  { mutants, survivors }: { mutants: readonly Named[]; survivors: readonly T[] },
): Comparison<T> {
  const listed = accepted.flatMap(({ file, code, changes }) =>
    changes.map((change): Named => ({ file, code, change })),
  );
  const notGone = without(listed, without(listed, mutants));
  return {
    unlisted: without(survivors, listed),
    noticed: without(notGone, survivors),
    gone: without(listed, mutants),
  };
}

/** What is left of a list after each of the others took away one that reads like it. */
function without<T extends Named>(list: readonly T[], others: readonly Named[]): T[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(nameOf(other), (counts.get(nameOf(other)) ?? 0) + 1);
  return list.filter((each) => {
    const count = counts.get(nameOf(each)) ?? 0;
    counts.set(nameOf(each), count - 1);
    return count <= 0;
  });
}

function nameOf({ file, code, change }: Named): string {
  return JSON.stringify([file, code, change]);
}
