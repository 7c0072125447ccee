/** A plan that is shown in Slack has buttons: they say what the command says, for the person who presses them. */
import { beforeEach, expect, test } from 'vitest';
import { pressButton } from '../../src/emulator/chat/slack/slack-blocks.ts';
import type { SlackMessage } from '../../src/emulator/chat/slack/slack-world.ts';
import type { ChatWorld } from '../helpers/a-chat-world.ts';
import { REPO } from '../helpers/a-world.ts';
import { aMappedWorld, BOB, inThread, link, MALLORY, say, WISH } from '../helpers/say-in-slack.ts';
import { verifies } from '../verifies.ts';

let chats: ChatWorld;
let thread: string;
let plan: number;
beforeEach(async () => {
  chats = await aMappedWorld();
  await link(chats, 'ana');
  thread = await say(chats, WISH);
  const all = (await chats.world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/issues?state=all`)) as { number: number; title: string }[];
  plan = all.find(({ title }) => title.startsWith('[PLAN]'))?.number ?? 0;
});

/** The message with the buttons. */
function asking(): SlackMessage | undefined {
  return chats.room.messages.find(({ blocks }) => blocks?.some(({ type }) => type === 'actions'));
}

type Payload = Record<string, unknown>;

function payloadOf(label: string, user = BOB): Payload {
  const message = asking();
  if (message === undefined) throw new Error('no buttons');
  return pressButton(chats.slack.world, { channel: chats.room, message, user }, label);
}

async function deliver(payload: Payload): Promise<number> {
  const { headers, body } = chats.slack.press(payload);
  const url = `${chats.world.app.url}/api/slack/interactivity`;
  const { status } = await fetch(url, { method: 'POST', headers, body });
  await chats.world.idle();
  return status;
}

verifies(
  'OUT-08: button pressed twice',
  'a linked person approves with the button, once',
  async () => {
    expect(asking()?.text).toMatch(/Plan `[0-9a-f]{12}` waits for approval/);
    const first = payloadOf('Approve');
    const second = payloadOf('Approve');
    for (const each of [first, first, second]) expect(await deliver(each)).toBe(200);
    const { labels, all } = await chats.world.tell(plan);
    expect(labels).toContain('plan:active');
    const quoted = all.filter(({ body }) => body.includes('in Slack'));
    expect(quoted.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^`ana` in Slack, with a button:\n\n> \/pm approve [0-9a-f]{40}\n/),
    ]);
    expect(asking()).toBeUndefined();
    const told = inThread(chats, thread);
    expect(told).toContainEqual(expect.stringMatching(/^`ana` approved plan `[0-9a-f]{12}`\.$/));
    expect(told.join('\n')).toContain('ana approved the plan');
  },
);

test('an answer on GitHub takes the buttons away as well', async () => {
  await chats.world.emulator.as('ana').comment(REPO, plan, '/pm reject');
  await chats.world.idle();
  expect(asking()).toBeUndefined();
  expect(inThread(chats, thread)).toContainEqual(
    expect.stringMatching(/^`ana` rejected plan `[0-9a-f]{12}`\.$/),
  );
});

verifies(
  'OUT-08: button without a link',
  'somebody who is not linked approves nothing, and alone reads how to link; the permission decides then',
  async () => {
    for (let time = 0; time < 2; time += 1) await deliver(payloadOf('Approve', MALLORY));
    expect(chats.room.whispers).toMatchObject([
      { user: MALLORY, thread_ts: thread, text: expect.stringContaining('/pm link ') },
      { user: MALLORY },
    ]);
    expect(inThread(chats, thread).join('\n')).not.toContain('/pm link');
    const code = /\/pm link ([0-9A-Z]{10})/.exec(chats.room.whispers.at(-1)?.text ?? '')?.[1];
    await chats.world.emulator.as('tom').comment(REPO, 1, `/pm link ${code}`);
    await chats.world.idle();
    await deliver(payloadOf('Approve', MALLORY));
    expect(chats.room.whispers.at(-1)?.text).toContain('This needs `triage`');
    const { labels, all } = await chats.world.tell(plan);
    expect(labels).toEqual(['plan']);
    expect(all.some(({ body }) => body.includes('in Slack'))).toBe(false);
    expect(asking()).toBeDefined();
  },
);

verifies(
  'OUT-08: button of another text',
  'a text that changed after it was shown is neither approved nor rejected',
  async () => {
    const { emulator } = chats.world;
    const path = `/repos/${REPO}/issues/${plan}`;
    const issue = (await emulator.as('ana').request('GET', path)) as { body: string };
    const body = issue.body.replaceAll('prints nothing', 'deletes everything');
    expect(body).not.toBe(issue.body);
    const [approve, reject] = [payloadOf('Approve'), payloadOf('Reject')];
    await emulator.as('ana').request('PATCH', path, { body });
    await chats.world.idle();
    await deliver(reject);
    expect(chats.room.whispers).toMatchObject([
      { user: BOB, text: expect.stringContaining('Not rejected. The plan changed') },
    ]);
    await deliver(approve);
    expect((await chats.world.tell(plan)).labels).toEqual(['plan']);
    expect(inThread(chats, thread).join('\n')).toContain(
      'The digest in your command is not the digest of the current plan.',
    );
    // The buttons have followed the text: the same person may press them again.
    expect(asking()?.text).toMatch(/^The plan was edited\. Plan `[0-9a-f]{12}` waits for approval/);
    await deliver(payloadOf('Approve'));
    expect((await chats.world.tell(plan)).labels).toContain('plan:active');
    expect(asking()).toBeUndefined();
  },
);

verifies('OUT-08: unsigned press', 'a press that Slack did not sign is refused', async () => {
  const { body, headers } = chats.slack.press(payloadOf('Approve'));
  const url = `${chats.world.app.url}/api/slack/interactivity`;
  const { 'x-slack-signature': _, ...unsigned } = headers;
  for (const sent of [
    { headers: unsigned, body },
    { headers, body: body.replace('Approve', 'approve') },
  ])
    expect((await fetch(url, { method: 'POST', ...sent })).status).toBe(401);
  await chats.world.idle();
  expect((await chats.world.tell(plan)).labels).toEqual(['plan']);
});
