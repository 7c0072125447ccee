/** Merges one head: an earlier merge is found again, and GitHub's refusal is reported in its own words. */
import type { ErrorCode } from '../../../../domain/event/error-codes.ts';
import { ConflictError, QuorumError } from '../../../../domain/event/errors.ts';
import { saySignatureRefusal } from '../../../../domain/github/signature-rule.ts';
import type { ThreadRef } from '../../../../domain/run/thread-ref.ts';
import type { MergeOutcome, MergeWanted } from '../../../../ports/github/work.ts';
import type { SessionContext } from '../../bound.ts';
import { isPassing, githubMessageOf } from '../../client/github-failure.ts';
import type { WirePull } from '../../pulls/pull-operations.ts';
import { readWirePull } from '../../pulls/read-pull.ts';
import { MERGE_PULL } from '../work-operations.ts';

export async function mergeHead(
  bound: SessionContext,
  ref: ThreadRef,
  wanted: MergeWanted,
): Promise<MergeOutcome> {
  return bound.places.at(ref, bound.calls, async (place) => {
    const isUntried = wanted.isNew === true;
    const before = isUntried ? undefined : await readWirePull(bound, ref, place);
    const known = before && findMerged(before, wanted, 'was-merged');
    if (known !== undefined) return known;
    const params = { ...place, pull_number: ref.number, ...toWire(wanted) };
    try {
      const { data } = await bound.calls.send(MERGE_PULL, params, 'content');
      return { outcome: 'merged', sha: data.sha };
    } catch (error) {
      const isLost = isPassing(error);
      if (!isLost && !isRefusal(error)) throw error;
      const pull = await readWirePull(bound, ref, place);
      const found = findMerged(pull, wanted, isLost ? 'merged' : 'was-merged');
      if (found !== undefined) return found;
      if (!isRefusal(error)) throw error;
      const reason = toReason(error);
      if (BASE_MOVED.test(reason)) return { outcome: 'base-moved', reason };
      return { outcome: 'refused', reason, isHeadMoved: isHeadMoved(pull, wanted, error) };
    }
  });
}

function toWire({ sha, method, title, message }: MergeWanted): Record<string, unknown> {
  return {
    sha,
    merge_method: method,
    ...(title !== undefined && { commit_title: title }),
    ...(message !== undefined && { commit_message: message }),
  };
}

/** What is merged already, at the wanted head or at another. */
function findMerged(
  pull: WirePull,
  wanted: MergeWanted,
  outcome: 'merged' | 'was-merged',
): MergeOutcome | undefined {
  if (!pull.merged) return undefined;
  if (pull.head.sha === wanted.sha) return { outcome, sha: pull.merge_commit_sha ?? '' };
  const reason = `It was merged at ${pull.head.sha.slice(0, 12)}, not at ${wanted.sha.slice(0, 12)}.`;
  return { outcome: 'refused', reason, isHeadMoved: true };
}

/** GitHub says so with 405, as it does for what stays refused. */
const BASE_MOVED = /^base branch was modified\b/i;

/** 405, 409, 422, and 403 for workflow files. */
function isRefusal(error: unknown): error is QuorumError {
  if (error instanceof ConflictError) return true;
  return error instanceof QuorumError && REFUSALS.has(error.code);
}

function toReason(error: QuorumError): string {
  if (error.code === 'workflows-refused') return error.message;
  const said = githubMessageOf(error);
  return saySignatureRefusal(said) ?? said;
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['github-invalid', 'workflows-refused']);

/** GitHub's copies lag, so its words count as well. */
function isHeadMoved(pull: WirePull, wanted: MergeWanted, error: QuorumError): boolean {
  return pull.head.sha !== wanted.sha || /^head branch was modified/i.test(githubMessageOf(error));
}
