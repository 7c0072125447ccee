/** Reads the memory branch and keeps what it read: while its head stays the same, only the head is asked for. */
import { LRUCache } from 'lru-cache';
import { personaOf, PERSONAS_FOLDER, USES_FILE } from '../../domain/memory/file/apply-change.ts';
import type { MemoryEntry } from '../../domain/memory/memory-entry.ts';
import { entriesOf, parseMemoryFile } from '../../domain/memory/file/memory-file.ts';
import { parseUses, type MemoryUses } from '../../domain/memory/file/memory-use.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { BranchHead, GitHubSession } from '../../ports/github.ts';
import type { MemoryOutcome, MemoryPlace, MemorySession } from '../../ports/memory-branch.ts';
import type { ActPorts } from '../ports.ts';

/** Everything that is remembered of a repository, all of one commit. */
export interface MemoryNow {
  head: string;
  entries: readonly MemoryEntry[];
  uses: MemoryUses;
}

export interface ReadMemory {
  /**
   * Undefined while there is no branch. `told`: what another read told of a branch a moment ago: then its head is not asked
   * for again.
   */
  (session: MemorySession, place: MemoryPlace, told?: BranchHead): Promise<MemoryNow | undefined>;
}

export interface KeptMemory extends ReadMemory {
  /** We made a commit that changes no file that is read here, so what was kept of its parent still holds. */
  noteUnchanged(place: MemoryPlace, moved: Pick<MemoryOutcome, 'head' | 'base'>): void;
}

/** Of a branch that was made without any memory in it. */
const NOTHING_YET: MemoryNow = { head: '', entries: [], uses: parseUses('').uses };

/** Repositories whose memory a process keeps. */
const MOST_KEPT = 200;

/** The session, if it can reach memory branches; at a terminal it cannot. */
export function memorySessionOf(session: GitHubSession): MemorySession | undefined {
  return hasMemory(session) ? session : undefined;
}

function hasMemory(session: GitHubSession): session is MemorySession {
  return 'memory' in session;
}

export function createReadMemory({
  clock,
  caches,
}: Pick<ActPorts, 'clock' | 'caches'>): KeptMemory {
  const kept = new LRUCache<string, MemoryNow>({ max: MOST_KEPT });
  caches?.onForget((installationId) => {
    for (const key of kept.keys().toArray())
      if (key.startsWith(`${installationId}/`)) kept.delete(key);
  });
  const noteUnchanged: KeptMemory['noteUnchanged'] = (place, { head, base }) => {
    const key = keyOf(place);
    const before = base === undefined ? NOTHING_YET : kept.get(key);
    const isKept = base === undefined || before?.head === base;
    if (head !== undefined && before !== undefined && isKept) kept.set(key, { ...before, head });
  };
  const read = async (
    session: MemorySession,
    place: MemoryPlace,
    told?: BranchHead,
  ): Promise<MemoryNow | undefined> => {
    const key = keyOf(place);
    const before = kept.get(key);
    if (told?.name === place.branch && told.head === before?.head) return before;
    const known = before === undefined ? {} : { known: before.head };
    const { head, isKnown, files } = await session.memory.read(place, {
      paths: [PERSONAS_FOLDER, USES_FILE],
      ...known,
    });
    if (isKnown) return before;
    kept.delete(key);
    if (head === undefined) return undefined;
    const now = { head, ...parseMemory(files, new Date(clock.now()).toISOString().slice(0, 10)) };
    kept.set(key, now);
    return now;
  };
  return Object.assign(read, { noteUnchanged });
}

function keyOf({ repository, branch }: MemoryPlace): string {
  return `${repository.installationId}/${repository.repositoryId}/${branch}`;
}

/** `today`, an ISO 8601 date, is for lines below no dated heading. */
export function parseMemory(
  files: ReadonlyMap<string, string>,
  today: string,
): Pick<MemoryNow, 'entries' | 'uses'> {
  const entries = [...files].flatMap(([path, text]) => {
    const persona = personaOf(path);
    return persona === undefined ? [] : entriesOf(parseMemoryFile(text, { persona, today }));
  });
  return { entries, uses: parseUses(files.get(USES_FILE) ?? '').uses };
}

/** Where a repository's settings say that its memory is. */
export function toMemoryPlace(
  repository: RepositoryRef,
  { memory }: { memory: { branch: string } },
): MemoryPlace {
  return { repository, branch: memory.branch };
}
