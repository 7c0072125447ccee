/** Writes to the memory branch: read, change, commit on top of what was read, and again when somebody was faster. */
import { QuorumError, RefusedError, TransientError } from '../../../domain/event/errors.ts';
import { FIRST_MEMORY_FILES } from '../../../domain/memory/file/branch-files.ts';
import type {
  MemoryOutcome,
  MemoryPlace,
  MemoryUpdate,
} from '../../../ports/github/memory-branch.ts';
import type { SessionContext } from '../bound.ts';
import { CREATE_COMMIT, CREATE_REF, CREATE_TREE, MOVE_REF } from '../git-data-operations.ts';
import type { Place } from '../repository-locator.ts';
import { assertWritable, assertMessage } from './assert-writable.ts';
import { commitOnBranch } from './commit-on-branch.ts';
import {
  isEmptyRepository,
  isLostRace,
  isRefusedByRule,
  mayBeLostRace,
  toRefusal,
} from './branch-refusals.ts';
import { readBranch, readHead, type BranchFiles } from './read-branch.ts';

const MAX_ATTEMPTS = 10;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 2_000;

/** Text by path; undefined deletes. */
type Changes = ReadonlyMap<string, string | undefined>;

/** Writers of one process wait for each other here, so that only those of other processes are raced. */
export function updateBranch(
  bound: SessionContext,
  at: MemoryPlace,
  update: MemoryUpdate,
): Promise<MemoryOutcome> {
  const { installationId, repositoryId } = at.repository;
  const key = `memory/${installationId}/${repositoryId}/${at.branch}`;
  return bound.locks.use(key, () =>
    bound.places.at(at.repository, bound.calls, (place) =>
      retryRaces(bound, place, { at, update }),
    ),
  );
}

interface Asked {
  at: MemoryPlace;
  update: MemoryUpdate;
}

async function retryRaces(
  bound: SessionContext,
  place: Place,
  { at, update }: Asked,
): Promise<MemoryOutcome> {
  assertMessage(update.message);
  const written = await pushOnSeen(bound, place, { at, update });
  if (written !== undefined) return written;
  for (let races = 0; races < MAX_ATTEMPTS; races += 1) {
    if (races > 0) await bound.clock.sleep(waitBefore(races, bound.random.next()));
    const base =
      races === 0 && isAbsent(bound, update) ? undefined : await readBase(bound, at, update);
    const changes = changesTo(base, update);
    if (changes.size === 0)
      return { head: headOf(base), base: headOf(base), isUnchanged: true, races };
    const { paths, from, holds } = update;
    const isMemory = from === undefined || holds === 'memory';
    assertWritable(changes, { paths, unread: base?.unread ?? [], isMemory });
    const head = await push(bound, place, { at, base, changes, message: update.message });
    if (head !== undefined) return { head, base: base?.head, isUnchanged: false, races };
  }
  throw new TransientError({
    code: 'memory-contended',
    message: `Others wrote to ${at.branch} each of ${MAX_ATTEMPTS} times.`,
    details: 'Nothing to do: Quorum retries the write.',
  });
}

/** A branch that was not there a moment ago is made without another look; GitHub refuses to make it twice. */
function isAbsent({ isJobToken }: SessionContext, { seen }: MemoryUpdate): boolean {
  return isJobToken && seen !== undefined && seen.head === undefined;
}

/** Undefined where nothing was written, and the files have to be read. */
async function pushOnSeen(
  bound: SessionContext,
  place: Place,
  { at, update: { seen, paths, change, message } }: Asked,
): Promise<MemoryOutcome | undefined> {
  if (!bound.isJobToken || seen?.head === undefined) return undefined;
  const { head, files, unread } = seen;
  const changes = changesTo({ files: new Map(files), unread: [...unread] }, { change });
  if (changes.size === 0) return undefined;
  assertWritable(changes, { paths, unread, isMemory: true });
  const made = await commitOnBranch(bound, place, { branch: at.branch, head, message, changes });
  return made === undefined ? undefined : { head: made, base: head, isUnchanged: false, races: 0 };
}

/** Files that a commit is made on. */
interface Base extends BranchFiles {
  /** Head of the branch that this one is made from; it does not exist yet. */
  isOther?: true;
  /** The branch as it is, where the files are those of another one. */
  own?: BranchFiles;
}

