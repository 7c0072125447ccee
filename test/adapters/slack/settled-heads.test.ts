/** What becomes of the message that asked for the approval of a head, once that head waits no longer. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChatPost } from '../../../src/domain/channel/chat-thread.ts';
import { addChannel } from '../../../src/emulator/chat/slack/slack-world.ts';
import { about, post } from '../../contract/channel.ts';
import { aSlackWorld, type SlackTestWorld } from './slack-world.ts';

const MERGED = about({ event: 'merged', by: 'ann' });

let world: SlackTestWorld;
beforeEach(async () => {
  world = await aSlackWorld();
});
afterEach(() => world.close());

describe('a head that waits no longer', () => {
  const headSha = 'ab12'.repeat(10);
  const LATER = { at: '2026-06-01T10:00:00Z' };
  const ASKS = about({ event: 'needs-human', question: 'it waits for approval', headSha });
  const OVER = about({ event: 'head-settled', request: 'q', answer: { headSha, by: 'ana' } });
  const settle = (head: ChatPost, more = {}) =>
    world.open().announce(post('s', OVER, { at: '2026-06-01T11:00:00Z', head, ...more }));
  const texts = (): string[] => world.room.messages.map(({ text }) => text);

  test('is shown in the message that asked, and nothing is posted', async () => {
    const head = await world.open().announce(post('q', ASKS));
    await settle(head, { dropped: 2 });
    await settle(head);
    expect(texts()).toEqual([expect.stringMatching(/^👍 .*: ana approved head ab12ab12ab12$/)]);
    await world.open().announce(post('m', MERGED, { at: '2026-06-01T12:00:00Z', head }));
    expect(texts()).toEqual([expect.stringContaining('merged by ann')]);
  });

  test('takes the place of no other news', async () => {
    const head = await world.open().announce(post('q', ASKS));
    await world.open().announce(post('v', MERGED, { ...LATER, head }));
    expect(await settle(head)).toEqual(head);
    expect(texts()).toEqual([expect.stringContaining('merged by ann')]);
  });

  test('is no message where people deleted the one that asked', async () => {
    const head = await world.open().announce(post('q', ASKS));
    world.room.messages = [];
    await settle(head);
    expect(texts()).toEqual([]);
  });

  test('is no message where announcements go to another channel now', async () => {
    const head = await world.open().announce(post('q', ASKS));
    const other = addChannel(world.emulator.world, 'other');
    await settle(head, { place: '#other' });
    expect([other.messages, texts()]).toEqual([
      [],
      [expect.stringContaining('a person is needed')],
    ]);
  });
});
