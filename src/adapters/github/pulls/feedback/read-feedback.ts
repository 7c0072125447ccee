/** What became of our earlier reviews: by GraphQL in one call, by REST where that is missing. */
import type { z } from 'zod';
import { parseMarker } from '../../../../domain/github/marker.ts';
import { threadKey, type ThreadRef } from '../../../../domain/run/thread-ref.ts';
import type { PullFeedback } from '../../../../ports/github/pulls.ts';
import type { SessionContext } from '../../bound.ts';
import { readFeedbackByGraphql, type FeedbackPage } from './feedback-graphql.ts';
import { readFeedbackByRest } from './feedback-rest.ts';

export async function readFeedback(
  bound: SessionContext,
  ref: ThreadRef,
  first?: z.infer<typeof FeedbackPage>,
): Promise<PullFeedback> {
  const told = await readFeedbackByGraphql(bound, ref, first);
  const feedback = told ?? (await readFeedbackByRest(bound, ref));
  return markOurs(bound, ref, feedback);
}

/** Recognizes Quorum's comments by account, then trusts those markers that were signed for this thread. */
async function markOurs(
  bound: SessionContext,
  ref: ThreadRef,
  feedback: PullFeedback,
): Promise<PullFeedback> {
  const all = [...feedback.reviews, ...feedback.threads.flatMap((thread) => thread.comments)];
  for (const one of all) {
    const { id, login, isBot } = one.author;
    const user = { id, login, type: isBot ? 'Bot' : 'User' };
    one.isOurs = await bound.identity.isOurText({ id: one.id, user });
    if (!one.isOurs) continue;
    const marker = parseMarker(one.body, bound.markerSecret, threadKey(ref));
    if (marker !== undefined) one.marker = marker;
  }
  return feedback;
}
