/** Reviews written in one session: one at a time for each thread, because each looks before it writes. */
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { PullWriter } from '../../../ports/github/pulls.ts';
import type { SessionContext } from '../bound.ts';
import { ensureReply } from './ensure-reply.ts';
import { ensureReviewCheck } from './ensure-review-check.ts';
import { ensureReview } from './ensure-review.ts';
import { foldSettled } from './feedback/fold.ts';

export function createPullWriter(bound: SessionContext): PullWriter {
  const { locks } = bound;
  return {
    ensureReview: (ref, review) =>
      locks.use(threadKey(ref), () => ensureReview(bound, ref, review)),
    ensureReviewCheck: (ref, check) =>
      locks.use(`check:${ref.repositoryId}/${check.headSha}/${check.name}`, () =>
        ensureReviewCheck(bound, ref, check),
      ),
    ensureReply: (ref, to, reply) =>
      locks.use(threadKey(ref), () => ensureReply(bound, ref, { to, reply })),
    fold: (ref, settled) => locks.use(threadKey(ref), () => foldSettled(bound, ref, settled)),
  };
}
