/** kill -9 around what answers messages in Slack: each has one answer, and a request one issue and one reaction. */
import { expect, test } from 'vitest';
import { sayInSlack } from '../../src/emulator/chat/slack/slack-world.ts';
import { openChats } from '../helpers/a-chat-world.ts';
import { aKilledApp, POINTS } from '../helpers/a-killed-app.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { BOB, inThread, MAPPED, WISH } from '../helpers/say-in-slack.ts';

const KINDS = ['look-chat', 'chat-reply', 'chat-react'] as const;

test(`killed ${KINDS.length * POINTS.length} times around a request in Slack, it is answered once`, async () => {
  const chats = await openChats();
  const app = await aKilledApp({ '.github/quorum.yml': MAPPED }, { env: chats.env });
  const { emulator, appId } = app.world;
  await emulator.as('tom').openIssue(REPO, READY_ISSUE);
  const url = new URL('/api/slack/events', emulator.app(appId).webhookUrl);
  const say = async (text: string): Promise<string> => {
    const said = sayInSlack(chats.slack.world, chats.room, { user: BOB, text });
    const { headers, body } = chats.slack.delivery(chats.room, said);
    await fetch(url, { method: 'POST', headers, body });
    return said.ts;
  };
  const mention = `<@${chats.slack.world.bot.userId}>`;
  let thread = '';
  for (const kind of ['look-chat', 'chat-reply'] as const)
    for (const point of POINTS) {
      await app.startUntil({ kind, nth: 1, point });
      if (thread === '') thread = await say(`${mention} hello, can you help?`);
      await app.killed();
    }
  await app.runToRest();
  const answers = inThread(chats, thread).filter((text) => text.includes('/pm link'));
  expect(answers).toHaveLength(1);
  const code = /\/pm link ([0-9A-Z]{10})/.exec(answers[0] ?? '')?.[1] ?? '';
  await app.runToRest(() => emulator.as('ana').comment(REPO, 1, `/pm link ${code}`));
  let wish = '';
  for (const point of POINTS) {
    await app.startUntil({ kind: 'chat-react', nth: 1, point });
    if (wish === '') wish = await say(`${mention} ${WISH}`);
    await app.killed();
  }
  await app.runToRest();
  const all = await emulator.as('ana').request('GET', `/repos/${REPO}/issues?state=all`);
  const titles = (all as { title: string }[]).map(({ title }) => title);
  expect(titles.filter((title) => title === 'Quiet and verbose')).toHaveLength(1);
  const asked = chats.room.messages.find(({ ts }) => ts === wish);
  expect(asked?.reactions.map(({ name, users }) => [name, users.length])).toEqual([['eyes', 1]]);
});

test('of twelve answers that wait in the store, nine kills lose none and send none twice', async () => {
  const chats = await openChats();
  const app = await aKilledApp({ '.github/quorum.yml': MAPPED }, { env: chats.env });
  const { emulator, appId } = app.world;
  await emulator.as('tom').openIssue(REPO, READY_ISSUE);
  const url = new URL('/api/slack/events', emulator.app(appId).webhookUrl);
  const asked = Array.from({ length: 12 }, (_, at) => {
    const user = `U0MANY${at}`;
    chats.slack.world.users.set(user, { id: user, name: `many-${at}`, is_bot: false });
    const text = `<@${chats.slack.world.bot.userId}> can you help?`;
    return sayInSlack(chats.slack.world, chats.room, { user, text });
  });
  let undelivered = asked;
  // As Slack does, which delivers again what was not acknowledged.
  const deliver = async (): Promise<void> => {
    const taken = await Promise.all(
      undelivered.map((said) => {
        const { headers, body } = chats.slack.delivery(chats.room, said);
        return fetch(url, { method: 'POST', headers, body }).then(
          ({ ok }) => ok,
          () => false,
        );
      }),
    );
    undelivered = undelivered.filter((_, at) => taken[at] !== true);
  };
  for (const nth of [1, 1, 2])
    for (const point of POINTS) {
      await app.startUntil({ kind: 'chat-reply', nth, point });
      await deliver();
      await app.killed();
    }
  await app.runToRest(deliver);
  expect(undelivered).toEqual([]);
  expect(asked.map(({ ts }) => inThread(chats, ts).length)).toEqual(asked.map(() => 1));
});
