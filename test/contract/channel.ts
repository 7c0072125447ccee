/** What every channel must do for Quorum, whichever service is behind the port. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Announced, Announcement } from '../../src/domain/channel/announce/announcement.ts';
import type { ChatMessage, ChatPost } from '../../src/domain/channel/chat-thread.ts';
import { QuorumError, TransientError } from '../../src/domain/event/errors.ts';
import type { AnnouncedPost, Channel, ChatReply } from '../../src/ports/channel.ts';
import type { InstantClock } from '../helpers/an-instant-clock.ts';
import { verifies } from '../verifies.ts';

/** A message as people see it. */
export interface SeenPost {
  /** The thread's first message has none. */
  below: boolean;
  text: string;
  reactions: readonly string[];
  /** Names of files below it. */
  files: readonly string[];
}

/** The service, seen from outside the adapter. */
export interface ChannelWorld {
  clock: InstantClock;
  /** Where announcements about the same subject can be edited. */
  canEdit: boolean;
  /** Longest message that the service takes, in the service's own units. */
  lengthOf(text: string): number;
  limit: number;
  /** A new instance with the same account, as after a restart. */
  open(): Channel;
  seen(): SeenPost[];
  /** A person says something that names us; below a post where one is given. */
  say(text: string, below?: ChatPost): Promise<void>;
  /** The next message that is sent arrives, and the answer is lost. */
  loseAnswer(): void;
  /** The next message is refused with status 429. */
  limitNext(seconds: number): void;
  revoke(): void;
  /** Somebody posts at this account under the key that the message will have; undefined where no key can be taken. */
  takeKey: ((key: string) => void) | undefined;
  /** Requests so far. */
  requests(): number;
  /** Fewest ms between two messages; 0 where there is no such limit. */
  paceMs: number;
  close(): Promise<void>;
}

const SUBJECT = {
  repositoryId: 7,
  repository: 'octo/shop',
  isPrivate: false,
  number: 12,
  title: 'Orders are lost',
  url: 'https://github.com/octo/shop/issues/12',
};

export function about(
  announced: Announced,
  more: Partial<Announcement['subject']> = {},
): Announcement {
  return { ...announced, subject: { ...SUBJECT, ...more } };
}

export function post(
  key: string,
  announcement: Announcement,
  more: Partial<AnnouncedPost> = {},
): AnnouncedPost {
  return {
    key,
    at: '2026-06-01T09:00:00Z',
    isPrivate: false,
    announcements: [announcement],
    dropped: 0,
    ...more,
  };
}

export function says(key: string, markdown: string, more: Partial<ChatReply> = {}): ChatReply {
  return { key, at: '2026-06-01T09:00:00Z', isPrivate: false, markdown, ...more };
}

const MERGED = about({ event: 'merged', by: 'ann' });
const PROPOSED = about({ event: 'plan-proposed', tasks: 3, details: '' });

