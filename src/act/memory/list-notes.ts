/** What is remembered of a repository, for people who ask. */
import { QuorumError } from '../../domain/event/errors.ts';
import type { Config } from '../../domain/config/config.ts';
import { findStale, type StaleReason } from '../../domain/memory/judge-memory.ts';
import { NO_USE } from '../../domain/memory/file/memory-use.ts';
import type { MemoryEntry } from '../../domain/memory/memory-entry.ts';
import {
  verifyByTree,
  verifyLines,
  type FileNow,
  type Verification,
} from '../../domain/memory/recall/verify-memory.ts';
import type { ListedNote } from '../../domain/run/talk.ts';
import { toRepositoryRef, type RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { ActPorts } from '../ports.ts';
import { memorySessionOf, toMemoryPlace, type MemoryNow, type ReadMemory } from './read-memory.ts';

/** An answer names a few. What waits or is stale comes first, so that no such note is left out for a newer one. */
const MOST = 500;
/** Texts of cited files that changed. What does not fit is not looked at, and counts as there. */
const MOST_FILES = 100;
const MAX_BYTES = 200_000;
const TOTAL_BYTES = 5_000_000;

export interface ListedNotes {
  notes: ListedNote[];
  /** Notes beyond these. */
  more: number;
  /** This GitHub does not say who pushed the branch: none of them is used. */
  isUntold: boolean;
}

interface Judging {
  session: GitHubSession;
  config: Config;
  clock: ActPorts['clock'];
  /** Where cited places are looked up; without it no note counts as gone. */
  headSha?: string;
}

interface Listing extends Judging {
  readMemory: ReadMemory;
}

/** Undefined where there is no memory to be read. */
export async function listNotes(
  ref: RepositoryRef,
  listing: Listing,
): Promise<ListedNotes | undefined> {
  const { session, config, readMemory } = listing;
  const reached = memorySessionOf(session);
  if (reached === undefined) return undefined;
  const memory = await readMemory(reached, toMemoryPlace(toRepositoryRef(ref), config));
  if (memory === undefined) return { notes: [], more: 0, isUntold: false };
  const reasons = await staleIn(ref, memory, listing);
  const all = memory.entries
    .map((entry) => toListed(entry, memory, reasons.get(entry.id)))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .toSorted((a, b) => Number(b.note.state !== 'active') - Number(a.note.state !== 'active'));
  return {
    notes: all.slice(0, MOST).map(({ note }) => note),
    more: Math.max(0, all.length - MOST),
    isUntold: memory.doubtful === 'untold',
  };
}

function toListed(
  { id, persona, text, state, author, grewFrom, createdAt }: MemoryEntry,
  { uses }: MemoryNow,
  why: StaleReason | undefined,
): { note: ListedNote; createdAt: string } {
  const note: ListedNote = {
    id,
    persona,
    text,
    state: why === undefined ? state : 'stale',
    ...(why && { why }),
    author,
    uses: (uses[id] ?? NO_USE).uses,
    ...(grewFrom !== undefined && {
      grewFrom: grewFrom.flatMap((origin) => origin.author ?? []),
    }),
  };
  return { note, createdAt };
}

/** Why active notes are not used, by id. */
export async function staleIn(
  ref: RepositoryRef,
  { entries, uses }: Pick<MemoryNow, 'entries' | 'uses'>,
  { session, config, clock, headSha }: Judging,
): Promise<Map<string, StaleReason>> {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const expiry = { today, days: config.memory.expireDays };
  const active = entries.filter(({ state }) => state === 'active');
  const gone =
    headSha === undefined || headSha === ''
      ? []
      : await findGone(ref, active, { session, headSha }).catch(noneKnown);
  return new Map<string, StaleReason>([
    ...gone.map((id) => [id, 'gone'] as const),
    ...findStale(entries, uses, expiry).map(({ entry, reason }) => [entry.id, reason] as const),
  ]);
}

/** The list is shown all the same where the code cannot be read for good. */
function noneKnown(error: unknown): string[] {
  if (error instanceof QuorumError && !error.retryable) return [];
  throw error;
}

/** Ids of entries whose file or lines are not there any more. What could not be read is no reason. */
async function findGone(
  ref: RepositoryRef,
  entries: readonly MemoryEntry[],
  { session: { code }, headSha }: Pick<Listing, 'session'> & { headSha: string },
): Promise<string[]> {
  const citing = entries.filter(({ refs }) => refs.length > 0);
  if (citing.length === 0) return [];
  const tree = await code.blobs(ref, headSha);
  const byTree = [...verifyByTree(citing, tree)];
  const paths = [...new Set(byTree.flatMap(([, each]) => doubtfulPaths(each)))];
  const asked = paths.slice(0, MOST_FILES);
  const want = { paths: asked, maxBytes: MAX_BYTES, totalBytes: TOTAL_BYTES };
  const texts = asked.length === 0 ? [] : await code.texts(ref, headSha, want);
  const files = new Map(
    // Lines may stand behind a cut.
    texts.map(({ path, text, isCut }): [string, FileNow] => [
      path,
      { text: isCut ? undefined : text, blobSha: tree.get(path) ?? '' },
    ]),
  );
  const missing = new Set(asked.filter((path) => !files.has(path)));
  return byTree.filter(([, each]) => isGone(each, { files, missing })).map(([id]) => id);
}

/** A tree may be cut: whether a file that it does not show is gone, its text tells. */
function doubtfulPaths(found: Verification): string[] {
  if (found.kind === 'lines-wanted') return found.paths;
  return found.kind === 'stale' ? [found.ref.path] : [];
}

interface Looked {
  files: ReadonlyMap<string, FileNow>;
  /** Asked for, and not there. */
  missing: ReadonlySet<string>;
}

function isGone(found: Verification, { files, missing }: Looked): boolean {
  const known = found.kind === 'lines-wanted' ? verifyLines(found, files) : found;
  if (known.kind !== 'stale') return false;
  return (
    known.cause === 'lines-gone' || (known.cause === 'file-gone' && missing.has(known.ref.path))
  );
}
