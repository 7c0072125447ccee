/** Whether an entry may be used: who vouches for it, what became of the findings it caused, and what contradicts it. */
import { hasPermission, type Permission } from '../run/thread-ref.ts';
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

/** A person with write access lets an entry be used. Undefined without that access, or where nothing waits. */
export function approveEntry(entry: MemoryEntry, by: Permission): MemoryEntry | undefined {
  if (entry.state !== 'quarantined' || !hasPermission(by, 'write')) return undefined;
  return { ...entry, state: 'active' };
}

/** Fewer outcomes say nothing. */
const LEAST_JUDGED = 3;

/** Whether most findings that an entry caused were dismissed. */
export function isDemoted({ kept, dismissed }: Pick<MemoryUse, 'kept' | 'dismissed'>): boolean {
  return kept + dismissed >= LEAST_JUDGED && dismissed > kept;
}

export interface StaleEntry {
  entry: MemoryEntry;
  reason: 'expired' | 'dismissed';
}

/** Active entries that are not to be used any more, with why. */
export function findStale(
  entries: readonly MemoryEntry[],
  uses: Readonly<Record<string, MemoryUse>>,
  expiry: { today: string; days?: number },
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
 * Pairs of active entries that seem to say opposite things of one subject, by their words alone: a person decides which
 * of the two holds. Made for the entries of one prompt or one file, not for all of a large team.
 */
export function findContradictions(
  entries: readonly MemoryEntry[],
): { one: MemoryEntry; other: MemoryEntry }[] {
  const active = entries
    .filter(({ state }) => state === 'active')
    .map((entry) => ({
      entry,
      stance: stanceOf(entry.text),
      words: significantWords(entry.text),
    }));
  return active.flatMap((one, at) =>
    active
      .slice(at + 1)
      .filter(
        (other) => isOpposed(one.stance, other.stance) && isOneSubject(one.words, other.words),
      )
      .map((other) => ({ one: one.entry, other: other.entry })),
  );
}

function isOneSubject(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return sharedWords(a, b) >= Math.max(2, Math.min(SAME_SUBJECT, a.size, b.size));
}
