/** Holds what became of the demonstration's lessons against what should have. */
import type { MemoryEntry } from '../../domain/memory/memory-entry.ts';
import { counted } from '../../domain/text/counted.ts';

interface JudgedLessons {
  /** What the team asked a person about. */
  proposed: readonly Pick<MemoryEntry, 'id'>[];
  /** What is remembered at the end. */
  entries: readonly Pick<MemoryEntry, 'id' | 'state' | 'source'>[];
  /** Ids that findings of the later review rest on. */
  cited: ReadonlySet<string>;
}

/** Says, in sentences, what is not as expected. A note that a person taught is no lesson of a run. */
export function judgeLessons({ proposed, entries, cited }: JudgedLessons): string[] {
  if (proposed.length === 0) return ['no lesson was proposed'];
  const kept = proposed.flatMap(({ id }) => entries.filter((entry) => entry.id === id));
  const approved = kept.filter(({ state, source }) => state === 'active' && source.kind === 'run');
  return [
    ...(approved.length < proposed.length
      ? [
          `${counted(proposed.length - approved.length, 'lesson')} not approved (of ${proposed.length})`,
        ]
      : []),
    ...(approved.some(({ id }) => cited.has(id))
      ? []
      : ['no later review cites a lesson that was learned and approved']),
  ];
}
