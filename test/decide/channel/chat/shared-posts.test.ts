/** Posts of the owner that speak to nobody: what is asked about them, and when they are left alone. */
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../../src/domain/channel/chat-thread.ts';
import type { ChatLook } from '../../../../src/domain/event/result.ts';
import { ANA, LOOK, NOW, repository, Talk } from './a-talk.ts';

const HOUR_MS = 3_600_000;
const REPOSITORY = 'https://github.com/octo/shop';
const PULL = `${REPOSITORY}/pull/3`;
const FOUND: ChatLook = { ...LOOK, number: 3 };
const PLACE = { channel: 'bluesky', place: 'did:plc:us', thread: 'at://post' } as const;

function share(text: string, over: Partial<ChatMessage> = {}, isAddressed = false): Talk {
  const post = { ...PLACE, message: 'at://post', why: 'shared', links: [PULL], ...over } as const;
  return new Talk().say(text, post, isAddressed);
}

test('becomes a question to the team on what it links to', () => {
  const talk = share('Look at this');
  expect(talk.wanted).toMatchObject([{ kind: 'look-chat', links: [PULL], isUnprompted: true }]);
  talk.bring('look-chat', FOUND);
  expect(talk.wanted).toMatchObject([
    { kind: 'comment', thread: { ...repository, number: 3 } },
    { kind: 'chat-react', reaction: 'seen' },
  ]);
  talk.bring('comment', { id: 9, url: '', outcome: 'created' });
  expect(talk.told).toMatchObject([
    {
      key: 'thread:7/3',
      data: {
        trigger: { kind: 'commented', address: { relayed: { text: '/pm ask Look at this' } } },
      },
    },
  ]);
});

test.each(['/pm approve', '/pm hold', 'yes'])('is no command, whatever it says: %s', (text) => {
  const talk = share(text, {}, true).bring('look-chat', { ...FOUND, planDigest: 'ab12' });
  talk.bring('comment', { id: 9, url: '', outcome: 'created' });
  expect(talk.told).toMatchObject([
    { data: { trigger: { address: { relayed: { text: `/pm ask ${text}` } } } } },
  ]);
});

test('is about the first issue or pull request, whatever else it links to', () => {
  const talk = share('Look', { links: [REPOSITORY, PULL, `${REPOSITORY}/issues/4`] });
  expect(talk.wanted).toMatchObject([{ links: [PULL, `${REPOSITORY}/issues/4`] }]);
});

describe('is left alone', () => {
  test.each<[string, Partial<ChatMessage>, string]>([
    [
      'with a link to a repository alone',
      { links: [REPOSITORY] },
      'it names no issue or pull request',
    ],
    [
      'once it is older than a day',
      { at: new Date(NOW - 24 * HOUR_MS - 1).toISOString() },
      'it is too old to be answered unasked',
    ],
    [
      'of an automated account',
      { author: { id: 'did:plc:bot', name: 'bot', isBot: true } },
      'automated accounts are not answered',
    ],
  ])('%s', (_, over, reason) => {
    const talk = share('Look', over);
    expect([talk.wanted, talk.ignored]).toEqual([[], reason]);
  });

  test('where the thread is about an issue already', () => {
    const talk = share('Look').bring('look-chat', FOUND);
    talk.bring('comment', { id: 9, url: '', outcome: 'created' });
    talk.say('Look again', { ...PLACE, message: 'at://2', why: 'shared', links: [PULL] });
    expect([talk.wanted, talk.ignored]).toEqual([[], 'the thread is about an issue already']);
  });

  test.each<[string, ChatLook]>([
    ['where nobody on GitHub is known for', { repository, needed: 'triage' }],
    ['where too little is allowed to', { ...FOUND, person: { ...ANA, permission: 'none' } }],
  ])('%s its author', (_, look) => {
    const talk = share('Look').bring('look-chat', look);
    expect(talk.wanted).toEqual([]);
  });
});

describe('in quiet hours', () => {
  const quietUntil = NOW + 8 * HOUR_MS;
  const resting = (): Talk => share('Look').bring('look-chat', { ...FOUND, quietUntil });
  const wake = (talk: Talk): Talk => {
    talk.now = quietUntil;
    return talk.tell({ kind: 'timer', run: 'r', timer: talk.state?.resting?.timer ?? '' });
  };

  test('waits for their end, and is looked at again then', () => {
    const talk = resting();
    expect(talk.wanted).toEqual([]);
    expect(talk.told).toMatchObject([
      { data: { kind: 'timer', timer: talk.state?.resting?.timer } },
    ]);
    wake(talk);
    expect(talk.wanted).toMatchObject([{ kind: 'look-chat', isUnprompted: true }]);
    talk.bring('look-chat', FOUND);
    expect(talk.kinds).toEqual(['comment', 'chat-react']);
  });

  test('holds up nobody who speaks to the team meanwhile, and is not answered after that', () => {
    const talk = resting();
    talk.say('and what is this?', { ...PLACE, message: 'at://2', links: [PULL] });
    expect(talk.kinds).toEqual(['look-chat']);
    talk.bring('look-chat', FOUND);
    talk.bring('comment', { id: 9, url: '', outcome: 'created' });
    wake(talk);
    expect([talk.wanted, talk.ignored]).toEqual([[], 'the thread is about an issue already']);
  });

  test('an earlier timer wakes nothing', () => {
    const talk = resting().tell({ kind: 'timer', run: 'r', timer: 'another' });
    expect(talk.ignored).toBe('nothing waits for it');
    expect(talk.state?.resting).toBeDefined();
  });
});
