/** Whether an approval means one note and no other: an id is written into a file that others may write as well. */
import type { MemoryEntry } from '../memory-entry.ts';
import type { MemoryChange } from './memory-change.ts';

export interface JudgedApproval {
  ids: Set<string>;
  /** Why notes were not approved, a sentence for each. */
  refused: string[];
}

/** `all`: the entries of all files. */
export function judgeApproval(
  all: readonly MemoryEntry[],
  { ids, shown = {} }: Extract<MemoryChange, { kind: 'approve' }>,
): JudgedApproval {
  const judged: JudgedApproval = { ids: new Set(), refused: [] };
  for (const id of new Set(ids)) {
    const found = all.filter((entry) => entry.id === id);
    const fault = faultOf(found, shown[id]);
    if (fault === undefined) judged.ids.add(id);
    else judged.refused.push(`The note ${id} was not approved: ${fault}.`);
  }
  return judged;
}

function faultOf(
  [first, ...others]: readonly MemoryEntry[],
  shown: string | undefined,
): string | undefined {
  if (others.length > 0) return 'several notes have this id';
  const isOther = first !== undefined && shown !== undefined && first.text !== shown;
  return isOther ? 'its text changed after it was shown' : undefined;
}
