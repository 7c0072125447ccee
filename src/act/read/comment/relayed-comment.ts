/** The App relays a person's message from a channel as a comment on GitHub. It counts as that person's own words. */
import { parseMarker } from '../../../domain/github/marker.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { CommentFacts } from '../../../ports/github/github-reader.ts';
import type { DataOf } from '../../effect-context.ts';
import type { ActPorts } from '../../ports.ts';

export const NOT_RELAYED = 'no comment by Quorum quotes what was said in the channel';

/** Undefined unless the comment's signed marker names this very message. Any other comment stays as it is. */
export function toRelayed<Heard extends { comment: CommentFacts; comments: CommentFacts[] }>(
  heard: Heard,
  { thread, address: { relayed }, actor }: DataOf<'look-comment'>,
  { markerSecret }: Pick<ActPorts, 'markerSecret'>,
): Heard | undefined {
  if (relayed === undefined) return heard;
  const { comment } = heard;
  const marker = comment.isOurs
    ? parseMarker(comment.body, markerSecret, threadKey(thread))
    : undefined;
  if (marker?.run !== relayed.run || marker.key !== relayed.key) return undefined;
  const createdAt = earlierOf(relayed.at, comment.createdAt);
  const said = { ...comment, author: actor, body: relayed.text, isOurs: false, createdAt };
  const comments = heard.comments.map((each) => (each.id === comment.id ? said : each));
  return { ...heard, comment: said, comments };
}

/** An approval is of what GitHub showed when it was said, and not of what was changed before it was relayed. */
function earlierOf(said: string | undefined, relayed: string): string {
  return said !== undefined && Date.parse(said) < Date.parse(relayed) ? said : relayed;
}
