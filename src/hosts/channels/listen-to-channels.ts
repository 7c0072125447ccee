/**
 * Reads what people say in the channels. Each message is stored under its id, and so is how far a channel was read.
 */
import type { ChatMessage } from '../../domain/channel/chat-thread.ts';
import { toFailure } from '../../domain/event/errors.ts';
import { EVENT_VERSION, type NewEvent } from '../../domain/event/event.ts';
import { chatKey } from '../../decide/channel/chat/chat-state.ts';
import { toCommentAddress } from '../../events/may-address.ts';
import type { Channel } from '../../ports/channel.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Store } from '../../ports/store.ts';

export interface ChannelEars {
  store: Pick<Store, 'append' | 'load'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  signal: AbortSignal;
}

const AGAIN_MS = 60_000;

/** Stores a message; durable when it resolves. */
export async function hearMessage(
  store: Pick<Store, 'append'>,
  message: ChatMessage,
): Promise<void> {
  await store.append([toEvent(message)]);
}

function toEvent(message: ChatMessage): NewEvent {
  const { id, at, text, author } = message;
  const address = toCommentAddress({
    place: 'thread',
    body: text,
    updatedAt: at,
    appId: undefined,
    isByBot: author.isBot,
  });
  return {
    id: `chat:${id}`,
    key: chatKey(message),
    version: EVENT_VERSION,
    at,
    data: {
      kind: 'trigger',
      trigger: { kind: 'said', message, ...(address !== undefined && { address }) },
    },
  };
}

/** Ends with the signal. A channel that fails is tried again, and disturbs no other one. */
export async function listenToChannel(channel: Channel, ears: ChannelEars): Promise<void> {
  const { log, clock, signal } = ears;
  while (!signal.aborted)
    try {
      await catchUp(channel, ears);
      if (channel.pollMs === undefined)
        await channel.listen((message) => hearMessage(ears.store, message), signal);
      else await clock.sleep(channel.pollMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      warnUnheard(channel, log, error);
      await clock.sleep(AGAIN_MS, signal).catch(() => undefined);
    }
}

function warnUnheard({ name }: Channel, log: ChannelEars['log'], error: unknown): void {
  log.warn({ channel: name, code: toFailure(error).code }, 'channel not heard');
}

async function catchUp(channel: Channel, { store, clock, log }: ChannelEars): Promise<void> {
  const key = `cursor:${channel.name}`;
  const before = cursorOf((await store.load(key))?.state);
  const { messages, cursor, unread } = await channel.catchUp(before);
  if (unread !== undefined) warnUnheard(channel, log, unread);
  if (cursor === before) return;
  const at = new Date(clock.now()).toISOString();
  await store.append([
    ...messages.map(toEvent),
    {
      id: `${key}:${cursor}`,
      key,
      version: EVENT_VERSION,
      at,
      data: { kind: 'heard-until', run: key, cursor },
    },
  ]);
}

function cursorOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('cursor' in state)) return undefined;
  return typeof state.cursor === 'string' ? state.cursor : undefined;
}
