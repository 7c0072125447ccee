/**
 * The adapter on a Slack that others wrote (the `emulate` package). It accepts more than Slack does and names no bot on
 * messages, so it is asked only whether what we send is understood: posts, threads, reactions, changes and files.
 */
import { WebClient } from '@slack/web-api';
import { createEmulator } from 'emulate';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createSlack, type SlackChannel } from '../../../src/adapters/slack/create-slack.ts';
import { about, post, says } from '../../contract/channel.ts';
import { createInstantClock } from '../../helpers/an-instant-clock.ts';
import { verifies } from '../../verifies.ts';

const TOKEN = ['xoxb', 'foreign'].join('-');
const SCOPES = [
  'chat:write',
  'channels:read',
  'channels:history',
  'reactions:write',
  'files:write',
];
const APP = {
  client_id: '1.1',
  client_secret: 'none',
  name: 'Quorum',
  redirect_uris: [],
  bot_id: 'B0FOREIGN1',
  bot_name: 'quorum',
};
const MERGED = about({ event: 'merged', by: 'ann' });

let channel: SlackChannel;
let reader: WebClient;
let room: string;
beforeEach(async () => {
  const slack = await createEmulator({
    service: 'slack',
    port: 0,
    seed: {
      tokens: { [TOKEN]: { login: 'developer', scopes: [] } },
      slack: {
        users: [{ name: 'developer', email: 'd@e.test' }],
        channels: [{ name: 'team' }],
        oauth_apps: [APP],
        tokens: [{ token: TOKEN, user: 'developer', scopes: SCOPES, bot_id: APP.bot_id }],
      },
    },
  });
  onTestFinished(() => slack.close());
  const apiUrl = `${slack.url}/api/`;
  reader = new WebClient(TOKEN, { slackApiUrl: apiUrl, retryConfig: { retries: 0 } });
  channel = createSlack({
    settings: { token: TOKEN, apiUrl },
    clock: createInstantClock(),
    place: '#team',
  });
  const { channels = [] } = await reader.conversations.list();
  room = channels.find(({ name }) => name === 'team')?.id ?? '';
});

async function messages(thread?: string) {
  const { messages: found = [] } =
    thread === undefined
      ? await reader.conversations.history({ channel: room })
      : await reader.conversations.replies({ channel: room, ts: thread });
  return found;
}

test('an announcement is a message in the channel of that name, with its key where people do not see it', async () => {
  const { place, thread } = await channel.announce(post('a', MERGED, { isNew: true }));
  expect(place).toBe(room);
  const found = (await messages()).find(({ ts }) => ts === thread);
  expect(found?.text).toContain('merged by ann');
  expect(found).toMatchObject({ metadata: { event_payload: { key: 'a/head' } } });
});

verifies(
  'NW-17',
  'a reply is in the thread, long code is a file below it, and a reaction is there once',
  async () => {
    const head = await channel.announce(post('a', MERGED, { isNew: true }));
    const code = `Look:\n\n\`\`\`ts src/orders.ts\n${'let a = 1;\n'.repeat(30)}\`\`\``;
    await channel.reply(head, says('r', code, { isNew: true }));
    for (let time = 0; time < 2; time += 1) await channel.react(head, 'done');
    const [first, ...below] = await messages(head.thread);
    expect(first?.reactions).toMatchObject([{ name: 'white_check_mark', count: 1 }]);
    expect(below.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('orders.ts is below'),
    );
    const { files = [] } = await reader.files.list({ channel: room });
    expect(files.map(({ name }) => name)).toEqual(['orders.ts']);
  },
);

test('what takes the place of a message is read by everybody', async () => {
  const head = await channel.announce(post('a', MERGED, { isNew: true }));
  await channel.reply(head, says('r', '`ana` approved plan `ab12`.', { isInstead: true }));
  expect((await messages())[0]?.text).toBe('`ana` approved plan `ab12`.');
});

test('a channel that does not exist has an error of its own', async () => {
  await expect(
    channel.announce(post('a', MERGED, { place: '#nobody', isNew: true })),
  ).rejects.toMatchObject({ code: 'channel-not-found' });
});
