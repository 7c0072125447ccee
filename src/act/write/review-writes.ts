/** Writes of a review on a pull request. Each is safe to repeat. */
import type { DataOf, EffectContext } from '../effect-context.ts';
import { pullsAt, type Performed } from '../ports.ts';
import { hasOlderCheck } from '../trace.ts';

export async function writeReply(
  { thread, commentId, marker, body }: DataOf<'reply'>,
  { ports, trace }: EffectContext,
): Promise<Performed<'reply'>> {
  const { reviews, counts: githubCalls } = pullsAt(ports, thread);
  const result = await reviews.ensureReply(thread, { commentId }, { marker, body, trace });
  return { effectKind: 'reply', result, githubCalls };
}

export async function writeReview(
  { thread, review }: DataOf<'review'>,
  { ports, isNew, trace }: EffectContext,
): Promise<Performed<'review'>> {
  const { reviews, counts: githubCalls } = pullsAt(ports, thread);
  const result = await reviews.ensureReview(thread, { ...review, isNew, trace });
  return { effectKind: 'review', result, githubCalls };
}

export async function writeReviewCheck(
  { repository, check: wanted }: DataOf<'review-check'>,
  { ports, effect, isNew, trace }: EffectContext,
): Promise<Performed<'review-check'>> {
  const { reviews, counts: githubCalls } = pullsAt(ports, repository);
  const hasOlder = await hasOlderCheck(effect, wanted, ports.store.records);
  const check = { ...wanted, isNew, trace, ...(hasOlder && { hasOlder }) };
  const { id } = await reviews.ensureReviewCheck(repository, check);
  return { effectKind: 'review-check', result: { id }, githubCalls };
}

export async function foldReviews(
  data: DataOf<'fold'>,
  { ports }: EffectContext,
): Promise<Performed<'fold'>> {
  const { reviews, counts: githubCalls } = pullsAt(ports, data.thread);
  await reviews.fold(data.thread, data);
  return { effectKind: 'fold', result: null, githubCalls };
}
