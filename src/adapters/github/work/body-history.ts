/** An issue's text with the edits that led to it: what our own write has covered is found there. */
import { z } from 'zod';
import { MAX_VERSIONS, type BodyVersion } from '../../../domain/plan/body-versions.ts';
import type { ThreadRef } from '../../../domain/thread.ts';
import { present, toAuthor, WHO, Who } from '../actors.ts';
import type { Bound } from '../bound.ts';
import { readGraphql } from '../graphql.ts';
import { GET_ISSUE } from '../operations.ts';
import type { Place } from '../places.ts';

export interface BodySeen {
  body: string;
  /** Oldest first; none where the server does not tell. */
  versions: BodyVersion[];
}

const TEXT = `
query body($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    databaseId
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
  databaseId: z.number(),
  issueOrPullRequest: z.object({ body: z.string(), userContentEdits: Edits.nullish() }),
});

/** Never from a cache: GraphQL has none, and where it is missing the kept text is asked about again. */
export async function readBody(bound: Bound, ref: ThreadRef, place: Place): Promise<BodySeen> {
  const variables = { owner: place.owner, name: place.repo, number: ref.number };
  const fields = await readGraphql(bound, { text: TEXT, variables });
  const found = Repository.safeParse(fields?.['repository']);
  if (found.success && found.data.databaseId === ref.repositoryId) {
    const { body, userContentEdits } = found.data.issueOrPullRequest;
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
