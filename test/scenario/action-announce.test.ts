/** Announcements from a workflow: the code of `quorum announce`, with the settings of the default branch. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChats } from '../helpers/a-chat-world.ts';
import {
  anActionsWorld,
  anEvent,
  buildForTests,
  dropBuild,
  type ActionsWorld,
  type Job,
} from '../helpers/a-workflow-run.ts';
import { REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

beforeAll(() => buildForTests(['announce']));
afterAll(dropBuild);

const SETTINGS =
  "version: 1\nchannels:\n  slack:\n    channel: '#team'\n    events: [merged]\n  bluesky:\n    events: [merged]\n";
const MERGED = { event: 'merged', text: 'Orders are kept', number: '12' };

async function tell(
  world: ActionsWorld,
  inputs: Record<string, string>,
  env: Record<string, string>,
): Promise<Job> {
  const event = await anEvent(world, 'workflow_dispatch', { inputs: {} });
  const permissions = { contents: 'read' } as const;
  return world.job({ action: 'announce', permissions, event, inputs, env });
}

async function aWorldWithChannels(settings = SETTINGS) {
  const chats = await openChats();
  const world = await anActionsWorld({ '.github/quorum.yml': settings });
  return { chats, world, env: chats.env };
}

describe('the announce action', () => {
  verifies(['ACT-4'], 'tells the channels that the settings name', async () => {
    const { chats, world, env } = await aWorldWithChannels();
    const told = await tell(world, MERGED, env);
    expect([told.exitCode, told.outputs['sent']]).toEqual([0, '2']);
    expect(chats.inSlack()[0]).toContain('Orders are kept');
    expect(chats.onBluesky()[0]).toContain('Orders are kept');
    const written = told.calls.filter((call) => !/^GET |^POST \/graphql/.test(call));
    expect(written).toEqual([]);
  });

  test('says nothing twice when it is run again an hour later, also below the message', async () => {
    const settings = SETTINGS.replaceAll('[merged]', '[standup]');
    const { chats, world, env } = await aWorldWithChannels(settings);
    const standup = { event: 'standup', text: '- **Maya**: Orders are slow.' };
    await tell(world, standup, env);
    const before = [chats.inSlack(), chats.onBluesky()];
    expect(before[0]).toEqual([
      expect.stringContaining('standup'),
      expect.stringMatching(/^ {2}.*slow/),
    ]);
    for (const message of chats.room.messages) {
      const earlier = (Number(message.ts) - 3_600).toFixed(6);
      for (const each of chats.room.messages)
        if (each.thread_ts === message.ts && each !== message) each.thread_ts = earlier;
      message.ts = earlier;
    }
    expect((await tell(world, standup, env)).exitCode).toBe(0);
    expect([chats.inSlack(), chats.onBluesky()]).toEqual(before);
  });

  verifies(['ACT-4'], 'keeps a private repository out of public channels', async () => {
    const { chats, world, env } = await aWorldWithChannels();
    await world.emulator.as('ana').request('PATCH', `/repos/${REPO}`, { private: true });
    const told = await tell(world, MERGED, env);
    expect([told.exitCode, told.outputs['sent']]).toEqual([0, '1']);
    expect(chats.inSlack()).toHaveLength(1);
    expect(chats.onBluesky()).toEqual([]);
  });

  test('shows the messages in a dry run and sends none', async () => {
    const { chats, world, env } = await aWorldWithChannels();
    const told = await tell(world, { ...MERGED, 'dry-run': 'true' }, env);
    expect(told.summary).toContain('slack: not sent');
    expect([chats.inSlack(), chats.onBluesky()]).toEqual([[], []]);
  });

  test('sends nothing where Quorum is switched off', async () => {
    const { chats, world, env } = await aWorldWithChannels(`enabled: false\n${SETTINGS}`);
    const told = await tell(world, MERGED, env);
    expect([told.exitCode, told.log.includes('[switched-off]')]).toEqual([1, true]);
    expect(chats.inSlack()).toEqual([]);
  });

  test('fails when a channel refuses, and tells the other', async () => {
    const { chats, world, env } = await aWorldWithChannels();
    chats.slack.world.isRevoked = true;
    const told = await tell(world, MERGED, env);
    expect([told.exitCode, told.outputs['sent']]).toEqual([1, '1']);
    expect(told.summary).toContain('slack: failed');
  });

  test.each<[string, Record<string, string>, string]>([
    ['a misspelt event', { ...MERGED, event: 'merge' }, 'Did you mean `merged`?'],
    ['no text', { event: 'merged' }, 'The input `text` is missing'],
    ['65,535 characters', { ...MERGED, text: 'x'.repeat(65_535) }, 'Use at most 2000'],
    ['an expression', { ...MERGED, number: '${{ 1 }}' }, 'Use a whole number'],
  ])('refuses %s and sends nothing', async (_, inputs, told) => {
    const { chats, world, env } = await aWorldWithChannels();
    const refused = await tell(world, inputs, env);
    expect([refused.exitCode, refused.log.includes(told)]).toEqual([1, true]);
    expect(chats.inSlack()).toEqual([]);
  });
});
