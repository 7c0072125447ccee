/** Takes a branch away while it points where it was left. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../bound.ts';
import { GET_REF } from '../rest-operations.ts';
import type { Place } from '../repository-locator.ts';
import { DELETE_REF } from './work-operations.ts';

export interface BranchLeft {
  branch: string;
  sha: string;
}

export async function deleteBranch(
  bound: SessionContext,
  ref: RepositoryRef,
  left: BranchLeft,
): Promise<'deleted' | 'was-gone' | 'moved'> {
  return bound.places.at(ref, bound.calls, async (place) => {
    const tip = await readTipTwice(bound, place, left.branch);
    if (tip === undefined) return 'was-gone';
    if (tip !== left.sha) return 'moved';
    try {
      await bound.calls.send(DELETE_REF, { ...place, ref: `heads/${left.branch}` });
      return 'deleted';
    } catch (error) {
      // GitHub says 422 both for what is gone and for what it does not let go.
      const isRefused = error instanceof RefusedError;
      if (isRefused && (await readTip(bound, place, left.branch)) === undefined) return 'was-gone';
      throw error;
    }
  });
}

/**
 * A copy of GitHub that lags behind may not show it. It is read again here and not from the queue, because the merge or the
 * release that it follows has to be recorded.
 */
const LAG_MS = 1000;

async function readTipTwice(bound: SessionContext, place: Place, branch: string) {
  const tip = await readTip(bound, place, branch);
  if (tip !== undefined) return tip;
  await bound.clock.sleep(LAG_MS);
  return readTip(bound, place, branch);
}

export async function readTip(
  bound: SessionContext,
  place: Place,
  branch: string,
): Promise<string | undefined> {
  const found = await bound.calls.find(GET_REF, { ...place, ref: `heads/${branch}` });
  return found?.data.object.sha;
}
