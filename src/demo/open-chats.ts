/** Slack and Bluesky of the demonstration: emulated on this machine, with pages that show what the team announced. */
import { setTimeout as wait } from 'node:timers/promises';
import { startBluesky, type BlueskyEmulator } from '../emulator/chat/bluesky/start-bluesky.ts';
import { startSlack, type SlackEmulator } from '../emulator/chat/slack/start-slack.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';

export interface DemoChats {
  /** For the App. */
  env: Record<string, string>;
  urls: { slack: string; bluesky: string };
  /** Messages and posts that people can read. */
  counts(): { slack: number; bluesky: number };
  close(): Promise<void>;
}

/** Resolves when both listen. */
export async function openChats({
  clock,
  random,
}: {
  clock: Clock;
  random: Random;
}): Promise<DemoChats> {
  const secrets = { botToken: random.id(), appToken: random.id(), signingSecret: random.id() };
  const account = { did: 'did:plc:csvpeek', handle: 'csvpeek.test', password: random.id() };
  const slack = await startSlack({ clock, secrets });
  const bluesky = await startBluesky({ clock, accounts: [account] });
  return {
    env: {
      SLACK_BOT_TOKEN: secrets.botToken,
      SLACK_API_URL: slack.apiUrl,
      BLUESKY_SERVICE: bluesky.url,
      BLUESKY_IDENTIFIER: account.handle,
      BLUESKY_PASSWORD: account.password,
    },
    urls: { slack: `${slack.url}/channel/team`, bluesky: bluesky.url },
    counts: () => countMessages(slack, bluesky),
    close: async () => {
      await slack.close();
      await bluesky.close();
    },
  };
}

function countMessages(
  { world: { channels } }: SlackEmulator,
  { world: { records } }: BlueskyEmulator,
): ReturnType<DemoChats['counts']> {
  return {
    slack: channels.flatMap(({ messages }) => messages).length,
    bluesky: records.filter(({ collection }) => collection === 'app.bsky.feed.post').length,
  };
}

const LOOK_MS = 100;
/** Slack takes one message a second, so that the last ones come after the story. */
const MOST_MS = 15_000;

/** Resolves when nothing waits to be announced, or after 15 seconds. */
export async function waitForChats({ records }: Pick<Store, 'records'>): Promise<void> {
  for (let waited = 0; waited < MOST_MS; waited += LOOK_MS) {
    const effects = await records.effects({ status: 'pending', idEnd: '-announce', limit: 1 });
    if (effects.length === 0) return;
    await wait(LOOK_MS);
  }
}
