/** Reads the memory branch and keeps what it read: while its head stays the same, only the head is asked for. */
import { LRUCache } from 'lru-cache';
import { personaOf, PERSONAS_FOLDER, USES_FILE } from '../../domain/memory/file/apply-change.ts';
import { holdBack } from '../../domain/memory/file/hold-back.ts';
import type { MemoryEntry } from '../../domain/memory/memory-entry.ts';
import { entriesOf, parseMemoryFile } from '../../domain/memory/file/memory-file.ts';
import { parseUses, type MemoryUses } from '../../domain/memory/file/memory-use.ts';
import { selfOwner, usableSelf } from '../../domain/memory/self/self-file.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { BranchHead } from '../../ports/github/github-survey.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type {
  DoubtfulLines,
  MemoryPlace,
  MemorySession,
} from '../../ports/github/memory-branch.ts';
import type { ActPorts } from '../ports.ts';
import { createVouchedHeads, forgetKeys, moveOn, placeKey, type Moved } from './vouched-heads.ts';

/** Everything that is remembered of a repository, all of one commit. */
export interface MemoryNow {
  head: string;
  entries: readonly MemoryEntry[];
  uses: MemoryUses;
  /** Each persona's own file, as far as it may reach a prompt; none of them while GitHub does not say who pushed. */
  selves: ReadonlyMap<string, string>;
  /** Lines whose entries wait, as nobody vouches for them. */
  doubtful: DoubtfulLines;
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
  noteUnchanged(place: MemoryPlace, moved: Moved): void;
  /**
   * We wrote: the branch has these files now. Where it is known who pushed the rest, they need not be read again.
   */
  noteWritten(place: MemoryPlace, moved: Moved, files: ReadonlyMap<string, string>): void;
}

/** Of a branch that was made without any memory in it. */
const NOTHING_YET: MemoryNow = {
  head: '',
  entries: [],
  uses: parseUses('').uses,
  selves: new Map(),
  doubtful: new Set(),
};

/** What is read of the branch. */
const READ = [PERSONAS_FOLDER, USES_FILE];
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
  const vouched = createVouchedHeads(MOST_KEPT, () => clock.now());
  caches?.onForget((installationId) => {
    const prefix = `${installationId}/`;
    forgetKeys(kept, prefix);
    vouched.forget(prefix);
  });
  const today = (): string => new Date(clock.now()).toISOString().slice(0, 10);
  const noteWritten: KeptMemory['noteWritten'] = (place, moved, files) => {
    vouched.noteOwn(place, moved);
    const { head } = moved;
    const doubtful = head === undefined ? undefined : vouched.known(place, head);
    if (head === undefined || doubtful === undefined) return;
    kept.set(placeKey(place), toMemory(head, { files: onlyRead(files), doubtful, today: today() }));
  };
  const noteUnchanged: KeptMemory['noteUnchanged'] = (place, moved) => {
    vouched.noteOwn(place, moved);
    moveOn(kept, placeKey(place), { ...moved, first: NOTHING_YET });
  };
  const read = async (
    session: MemorySession,
    place: MemoryPlace,
    told?: BranchHead,
  ): Promise<MemoryNow | undefined> => {
    const key = placeKey(place);
    const before = kept.get(key);
    const isTold = told?.name === place.branch;
    if (isTold && told.head === before?.head) return before;
    // The survey shows that the head is another one: its files are read at once.
    const known = before === undefined || isTold ? {} : { known: before.head };
    const { head, isKnown, files } = await session.memory.read(place, {
      paths: READ,
      ...known,
    });
    if (isKnown) return before;
    kept.delete(key);
    if (head === undefined) return undefined;
    const doubtful = await vouched.at(session, place, head);
    const now = toMemory(head, { files, doubtful, today: today() });
    if (typeof doubtful !== 'string') kept.set(key, now);
    return now;
  };
  return Object.assign(read, { noteUnchanged, noteWritten });
}

function onlyRead(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...files].filter(([path]) => path === USES_FILE || path.startsWith(PERSONAS_FOLDER)),
  );
}

interface ReadFiles {
  files: ReadonlyMap<string, string>;
  doubtful: DoubtfulLines;
  /** ISO 8601 date. */
  today: string;
}

function toMemory(head: string, { files, doubtful, today }: ReadFiles): MemoryNow {
  const selves = selvesIn(files, doubtful);
  return { head, doubtful, selves, ...parseVouched(files, doubtful, today) };
}

function selvesIn(
  files: ReadonlyMap<string, string>,
  doubtful: DoubtfulLines,
): ReadonlyMap<string, string> {
  if (typeof doubtful === 'string') return new Map();
  return new Map(
    [...files].flatMap(([path, text]): [string, string][] => {
      const persona = selfOwner(path);
      const usable = persona === undefined ? '' : usableSelf(text, doubtful);
      return persona === undefined || usable === '' ? [] : [[persona, usable]];
    }),
  );
}

function parseVouched(
  files: ReadonlyMap<string, string>,
  doubtful: DoubtfulLines,
  today: string,
): Pick<MemoryNow, 'entries' | 'uses'> {
  if (typeof doubtful !== 'string')
    return parseMemory(new Map([...files, ...holdBack(files, doubtful, today)]), today);
  const { entries, uses } = parseMemory(files, today);
  const waiting = entries.map((entry) =>
    entry.state === 'active' ? { ...entry, state: 'quarantined' as const } : entry,
  );
  return { entries: waiting, uses };
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
