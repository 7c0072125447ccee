/** Puts one head into the merge queue of its base, which GitHub tells and takes by GraphQL only. */
import { z } from 'zod';
import type { ThreadRef } from '../../../../domain/run/thread-ref.ts';
import type { QueueOutcome } from '../../../../ports/github/work.ts';
import type { SessionContext } from '../../bound.ts';
import { readRepository, sendGraphql, THIS_REPOSITORY } from '../../client/ask-graphql.ts';

const LOOK = `query queued($owner: String!, $repo: String!, $number: Int!) {
  ${THIS_REPOSITORY}
    pullRequest(number: $number) { id merged headRefOid isInMergeQueue mergeCommit { oid } }
  }
}`;
const Seen = z.object({
  pullRequest: z.object({
    id: z.string(),
    merged: z.boolean(),
    headRefOid: z.string(),
    isInMergeQueue: z.boolean(),
    mergeCommit: z.object({ oid: z.string() }).nullish(),
  }),
});
type Pull = z.infer<typeof Seen>['pullRequest'];

const FIELD = 'enqueuePullRequest';
const ENQUEUE = `mutation enqueue($id: ID!, $sha: GitObjectID!) {
  ${FIELD}(input: { pullRequestId: $id, expectedHeadOid: $sha }) { mergeQueueEntry { id } }
}`;

export async function enqueuePull(
  bound: SessionContext,
  ref: ThreadRef,
  sha: string,
): Promise<QueueOutcome> {
  return bound.places.at(ref, bound.calls, async () => {
    const pull = await look(bound, ref);
    if (pull === undefined) return refused('the merge queue could not be read');
    const known = standing(pull, sha);
    if (known !== undefined) return known;
    const told = await sendGraphql(bound, { text: ENQUEUE, variables: { id: pull.id, sha } });
    if (z.object({ mergeQueueEntry: z.object({}) }).safeParse(told?.fields[FIELD]).success)
      return { outcome: 'queued' };
    const after = await look(bound, ref);
    const found = after && standing(after, sha);
    return found ?? refused(told?.messages.join(' ') ?? 'the merge queue did not take it');
  });
}

async function look(bound: SessionContext, ref: ThreadRef): Promise<Pull | undefined> {
  const fields = await readRepository(bound, ref, {
    text: LOOK,
    variables: { number: ref.number },
  });
  return Seen.safeParse(fields?.['repository']).data?.pullRequest;
}

/** Where it is already, or why it does not go there. */
function standing(pull: Pull, sha: string): QueueOutcome | undefined {
  if (pull.headRefOid !== sha)
    return { ...refused(`Its head is ${pull.headRefOid.slice(0, 12)} now.`), isHeadMoved: true };
  if (pull.merged) return { outcome: 'was-merged', sha: pull.mergeCommit?.oid ?? '' };
  return pull.isInMergeQueue ? { outcome: 'queued' } : undefined;
}

function refused(reason: string) {
  return { outcome: 'refused', reason, isHeadMoved: false } as const;
}
