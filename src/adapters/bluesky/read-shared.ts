/**
 * What the owner posts, with a link to GitHub and without a mention of the team. Replies and reposts are part of other
 * conversations, and a mention is a notification.
 */
import type { AppBskyFeedDefs } from '@atproto/api';
import { advanceCursor, isAfter, parseCursor, writeCursor } from './news-cursor.ts';
import { inOrder, nothingOld, type News } from './read-notifications.ts';
import type { Account } from './send-post.ts';

type Post = AppBskyFeedDefs.PostView;

/** One page: after a long time without network older posts are left alone. */
const PAGE = 30;

/** One request, always. */
export async function readShared(
  { agent }: Account,
  owner: string,
  text: string | undefined,
): Promise<News<Post>> {
  const { data } = await agent.getAuthorFeed({
    actor: owner,
    filter: 'posts_no_replies',
    limit: PAGE,
  });
  const posts = data.feed.flatMap(({ post, reason, reply }) =>
    reason === undefined && reply === undefined ? [post] : [],
  );
  const cursor = text === undefined ? undefined : parseCursor(text);
  if (cursor === undefined) return nothingOld(posts);
  const found = posts.filter((each) => isAfter(each, cursor));
  return { found: inOrder(found), cursor: writeCursor(advanceCursor(cursor, found)) };
}
