/** An issue's text with the edits that led to it: what our own write has covered is found there. */
import { z } from 'zod';
import { MAX_VERSIONS, type BodyVersion } from '../../../domain/plan/body/body-versions.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import { present, toAuthor, WHO, Who } from '../read/actors.ts';
import type { SessionContext } from '../bound.ts';
import { readRepository, THIS_REPOSITORY } from '../client/ask-graphql.ts';
import { GET_ISSUE } from '../rest-operations.ts';
import type { Place } from '../repository-locator.ts';

export interface BodySeen {
  body: string;
  /** Oldest first; none where the server does not tell. */
  versions: BodyVersion[];
}

const TEXT = `
query body($owner: String!, $repo: String!, $number: Int!) {
  ${THIS_REPOSITORY}
    issueOrPullRequest(number: $number) {
      ... on Issue { body userContentEdits(first: ${MAX_VERSIONS}) { ...edits } }
      ... on PullRequest { body userContentEdits(first: ${MAX_VERSIONS}) { ...edits } }
    }
  }
}
fragment edits on UserContentEditConnection { nodes { id diff createdAt editor { ...who } } }
${WHO}`;

const Edits = z.object({
  nodes: z
    .array(
      z
        .object({ id: z.string(), diff: z.string().nullish(), createdAt: z.string(), editor: Who })
        .nullable(),
    )
    .nullish(),
});
const Repository = z.object({
  issueOrPullRequest: z.object({ body: z.string(), userContentEdits: Edits.nullish() }),
});

/** Never from a cache: GraphQL has none, and where it is missing the kept text is asked about again. */
export async function fetchBody(
  bound: SessionContext,
  ref: ThreadRef,
  place: Place,
): Promise<BodySeen> {
  const variables = { number: ref.number };
  const fields = await readRepository(bound, ref, { text: TEXT, variables });
  const found = Repository.safeParse(fields?.['repository']).data;
  if (found !== undefined) {
    const { body, userContentEdits } = found.issueOrPullRequest;
    return { body, versions: toVersions(userContentEdits ?? {}) };
  }
  const { data } = await bound.calls.get(GET_ISSUE, { ...place, issue_number: ref.number });
  return { body: data.body, versions: [] };
}

/** GitHub keeps the whole text in what it calls a diff. */
function toVersions(edits: z.infer<typeof Edits>): BodyVersion[] {
  return present(edits)
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .toReversed()
    .flatMap(({ id, diff, editor, createdAt }) =>
      typeof diff === 'string'
        ? [{ id, text: diff, by: toAuthor(editor), at: Date.parse(createdAt) }]
        : [],
    );
}
