/** Channels of Slack that changed since they were set up, or that the App may not read, and clocks that differ. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkSlack } from '../../../src/adapters/slack/check-slack.ts';
import { about, post, says } from '../../contract/channel.ts';
import { aSlackWorld, type SlackTestWorld } from './slack-world.ts';

const MERGED = about({ event: 'merged', by: 'ann' });
const FAILED = about({ event: 'failed', reason: 'no disk' });
const LATER = '2026-06-01T09:05:00Z';

let world: SlackTestWorld;
beforeEach(async () => {
  world = await aSlackWorld();
});
afterEach(() => world.close());

const texts = (): string[] => world.room.messages.map(({ text }) => text);

describe('a channel that was renamed', () => {
  test('is not found by its old name after a restart, and the refusal says what to set', async () => {
    await world.open().announce(post('a', MERGED));
    world.room.name = 'crew';
    await expect(world.open().announce(post('b', FAILED, { at: LATER }))).rejects.toMatchObject({
      code: 'channel-not-found',
      details: expect.stringContaining('`channels.slack.channel`') as string,
    });
    expect(texts()).toEqual([expect.stringContaining('merged by ann')]);
  });

  test('goes on with its message under the new name, or by its id, and threads never stop', async () => {
    const thread = await world.open().announce(post('a', MERGED));
    world.room.name = 'crew';
    await world.open().reply(thread, says('r', 'Done.'));
    await world.open().announce(post('b', FAILED, { at: LATER, place: '#crew' }));
    expect(texts()).toEqual([expect.stringContaining('failed: no disk'), 'Done.']);
    const place = world.room.id;
    await world.open().announce(post('c', MERGED, { at: '2026-06-01T09:06:00Z', place }));
    expect(texts()).toEqual([expect.stringContaining('merged by ann'), 'Done.']);
  });
});

describe('a private channel that the App may not read', () => {
  beforeEach(() => {
    world.room.is_private = true;
    world.emulator.world.scopes.delete('groups:history');
  });

  test('gets no announcement, the refusal names the missing scope, and with it there is one', async () => {
    await expect(world.open().announce(post('a', MERGED))).rejects.toMatchObject({
      code: 'channel-forbidden',
      details: expect.stringContaining('`groups:history`') as string,
    });
    expect(texts()).toEqual([]);
    world.emulator.world.scopes.add('groups:history');
    await world.open().announce(post('a', MERGED));
    await world.open().announce(post('a', MERGED));
    expect(texts()).toHaveLength(1);
  });

  test('is what the doctor finds, for announcements and for requests', async () => {
    const parts = { settings: world.settings, clock: world.clock };
    const fix = 'Add groups:history under OAuth & Permissions, and install the App again.';
    const finding = {
      level: 'fail',
      says: '#team is private, and the App may not read it',
      fix,
    };
    const found = await checkSlack(parts, '#team', [world.room.id]);
    expect(found.filter(({ level }) => level === 'fail')).toEqual([
      { ...finding, about: 'Slack channel' },
      { ...finding, about: `Slack channel ${world.room.id}` },
    ]);
    world.room.is_private = false;
    const levels = (await checkSlack(parts, '#team')).map(({ level }) => level);
    expect(levels).not.toContain('fail');
  });
});

describe('a message that Slack dates before its decision', () => {
  test.each([
    ['as long as the clocks differ by less than ten minutes', 599_999],
    ['also where they differ by ten minutes', 600_000],
  ])('is found again and not sent twice, %s', async (_, aheadMs) => {
    const thread = await world.open().announce(post('a', MERGED));
    const channel = world.open();
    // What decides has a clock that is ahead of Slack's.
    const at = new Date(world.clock.now() + aheadMs).toISOString();
    world.loseAnswer();
    await expect(channel.reply(thread, says('r', 'Done.', { at }))).rejects.toMatchObject({
      retryable: true,
    });
    const sentAt = Number(world.room.messages.at(-1)?.ts) * 1_000;
    expect(Date.parse(at) - sentAt).toBe(aheadMs);
    await world.open().reply(thread, says('r', 'Done.', { at }));
    expect(texts()).toHaveLength(2);
  });
});
