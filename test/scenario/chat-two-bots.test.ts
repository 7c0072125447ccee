/** Two Apps in one channel of Slack, and Slack's two kinds of events for one mention: people are answered once. */
import { expect, test } from 'vitest';
import { toSlackEvent } from '../../src/emulator/chat/slack/slack-events.ts';
import {
  sayInSlack,
  type SlackChannel,
  type SlackMessage,
} from '../../src/emulator/chat/slack/slack-world.ts';
import type { SlackEmulator } from '../../src/emulator/chat/slack/start-slack.ts';
import { aChatWorld, CHAT_SETTINGS, type ChatWorld } from '../helpers/a-chat-world.ts';
import { aSecondSlackBot } from '../helpers/a-second-slack-bot.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { BOB, inThread, MAPPED, WISH } from '../helpers/say-in-slack.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const TOKEN = ['xapp', 'test'].join('-');
const BOB_IS_ANA = `access:\n  identities:\n    - github: ana\n      slack: ${BOB}\n`;
type Kind = 'app_mention' | 'message';

async function aListeningWorld(): Promise<ChatWorld> {
  const files = { '.github/quorum.yml': MAPPED + BOB_IS_ANA };
  const chats = await aChatWorld({ env: { SLACK_APP_TOKEN: TOKEN }, files });
  await waitUntil(() => chats.slack.socket.connections() > 0);
  return chats;
}

/** Over Socket Mode. Who is mentioned gets two kinds of events, which have ids of their own. */
async function deliver(
  { world, socket }: SlackEmulator,
  room: SlackChannel,
  { message, kinds = ['message', 'app_mention'] }: { message: SlackMessage; kinds?: Kind[] },
): Promise<void> {
  const isMentioned = message.text.includes(`<@${world.bot.userId}>`);
  const taken = socket.acknowledged.length;
  const sent = kinds.filter((kind) => kind === 'message' || isMentioned);
  for (const type of sent) {
    const delivery = toSlackEvent(world, room, message);
    const event = { ...(delivery['event'] as object), type };
    socket.send({ ...delivery, event_id: `Ev-${type}-${message.ts}`, event });
  }
  await waitUntil(() => socket.acknowledged.length === taken + sent.length);
}

async function issuesOf(world: TestWorld): Promise<{ number: number; title: string }[]> {
  const path = `/repos/${REPO}/issues?state=all&per_page=100`;
  return (await world.emulator.as('ana').request('GET', path)) as {
    number: number;
    title: string;
  }[];
}

/** The request itself, and not its plan. */
const WISHED = /^(?!\[PLAN\]).*Quiet and verbose$/;
const wishesIn = async (world: TestWorld): Promise<number> =>
  (await issuesOf(world)).filter(({ title }) => WISHED.test(title)).length;

/** Everything that is in the channel reaches both, and so does what they say to it, until they say no more. */
function createRound(chats: ChatWorld, second: { world: TestWorld; slack: SlackEmulator }) {
  const delivered = new Set<string>();
  const { room } = chats;
  return async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) {
      const news = room.messages.filter(({ ts }) => !delivered.has(ts));
      if (news.length === 0) return;
      for (const message of news) {
        delivered.add(message.ts);
        for (const { slack } of [chats, second]) await deliver(slack, room, { message });
      }
      for (const { world } of [chats, second]) await world.idle();
    }
    expect(room.messages.map(({ text }) => text)).toBe('at rest');
  };
}

test('two Apps in one channel announce their own, an ask that names both is answered by the one that the channel is for, which does not answer the other App', async () => {
  const chats = await aListeningWorld();
  const { slack, env } = await aSecondSlackBot(chats.slack);
  const settings = CHAT_SETTINGS + BOB_IS_ANA;
  const world = await aWorld({ env, files: { '.github/quorum.yml': settings } });
  await waitUntil(() => slack.socket.connections() > 0);
  const settle = createRound(chats, { world, slack });
  const { room } = chats;
  const [ours, theirs] = [chats.slack.world.bot, slack.world.bot];

  for (const each of [chats.world, world]) {
    await each.ask(READY_ISSUE);
    await each.idle();
  }
  await settle();
  for (const { botId } of [ours, theirs]) {
    const heads = room.messages.filter((each) => each.bot_id === botId && !each.thread_ts);
    expect(heads.map(({ text }) => text)).toEqual([expect.stringContaining('READY')]);
  }

  const text = `<@${ours.userId}> <@${theirs.userId}> ${WISH}`;
  const { ts: thread } = sayInSlack(chats.slack.world, room, { user: BOB, text });
  await settle();
  expect([await wishesIn(chats.world), await wishesIn(world)]).toEqual([1, 0]);
  expect(inThread(chats, thread).join('\n')).toContain('Your request is');
  const voices = room.messages.filter((each) => each.thread_ts === thread);
  expect(new Set(voices.map((each) => each.bot_id))).toEqual(new Set([ours.botId]));

  const before = (await issuesOf(chats.world)).length;
  const said = room.messages.length;
  for (const where of [{}, { thread_ts: thread }])
    Object.assign(sayInSlack(slack.world, room, { user: theirs.userId, text, ...where }), {
      bot_id: theirs.botId,
    });
  await settle();
  expect((await issuesOf(chats.world)).length).toBe(before);
  expect(room.messages.length).toBe(said + 2);
});

test.each<[string, Kind[]]>([
  ['the message first', ['message', 'app_mention']],
  ['the mention first', ['app_mention', 'message']],
])(
  'a mention that comes over Socket Mode as two kinds of events, %s, is one request, and in its thread one command',
  async (_, kinds) => {
    const chats = await aListeningWorld();
    const { slack, room, world } = chats;
    const mention = async (text: string, thread?: string): Promise<SlackMessage> => {
      const where = thread === undefined ? {} : { thread_ts: thread };
      const words = { user: BOB, text: `<@${slack.world.bot.userId}> ${text}`, ...where };
      const message = sayInSlack(slack.world, room, words);
      await deliver(slack, room, { message, kinds });
      await world.idle();
      return message;
    };
    const { ts: thread } = await mention(WISH);
    expect(await wishesIn(world)).toBe(1);
    expect(inThread(chats, thread).filter((each) => each.startsWith('Your request'))).toHaveLength(
      1,
    );
    const before = inThread(chats, thread).length;
    await mention('/pm help', thread);
    const plan = (await issuesOf(world)).find(({ title }) => title.startsWith('[PLAN]'));
    const { all } = await world.tell(plan?.number ?? 0);
    expect(all.filter(({ body }) => body.includes('> /pm help'))).toHaveLength(1);
    const answers = inThread(chats, thread).slice(before + 1);
    expect(answers.filter((text) => text.includes('> `/pm help`'))).toHaveLength(1);
  },
);
