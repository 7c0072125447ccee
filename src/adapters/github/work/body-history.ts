/** An issue's text with the edits that led to it: what our own write has covered is found there. */
import { z } from 'zod';
import { MAX_VERSIONS, type BodyVersion } from '../../../domain/plan/body/body-versions.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import { present, toAuthor, WHO, Who } from '../read/actors.ts';
import type { SessionContext } from '../bound.ts';
import { readRepository, sendGraphql, THIS_REPOSITORY } from '../client/ask-graphql.ts';
import { GET_ISSUE } from '../rest-operations.ts';
import type { Place } from '../repository-locator.ts';

export interface BodySeen {
  body: string;
  /** Of an issue in GraphQL, where the server tells. */
  issueId?: string;
  /** Oldest first; none where the server does not tell. */
  versions: BodyVersion[];
}

const EDITS = `
fragment edits on UserContentEditConnection { nodes { id diff createdAt editor { ...who } } }
${WHO}`;

const TEXT = `
query body($owner: String!, $repo: String!, $number: Int!) {
  ${THIS_REPOSITORY}
    issueOrPullRequest(number: $number) {
      ... on Issue { issueId: id body userContentEdits(first: ${MAX_VERSIONS}) { ...edits } }
      ... on PullRequest { body userContentEdits(first: ${MAX_VERSIONS}) { ...edits } }
    }
  }
}
${EDITS}`;

const EDIT = `
mutation edit($id: ID!, $body: String!) {
  updateIssue(input: { id: $id, body: $body }) {
    issue { body userContentEdits(first: ${MAX_VERSIONS}) { ...edits } }
  }
}
${EDITS}`;

const Edits = z.object({
  nodes: z
    .array(
      z
        .object({ id: z.string(), diff: z.string().nullish(), createdAt: z.string(), editor: Who })
        .nullable(),
    )
    .nullish(),
});
const Text = z.object({ body: z.string(), userContentEdits: Edits.nullish() });
const Repository = z.object({
  issueOrPullRequest: Text.extend({ issueId: z.string().optional() }),
});
const Edited = z.object({ issue: Text });

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
    const { issueId, ...text } = found.issueOrPullRequest;
    return { ...toSeen(text), ...(issueId !== undefined && { issueId }) };
  }
  const { data } = await bound.calls.get(GET_ISSUE, { ...place, issue_number: ref.number });
  return { body: data.body, versions: [] };
}

/**
 * Writes an issue's text and reads it back in one call. Undefined where GraphQL is not to be had: then nothing was written.
 * `unclear` where GitHub reports a failure and does not say whether it wrote.
 *
 * @throws what a lost answer throws
 */
export async function editInOneCall(
  bound: SessionContext,
  { issueId: id, body }: { issueId: string; body: string },
): Promise<BodySeen | 'unclear' | undefined> {
  const told = await sendGraphql(bound, { text: EDIT, variables: { id, body } });
  if (told === undefined) return undefined;
  const edited = Edited.safeParse(told.fields['updateIssue']).data;
  const isWhole = edited !== undefined && told.failed.length === 0;
  return isWhole ? { ...toSeen(edited.issue), issueId: id } : 'unclear';
}

function toSeen({ body, userContentEdits }: z.infer<typeof Text>): BodySeen {
  return { body, versions: toVersions(userContentEdits ?? {}) };
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
