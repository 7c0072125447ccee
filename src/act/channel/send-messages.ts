/** Sends the messages of one batch of announcements, each to its place: no place that refuses holds back another. */
import { isSettled, subjectKey } from '../../domain/channel/announce/announcement.ts';
import type { Waiting } from '../../domain/channel/announce/plan-delivery.ts';
import { placesOf } from '../../domain/channel/channel-map.ts';
import type { AskedPost } from '../../domain/channel/channels-state.ts';
import {
  isNestedChannel,
  type ChatPost,
  type ChatThread,
} from '../../domain/channel/chat-thread.ts';
import type { ApprovalAsks } from '../../domain/channel/approval-click.ts';
import type { Config } from '../../domain/config/config.ts';
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import {
  findAnnouncer,
  speakAnnouncement,
  toSpeaker,
} from '../../domain/channel/announce/speak-announcement.ts';
import type { Persona } from '../../domain/persona/persona.ts';
import type { AnnouncedAt, AnnouncedPost, Channel } from '../../ports/channel.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import type { DataOf } from '../effect-context.ts';
import { readTitled, type Titled } from './read-titled.ts';

export interface Outcome {
  dropped: number;
  heads: Record<string, ChatPost>;
  asked?: Record<string, AskedPost>;
  gone?: Record<string, ChatThread>;
  /** Keys of what waits until its thread takes it. */
  held: string[];
  /** Why the channel for announcements takes none, and the keys of those that wait for it. */
  refused?: { error: QuorumError; unsent: string[] };
  /** Something was sent. */
  isSent?: true;
}

export interface Message {
  key: string;
  /** In ms since the epoch. */
  at: number;
  parts: readonly [Waiting, ...Waiting[]];
  isDigest?: true;
}

export interface Sending {
  data: DataOf<'announce'>;
  channel: Channel;
  session: GitHubSession;
  config: Config;
  personas: readonly Persona[];
  isNew: boolean;
  outcome: Outcome;
  /** Threads that refuse for a while: the rest of what is for them waits as well, in order. */
  closed: ChatThread[];
}

/** Refusals by one channel or thread; other places may still take messages. */
const OF_PLACE: ReadonlySet<ErrorCode> = new Set([
  'channel-not-found',
  'channel-message-gone',
  'channel-archived',
  'channel-not-invited',
  'channel-restricted',
  'channel-unreadable',
]);
/** Of a thread: its owner can undo it, so the message waits for a day, as a reply does. */
const FOR_A_WHILE: ReadonlySet<ErrorCode> = new Set([
  'channel-archived',
  'channel-not-invited',
  'channel-restricted',
]);
/** Of a thread: nothing more can be said there. */
const GONE: ReadonlySet<ErrorCode> = new Set(['channel-not-found', 'channel-message-gone']);

/**
 * What the service or a thread will never take is counted. Where the channel for announcements refuses, the others go on.
 * Any other failure ends the effect, which is tried again as a whole.
 */
export async function sendMessage(sending: Sending, message: Message): Promise<void> {
  const queue = closedQueue(sending, message);
  if (queue !== undefined) {
    queue.push(...keysOf(message));
    return;
  }
  try {
    const sent = await send(sending, message);
    if (sent !== undefined && !isOnlyUpdate(message)) keepSent(sending, message, sent);
  } catch (error) {
    if (!(error instanceof QuorumError)) throw error;
    if (isOnlyUpdate(message) && isOfMessage(error)) return;
    if (error.code === 'channel-invalid') sending.outcome.dropped += message.parts.length;
    else if (OF_PLACE.has(error.code)) keepRefused(sending, message, error);
    else throw error;
  }
}

function keepSent({ outcome }: Sending, message: Message, { post, asked, isInThread }: Sent): void {
  outcome.dropped = 0;
  outcome.isSent = true;
  const key = subjectKey(message.parts[0].announcement.subject);
  const isHead = message.isDigest !== true && !isInThread;
  // Deleted first, so that the newest comes last.
  if (isHead) {
    delete outcome.heads[key];
    outcome.heads[key] = post;
  }
  if (asked !== undefined) outcome.asked = { ...outcome.asked, [key]: asked };
}

function keepRefused(sending: Sending, message: Message, error: QuorumError): void {
  const { outcome } = sending;
  const thread = threadOf(sending, message);
  if (thread === undefined) {
    outcome.refused = { error, unsent: keysOf(message) };
    return;
  }
  if (FOR_A_WHILE.has(error.code)) {
    outcome.held.push(...keysOf(message));
    sending.closed.push(thread);
    return;
  }
  outcome.dropped += message.parts.length;
  const key = subjectKey(message.parts[0].announcement.subject);
  if (GONE.has(error.code)) outcome.gone = { ...outcome.gone, [key]: thread };
}

