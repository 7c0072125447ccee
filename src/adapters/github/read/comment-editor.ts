/** Who edited a comment last: GraphQL alone tells. */
import { z } from 'zod';
import type { Actor, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../bound.ts';
import { readRepository, THIS_REPOSITORY } from '../client/ask-graphql.ts';
import { present, toAuthor, Who, WHO } from './actors.ts';

const QUERY = `query editor($owner: String!, $repo: String!, $number: Int!) {
  ${THIS_REPOSITORY}
    issueOrPullRequest(number: $number) {
      ... on Issue { comments(last: 100) { nodes { databaseId editor { ...who } } } }
      ... on PullRequest { comments(last: 100) { nodes { databaseId editor { ...who } } } }
    }
  }
}
${WHO}`;

const Repository = z.object({
  issueOrPullRequest: z.object({
    comments: z.object({
      nodes: z
        .array(z.object({ databaseId: z.number().nullish(), editor: Who.nullish() }).nullable())
        .nullish(),
    }),
  }),
});

/** Undefined where nobody edited it, where the account is gone, and where the server does not tell. */
export async function readEditor(
  bound: SessionContext,
  ref: ThreadRef,
  commentId: number,
): Promise<Actor | undefined> {
  const variables = { number: ref.number };
  const fields = await readRepository(bound, ref, { text: QUERY, variables });
  const told = Repository.safeParse(fields?.['repository']).data;
  const found = present(told?.issueOrPullRequest.comments).find(
    ({ databaseId }) => databaseId === commentId,
  );
  return found?.editor ? toAuthor(found.editor) : undefined;
}
