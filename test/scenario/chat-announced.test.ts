/** Below an announcement in Slack people answer the team: with the buttons of a plan, or in writing. */
import { beforeEach, expect, test } from 'vitest';
import { pressButton } from '../../src/emulator/chat/slack/slack-blocks.ts';
import { sayInSlack } from '../../src/emulator/chat/slack/slack-world.ts';
import type { ChatWorld } from '../helpers/a-chat-world.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { REPO } from '../helpers/a-world.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { aMappedWorld, BOB, inThread, link, say } from '../helpers/say-in-slack.ts';

let chats: ChatWorld;
let plan: number;
/** The thread that the announcement of the plan began. */
let thread: string;
beforeEach(async () => {
  chats = await aMappedWorld();
  await link(chats, 'ana');
  const { emulator } = chats.world;
  const issue = { title: '[PLAN] Dates', body: aPlanBody() };
  ({ number: plan } = await emulator.as('tom').openIssue(REPO, issue));
  await emulator.as('ana').label(REPO, plan, ['plan']);
  await chats.world.idle();
  thread = asking().thread_ts ?? '';
});

function asking() {
  const isAsking = chats.room.messages.filter(({ blocks }) =>
    blocks?.some(({ type }) => type === 'actions'),
  );
  const [message] = isAsking;
  if (message === undefined || isAsking.length > 1)
    throw new Error(`${isAsking.length} messages with buttons in: ${chats.inSlack().join('\n')}`);
  return message;
}

const issues = async (): Promise<number[]> => {
  const all = `/repos/${REPO}/issues?state=all&per_page=100`;
  const found = (await chats.world.emulator.as('ana').request('GET', all)) as { number: number }[];
  return found.map(({ number }) => number);
};
const commentsOn = async (number: number): Promise<string[]> =>
  (await chats.world.tell(number)).all.map(({ body }) => body);

async function send(payload: Record<string, unknown>): Promise<void> {
  const { headers, body } = chats.slack.press(payload);
  const url = `${chats.world.app.url}/api/slack/interactivity`;
  await fetch(url, { method: 'POST', headers, body });
}
async function deliver(payload: Record<string, unknown>): Promise<void> {
  await send(payload);
  await chats.world.idle();
}
const payloadOf = (label: string) =>
  pressButton(chats.slack.world, { channel: chats.room, message: asking(), user: BOB }, label);

/** The text of the plan becomes another one. */
async function edit(): Promise<void> {
  const path = `/repos/${REPO}/issues/${plan}`;
  const issue = (await chats.world.emulator.as('tom').request('GET', path)) as { body: string };
  const body = issue.body.replaceAll('Do thing 1', 'Do another thing 1');
  expect(body).not.toBe(issue.body);
  await chats.world.emulator.as('tom').request('PATCH', path, { body });
  await chats.world.idle();
}

test('a plan that was labelled on GitHub is approved with the button below its announcement', async () => {
  await deliver(payloadOf('Approve'));
  expect((await chats.world.tell(plan)).labels).toContain('plan:active');
  expect(inThread(chats, thread)).toContainEqual(
    expect.stringMatching(/^`ana` approved plan `[0-9a-f]{12}`\.$/),
  );
});

test('a plan that was rejected in Slack has buttons for its next text once it is edited on GitHub', async () => {
  const { ts, text } = asking();
  await deliver(payloadOf('Reject'));
  expect(() => asking()).toThrow('0 messages with buttons');
  await edit();
  expect(asking().ts).toBe(ts);
  expect(asking().text).toMatch(/^The plan was edited\. Plan `[0-9a-f]{12}` waits for approval/);
  expect(asking().text).not.toContain(/`[0-9a-f]{12}`/.exec(text)?.[0] ?? '');
  await deliver(payloadOf('Approve'));
  expect((await chats.world.tell(plan)).labels).toContain('plan:active');
});

test('what is said to the team below an announcement is said on its issue, and answered there', async () => {
  const before = await issues();
  await say(chats, 'we should ask marketing first', { thread });
  expect((await commentsOn(plan)).join('\n')).not.toContain('marketing');
  await say(chats, `<@${chats.slack.world.bot.userId}> /pm reject`, { thread });
  expect(await issues()).toEqual(before);
  expect((await commentsOn(plan)).join('\n')).toContain('> /pm reject');
  expect(inThread(chats, thread)).toContainEqual(
    expect.stringMatching(/^`ana` rejected plan `[0-9a-f]{12}`\.$/),
  );
});

test('who presses a button reads alone why GitHub refused it', async () => {
  const { emulator } = chats.world;
  const stale = payloadOf('Approve');
  await edit();
  await deliver(stale);
  expect(chats.room.whispers).toMatchObject([
    { user: BOB, thread_ts: thread, text: expect.stringContaining('is not the digest of the') },
  ]);
  await emulator.as('ana').label(REPO, plan, ['quorum:skip']);
  await chats.world.idle();
  await deliver(payloadOf('Reject'));
  expect(chats.room.whispers.at(-1)?.text).toBe('Not done: a label keeps the team out.');
  expect(chats.room.whispers).toHaveLength(2);
});

test('a paused team answers in Slack, and `/pm resume` there ends the pause', async () => {
  const { world, slack, room } = chats;
  await world.emulator.as('ana').comment(REPO, 1, '/pm pause');
  await world.idle();
  // Other work waits for the end of the pause, so that the App is not idle before.
  await send(payloadOf('Approve'));
  await waitUntil(() => room.whispers.length > 0);
  expect(room.whispers[0]?.text).toContain('`ana` paused the work');
  const text = `<@${slack.world.bot.userId}> /pm resume`;
  const said = sayInSlack(slack.world, room, { user: BOB, text, thread_ts: thread });
  const { headers, body } = slack.delivery(room, said);
  const json = { 'content-type': 'application/json', ...headers };
  await fetch(`${world.app.url}/api/slack/events`, { method: 'POST', headers: json, body });
  await waitUntil(() => inThread(chats, thread).join('\n').includes('> `/pm resume`'));
  expect((await commentsOn(plan)).join('\n')).toContain('`ana` in Slack:\n\n> /pm resume');
});
