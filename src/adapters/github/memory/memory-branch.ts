/** The memory branch through the Git Data API: read in one query, written by fast-forward only. */
import type {
  MemoryBranch,
  MemoryPlace,
  MemorySnapshot,
  MemoryWanted,
} from '../../../ports/github/memory-branch.ts';
import type { SessionContext } from '../bound.ts';
import { readBranch, readHead } from './read-branch.ts';
import { readDoubtful, readIsOnlyOurs } from './read-doubtful.ts';
import { updateBranch } from './update-branch.ts';

export function createMemoryBranch(bound: SessionContext): MemoryBranch {
  return {
    read: (at, want) => bound.places.at(at.repository, bound.calls, () => read(bound, at, want)),
    update: (at, update) => updateBranch(bound, at, update),
    doubtful: (at, head, known) =>
      bound.places.at(at.repository, bound.calls, () => readDoubtful(bound, at, { head, known })),
    isOnlyOurs: (at) =>
      bound.places.at(at.repository, bound.calls, () => readIsOnlyOurs(bound, at)),
  };
}

async function read(
  bound: SessionContext,
  at: MemoryPlace,
  { known, ...want }: MemoryWanted,
): Promise<MemorySnapshot> {
  // A conditional request: while the head is the same it costs nothing of the rate limit.
  if (known !== undefined && (await readHead(bound, at)) === known)
    return { head: known, isKnown: true, files: new Map(), unread: [] };
  const found = await readBranch(bound, at, want);
  if (found === undefined) return { head: undefined, isKnown: false, files: new Map(), unread: [] };
  const { head, files, unread, checks } = found;
  return { head, isKnown: false, files, unread, ...(checks !== undefined && { checks }) };
}
