/** Pins an issue, which GitHub takes by GraphQL only. A repository has room for three, and an App may not be let. */
import { z } from 'zod';
import { QuorumError } from '../../../domain/event/errors.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../bound.ts';
import { readRepository, sendGraphql, THIS_REPOSITORY } from '../client/ask-graphql.ts';

const LOOK = `query pinned($owner: String!, $repo: String!, $number: Int!) {
  ${THIS_REPOSITORY} issue(number: $number) { id isPinned } }
}`;
const Seen = z.object({
  issue: z.object({ id: z.string(), isPinned: z.boolean().nullish() }),
});

const FIELD = 'pinIssue';
const PIN = `mutation pin($id: ID!) {
  ${FIELD}(input: { issueId: $id }) { issue { id } }
}`;
const Pinned = z.object({ issue: z.object({ id: z.string() }) });

/** An issue that is not pinned tells the same: no failure of this fails what it belongs to. */
export async function pinIssue(bound: SessionContext, ref: ThreadRef): Promise<void> {
  const { repositoryId, number } = ref;
  const why = await tryPin(bound, ref);
  if (why !== undefined) bound.log.info({ repositoryId, issue: number, why }, 'issue not pinned');
}

/** Why it is not pinned; undefined where it is. */
async function tryPin(bound: SessionContext, ref: ThreadRef): Promise<string | undefined> {
  try {
    const { number } = ref;
    const fields = await readRepository(bound, ref, { text: LOOK, variables: { number } });
    const issue = Seen.safeParse(fields?.['repository']).data?.issue;
    if (issue === undefined) return 'GitHub does not tell whether it is pinned';
    if (issue.isPinned === true) return undefined;
    const told = await sendGraphql(bound, { text: PIN, variables: { id: issue.id } });
    if (Pinned.safeParse(told?.fields[FIELD]).success) return undefined;
    return told?.messages.join(' ') ?? 'GitHub refused it';
  } catch (error) {
    if (error instanceof QuorumError) return error.code;
    throw error;
  }
}
