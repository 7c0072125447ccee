/** Posts the messages and files of one text below a message, each once. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { inMessages, type SlackText } from '../../../domain/channel/slack/slack-message.ts';
import type { Speaker } from '../../../domain/channel/chat-thread.ts';
import { escapeSlack, plainSlack } from '../../../domain/channel/slack/mrkdwn.ts';
import type { SlackClient, SlackUpload } from '../slack-client.ts';
import { EVENT_TYPE, readMessages, sentAmong, type SentPayload } from './find-sent.ts';
import { QuorumError } from '../../../domain/event/errors.ts';
import { asUnreadable, slackWord } from '../slack-errors.ts';

const Posted = z.object({ ts: z.string() });

export interface Sender {
  client: SlackClient;
  botId: string;
  /** Seals buttons; absent where nobody would hear of a press. */
  buttonKey: string | undefined;
  /** Whether the App may post under a persona's name; learned from Slack's refusal. */
  canCustomise: boolean;
}

export interface SlackPost {
  channel: string;
  thread?: string;
  text: string;
  /** Shown in place of the text, which is for notifications then. */
  blocks?: readonly object[] | undefined;
  payload: SentPayload;
  as: Speaker | undefined;
}

/** Returns the id of the message. Without the scope for names, the name is in the text. */
export async function postMessage(sender: Sender, post: SlackPost): Promise<string> {
  const { client } = sender;
  const send = (): Promise<{ ts: string }> =>
    client.call('chat.postMessage', toArgs(post, sender.canCustomise), Posted);
  try {
    return (await client.post(post.channel, send)).ts;
  } catch (error) {
    if (post.as === undefined || !sender.canCustomise || slackWord(error) !== 'missing_scope')
      throw error;
    sender.canCustomise = false;
    return (await client.post(post.channel, send)).ts;
  }
}

function toArgs({ channel, thread, text, blocks, payload, as }: SlackPost, canCustomise: boolean) {
  const isNamed = as !== undefined && canCustomise;
  return {
    channel,
    text: as === undefined || canCustomise ? text : underName(text, as),
    ...(thread !== undefined && { thread_ts: thread }),
    ...(blocks !== undefined && { blocks }),
    ...(isNamed && { username: escapeSlack(speakerName(as)) }),
    ...(isNamed && as.avatarUrl !== undefined && { icon_url: as.avatarUrl }),
    metadata: { event_type: EVENT_TYPE, event_payload: payload },
    ...QUIET,
  };
}

/** For a message that cannot have the persona's name. */
export function underName(text: string, as: Speaker): string {
  return `*${plainSlack(speakerName(as))}*\n${text}`;
}

/** Nothing in a text becomes a mention or a preview that nobody asked for. */
export const QUIET = {
  parse: 'none',
  link_names: false,
  unfurl_links: false,
  unfurl_media: false,
  mrkdwn: true,
} as const;

export function speakerName({ name, role }: Speaker): string {
  return `${name} (${role})`.slice(0, 80).toWellFormed();
}

export interface Parts {
  channel: string;
  thread: string;
  key: string;
  at: string;
  text: SlackText;
  blocks?: readonly object[];
  as: Speaker | undefined;
  isNew: boolean;
}

/** Returns the id of the first message. What an earlier attempt has sent is not sent again. */
export async function sendParts(sender: Sender, parts: Parts): Promise<string> {
  const { channel, thread, key, text, blocks, as } = parts;
  const found = parts.isNew
    ? []
    : await readMessages(sender.client, { channel, thread, since: parts.at }).catch(asUnreadable);
  const sent = new Map(sentAmong(found, sender.botId).map((each) => [each.key, each.ts]));
  const titles = new Set(found.flatMap(({ files = [] }) => files.map(({ title }) => title)));
  let first: string | undefined;
  for (const [at, message] of text.messages.entries()) {
    const payload = { key: `${key}/${at + 1}` };
    const ts =
      sent.get(payload.key) ??
      (await postMessage(sender, { channel, thread, text: message, blocks, payload, as }));
    first ??= ts;
  }
  const files = text.snippets
    .map(({ name, text: content }, at) => {
      // Files carry no metadata: the end of the title is the key.
      const title = `${name} · ${shortKey(`${key}/file-${at + 1}`)}`;
      return { name, title, text: content };
    })
    .filter(({ title }) => !titles.has(title));
  if (files.length > 0) await upload(sender, parts, { files, sent });
  return first ?? thread;
}

/** Where Slack refuses files for good, as by a workspace's policy, what is in them is posted below. */
async function upload(
  sender: Sender,
  { channel, thread, key, text, as }: Parts,
  { files, sent }: { files: SlackUpload['files']; sent: ReadonlyMap<string, string> },
): Promise<void> {
  const { client } = sender;
  try {
    await client.post(channel, () => client.upload({ channel, thread, files }));
  } catch (error) {
    if (!(error instanceof QuorumError) || error.retryable) throw error;
    for (const [at, message] of inMessages(text).entries()) {
      const payload = { key: `${key}/full-${at + 1}` };
      if (sent.has(payload.key)) continue;
      await postMessage(sender, { channel, thread, text: message, payload, as });
    }
  }
}

function shortKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 10);
}
