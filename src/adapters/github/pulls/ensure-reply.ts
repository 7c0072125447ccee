/** One reply for each marker in a conversation on the diff: looked for, then edited or created, never created twice. */
import { parseMarker, renderMarker } from '../../../domain/marker.ts';
import { threadKey, type ThreadRef } from '../../../domain/thread.ts';
import type { CommentOutcome } from '../../../ports/github.ts';
import type { EnsuredReply } from '../../../ports/pulls.ts';
import type { Bound } from '../bound.ts';
import { assembleComment, isSameBody } from '../comment-body.ts';
import { eachPage, PER_PAGE } from '../pages.ts';
import type { Place } from '../places.ts';
import {
  CREATE_REPLY,
  EDIT_REVIEW_COMMENT,
  LIST_REVIEW_COMMENTS,
  type WireReviewComment,
} from './operations.ts';

interface Wanted {
  ref: ThreadRef;
  place: Place;
  marker: EnsuredReply['marker'];
  body: string;
}

interface Found {
  ours: WireReviewComment | undefined;
  /** The first comment of the conversation: GitHub takes replies to it only. */
  headId: number;
}

export interface ReplyWanted {
  to: { commentId: number };
  reply: EnsuredReply;
}

export async function ensureReply(
  bound: Bound,
  ref: ThreadRef,
  { to, reply }: ReplyWanted,
): Promise<CommentOutcome> {
  const marker = renderMarker(reply.marker, bound.markerSecret, threadKey(ref));
  return bound.places.at(ref, bound.calls, async (place) => {
    const want = { ref, place, marker: reply.marker, body: assembleComment(reply.body, marker) };
    const { ours, headId } = await find(bound, want, to.commentId);
    if (ours === undefined) return create(bound, want, headId);
    if (isSameBody(ours.body, want.body)) return toOutcome(ours, 'unchanged');
    const params = { ...place, comment_id: ours.id, body: want.body };
    return toOutcome((await bound.calls.send(EDIT_REVIEW_COMMENT, params)).data, 'edited');
  });
}

/** Newest first, down to the comment that is answered: a reply is newer. */
async function find(bound: Bound, want: Wanted, commentId: number): Promise<Found> {
  const params = {
    ...want.place,
    pull_number: want.ref.number,
    sort: 'created',
    direction: 'desc',
    per_page: PER_PAGE,
  };
  let ours: WireReviewComment | undefined;
  for await (const page of eachPage(bound.calls, LIST_REVIEW_COMMENTS, params)) {
    for (const comment of page) {
      if (comment.id === commentId) return { ours, headId: comment.in_reply_to_id ?? commentId };
      if (ours === undefined && (await isWanted(bound, want, comment))) ours = comment;
    }
    if (ours !== undefined) break;
  }
  return { ours, headId: commentId };
}

async function isWanted(bound: Bound, want: Wanted, comment: WireReviewComment): Promise<boolean> {
  const found = parseMarker(comment.body, bound.markerSecret, threadKey(want.ref));
  const { kind, run, key } = want.marker;
  const isSameMarker =
    found !== undefined && found.kind === kind && found.run === run && found.key === key;
  return isSameMarker && (await bound.identity.isOurs(comment));
}

async function create(bound: Bound, want: Wanted, headId: number): Promise<CommentOutcome> {
  const params = { ...want.place, pull_number: want.ref.number, comment_id: headId };
  const { data } = await bound.calls.send(CREATE_REPLY, { ...params, body: want.body }, 'content');
  bound.identity.learn(data);
  return toOutcome(data, 'created');
}

function toOutcome(comment: WireReviewComment, outcome: CommentOutcome['outcome']): CommentOutcome {
  return { id: comment.id, url: comment.html_url, outcome };
}
