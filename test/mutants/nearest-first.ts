/** In which order test files are tried on a mutant: those next to its source first, then the fast ones. */

interface Timed {
  file: string;
  ms: number;
}

export function nearestFirst<T extends Timed>(source: string, tests: readonly T[]): T[] {
  return tests.toSorted(
    (a, b) => nearness(source, b.file) - nearness(source, a.file) || a.ms - b.ms,
  );
}

/** How many folders a source and a test share from the top; a test of the same name counts for all of them. */
function nearness(source: string, test: string): number {
  const [of = [], at = []] = [source, test].map((file) => file.split('/').slice(1));
  const name = at.at(-1)?.replace('.test.ts', '.ts');
  const shared = of.findIndex((part, n) => part !== at[n]);
  return shared + (name === of.at(-1) ? of.length : 0);
}
