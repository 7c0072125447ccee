/** People in Slack who speak to the App, as Slack delivers it. */
import { expect } from 'vitest';
import { sayInSlack, type SlackFile } from '../../src/emulator/chat/slack/slack-world.ts';
import { aChatWorld, CHAT_SETTINGS, type ChatWorld } from './a-chat-world.ts';
import { REPO } from './a-world.ts';
import { anIssue } from './talking.ts';

export const BOB = 'U0HUMAN001';
export const MALLORY = 'U0HUMAN002';
export const WISH = [
  'Quiet and verbose',
  '',
  '- [ ] `--quiet` in `src/cli.ts` prints nothing',
  '- [ ] `--verbose` in `src/cli.ts` prints each step',
].join('\n');

/** `#team` is for the repository. */
export const MAPPED = CHAT_SETTINGS.replace(
  "    channel: '#team'\n",
  `    channel: '#team'\n    map:\n      C000000001: ${REPO}\n`,
);

export async function aMappedWorld(): Promise<ChatWorld> {
  const chats = await aChatWorld({ files: { '.github/quorum.yml': MAPPED } });
  chats.slack.world.users.set(MALLORY, { id: MALLORY, name: 'ana', is_bot: false });
  return chats;
}

/** Delivers a message as Slack does, twice, and waits until all is done. Returns its thread. */
export async function say(
  { world, slack, room }: ChatWorld,
  text: string,
  { user = BOB, thread, files }: { user?: string; thread?: string; files?: SlackFile[] } = {},
): Promise<string> {
  const said = sayInSlack(slack.world, room, {
    user,
    text: thread === undefined ? `<@${slack.world.bot.userId}> ${text}` : text,
    ...(thread !== undefined && { thread_ts: thread }),
    ...(files !== undefined && { files }),
  });
  const { headers, body } = slack.delivery(room, said);
  for (let time = 0; time < 2; time += 1) {
    const url = `${world.app.url}/api/slack/events`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    expect(answer.status).toBe(200);
  }
  await world.idle();
  return thread ?? said.ts;
}

export function inThread({ room }: Pick<ChatWorld, 'room'>, thread: string): string[] {
  return room.messages.filter((each) => each.thread_ts === thread).map(({ text }) => text);
}

/** The first issue of the repository is there for the code. */
export async function link(chats: ChatWorld, login: string, user = BOB): Promise<void> {
  const { world } = chats;
  if (!world.emulator.repository(REPO).threads.has(1)) await anIssue(world);
  const thread = await say(chats, 'hello, can you help?', { user });
  const code = /\/pm link ([0-9A-Z]{10})/.exec(inThread(chats, thread).join('\n'))?.[1] ?? '';
  await world.emulator.as(login).comment(REPO, 1, `/pm link ${code}`);
  await world.idle();
}
