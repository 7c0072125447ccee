/** Below an announcement in Slack people answer the team: with the buttons of a plan, or in writing. */
import { beforeEach, expect, test } from 'vitest';
import { pressButton } from '../../src/emulator/chat/slack/slack-blocks.ts';
import type { ChatWorld } from '../helpers/a-chat-world.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { REPO } from '../helpers/a-world.ts';
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

test('a plan that was labelled on GitHub is approved with the button below its announcement', async () => {
  const payload = pressButton(
    chats.slack.world,
    { channel: chats.room, message: asking(), user: BOB },
    'Approve',
  );
  const { headers, body } = chats.slack.press(payload);
  await fetch(`${chats.world.app.url}/api/slack/interactivity`, { method: 'POST', headers, body });
  await chats.world.idle();
  expect((await chats.world.tell(plan)).labels).toContain('plan:active');
  expect(inThread(chats, thread)).toContainEqual(
    expect.stringMatching(/^`ana` approved plan `[0-9a-f]{12}`\.$/),
  );
});

test('a plan that was rejected in Slack has buttons for its next text once it is edited on GitHub', async () => {
  const { world, slack, room } = chats;
  const press = async (label: string): Promise<void> => {
    const payload = pressButton(
      slack.world,
      { channel: room, message: asking(), user: BOB },
      label,
    );
    const { headers, body } = slack.press(payload);
    await fetch(`${world.app.url}/api/slack/interactivity`, { method: 'POST', headers, body });
    await world.idle();
  };
  const { ts, text } = asking();
  await press('Reject');
  expect(() => asking()).toThrow('0 messages with buttons');
  const path = `/repos/${REPO}/issues/${plan}`;
  const issue = (await world.emulator.as('tom').request('GET', path)) as { body: string };
  const body = issue.body.replaceAll('Do thing 1', 'Do another thing 1');
  expect(body).not.toBe(issue.body);
  await world.emulator.as('tom').request('PATCH', path, { body });
  await world.idle();
  expect(asking().ts).toBe(ts);
  expect(asking().text).toMatch(/^The plan was edited\. Plan `[0-9a-f]{12}` waits for approval/);
  expect(asking().text).not.toContain(/`[0-9a-f]{12}`/.exec(text)?.[0] ?? '');
  await press('Approve');
  expect((await world.tell(plan)).labels).toContain('plan:active');
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
