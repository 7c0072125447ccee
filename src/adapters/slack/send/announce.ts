/** Announcements in Slack: one message a subject, which shows the newest state, and details below it. */
import * as z from 'zod';
import { isSettled, subjectKey } from '../../../domain/channel/announce/announcement.ts';
import {
  toSlackAnnouncement,
  toSlackDigest,
} from '../../../domain/channel/slack/slack-announcement.ts';
import { askForApproval } from '../../../domain/channel/approval-click.ts';
import { escapeSlack } from '../../../domain/channel/slack/mrkdwn.ts';
import { toSlackText } from '../../../domain/channel/slack/slack-message.ts';
import type { AnnouncedPost } from '../../../ports/channel.ts';
import {
  EVENT_TYPE,
  readMessages,
  readOne,
  sentAmong,
  type Sent,
  type SentPayload,
  type SlackHistoryMessage,
} from './find-sent.ts';
import {
  postMessage,
  QUIET,
  sendParts,
  speakerName,
  underName,
  type Sender,
} from './send-parts.ts';
import { approvalBlocks } from '../slack-buttons.ts';
import { slackWord } from '../slack-errors.ts';

const Nothing = z.looseObject({});

/** Where a message ended up: its thread, and itself. */
export interface Landed {
  thread: string;
  message: string;
  /** The message with buttons, where there is one. */
  asked?: string;
}

export async function announceInSlack(
  sender: Sender,
  channel: string,
  post: AnnouncedPost,
): Promise<Landed> {
  if (post.isDigest === true) return digest(sender, channel, post);
  const [announcement] = post.announcements;
  const { head, below } = toSlackAnnouncement(announcement, post.dropped);
  if (isSettled(announcement)) return settleHead(sender, { channel, text: head, post });
  const payload = {
    key: headKey(post.key),
    subject: subjectKey(announcement.subject),
    at: post.at,
  };
  if (post.thread !== undefined)
    return underThread(sender, { channel, thread: post.thread.thread, head, post });
  const known = post.head?.place === channel ? post.head.thread : undefined;
  const { key, as } = post;
  const at = post.since ?? post.at;
  const isNamed = announcement.said !== undefined;
  const thread = await ensureHead(sender, { channel, text: head, isNamed, payload, as, known });
  const isNew = post.isNew === true;
  if (below !== undefined)
    await sendParts(sender, { channel, thread, key, at, text: below, as, isNew });
  return withButtons({ thread, message: thread }, await ask(sender, { channel, thread, post }));
}

/** Changes the message of the request, and only while it still shows that: nothing is posted, and no other news lost. */
async function settleHead(
  sender: Sender,
  { channel, text, post }: { channel: string; text: string; post: AnnouncedPost },
): Promise<Landed> {
  const [announcement] = post.announcements;
  const { place, thread = '', message = thread } = post.head ?? {};
  const landed = { thread, message };
  if (!isSettled(announcement) || place !== channel) return landed;
  const subject = subjectKey(announcement.subject);
  const payload = { key: headKey(post.key), subject, at: post.at };
  const head = { channel, text, payload, as: undefined, isNamed: false, known: thread };
  const found = headsAmong(await readOne(sender.client, channel, thread), sender, subject);
  const asked = found.find(({ key }) => key === headKey(announcement.request));
  if (asked !== undefined) await updateHead(sender, head, asked);
  return landed;
}

function headKey(key: string): string {
  return `${key}/head`;
}

/** Somebody asked in a thread: the answer is there, in one go. */
async function underThread(
  sender: Sender,
  {
    channel,
    thread,
    head,
    post,
  }: { channel: string; thread: string; head: string; post: AnnouncedPost },
): Promise<Landed> {
  const { below } = toSlackAnnouncement(post.announcements[0], post.dropped);
  const text = { messages: [head, ...(below?.messages ?? [])], snippets: below?.snippets ?? [] };
  const { key, as } = post;
  const at = post.since ?? post.at;
  const message = await sendParts(sender, {
    channel,
    thread,
    key,
    at,
    text,
    as,
    isNew: post.isNew === true,
  });
  return withButtons({ thread, message }, await ask(sender, { channel, thread, post }));
}

