/** Another App in the same workspace of Slack, with a bot, tokens and an address of its own. */
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { startSlack, type SlackEmulator } from '../../src/emulator/chat/slack/start-slack.ts';

export interface SecondBot {
  slack: SlackEmulator;
  /** For the App. */
  env: Record<string, string>;
}

/** Channels, messages and people are the same; only who the bot is differs. */
export async function aSecondSlackBot({ world }: SlackEmulator): Promise<SecondBot> {
  const token = (kind: string): string => [kind, 'second'].join('-');
  const [botToken, appToken] = [token('xoxb'), token('xapp')];
  const signingSecret = token('signing');
  // Half a millisecond apart, so that two messages of one moment have different times.
  const clock = { ...systemClock, now: () => systemClock.now() + 0.5 };
  const slack = await startSlack({ clock, secrets: { botToken, appToken, signingSecret } });
  onTestFinished(() => slack.close());
  const bot = { userId: 'U0BOT00002', botId: 'B0BOT00002', appId: 'A000000002' };
  Object.assign(slack.world.bot, bot);
  Object.assign(slack.world, { channels: world.channels, users: world.users });
  world.users.set(bot.userId, { id: bot.userId, name: 'second', is_bot: true });
  return {
    slack,
    env: {
      SLACK_BOT_TOKEN: botToken,
      SLACK_APP_TOKEN: appToken,
      SLACK_API_URL: slack.apiUrl,
    },
  };
}
