/** The manifest in the documentation gives the App what it needs, and nothing else. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ALL_SCOPES } from '../../../src/emulator/chat/slack/slack-world.ts';

test('the manifest of the Slack App has every scope, the events, and buttons', () => {
  const page = readFileSync(new URL('../../../docs/channels.md', import.meta.url), 'utf8');
  const source = /```yaml\n(\s*display_information:[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const manifest: unknown = parse(source);
  expect(manifest).toMatchObject({
    oauth_config: { scopes: { bot: [...ALL_SCOPES] } },
    settings: {
      event_subscriptions: { bot_events: ['app_mention', 'message.channels', 'message.groups'] },
      interactivity: { is_enabled: true },
      socket_mode_enabled: true,
    },
  });
});