async function readBase(
  bound: SessionContext,
  at: MemoryPlace,
  { paths, from, isRenewed }: MemoryUpdate,
): Promise<Base | undefined> {
  const own = await readBranch(bound, at, { paths });
  if (from === undefined || (own !== undefined && isRenewed !== true)) return own;
  const other = await readBranch(bound, { ...at, branch: from }, { paths });
  if (other !== undefined)
    return own === undefined ? { ...other, isOther: true } : { ...other, own };
  throw new RefusedError({
    code: 'memory-refused',
    message: `There is no branch ${from} from which ${at.branch} could be made.`,
    details: 'Push a first commit to the default branch.',
  });
}

/** Of the branch itself, as it was read. */
function headOf(base: Base | undefined): string | undefined {
  return base?.isOther === true ? undefined : (base?.own ?? base)?.head;
}

/** Between half and one and a half of a time that doubles. */
function waitBefore(attempt: number, chance: number): number {
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.5 + chance);
}

/** What differs from the files as they are. A file that is not there cannot be deleted: GitHub refuses such a tree. */
function changesTo(
  base: Pick<Base, 'files' | 'unread' | 'own'> | undefined,
  { change }: Pick<MemoryUpdate, 'change'>,
): Changes {
  const files = base?.files ?? new Map<string, string>();
  const wanted = [...change(new Map(files))].map(([path, text]): [string, string | undefined] => [
    path,
    text?.toWellFormed(),
  ]);
  const isUnread = (path: string): boolean =>
    base?.unread.some((one) => one.path === path) ?? false;
  const changes = new Map(
    wanted.filter(([path, text]) => text !== files.get(path) || isUnread(path)),
  );
  return base?.own !== undefined && isSaid(base.own.files, files, changes) ? new Map() : changes;
}

/** Whether a branch has these files with these changes already. */
function isSaid(
  own: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
  changes: Changes,
): boolean {
  const wanted = [...new Map<string, string | undefined>([...files, ...changes])];
  const there = wanted.filter(([, text]) => text !== undefined);
  return there.length === own.size && there.every(([path, text]) => own.get(path) === text);
}

interface Push {
  at: MemoryPlace;
  base: Base | undefined;
  changes: Changes;
  message: string;
}

/** The new head; undefined when somebody else moved, made or deleted the branch since it was read. */
async function push(
  bound: SessionContext,
  place: Place,
  { at, base, changes, message }: Push,
): Promise<string | undefined> {
  const head = headOf(base);
  const made = await pushInOneCall(bound, place, { at, base, changes, message });
  if (made !== undefined) return made;
  const sha = await commit(bound, place, { at, base, changes, message });
  try {
    await (head === undefined
      ? bound.calls.send(CREATE_REF, { ...place, ref: `refs/heads/${at.branch}`, sha })
      : bound.calls.send(MOVE_REF, { ...place, ref: `heads/${at.branch}`, sha, force: false }));
    return sha;
  } catch (error) {
    if (!(error instanceof QuorumError)) throw error;
    if (isRefusedByRule(error)) throw toRefusal(at, error);
    if (isLostRace(error)) return undefined;
    if (!mayBeLostRace(error)) throw error;
    // GitHub has many words for 422; whether the branch is where it was tells a race from a refusal.
    if ((await readHead(bound, at)) !== head) return undefined;
    throw toRefusal(at, error);
  }
}

/** Undefined for the first commit of a branch and for one with two parents: they are made of their parts. */
async function pushInOneCall(
  bound: SessionContext,
  place: Place,
  { at, base, changes, message }: Push,
): Promise<string | undefined> {
  const head = headOf(base);
  if (!bound.isJobToken || head === undefined || base?.own !== undefined) return undefined;
  return commitOnBranch(bound, place, { branch: at.branch, head, message, changes });
}

async function commit(
  bound: SessionContext,
  place: Place,
  { at, base, changes, message }: Push,
): Promise<string> {
  const all = base === undefined ? [...new Map([...FIRST_MEMORY_FILES, ...changes])] : [...changes];
  const tree = all.map(([path, content]) => ({
    path,
    mode: '100644',
    type: 'blob',
    ...(content === undefined ? { sha: null } : { content }),
  }));
  const under = base === undefined ? {} : { base_tree: base.treeSha };
  try {
    const made = await bound.calls.send(CREATE_TREE, { ...place, ...under, tree });
    const tips = base?.own === undefined ? [] : [base.own.head];
    const parents = base === undefined ? [] : [...tips, base.head];
    const commitOf = { ...place, message, tree: made.data.sha, parents };
    return (await bound.calls.send(CREATE_COMMIT, commitOf)).data.sha;
  } catch (error) {
    if (error instanceof QuorumError && isEmptyRepository(error)) throw toRefusal(at, error);
    throw error;
  }
}
