/** Chooses mutants by a seed: a line is as likely as any other, and so is each of its mutants. */
import type { Mutant } from './find-mutants.ts';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function sample(
  mutants: readonly Mutant[],
  { count, random }: { count: number; random: () => number },
): Mutant[] {
  const lines = [...Map.groupBy(mutants, ({ file, line }) => `${file}:${line}`).values()];
  const chosen: Mutant[] = [];
  while (chosen.length < count && lines.length > 0) {
    const line = lines[Math.floor(random() * lines.length)] ?? [];
    const [mutant] = line.splice(Math.floor(random() * line.length), 1);
    if (mutant !== undefined) chosen.push(mutant);
    if (line.length === 0) lines.splice(lines.indexOf(line), 1);
  }
  return chosen;
}
