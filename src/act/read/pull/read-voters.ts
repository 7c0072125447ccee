/** What people said to our findings on a pull request, with what each of them may do here. */
import type { FindingReply } from '../../../domain/review/review.ts';
import type { Actor, Permission, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { PullFeedback, PullSession, ReviewThreadFacts } from '../../../ports/github/pulls.ts';
import {
  readPermissions,
  type PermissionsRead,
  type Person,
} from '../../settings/read-permissions.ts';

/** Thumbs are judgements; what else people put on a comment says nothing of it. */
const THUMBS: ReadonlySet<string> = new Set(['+1', '-1']);

type PermissionOf = PermissionsRead['of'];

export interface VotersWanted {
  feedback: PullFeedback;
  others: readonly Person[];
  /** By id, of others who have no say: these need not be asked for. */
  known?: ReadonlyMap<number, Permission>;
}

/** Permissions of some others, and of those whose reply to a finding may count. Automated accounts have no vote. */
export async function readVoters(
  ref: ThreadRef,
  session: PullSession,
  { feedback, others, known = new Map() }: VotersWanted,
): Promise<PermissionsRead> {
  const voters = feedback.threads.flatMap(votersOf).filter(({ isBot }) => !isBot);
  const isVoter = new Set(voters.map(({ id }) => id));
  return readPermissions(ref, session, {
    people: [...others, ...voters],
    known: new Map([...known].filter(([id]) => !isVoter.has(id))),
  });
}

function votersOf({ comments, resolvedBy }: ReviewThreadFacts): Actor[] {
  const [first, ...later] = comments;
  if (first?.marker === undefined) return [];
  return [
    ...(resolvedBy === undefined ? [] : [resolvedBy]),
    ...later.filter(({ isOurs }) => !isOurs).map(({ author }) => author),
    ...first.reactions.filter(({ content }) => THUMBS.has(content)).map(({ by }) => by),
  ];
}

/** The conversations that began with one of our findings. */
export function toReplies({ threads }: PullFeedback, permissionOf: PermissionOf): FindingReply[] {
  return threads.flatMap((thread) => toReply(thread, permissionOf));
}

function toReply(thread: ReviewThreadFacts, permissionOf: PermissionOf): FindingReply[] {
  const [first, ...later] = thread.comments;
  const { resolvedBy: by } = thread;
  if (first?.marker === undefined) return [];
  return [
    {
      key: first.marker.key,
      commentId: first.id,
      threadId: thread.id,
      marker: first.marker,
      isResolved: thread.isResolved === true,
      resolvedBy: by === undefined ? undefined : { by, permission: permissionOf(by.id) },
      isHidden: first.isHidden === true,
      isOutdated: thread.isOutdated,
      reactions: first.reactions.map(({ content, by: reacting }) => ({
        content,
        by: reacting,
        permission: permissionOf(reacting.id),
      })),
      replies: later.map(({ author, body, isOurs }) => ({
        by: author,
        permission: permissionOf(author.id),
        body,
        isOurs,
      })),
    },
  ];
}
