/** A review that was written twice: GitHub deletes none, so its comments go, its text is replaced, and it is hidden. */
import type { SessionContext } from '../../bound.ts';
import { isMissing } from '../../client/github-failure.ts';
import { sendGraphql } from '../../client/ask-graphql.ts';
import { eachPage, PER_PAGE } from '../../client/pages.ts';
import type { Place } from '../../repository-locator.ts';
import {
  DELETE_REVIEW_COMMENT,
  EDIT_REVIEW,
  LIST_COMMENTS_OF_REVIEW,
  type WireReview,
} from '../pull-operations.ts';

const HIDE = `mutation ($id: ID!) {
  minimizeComment(input: { subjectId: $id, classifier: DUPLICATE }) { clientMutationId }
}`;

/** Without our marker in its text it is no twin any more, so that this is done once. */
const FOLDED = 'This review was posted twice. See the earlier one.';

/** @param pull - where the pull request is, with its number */
export async function foldReview(
  bound: SessionContext,
  pull: Place & { pull_number: number },
  { id, node_id: nodeId }: WireReview,
): Promise<void> {
  const { pull_number: _, ...place } = pull;
  const params = { ...pull, review_id: id };
  const all = { ...params, per_page: PER_PAGE };
  const ids: number[] = [];
  for await (const page of eachPage(bound.calls, LIST_COMMENTS_OF_REVIEW, all))
    ids.push(...page.map((comment) => comment.id));
  for (const commentId of ids)
    await isMissing(() =>
      bound.calls.send(DELETE_REVIEW_COMMENT, { ...place, comment_id: commentId }),
    );
  if (nodeId !== undefined) await sendGraphql(bound, { text: HIDE, variables: { id: nodeId } });
  await isMissing(() => bound.calls.send(EDIT_REVIEW, { ...params, body: FOLDED }));
}
