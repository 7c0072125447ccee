/** Makes a draft ready for review, which REST cannot. */
import { RefusedError } from '../../../domain/event/errors.ts';
import { threadName, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../bound.ts';
import { isPassing } from '../client/github-failure.ts';
import { sendGraphql } from '../client/ask-graphql.ts';
import type { Place } from '../repository-locator.ts';
import { readWirePull } from '../pulls/read-pull.ts';

const FIELD = 'markPullRequestReadyForReview';
const TEXT = `mutation ready($id: ID!) {
  ${FIELD}(input: { pullRequestId: $id }) { pullRequest { isDraft } }
}`;

export async function ensureReady(
  bound: SessionContext,
  ref: ThreadRef,
  draftId?: string,
): Promise<void> {
  await bound.places.at(ref, bound.calls, async (place) => {
    const id = draftId ?? (await findDraft(bound, ref, place));
    if (id === undefined) return;
    const error = await send(bound, id);
    if (error === undefined) return;
    if ((await readWirePull(bound, ref, place)).draft) throw error(ref);
  });
}

async function findDraft(
  bound: SessionContext,
  ref: ThreadRef,
  place: Place,
): Promise<string | undefined> {
  const pull = await readWirePull(bound, ref, place);
  return pull.draft && pull.state !== 'closed' ? pull.node_id : undefined;
}

/** Undefined when it was done, else what is to be said if it was not. */
async function send(
  bound: SessionContext,
  id: string,
): Promise<((ref: ThreadRef) => unknown) | undefined> {
  try {
    const fields = (await sendGraphql(bound, { text: TEXT, variables: { id } }))?.fields;
    const isDone = fields?.[FIELD] !== undefined && fields[FIELD] !== null;
    return isDone ? undefined : staysDraft;
  } catch (error) {
    if (!isPassing(error)) throw error;
    return () => error;
  }
}

function staysDraft(ref: ThreadRef): RefusedError {
  return new RefusedError({
    code: 'github-forbidden',
    message: `${threadName(ref)} stays a draft: GitHub does not let us change that.`,
    details:
      'The App needs write access to pull requests and contents, and the server GraphQL. Or press "Ready for review".',
  });
}
