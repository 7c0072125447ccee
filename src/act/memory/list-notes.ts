/** What is remembered of a repository, for people who ask. */
import type { Config } from '../../domain/config/config.ts';
import { NO_USE } from '../../domain/memory/file/memory-use.ts';
import type { ListedNote } from '../../domain/run/talk.ts';
import { toRepositoryRef, type RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import { memorySessionOf, toMemoryPlace, type ReadMemory } from './read-memory.ts';

/** An answer names a few. Older ones than these are neither counted nor found: `quorum memory list` shows them. */
const MOST = 500;

export interface ListedNotes {
  /** Newest first. */
  notes: ListedNote[];
  /** This GitHub does not say who pushed the branch: none of them is used. */
  isUntold: boolean;
}

/** Undefined where there is no memory to be read. */
export async function listNotes(
  ref: RepositoryRef,
  {
    session,
    config,
    readMemory,
  }: { session: GitHubSession; config: Config; readMemory: ReadMemory },
): Promise<ListedNotes | undefined> {
  const reached = memorySessionOf(session);
  if (reached === undefined) return undefined;
  const memory = await readMemory(reached, toMemoryPlace(toRepositoryRef(ref), config));
  const notes = (memory?.entries ?? [])
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, MOST)
    .map(({ id, persona, text, state, author, grewFrom }) => ({
      id,
      persona,
      text,
      state,
      author,
      uses: (memory?.uses[id] ?? NO_USE).uses,
      ...(grewFrom !== undefined && {
        grewFrom: grewFrom.flatMap((origin) => origin.author ?? []),
      }),
    }));
  return { notes, isUntold: memory?.doubtful === 'untold' };
}
