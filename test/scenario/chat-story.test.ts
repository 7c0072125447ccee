/** Somebody asks for work in Slack, and that thread reports the whole story: issue, plan, pull request, merge. */
import { describe, expect } from 'vitest';
import { pressButton } from '../../src/emulator/chat/slack/slack-blocks.ts';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import { openChats, type ChatWorld } from '../helpers/a-chat-world.ts';
import { aCoderWorld, sayIt } from '../helpers/a-coder-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { BOB, inThread, link, MALLORY, MAPPED, say } from '../helpers/say-in-slack.ts';
import { ChannelEvent } from '../../src/domain/config/config-limits.ts';
import { verifies } from '../verifies.ts';

const WISH = [
  'Say goodbye',
  '',
  '- [ ] `goodbye(name)` in `src/goodbye.js` says goodbye, with a test in `test/goodbye.test.js`',
].join('\n');
const EVENTS = ChannelEvent.options.filter((event) => event !== 'weekly').join(', ');
const SETTINGS = `${MAPPED.replace(/events: .*needs-human\]/, `events: [${EVENTS}]`)}merge:\n  mode: auto\nreview:\n  settleSeconds: 0\n`;

/** Personas announce in sentences of their own: the signs are the same in all of them. */
const STORY = [
  /^Your request is <http\S+\/issues\/\d+\|/,
  /^\*Plan proposed: #\d+\*/,
  /^📝 .*issues\/\d+/,
  /^`ana` approved plan `[0-9a-f]{12}`\.$/,
  /^👍 .*issues\/\d+.*ana/,
  /^🛠️ .*issues\/\d+/,
  /^🔀 .*issues\/\d+/,
  /^👀 .*pull\/\d+/,
  /^⚖️ .*pull\/\d+.*APPROVE/,
  /^🙋 .*pull\/\d+.*somebody other than/,
  /^`tom` approved head `[0-9a-f]{12}`\.$/,
  /^✅ .*issues\/\d+/,
  /^🏁 .*issues\/\d+/,
];

describe.skipIf(noClaude !== undefined)('a request in Slack', () => {
  verifies('TG-6', 'ends in a merged pull request, and its thread tells each step', async () => {
    const opened = await openChats();
    const world = await aCoderWorld({ settings: SETTINGS, env: opened.env });
    world.plays(sayIt('goodbye'));
    const chats: ChatWorld = { ...opened, world };
    await link(chats, 'ana');
    await link(chats, 'tom', MALLORY);
    const thread = await say(chats, WISH);
    const { slack, room } = chats;
    const approve = async (user: string): Promise<void> => {
      const hasButtons = (blocks: readonly { type: string }[] = []): boolean =>
        blocks.some(({ type }) => type === 'actions');
      const message = room.messages.find(({ blocks }) => hasButtons(blocks));
      if (message === undefined) throw new Error('no buttons');
      const pressed = pressButton(slack.world, { channel: room, message, user }, 'Approve');
      const { headers, body } = slack.press(pressed);
      const url = `${world.app.url}/api/slack/interactivity`;
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
      await world.idle();
    };
    await approve(BOB);
    // Who asked for the work does not approve it.
    await approve(MALLORY);
    const pulls = await world.pulls();
    expect(pulls.map(({ merged_at: at }) => at !== null)).toEqual([true]);
    const told = inThread(chats, thread);
    const steps = STORY.map((step) => told.findIndex((text) => step.test(text)));
    expect(steps).not.toContain(-1);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    // Nothing of it appears anywhere else.
    const isOurs = ({ bot_id: bot }: { bot_id?: string }): boolean => bot !== undefined;
    const elsewhere = room.messages.filter(
      (each) => isOurs(each) && each.thread_ts !== thread && !each.text.includes('/pm link'),
    );
    expect(elsewhere).toEqual([]);
    const all = (await world.emulator
      .as('ana')
      .request('GET', `/repos/${REPO}/issues?state=all`)) as { title: string }[];
    const issues = all.map(({ title }) => title).filter((title) => title.endsWith('Say goodbye'));
    expect(issues.toSorted()).toEqual(['Say goodbye', '[PLAN] Say goodbye']);
  });
});
