/** Posts of Bluesky: text, links, a card, and what they answer. */
import type { Agent, BlobRef } from '@atproto/api';
import type { BlueskyCard } from '../../domain/channel/bluesky/bluesky-announcement.ts';
import type { BlueskyText } from '../../domain/channel/bluesky/bluesky-text.ts';
import { PICTURE_TEXTS } from '../../domain/channel/bluesky/card-picture.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import { mayBeThePicture, type CardPictures } from './card-pictures.ts';
import { ensureRecord, findWritten, type StrongRef, type Written } from './put-record.ts';

const POST = 'app.bsky.feed.post';

export interface Account {
  agent: Agent;
  did: string;
}

/** An account that posts. */
export interface Poster extends Account {
  pictures: CardPictures;
  /** The session is new, as the one before had ended. */
  isAgain: boolean;
}

export interface PostWanted {
  key: string;
  at: string;
  text: BlueskyText;
  card?: BlueskyCard | undefined;
  reply?: { root: StrongRef; parent: StrongRef };
  /** The first post of a thread: found by what the thread is about, not by the message. */
  subject?: string;
}

/** Fields that readers of posts ignore, by which we know our own. */
interface OwnFields {
  quorumKey?: unknown;
  quorumSubject?: unknown;
}

export async function ensurePost(account: Poster, post: PostWanted): Promise<Written> {
  const { agent, pictures, isAgain } = account;
  const thumb = post.card && (await pictures.upload(agent, post.card.picture, isAgain));
  if (thumb === undefined) return write(account, post);
  try {
    return await write(account, post, thumb);
  } catch (error) {
    if (!mayBeThePicture(error)) throw error;
    const written = await write(account, post);
    pictures.refused(error);
    return written;
  }
}

/** The first post of a thread, where it is there already. */
export async function findFirstPost(
  { agent, did }: Account,
  subject: string,
): Promise<Written | undefined> {
  return findWritten({ agent, did, collection: POST, key: subject, isSame: isOfSubject(subject) });
}

function isOfSubject(subject: string): (value: OwnFields) => boolean {
  return ({ quorumSubject }) => quorumSubject === subject;
}

async function write({ agent, did }: Account, post: PostWanted, thumb?: BlobRef): Promise<Written> {
  const { key, at, text, card, reply, subject } = post;
  const record = {
    $type: POST,
    text: text.text,
    ...(text.facets.length > 0 && { facets: text.facets.map(toFacet) }),
    ...(card !== undefined && { embed: toEmbed(card, thumb) }),
    ...(reply !== undefined && { reply: { root: bare(reply.root), parent: bare(reply.parent) } }),
    createdAt: new Date(at).toISOString(),
    quorumKey: key,
    ...(subject !== undefined && { quorumSubject: subject }),
  };
  const isSame =
    subject === undefined
      ? (value: OwnFields): boolean => value.quorumKey === key
      : isOfSubject(subject);
  return ensureRecord({ agent, did, collection: POST, key: subject ?? key, record, isSame });
}

/** Whether the record was written for this message. */
export function isOfKey({ value }: Written, key: string): boolean {
  return (value as OwnFields).quorumKey === key;
}

function bare({ uri, cid }: StrongRef): StrongRef {
  return { uri, cid };
}

function toFacet({ start, end, url }: BlueskyText['facets'][number]) {
  return {
    index: { byteStart: start, byteEnd: end },
    features: [{ $type: 'app.bsky.richtext.facet#link', uri: url }],
  };
}

function toEmbed({ url, title, text, picture }: BlueskyCard, thumb: BlobRef | undefined) {
  const shown = thumb && { description: `${text} (Picture: ${PICTURE_TEXTS[picture]}.)`, thumb };
  return {
    $type: 'app.bsky.embed.external',
    external: { uri: url, title, description: text, ...shown },
  };
}

/**
 * The version of a post as it is now. Our own are read where they are written: what readers see of them lags behind by
 * some seconds.
 */
export async function readPost({ agent, did }: Account, uri: string): Promise<StrongRef> {
  const found = uri.startsWith(`at://${did}/`)
    ? await agent.com.atproto.repo.getRecord(addressOf(uri))
    : { data: (await agent.app.bsky.feed.getPosts({ uris: [uri] })).data.posts[0] };
  if (found.data?.cid !== undefined) return { uri, cid: found.data.cid };
  throw new RefusedError({
    code: 'channel-not-found',
    message: 'Bluesky has no such post any more.',
  });
}

/** `at://DID/COLLECTION/KEY`. */
function addressOf(uri: string): { repo: string; collection: string; rkey: string } {
  const [repo = '', collection = '', rkey = ''] = uri.slice('at://'.length).split('/');
  return { repo, collection, rkey };
}
