/** Makes a draft ready for review, which REST cannot. */
import { RefusedError } from '../../../domain/errors.ts';
import { threadName, type ThreadRef } from '../../../domain/thread.ts';
import type { Bound } from '../bound.ts';
import { isPassing } from '../failure.ts';
import { sendGraphql } from '../graphql.ts';
import type { Place } from '../places.ts';
import { readWirePull } from '../pulls/read-pull.ts';

const FIELD = 'markPullRequestReadyForReview';
const TEXT = `mutation ready($id: ID!) {
  ${FIELD}(input: { pullRequestId: $id }) { pullRequest { isDraft } }
}`;

export async function ensureReady(bound: Bound, ref: ThreadRef, draftId?: string): Promise<void> {
  await bound.places.at(ref, bound.calls, async (place) => {
    const id = draftId ?? (await findDraft(bound, ref, place));
    if (id === undefined) return;
    const error = await send(bound, id);
    if (error === undefined) return;
    if ((await readWirePull(bound, ref, place)).draft) throw error(ref);
  });
}

async function findDraft(bound: Bound, ref: ThreadRef, place: Place): Promise<string | undefined> {
  const pull = await readWirePull(bound, ref, place);
  return pull.draft && pull.state !== 'closed' ? pull.node_id : undefined;
}

/** Undefined when it was done, else what is to be said if it was not. */
async function send(bound: Bound, id: string): Promise<((ref: ThreadRef) => unknown) | undefined> {
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