function withButtons(landed: Landed, asked: string | undefined): Landed {
  return asked === undefined ? landed : { ...landed, asked };
}

/** A message of its own below the others, so that the buttons can be taken away without touching what was said. */
async function ask(
  sender: Sender,
  { channel, thread, post }: { channel: string; thread: string; post: AnnouncedPost },
): Promise<string | undefined> {
  const { asks, key, as } = post;
  const at = post.since ?? post.at;
  const { buttonKey } = sender;
  if (buttonKey === undefined || asks?.places.includes(channel) !== true) return undefined;
  const text = toSlackText(askForApproval(asks));
  const blocks = approvalBlocks(text.messages[0] ?? '…', asks, {
    key: buttonKey,
    place: { channel, thread },
  });
  const isNew = post.isNew === true;
  return sendParts(sender, { channel, thread, key: `${key}/ask`, at, text, blocks, as, isNew });
}

async function digest(sender: Sender, channel: string, post: AnnouncedPost): Promise<Landed> {
  const { client, botId } = sender;
  const payload = { key: headKey(post.key), at: post.at };
  const found =
    post.isNew === true
      ? []
      : sentAmong(await readMessages(client, { channel, since: post.since ?? post.at }), botId);
  const sent = found.find(({ key }) => key === payload.key)?.ts;
  const text = toSlackDigest(post.announcements, post.dropped);
  const ts = sent ?? (await postMessage(sender, { channel, text, payload, as: post.as }));
  return { thread: ts, message: ts };
}

interface Head {
  channel: string;
  text: string;
  payload: SentPayload & { subject: string; at: string };
  as: AnnouncedPost['as'];
  /** The text says who speaks. */
  isNamed: boolean;
  /** Where the caller has it. */
  known: string | undefined;
}

/** A later state is never replaced by an earlier one that arrives after it. */
async function ensureHead(sender: Sender, head: Head): Promise<string> {
  const [oldest] = await findHeads(sender, head);
  if (oldest === undefined) return postHead(sender, head);
  if (oldest.key === head.payload.key || (oldest.at ?? '') > head.payload.at) return oldest.ts;
  return (await updateHead(sender, head, oldest)) ? oldest.ts : postHead(sender, head);
}

async function postHead(sender: Sender, head: Head): Promise<string> {
  const { channel, payload } = head;
  const ts = await postMessage(sender, head);
  // Another instance may have posted at the same moment: the oldest message stays.
  const recent = await readMessages(sender.client, { channel, since: payload.at });
  const [oldest] = headsAmong(recent, sender, payload.subject);
  if (oldest === undefined || oldest.ts === ts) return ts;
  await sender.client.call('chat.delete', { channel, ts }, Nothing);
  return oldest.ts;
}

async function findHeads(sender: Sender, { channel, payload, known }: Head): Promise<Sent[]> {
  const { client } = sender;
  const one = known === undefined ? [] : await readOne(client, channel, known);
  const found = headsAmong(one, sender, payload.subject);
  if (found.length > 0) return found;
  return headsAmong(await readMessages(client, { channel }), sender, payload.subject);
}

/** Oldest first. */
function headsAmong(
  messages: readonly SlackHistoryMessage[],
  { botId }: Sender,
  subject: string,
): Sent[] {
  return sentAmong(messages, botId)
    .filter((each) => each.subject === subject)
    .toSorted((a, b) => Number(a.ts) - Number(b.ts));
}

/** Nobody can change the name above a message in Slack, so the text names the persona that speaks now, or Quorum. */
function textNow({ text, as, isNamed }: Head, username: string | undefined): string {
  if (isNamed || username === (as && escapeSlack(speakerName(as)))) return text;
  return as === undefined ? `*Quorum*\n${text}` : underName(text, as);
}

/** False when somebody deleted the message. */
async function updateHead({ client }: Sender, head: Head, sent: Sent): Promise<boolean> {
  const { ts, username } = sent;
  const text = textNow(head, username);
  const metadata = { event_type: EVENT_TYPE, event_payload: head.payload };
  try {
    await client.call(
      'chat.update',
      { channel: head.channel, ts, text, metadata, ...QUIET },
      Nothing,
    );
    return true;
  } catch (error) {
    if (slackWord(error) === 'message_not_found') return false;
    throw error;
  }
}
