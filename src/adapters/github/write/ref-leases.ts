/** Leases as refs: created when absent, moved on by fast-forward only, which GitHub checks for us. */
import { ConflictError, QuorumError, RefusedError } from '../../../domain/event/errors.ts';
import { parseLease, renderLease, type Lease } from '../../../domain/plan/lease.ts';
import type { LeasePlace, Leases } from '../../../ports/github/leases.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../bound.ts';
import { CREATE_COMMIT, CREATE_REF, GET_COMMIT, MOVE_REF } from '../git-data-operations.ts';
import { GET_REF } from '../rest-operations.ts';
import { commitSlot } from '../cache/recall.ts';
import type { Place } from '../repository-locator.ts';

export function createLeases(bound: SessionContext): Leases {
  return {
    read: (at) => readLease(bound, at),
    create: (at, lease) =>
      bound.places.at(at.repository, bound.calls, (place) =>
        createLease(bound, place, { at, lease }),
      ),
    move: (at, from, lease) =>
      bound.places.at(at.repository, bound.calls, (place) =>
        moveLease(bound, place, { at, from, lease }),
      ),
  };
}

async function readLease(bound: SessionContext, { repository, ref }: LeasePlace) {
  const place = bound.places.last(repository);
  const found = await bound.calls.find(GET_REF, { ...place, ref: shortRef(ref) });
  if (found === undefined) return undefined;
  const { sha } = found.data.object;
  return { sha, lease: parseLease((await readCommit(bound, { repository, place, sha })).message) };
}

interface CommitAt {
  repository: RepositoryRef;
  place: Place;
  sha: string;
}

async function readCommit(bound: SessionContext, { repository, place, sha }: CommitAt) {
  const made = bound.recall.commits.get(commitSlot(repository, sha));
  if (made !== undefined) return made;
  const params = { ...place, commit_sha: sha };
  return (await bound.calls.get(GET_COMMIT, params, { isImmutable: true })).data;
}

/** The API names refs without `refs/`. */
function shortRef(ref: string): string {
  return ref.replace(/^refs\//, '');
}

async function createLease(
  bound: SessionContext,
  place: Place,
  { at, lease }: { at: LeasePlace; lease: Lease },
): ReturnType<Leases['create']> {
  // On top of the base: a commit without a parent would bring in all of its files, workflows among them, as new.
  const sha = await commitLease(bound, place, { at, lease, parent: at.baseSha });
  const isCreated = await unlessRefused(
    bound.calls.send(CREATE_REF, { ...place, ref: at.ref, sha }),
  );
  if (isCreated) return { outcome: 'created', sha };
  // GitHub answers 422 for every ref that it does not create: whether there is one tells why.
  if ((await readLease(bound, at)) !== undefined) return { outcome: 'exists' };
  throw new RefusedError({
    code: 'lease-refused',
    isEventuallyConsistent: true,
    message: `GitHub does not create ${at.ref}.`,
    details:
      'Set `plans.leaseNamespace: refs/heads/quorum-lease` where a host refuses that namespace.',
  });
}

async function moveLease(
  bound: SessionContext,
  place: Place,
  { at, from, lease }: { at: LeasePlace; from: string; lease: Lease },
): ReturnType<Leases['move']> {
  // Its parent is what was read: only while the ref points there is the new commit ahead of it.
  const sha = await commitLease(bound, place, { at, lease, parent: from });
  const change = { ...place, ref: shortRef(at.ref), sha, force: false };
  const isMoved = await unlessRefused(bound.calls.send(MOVE_REF, change));
  return isMoved ? { outcome: 'moved', sha } : { outcome: 'lost' };
}

interface NewCommit {
  at: LeasePlace;
  lease: Lease;
  /** It has this one's files, every one as it is. */
  parent: string;
}

async function commitLease(bound: SessionContext, place: Place, { at, lease, parent }: NewCommit) {
  const { repository } = at;
  const known = bound.recall.trees.get(commitSlot(repository, parent));
  const tree = known ?? (await readCommit(bound, { repository, place, sha: parent })).tree.sha;
  const message = renderLease(lease);
  const commit = { message, tree, parents: [parent] };
  const { sha } = (await bound.calls.send(CREATE_COMMIT, { ...place, ...commit })).data;
  bound.recall.commits.set(commitSlot(repository, sha), { message, tree: { sha: tree } });
  return sha;
}

/** Whether a compare-and-swap went through. */
async function unlessRefused(sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (error) {
    const isLost = error instanceof QuorumError && error.code === 'github-invalid';
    if (isLost || error instanceof ConflictError) return false;
    throw error;
  }
}
