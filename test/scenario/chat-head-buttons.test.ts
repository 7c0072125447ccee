/** A task's pull request that waits for a person has a button in Slack: it approves the head that was shown, for who presses it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { pressButton } from '../../src/emulator/chat/slack/slack-blocks.ts';
import type { SlackMessage } from '../../src/emulator/chat/slack/slack-world.ts';
import { openChats, type ChatWorld } from '../helpers/a-chat-world.ts';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { headOf } from '../helpers/a-pull.ts';
import { REPO } from '../helpers/a-world.ts';
import { pushTo } from '../helpers/commits.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { BOB, inThread, link, MALLORY, MAPPED } from '../helpers/say-in-slack.ts';
import { branchesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const SLOW_MS = 120_000;
const SETTINGS = `${MAPPED}merge:\n  mode: auto\nreview:\n  settleSeconds: 0\n`;

let chats: ChatWorld;
let world: PlanWorld;
/** Of the pull request. */
let number: number;

/** Messages with buttons about a head. */
function asking(): SlackMessage[] {
  return chats.room.messages.filter(
    ({ text, blocks }) =>
      text.startsWith('Head `') && blocks?.some(({ type }) => type === 'actions') === true,
  );
}

type Payload = Record<string, unknown>;

function payloadOf(user: string): Payload {
  const [message] = asking();
  if (message === undefined) throw new Error(`no buttons in: ${chats.inSlack().join('\n')}`);
  return pressButton(chats.slack.world, { channel: chats.room, message, user }, 'Approve');
}

/** All of them, before the App has done anything about the first. */
async function deliver(...payloads: Payload[]): Promise<void> {
  const url = `${world.app.url}/api/slack/interactivity`;
  const answers = payloads.map((payload) => {
    const { headers, body } = chats.slack.press(payload);
    return fetch(url, { method: 'POST', headers, body });
  });
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  await world.idle();
}

const isMerged = async (): Promise<boolean> =>
  (await world.pulls()).every(({ merged_at: at }) => at !== null);
const commentsOf = async (): Promise<string[]> =>
  (await world.tell(number)).all.map(({ body }) => body);

describe.skipIf(noBwrap !== undefined)('a head in Slack', { timeout: SLOW_MS }, () => {
  beforeEach(async () => {
    const opened = await openChats();
    world = await aPlanWorld(SETTINGS, { env: opened.env });
    chats = { ...opened, world };
    chats.slack.world.users.set(MALLORY, { id: MALLORY, name: 'tom', is_bot: false });
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    await link(chats, 'tom');
    number = (await world.pulls())[0]?.number ?? 0;
  }, SLOW_MS);

  verifies(
    'OUT-08: head approved with a button',
    'is approved and merged by the linked person who presses its button, once',
    async () => {
      const head = (await headOf(world, number)).slice(0, 12);
      expect(asking().map(({ text }) => text)).toEqual([
        expect.stringContaining(`Head \`${head}\` waits for approval.`),
      ]);
      const thread = asking()[0]?.thread_ts ?? '';
      const first = payloadOf(BOB);
      const second = payloadOf(BOB);
      await deliver(first, first, second);
      await deliver(first);
      expect(await isMerged()).toBe(true);
      const quoted = (await commentsOf()).filter((body) => body.includes('in Slack'));
      expect(quoted).toEqual([
        expect.stringMatching(/^`tom` in Slack, with a button:\n\n> \/pm approve [0-9a-f]{40}\n/),
      ]);
      expect(asking()).toEqual([]);
      expect(inThread(chats, thread)).toContainEqual(`\`tom\` approved head \`${head}\`.`);
      const shown = chats.room.messages.find(({ ts }) => ts === thread)?.text;
      expect(shown).toMatch(new RegExp(`^\\*Quorum\\*\n👍 .*tom approved head ${head}$`));
    },
  );

  verifies(
    'OUT-08: head without a link',
    'is not approved by somebody who is not linked, whatever their name, nor by a login that may not write',
    async () => {
      await deliver(payloadOf(MALLORY));
      expect(chats.room.whispers).toMatchObject([
        { user: MALLORY, text: expect.stringContaining('/pm link ') as string },
      ]);
      const code = /\/pm link ([0-9A-Z]{10})/.exec(chats.room.whispers[0]?.text ?? '')?.[1];
      world.emulator.addCollaborator(REPO, 'eve', 'triage');
      await world.emulator.as('eve').comment(REPO, 1, `/pm link ${code}`);
      await world.idle();
      await deliver(payloadOf(MALLORY));
      expect((await commentsOf()).join('\n')).toContain('needs `write`');
      expect(await isMerged()).toBe(false);
      expect(asking()).toHaveLength(1);
    },
  );

  verifies(
    'OUT-08: requester with a button',
    'is not approved by the person who asked for the work, and keeps its button for others',
    async () => {
      await link(chats, 'ana', MALLORY);
      await deliver(payloadOf(MALLORY));
      expect((await commentsOf()).join('\n')).toContain('`ana` in Slack, with a button');
      expect(await isMerged()).toBe(false);
      await deliver(payloadOf(BOB));
      expect(await isMerged()).toBe(true);
    },
  );

  verifies(
    'OUT-08: button of an older head',
    'that is not the newest any more is not approved, and the press says which one is',
    async () => {
      const old = payloadOf(BOB);
      const branch = (await branchesOf(world)).find((name) => name.startsWith('quorum/')) ?? '';
      await pushTo(world, { 'src/more.js': 'export const more = 1;\n' }, { branch });
      const newer = (await headOf(world, number)).slice(0, 12);
      await deliver(old);
      expect(chats.room.whispers).toMatchObject([
        { user: BOB, text: expect.stringContaining(`a newer head, \`${newer}\``) as string },
      ]);
      expect((await commentsOf()).join('\n')).not.toContain('in Slack');
      expect(await isMerged()).toBe(false);
      expect(asking()).toEqual([]);
    },
  );

  test('that somebody approves in a review on GitHub loses its button, with that name', async () => {
    const sha = await headOf(world, number);
    const review = { event: 'APPROVE', commit_id: sha };
    const path = `/repos/${REPO}/pulls/${number}/reviews`;
    await world.emulator.as('tom').request('POST', path, review);
    await world.idle();
    expect(await isMerged()).toBe(true);
    expect(asking()).toEqual([]);
    expect(chats.inSlack()).toContainEqual(`  \`tom\` approved head \`${sha.slice(0, 12)}\`.`);
  });

  verifies(
    'OUT-08: permission taken before a press',
    'is not approved by somebody who may not write any more',
    async () => {
      world.emulator.addCollaborator(REPO, 'tom', 'read');
      await deliver(payloadOf(BOB));
      expect(chats.room.whispers.at(-1)?.text).toContain('This needs `triage`');
      expect(await isMerged()).toBe(false);
    },
  );
});
