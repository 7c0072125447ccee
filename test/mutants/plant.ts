/** Plants many mutants into one text: each sleeps until its number is called. */
import type { Mutant } from './find-mutants.ts';

export interface Planted extends Mutant {
  id: number;
}

interface Insertion {
  at: number;
  text: string;
  /** The other end of what it encloses: at one place, what ends comes first, and what is outside encloses the rest. */
  other: number;
}

/** Where nothing defines the switch, as in a thread that a test starts, every mutant sleeps. */
const isAwake = (id: number): string => `globalThis.isMutantAwake?.(${id})`;

export function plant(source: string, mutants: readonly Planted[]): string {
  const insertions = mutants.flatMap(({ id, start, end, text }): Insertion[] => {
    const [before, after] =
      text === undefined
        ? [`{ if (!${isAwake(id)}) { `, ' } }']
        : [`(${isAwake(id)} ? (${text}) : (`, '))'];
    return [
      { at: start, text: before, other: end },
      { at: end, text: after, other: start },
    ];
  });
  let planted = '';
  let done = 0;
  for (const { at, text } of insertions.toSorted(inOrder)) {
    planted += source.slice(done, at) + text;
    done = at;
  }
  return planted + source.slice(done);
}

function inOrder(a: Insertion, b: Insertion): number {
  if (a.at !== b.at) return a.at - b.at;
  const [aEnds, bEnds] = [a.other < a.at, b.other < b.at];
  if (aEnds !== bEnds) return aEnds ? -1 : 1;
  return b.other - a.other;
}
