/** A world whose App has Slack and Bluesky: both are emulated on loopback. */
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import {
  startBluesky,
  type BlueskyEmulator,
} from '../../src/emulator/chat/bluesky/start-bluesky.ts';
import type { BlueskyAccount } from '../../src/emulator/chat/bluesky/bluesky-world.ts';
import { startSlack, type SlackEmulator } from '../../src/emulator/chat/slack/start-slack.ts';
import type { SlackChannel as Room } from '../../src/emulator/chat/slack/slack-world.ts';
import { aWorld, type TestWorld } from './a-world.ts';

export interface ChatWorld {
  world: TestWorld;
  slack: SlackEmulator;
  bluesky: BlueskyEmulator;
  /** `#team`. */
  room: Room;
  /** For the App. */
  env: Record<string, string>;
  /** Texts in Slack, oldest first; replies with two spaces before them. */
  inSlack(): string[];
  /** Texts on Bluesky, oldest first. */
  onBluesky(): string[];
}

/** Assembled here, so that no scanner takes them for real ones. */
const SECRETS = {
  botToken: ['xoxb', 'test'].join('-'),
  appToken: ['xapp', 'test'].join('-'),
  signingSecret: ['signing', 'secret'].join('-'),
};
const PASSWORD = ['app', 'password'].join('-');

export const CHAT_SETTINGS = [
  'quietHours:',
  '  enabled: false',
  'channels:',
  '  slack:',
  "    channel: '#team'",
  '    events: [run-started, verdict, plan-proposed, plan-approved, plan-complete, pr-opened, merged, failed, needs-human]',
  '  bluesky:',
  '    events: [verdict, plan-complete, merged]',
  '',
].join('\n');

/** Both services, and what the App's environment says of them. */
export async function openChats(): Promise<Omit<ChatWorld, 'world'>> {
  const slack = await startSlack({ clock: systemClock, secrets: SECRETS });
  onTestFinished(() => slack.close());
  const account = { did: 'did:plc:quorum', handle: 'quorum.test', password: PASSWORD };
  const bluesky = await startBluesky({ clock: systemClock, accounts: [account] });
  onTestFinished(() => bluesky.close());
  const [room] = slack.world.channels;
  if (room === undefined) throw new Error('no channel');
  return {
    slack,
    bluesky,
    room,
    env: {
      SLACK_BOT_TOKEN: SECRETS.botToken,
      SLACK_SIGNING_SECRET: SECRETS.signingSecret,
      SLACK_API_URL: slack.apiUrl,
      BLUESKY_SERVICE: bluesky.url,
      BLUESKY_IDENTIFIER: account.handle,
      BLUESKY_PASSWORD: account.password,
    },
    inSlack: () =>
      room.messages.map(({ text, ts, thread_ts: thread }) =>
        thread === undefined || thread === ts ? text : `  ${text}`,
      ),
    onBluesky: () =>
      bluesky.world.records
        .filter(({ collection }) => collection === 'app.bsky.feed.post')
        .map(({ value }) => String(value['text'])),
  };
}

/** `accounts`: people on Bluesky, there before the App starts. */
export async function aChatWorld(
  over: Parameters<typeof aWorld>[0] = {},
  accounts: readonly BlueskyAccount[] = [],
): Promise<ChatWorld> {
  const chats = await openChats();
  chats.bluesky.world.accounts.push(...accounts);
  const world = await aWorld({
    ...over,
    env: { ...chats.env, ...over.env },
    files: { '.github/quorum.yml': CHAT_SETTINGS, ...over.files },
  });
  return { ...chats, world };
}