export function describeChannel(service: string, make: () => Promise<ChannelWorld>): void {
  describe(`channel: ${service}`, () => {
    let world: ChannelWorld;
    beforeEach(async () => {
      world = await make();
    });
    afterEach(() => world.close());
    const texts = (): string[] => world.seen().map(({ text }) => text);

    describe('an announcement', () => {
      verifies(
        'OUT-06: announcement without an answer',
        'is sent once though the answer was lost',
        async () => {
          world.loseAnswer();
          await expect(world.open().announce(post('a', MERGED))).rejects.toMatchObject({
            retryable: true,
          });
          const again = await world.open().announce(post('a', MERGED));
          const third = await world.open().announce(post('a', MERGED));
          expect(texts()).toHaveLength(1);
          expect(texts()[0]).toContain('merged by ann');
          expect(third).toEqual(again);
        },
      );

      test('about the same subject goes into the same thread', async () => {
        const first = await world.open().announce(post('a', PROPOSED));
        const second = await world
          .open()
          .announce(post('b', MERGED, { at: '2026-06-01T10:00:00Z' }));
        expect(second.thread).toBe(first.thread);
        const heads = world.seen().filter(({ below }) => !below);
        expect(heads).toHaveLength(1);
        expect(heads[0]?.text).toContain(world.canEdit ? 'merged by ann' : 'plan with 3 tasks');
        expect(world.seen()).toHaveLength(world.canEdit ? 1 : 2);
      });

      test('about another subject has a thread of its own', async () => {
        const channel = world.open();
        const first = await channel.announce(post('a', MERGED));
        const other = await channel.announce(
          post('b', about({ event: 'merged' }, { repositoryId: 8 })),
        );
        expect(other.thread).not.toBe(first.thread);
      });

      test('of an earlier state does not take the place of a later one', async () => {
        const channel = world.open();
        await channel.announce(post('b', MERGED, { at: '2026-06-01T10:00:00Z' }));
        await channel.announce(post('a', PROPOSED, { at: '2026-06-01T09:00:00Z' }));
        expect(texts()[0]).toContain('merged by ann');
      });

      verifies(
        'OUT-06: two instances',
        'of two instances at the same moment is there once',
        async () => {
          const sent = await Promise.allSettled(
            [world.open(), world.open()].map((channel) => channel.announce(post('a', MERGED))),
          );
          for (const each of sent)
            if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(TransientError);
          await world.open().announce(post('a', MERGED));
          expect(texts()).toHaveLength(1);
        },
      );

      test('that is a digest is one message, and says how many were dropped', async () => {
        const many = [1, 2, 3, 4, 5].map((number) => about({ event: 'merged' }, { number }));
        const [first = MERGED, ...others] = many;
        const announcements = [first, ...others] as const;
        const digest = post('d', first, { announcements, dropped: 2, isDigest: true });
        world.loseAnswer();
        await expect(world.open().announce(digest)).rejects.toBeInstanceOf(TransientError);
        await world.open().announce(digest);
        expect(texts()).toHaveLength(1);
        expect(texts()[0]).toContain('5 updates');
        await world.open().announce(post('d', MERGED, { isDigest: true }));
        expect(texts()).toHaveLength(1);
      });

      test('about a request from a thread is posted in that thread', async () => {
        const channel = world.open();
        const [heard] = await hearOnce(channel);
        if (heard === undefined) throw new Error('nothing was heard');
        const told = await channel.announce(post('a', MERGED, { thread: heard }));
        expect(told.thread).toBe(heard.thread);
        expect(world.seen().map(({ below }) => below)).toEqual([false, true]);
      });
    });

    describe('a reply', () => {
      const withThread = async (): Promise<ChatPost> => world.open().announce(post('a', MERGED));

      verifies(
        'OUT-06: reply without an answer',
        'is sent once though the answer was lost',
        async () => {
          const thread = await withThread();
          world.loseAnswer();
          await expect(
            world.open().reply(thread, says('r', 'It is **done**.')),
          ).rejects.toMatchObject({ retryable: true });
          await world.open().reply(thread, says('r', 'It is **done**.'));
          expect(world.seen().slice(1)).toMatchObject([
            { below: true, text: expect.stringContaining('done') as string },
          ]);
        },
      );

      test('with the same words under another key is another reply', async () => {
        const thread = await withThread();
        await world.open().reply(thread, says('r1', 'Yes.'));
        await world.open().reply(thread, says('r2', 'Yes.'));
        expect(world.seen()).toHaveLength(3);
      });

      test.each([
        ['40,000 characters', 'All is well here. '.repeat(2_223)],
        ['300 emoji with joiners', '👨‍👩‍👧‍👦'.repeat(300)],
        ['right-to-left text', 'שלום עולם. '.repeat(200)],
        ['a storm of mentions', '@channel <!here> <@U0HUMAN001> @bob.test '.repeat(200)],
      ])('of %s stays within the limit and mentions nobody', async (_, text) => {
        const thread = await withThread();
        await world.open().reply(thread, says('long', text));
        const sent = world.seen().slice(1);
        expect(sent.length).toBeGreaterThan(0);
        for (const each of sent) {
          expect(world.lengthOf(each.text)).toBeLessThanOrEqual(world.limit);
          expect(each.text).not.toMatch(/<[!@#](?!\u200b)|@(?:channel|here|everyone|bob)/);
        }
      });

      test('in several parts goes on where it was interrupted', async () => {
        const thread = await withThread();
        const text = Array.from({ length: 60 }, (_, at) => `word${at} and other words here`)
          .join(' ')
          .repeat(5);
        const whole = await countAfter(() => world.open().reply(thread, says('w', text)));
        expect(whole).toBeGreaterThan(1);
        world.loseAnswer();
        const cut = says('x', text);
        await expect(world.open().reply(thread, cut)).rejects.toBeInstanceOf(TransientError);
        await world.open().reply(thread, cut);
        expect(world.seen()).toHaveLength(1 + 2 * whole);
      });

      const countAfter = async (act: () => Promise<unknown>): Promise<number> => {
        const before = world.seen().length;
        await act();
        return world.seen().length - before;
      };
    });

    describe('a failure', () => {
      verifies(
        'OUT-05: refusal with a time',
        'with a limit says when to try again, and is not repeated by the adapter',
        async () => {
          const channel = world.open();
          world.limitNext(30);
          const failed = channel.announce(post('a', MERGED));
          await expect(failed).rejects.toMatchObject({
            code: 'channel-rate-limited',
            retryAfterMs: 30_000,
          });
          expect(texts()).toEqual([]);
          world.clock.advance(30_000);
          await channel.announce(post('a', MERGED));
          expect(texts()).toHaveLength(1);
        },
      );

      verifies(
        'OUT-07: revoked token',
        'of a token that was revoked in between is for the owner, and no retry helps',
        async () => {
          const channel = world.open();
          const thread = await channel.announce(post('a', MERGED));
          world.revoke();
          for (const act of [
            () => channel.announce(post('b', PROPOSED)),
            () => channel.reply(thread, says('r', 'x')),
            () => channel.react(thread, 'done'),
            () => channel.catchUp(undefined).then(async ({ cursor }) => channel.catchUp(cursor)),
          ])
            await expect(act()).rejects.toMatchObject({
              code: 'channel-unauthorised',
              retryable: false,
            });
        },
      );

      test('is always a QuorumError', async () => {
        await world.close();
        const failed = world.open().announce(post('a', MERGED));
        await expect(failed).rejects.toBeInstanceOf(QuorumError);
        await expect(failed).rejects.toMatchObject({
          code: 'channel-unavailable',
          retryable: true,
        });
      });
    });

    verifies(
      'OUT-05: pace of the service',
      'a queue drains at the pace of the service, and a kill in the middle sends nothing twice',
      async () => {
        const waiting = Array.from({ length: 30 }, (_, at) => `m${at}`);
        const thread = await world.open().announce(post('a', MERGED));
        const begun = world.clock.now();
        const done = new Set<string>();
        for (let life = 0; done.size < waiting.length; life += 1) {
          const channel = world.open();
          // The process dies after a message is sent and before that is recorded.
          if (life < 10) world.loseAnswer();
          await drain(channel, { thread, waiting, done });
        }
        const sent = world
          .seen()
          .slice(1)
          .map(({ text }) => text);
        expect(sent).toEqual(waiting);
        const least = (waiting.length - 1) * world.paceMs;
        expect(world.clock.now() - begun).toBeGreaterThanOrEqual(least);
      },
    );

    test('a reaction is there once however often it is asked for', async () => {
      const channel = world.open();
      const thread = await channel.announce(post('a', MERGED));
      await channel.react(thread, 'done');
      await channel.react(thread, 'done');
      await world.open().react(thread, 'done');
      expect(world.seen()[0]?.reactions).toHaveLength(1);
    });

    test('a key that somebody took does not lose the message', async () => {
      if (world.takeKey === undefined) return;
      world.takeKey('r/1');
      const channel = world.open();
      const thread = await channel.announce(post('a', MERGED));
      await channel.reply(thread, says('r', 'It is done.'));
      await world.open().reply(thread, says('r', 'It is done.'));
      expect(texts().filter((text) => text.includes('It is done.'))).toHaveLength(1);
    });

    test('reads each message of people once, with its thread, oldest first', async () => {
      const channel = world.open();
      const thread = await channel.announce(post('a', MERGED));
      const { cursor, messages } = await channel.catchUp(undefined);
      expect(messages).toEqual([]);
      await world.say('Look at https://github.com/octo/shop/pull/3 please');
      await world.say('Thank you', thread);
      const heard = await channel.catchUp(cursor);
      expect(heard.messages.map(({ thread: at, why }) => [at === thread.thread, why])).toEqual([
        [false, 'mention'],
        [true, 'reply'],
      ]);
      expect(heard.messages[0]?.links).toEqual(['https://github.com/octo/shop/pull/3']);
      expect(heard.messages[0]?.text).toContain('Look at');
      expect(new Set(heard.messages.map(({ id }) => id)).size).toBe(2);
      const later = await world.open().catchUp(heard.cursor);
      expect(later.messages).toEqual([]);
      expect(await world.open().catchUp(cursor)).toEqual(heard);
    });

    test('nothing is asked of the service before the first call', async () => {
      const before = world.requests();
      world.open();
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      expect(world.requests()).toBe(before);
    });

    async function hearOnce(channel: Channel): Promise<ChatMessage[]> {
      const ear = new AbortController();
      const heard: ChatMessage[] = [];
      await channel.catchUp(undefined);
      const listening = channel.listen((message) => {
        heard.push(message);
        ear.abort();
        return Promise.resolve();
      }, ear.signal);
      await world.say('Please look');
      await listening;
      return heard;
    }
  });
}

async function drain(
  channel: Channel,
  { thread, waiting, done }: { thread: ChatPost; waiting: readonly string[]; done: Set<string> },
): Promise<void> {
  for (const key of waiting.filter((each) => !done.has(each))) {
    try {
      await channel.reply(thread, says(key, key));
    } catch (error) {
      expect(error).toBeInstanceOf(TransientError);
      return;
    }
    done.add(key);
  }
}
