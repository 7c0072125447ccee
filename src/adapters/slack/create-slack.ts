/** The channel `slack`: nothing is loaded, asked or connected before the first call. */
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { ChatMessage, ChatPost, ChatReaction } from '../../domain/channel/chat-thread.ts';
import { toSlackText } from '../../domain/channel/slack/slack-message.ts';
import { ConfigError } from '../../domain/event/errors.ts';
import type { Channel, ChatReply, Hear, Heard } from '../../ports/channel.ts';
import { announceInSlack } from './send/announce.ts';
import { createClickAnswers, createEventAnswers, type Answers } from './hear/answer-event.ts';
import { readSince } from './hear/catch-up.ts';
import { fetchSlackFile } from './hear/fetch-file.ts';
import { aborted, listenOnSocket } from './hear/listen-socket.ts';
import { parseSlackClick, toClickMessage, type SlackClick } from './hear/read-click.ts';
import { parseSlackDelivery, toChatMessage, type SlackMessageEvent } from './hear/read-event.ts';
import { replaceMessage, whisper } from './send/say-otherwise.ts';
import { sendParts, type Sender } from './send/send-parts.ts';
import { createSlackClient, type SlackClient, type SlackParts } from './slack-client.ts';
import { slackWord } from './slack-errors.ts';
import { findPlace, readPermalink, readSelf, type SlackSelf } from './slack-place.ts';
import type { SlackSettings } from './slack-settings.ts';

export interface SlackChannelOptions extends SlackParts {
  /** Where announcements go that name no place: a channel's id, or its name with `#`. */
  place: string;
  githubHost?: string;
}

export interface SlackChannel extends Channel {
  /** Answers a delivery of the Events API; undefined where no signing secret is set. */
  answerEvent: Answers | undefined;
  /** The same for what people press. */
  answerClick: Answers | undefined;
  readFile: NonNullable<Channel['readFile']>;
}

interface Slack extends SlackChannelOptions {
  client: SlackClient;
  self: () => Promise<SlackSelf>;
  sender: () => Promise<Sender>;
  placeOf: (name: string) => Promise<string>;
  toMessage: (event: SlackMessageEvent) => Promise<ChatMessage | undefined>;
  ofClick: (click: SlackClick) => Promise<ChatMessage | undefined>;
  /** Where the last look ended. */
  lastCursor: string | undefined;
}

const EMOJI: Readonly<Record<ChatReaction, string>> = {
  seen: 'eyes',
  done: 'white_check_mark',
  refused: 'no_entry',
};
const Nothing = z.looseObject({});

export function createSlack(options: SlackChannelOptions): SlackChannel {
  const slack = open(options);
  const { answerEvent, answerClick } = createAnswers(slack);
  return {
    name: 'slack',
    announce: async (post) => {
      const place = await slack.placeOf(post.thread?.place ?? post.place ?? options.place);
      const landed = await announceInSlack(await slack.sender(), place, post);
      return { channel: 'slack', place, ...landed };
    },
    reply: async (to, reply) => ({ ...to, message: await answer(slack, to, reply) }),
    linkTo: ({ place, message }) => readPermalink(slack.client, place, message),
    react: async (to, reaction) => {
      const args = { channel: to.place, timestamp: to.message, name: EMOJI[reaction] };
      await slack.client.call('reactions.add', args, Nothing).catch((error: unknown) => {
        if (slackWord(error) !== 'already_reacted') throw error;
      });
    },
    listen: (hear, signal) => listen(slack, hear, signal),
    catchUp: async (cursor) => {
      const heard = await look(slack, cursor);
      slack.lastCursor = heard.cursor;
      return heard;
    },
    answerEvent,
    answerClick,
    readFile: (file, maxBytes) => fetchSlackFile(options.settings, file, maxBytes),
  };
}

function createAnswers({
  settings: { signingSecret },
  clock,
  toMessage,
  ofClick,
}: Slack): Pick<SlackChannel, 'answerEvent' | 'answerClick'> {
  if (signingSecret === undefined) return { answerEvent: undefined, answerClick: undefined };
  const parts = { signingSecret, clock, toMessage, ofClick };
  return { answerEvent: createEventAnswers(parts), answerClick: createClickAnswers(parts) };
}

