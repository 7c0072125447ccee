/** What is said in another way than by a message of its own: to one person, or in place of a message. */
import * as z from 'zod';
import type { ChatPost } from '../../../domain/channel/chat-thread.ts';
import type { Approvable } from '../../../domain/channel/approval-click.ts';
import type { SlackText } from '../../../domain/channel/slack/slack-message.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { SlackClient } from '../slack-client.ts';
import type { SlackSelf } from '../slack-place.ts';
import { approvalBlocks } from '../slack-buttons.ts';
import { QUIET, type Sender } from './send-parts.ts';

const Whispered = z.object({ message_ts: z.string() });
const Nothing = z.looseObject({});

/** Slack keeps no such message: after a lost answer its reader sees it twice. */
export async function whisper(
  client: SlackClient,
  { place, thread }: ChatPost,
  { text, person, self }: { text: SlackText; person: string; self: SlackSelf },
): Promise<string> {
  const [team, user] = person.split('/');
  if (team !== self.teamId || user === undefined)
    throw new RefusedError({
      code: 'channel-invalid',
      message: 'The person is not in this workspace of Slack.',
    });
  const { message_ts: sent } = await client.call(
    'chat.postEphemeral',
    { channel: place, thread_ts: thread, user, text: text.messages[0] ?? '…', ...QUIET },
    Whispered,
  );
  return sent;
}

/** The same for each attempt. Slack lets us change nobody else's message. Without `asks` buttons disappear. */
export async function replaceMessage(
  { client, buttonKey }: Sender,
  { place, thread, message }: ChatPost,
  { text: { messages }, asks }: { text: SlackText; asks: Approvable | undefined },
): Promise<string> {
  const text = messages[0] ?? '…';
  const at = { channel: place, thread };
  const blocks =
    asks === undefined || buttonKey === undefined
      ? []
      : approvalBlocks(text, asks, { key: buttonKey, place: at });
  await client.call(
    'chat.update',
    { channel: place, ts: message, text, blocks, ...QUIET },
    Nothing,
  );
  return message;
}
