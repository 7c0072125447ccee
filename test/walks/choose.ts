/** Which recordings are kept: those that together run the most code in the fewest bytes. */
export interface Candidate<T> {
  value: T;
  blocks: ReadonlySet<string>;
  size: number;
}

/** A block is worth less each time that it runs in another recording: with other values, but the same way. */
const WORTH = [1, 0.5, 0.3, 0.2, 0.1, 0.1];

export function choose<T>(candidates: Candidate<T>[], limit: { most: number; bytes: number }): T[] {
  const seen = new Map<string, number>();
  const left = new Set(candidates);
  const kept: T[] = [];
  let bytes = 0;
  while (kept.length < limit.most) {
    const best = findBest(left, seen);
    if (best === undefined) break;
    left.delete(best);
    if (bytes + best.size > limit.bytes) continue;
    bytes += best.size;
    kept.push(best.value);
    for (const block of best.blocks) seen.set(block, (seen.get(block) ?? 0) + 1);
  }
  return kept;
}

/** Large ones cost, but less than their size: much of them is the same as in others. */
function findBest<T>(left: ReadonlySet<Candidate<T>>, seen: ReadonlyMap<string, number>) {
  let best: Candidate<T> | undefined;
  let most = 0;
  for (const each of left) {
    const gain = gainOf(each.blocks, seen) / Math.sqrt(each.size + 2_000);
    if (gain > most) [best, most] = [each, gain];
  }
  return best;
}

function gainOf(blocks: ReadonlySet<string>, seen: ReadonlyMap<string, number>): number {
  let gain = 0;
  for (const block of blocks) gain += WORTH[seen.get(block) ?? 0] ?? 0;
  return gain;
}