/** Returns the id of the message. */
async function answer(slack: Slack, to: ChatPost, reply: ChatReply): Promise<string> {
  const { markdown, key, at, as, isNew, onlyFor, isInstead, asks } = reply;
  const text = toSlackText(markdown);
  if (isInstead === true) return replaceMessage(await slack.sender(), to, { text, asks });
  if (onlyFor !== undefined)
    return whisper(slack.client, to, { text, person: onlyFor, self: await slack.self() });
  const parts = { channel: to.place, thread: to.thread, key, at, as, isNew: isNew === true };
  return sendParts(await slack.sender(), { ...parts, text });
}

/** Where nobody could tell us of it, a button would be of no use. */
function buttonKeyOf({ token, appToken, signingSecret }: SlackSettings): string | undefined {
  return appToken === undefined && signingSecret === undefined ? undefined : token;
}

function open(options: SlackChannelOptions): Slack {
  const client = createSlackClient(options);
  const self = once(() => readSelf(client));
  const places = new Map<string, string>();
  const people = new LRUCache<string, { name: string; isBot: boolean }>({
    max: 1_000,
    ttl: 3_600_000,
  });
  const sender = once(async (): Promise<Sender> => ({
    client,
    botId: (await self()).botId,
    buttonKey: buttonKeyOf(options.settings),
    canCustomise: true,
  }));
  const personOf = async (userId: string): Promise<{ name: string; isBot: boolean }> => {
    const person = people.get(userId) ?? (await readPerson(client, userId));
    people.set(userId, person);
    return person;
  };
  const githubHost = options.githubHost ?? 'github.com';
  return {
    ...options,
    client,
    self,
    sender,
    placeOf: async (name) => {
      const id = places.get(name) ?? (await findPlace(client, name));
      places.set(name, id);
      return id;
    },
    lastCursor: undefined,
    toMessage: async (event) => toChatMessage(event, { self: await self(), personOf, githubHost }),
    ofClick: async (click) =>
      toClickMessage(click, { self: await self(), key: options.settings.token }),
  };
}

/** What succeeded is kept; what failed is asked again. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= ask().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

const Person = z.object({
  user: z.object({ name: z.string(), is_bot: z.boolean().default(false) }),
});

/** A name is for people only, so that a missing scope or account costs nothing but the name. */
async function readPerson(
  client: SlackClient,
  userId: string,
): Promise<{ name: string; isBot: boolean }> {
  try {
    const { user } = await client.call('users.info', { user: userId }, Person);
    return { name: user.name.slice(0, 80), isBot: user.is_bot };
  } catch {
    return { name: userId, isBot: false };
  }
}

/** Without an App token, events come to {@link SlackChannel.answerEvent}. */
async function listen(slack: Slack, hear: Hear, signal: AbortSignal): Promise<void> {
  const { settings, clock } = slack;
  const { appToken } = settings;
  if (appToken === undefined) return aborted(signal);
  const take = async (body: unknown): Promise<void> => {
    const click = parseSlackClick(body);
    const pressed = click && (await slack.ofClick(click));
    if (pressed !== undefined) return hear(pressed);
    const delivery = parseSlackDelivery(body);
    const message = delivery === undefined ? undefined : await slack.toMessage(delivery.event);
    if (message === undefined) return;
    await hear(message);
    if (Number(message.message) > Number(slack.lastCursor)) slack.lastCursor = message.message;
  };
  const connected = async (): Promise<void> => {
    // What cannot be read now is read with the next connection: the cursor stays.
    const heard = await look(slack, slack.lastCursor).catch(() => undefined);
    for (const message of heard?.messages ?? []) await hear(message);
    slack.lastCursor = heard?.cursor ?? slack.lastCursor;
  };
  return listenOnSocket({ settings: { ...settings, appToken }, clock, take, connected }, signal);
}

async function look(slack: Slack, cursor: string | undefined): Promise<Heard> {
  if (cursor === undefined) return { messages: [], cursor: (slack.clock.now() / 1000).toFixed(6) };
  if (!/^\d{1,12}\.\d{6}$/.test(cursor))
    throw new ConfigError({
      code: 'channel-cursor-invalid',
      message: 'The stored cursor is not one of Slack.',
    });
  // It hears every channel that it is in. Only a channel of its own can be read again.
  if (slack.place === '') return { messages: [], cursor };
  const events = await readSince(slack.client, await slack.placeOf(slack.place), cursor);
  const messages = await Promise.all(events.map(slack.toMessage));
  return {
    messages: messages.filter((each) => each !== undefined),
    cursor: events.at(-1)?.ts ?? cursor,
  };
}
