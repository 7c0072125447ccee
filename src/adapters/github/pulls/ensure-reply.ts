/** One reply for each marker in a conversation on the diff: looked for, then edited or created, never created twice. */
import { parseMarker } from '../../../domain/github/marker.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { CommentOutcome, Trace } from '../../../ports/github/github-writer.ts';
import type { EnsuredReply } from '../../../ports/github/pulls.ts';
import type { SessionContext } from '../bound.ts';
import { assembleMarked, isSameBody } from '../write/comment-body.ts';
import { isNotFound, isMissing } from '../client/github-failure.ts';
import { eachPage, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import { askTrace, findOlder, findOnce, gatherTwins, type Once } from '../write/twins.ts';
import {
  CREATE_REPLY,
  DELETE_REVIEW_COMMENT,
  EDIT_REVIEW_COMMENT,
  LIST_REVIEW_COMMENTS,
  type WireReviewComment,
} from './pull-operations.ts';

interface Wanted {
  ref: ThreadRef;
  place: Place;
  marker: EnsuredReply['marker'];
  body: string;
  /** The comment that is answered. */
  to: number;
}

export interface ReplyWanted {
  to: { commentId: number };
  reply: EnsuredReply;
}

export async function ensureReply(
  bound: SessionContext,
  ref: ThreadRef,
  { to, reply }: ReplyWanted,
): Promise<CommentOutcome> {
  const body = assembleMarked(bound, { ...reply, scope: threadKey(ref) });
  return bound.places.at(ref, bound.calls, async (place) => {
    const want = { ref, place, marker: reply.marker, body, to: to.commentId };
    const trace = await askTrace(reply.trace);
    const known = trace.id === undefined ? undefined : await editKnown(bound, want, trace.id);
    if (known !== undefined) return known;
    const isDoubtful = trace.isDoubtful === true || trace.id !== undefined;
    return ensureFound(bound, want, isDoubtful ? { isDoubtful } : {});
  });
}

/** Undefined when it is gone. */
async function editKnown(
  bound: SessionContext,
  want: Wanted,
  id: number,
): Promise<CommentOutcome | undefined> {
  try {
    return await edit(bound, want, id);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function ensureFound(
  bound: SessionContext,
  want: Wanted,
  trace: Trace,
): Promise<CommentOutcome> {
  // The conversation is found on the way.
  const head: Head = { id: want.to };
  const once = onceOf(bound, want, head);
  const ours = await findOnce(bound, once, trace);
  if (ours !== undefined) return settle(bound, want, ours);
  const created = await create(bound, want, head.id);
  const older = trace.isDoubtful === true ? await findOlder(bound, once, created.id) : undefined;
  return older === undefined ? created : settle(bound, want, older);
}

/** The first comment of the conversation: GitHub takes replies to it only. */
interface Head {
  id: number;
}

function onceOf(bound: SessionContext, want: Wanted, head: Head): Once<WireReviewComment> {
  return {
    list: () =>
      gatherTwins(newestReplies(bound, want, head), (comment) => isWanted(bound, want, comment)),
    idOf: ({ id }) => id,
    stays: 'first',
    fold: async ({ id }) => {
      const params = { ...want.place, comment_id: id };
      await isMissing(() => bound.calls.send(DELETE_REVIEW_COMMENT, params));
    },
  };
}

/** Newest first, down to the comment that is answered: a reply is newer. */
async function* newestReplies(
  bound: SessionContext,
  { place, ref, to }: Wanted,
  head: Head,
): AsyncGenerator<WireReviewComment[]> {
  const order = { sort: 'created', direction: 'desc', per_page: PER_PAGE };
  const params = { ...place, pull_number: ref.number, ...order };
  for await (const page of eachPage(bound.calls, LIST_REVIEW_COMMENTS, params)) {
    const answered = page.find(({ id }) => id === to);
    yield page;
    if (answered === undefined) continue;
    head.id = answered.in_reply_to_id ?? to;
    return;
  }
}

async function isWanted(
  bound: SessionContext,
  want: Wanted,
  comment: WireReviewComment,
): Promise<boolean> {
  const scope = threadKey(want.ref);
  const found = parseMarker(comment.body, bound.markerSecret, scope);
  const { kind, run, key } = want.marker;
  const isSameMarker =
    found !== undefined && found.kind === kind && found.run === run && found.key === key;
  return isSameMarker && (await bound.identity.isOurText(comment, scope));
}

async function settle(
  bound: SessionContext,
  want: Wanted,
  found: WireReviewComment,
): Promise<CommentOutcome> {
  return isSameBody(found.body, want.body)
    ? toOutcome(found, 'unchanged')
    : edit(bound, want, found.id);
}

async function edit(
  bound: SessionContext,
  { place, body }: Wanted,
  id: number,
): Promise<CommentOutcome> {
  const params = { ...place, comment_id: id, body };
  return toOutcome((await bound.calls.send(EDIT_REVIEW_COMMENT, params)).data, 'edited');
}

async function create(
  bound: SessionContext,
  want: Wanted,
  headId: number,
): Promise<CommentOutcome> {
  const params = { ...want.place, pull_number: want.ref.number, comment_id: headId };
  const { data } = await bound.calls.send(CREATE_REPLY, { ...params, body: want.body }, 'content');
  bound.identity.learn(data);
  return toOutcome(data, 'created');
}

function toOutcome(comment: WireReviewComment, outcome: CommentOutcome['outcome']): CommentOutcome {
  return { id: comment.id, url: comment.html_url, outcome };
}