/** Where it waits, when its place has refused another one just now. */
function closedQueue(sending: Sending, message: Message): string[] | undefined {
  const { closed, outcome } = sending;
  const to = threadOf(sending, message);
  if (to === undefined) return isOnlyUpdate(message) ? undefined : outcome.refused?.unsent;
  const isClosed = closed.some(({ place, thread }) => place === to.place && thread === to.thread);
  return isClosed ? outcome.held : undefined;
}

function keysOf({ parts }: Message): string[] {
  return parts.map(({ key }) => key);
}

/** Undefined where none of it still applies, or the repository was made private in between and the channel is public. */
async function send(sending: Sending, message: Message): Promise<Sent | undefined> {
  const { data, channel, session, config, personas, isNew, outcome } = sending;
  const { key, at: since } = message;
  const titled = await readAll(sending, message);
  const [announcement, ...others] = titled.map((each) => each.announcement);
  if (announcement === undefined) return undefined;
  const { isPrivate } = await session.read.repository(data.repository);
  const place = config.channels.slack.channel;
  const asks = data.channel === 'slack' ? asksOf(titled, config) : undefined;
  // A digest may tell of what several personas did.
  const by = message.isDigest === true ? undefined : findAnnouncer(announcement, personas);
  try {
    const at = await channel.announce({
      key,
      at: new Date(since).toISOString(),
      isPrivate,
      announcements: [announcement, ...others],
      dropped: outcome.dropped,
      ...(place !== undefined && { place }),
      ...placeFor(sending, message),
      ...(asks !== undefined && { asks }),
      ...(by !== undefined && { as: toSpeaker(by) }),
      ...(isNew && { isNew: true as const }),
    });
    return { ...toSent(at, asks), isInThread: threadOf(sending, message) !== undefined };
  } catch (error) {
    if (error instanceof QuorumError && error.code === 'channel-private') return undefined;
    throw error;
  }
}

/** That somebody is needed no longer is only shown in the message that asked: where it is not, nothing is said. */
function isOnlyUpdate({ parts }: Message): boolean {
  return isSettled(parts[0].announcement);
}

function isOfMessage({ code }: QuorumError): boolean {
  return code === 'channel-invalid' || OF_PLACE.has(code);
}

/** What still applies. */
async function readAll(sending: Sending, message: Message): Promise<Titled[]> {
  const { data, session, personas } = sending;
  if (isOnlyUpdate(message) && placeFor(sending, message).head === undefined) return [];
  const all = await Promise.all(
    message.parts.map(async (each): Promise<Titled> => {
      const found = await readTitled(each, data.repository, session);
      const { announcement, body } = found;
      return { ...found, announcement: speakAnnouncement(announcement, { personas, body }) };
    }),
  );
  return all.filter(({ isOver }) => isOver !== true);
}

function placeFor(
  sending: Sending,
  message: Message,
): Pick<AnnouncedPost, 'isDigest' | 'head' | 'latest' | 'thread'> {
  if (message.isDigest === true) return { isDigest: true };
  const { data, outcome } = sending;
  const subject = subjectKey(message.parts[0].announcement.subject);
  const head = data.heads[subject] ?? outcome.heads[subject];
  const latest = Object.values(outcome.heads).at(-1) ?? data.latest;
  const thread = threadOf(sending, message);
  return {
    ...(head !== undefined && { head }),
    ...(latest !== undefined && isNestedChannel(data.channel) && { latest }),
    ...(thread !== undefined && { thread }),
  };
}

/** In which people asked for what it tells. */
function threadOf({ data }: Sending, message: Message): ChatThread | undefined {
  const { subject } = message.parts[0].announcement;
  const isElsewhere = message.isDigest === true || isOnlyUpdate(message);
  return isElsewhere ? undefined : data.threads[subjectKey(subject)];
}

/** What is announced by itself can be answered there, where the channel is for this repository. */
function asksOf(
  [first, ...others]: readonly Titled[],
  { channels }: Config,
): ApprovalAsks | undefined {
  if (first?.digest === undefined || others.length > 0) return undefined;
  const { announcement, digest, of } = first;
  const { number, repositoryId, repository } = announcement.subject;
  const places = placesOf(channels, repository);
  return number === undefined || places.length === 0
    ? undefined
    : { repositoryId, number, digest, ...(of && { of }), places };
}

interface Sent {
  post: ChatPost;
  asked?: AskedPost;
  isInThread: boolean;
}

function toSent(
  { asked, ...post }: AnnouncedAt,
  asks: ApprovalAsks | undefined,
): Omit<Sent, 'isInThread'> {
  if (asked === undefined || asks === undefined) return { post };
  const { digest, of } = asks;
  return { post, asked: { chat: { ...post, message: asked }, digest, ...(of && { of }) } };
}
