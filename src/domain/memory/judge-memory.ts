/** Whether an entry may be used: who vouches for it, what became of the findings it caused, and what contradicts it. */
import type { MemoryEntry, MemoryState, MemoryUse } from './memory-entry.ts';
import { isOpposed, isOrder, sharedWords, significantWords, stanceOf } from './memory-text.ts';
import { isExpired } from './recall/verify-memory.ts';

/**
 * The state in which a learned entry begins. What grew from the words of somebody without write access, or speaks like
 * an instruction, waits for a person.
 */
export function firstState({ trust, text }: Pick<MemoryEntry, 'trust' | 'text'>): MemoryState {
  return trust !== 'maintainer' || isOrder(text) ? 'quarantined' : 'active';
}

/** Fewer outcomes say nothing. */
const LEAST_JUDGED = 3;

/** Whether most findings that an entry caused were dismissed. */
export function isDemoted({ kept, dismissed }: Pick<MemoryUse, 'kept' | 'dismissed'>): boolean {
  return kept + dismissed >= LEAST_JUDGED && dismissed > kept;
}

/** `gone`: what it cites is not in the code any more. */
export type StaleReason = 'gone' | 'expired' | 'dismissed';

export interface StaleEntry {
  entry: MemoryEntry;
  reason: Exclude<StaleReason, 'gone'>;
}

/** Active entries that are not to be used any more, with why. */
export function findStale(
  entries: readonly MemoryEntry[],
  uses: Readonly<Record<string, MemoryUse>>,
  expiry: { today: string; days?: number | undefined },
): StaleEntry[] {
  return entries.flatMap((entry): StaleEntry[] => {
    const use = uses[entry.id];
    if (entry.state !== 'active') return [];
    if (use !== undefined && isDemoted(use)) return [{ entry, reason: 'dismissed' }];
    return isExpired(entry, use, expiry) ? [{ entry, reason: 'expired' }] : [];
  });
}

/** Two texts with so many telling words in common are of one subject. */
const SAME_SUBJECT = 3;

/**
 * Active entries that seem to say the opposite of this text about the same subject, by their words alone. A person decides
 * which of them holds.
 */
export function findOpposed(text: string, entries: readonly MemoryEntry[]): MemoryEntry[] {
  const [stance, words] = [stanceOf(text), significantWords(text)];
  return entries.filter(
    (other) =>
      other.state === 'active' &&
      isOneSubject(words, significantWords(other.text)) &&
      isOpposed(stance, stanceOf(other.text)),
  );
}

function isOneSubject(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return sharedWords(a, b) >= Math.max(2, Math.min(SAME_SUBJECT, a.size, b.size));
}
