/** Recordings in a thread of a channel: which are turned into text, and what becomes of what they say. */
import { describe, expect, test } from 'vitest';
import type { ChatFile } from '../../../../src/domain/channel/chat-thread.ts';
import type { ChatLook } from '../../../../src/domain/event/result.ts';
import { LOOK, POST, repository, Talk } from './a-talk.ts';

const NOTE: ChatFile = {
  id: 'F1',
  name: 'note.m4a',
  kind: 'audio',
  bytes: 100_000,
  url: 'https://files.slack.com/note.m4a',
  seconds: 20,
};
const HEARS: ChatLook = { ...LOOK, canTranscribe: true };

/** A recording, below what was said before where there is any. */
function record(talk = new Talk(), file: ChatFile = NOTE): Talk {
  return talk
    .say('', { files: [file], id: `note ${file.id}`, why: 'mention' })
    .bring('look-chat', HEARS);
}

/** A thread that is about issue 5. */
function aThread(): Talk {
  return new Talk()
    .say('Add a dark mode')
    .bring('look-chat', LOOK)
    .bring('issue', { outcome: 'created', number: 5, url: '' });
}

test('a recording of somebody who may ask is turned into text in their name', () => {
  expect(record().wanted).toEqual([
    {
      kind: 'transcribe',
      repository,
      chat: { ...POST, message: '1.0' },
      file: NOTE,
      asker: { id: 11 },
    },
  ]);
});

test.each<[string, Partial<ChatLook>]>([
  ['of somebody who is not known', { person: undefined, code: '0123456789' } as never],
  ['of somebody who may not ask', { person: { id: 1, login: 'tom', permission: 'read' } }],
  ['where no model is named for it', { canTranscribe: undefined } as never],
])('none is sent on %s', (_, over) => {
  const talk = new Talk().say('', { files: [NOTE] }).bring('look-chat', { ...HEARS, ...over });
  expect(talk.kinds).not.toContain('transcribe');
  expect(talk.replies).toHaveLength(1);
});

test('what it says is a request, as if it had been written', () => {
  const talk = record().bring('transcribe', { text: 'Add a dark mode.' });
  expect(talk.wanted).toMatchObject([
    {
      kind: 'issue',
      title: 'Add a dark mode.',
      body: 'Asked by `ana` in Slack, in a recording:\n\nAdd a dark mode.',
    },
    { kind: 'chat-react', reaction: 'seen' },
  ]);
});

describe('in a thread about an issue', () => {
  test('it is a question to the team, quoted, whatever it says', () => {
    const talk = record(aThread()).bring('transcribe', { text: '/pm approve\n/pm merge @eve' });
    expect(talk.wanted[0]).toMatchObject({
      kind: 'comment',
      body: '`ana` in Slack, in a recording:\n\n> /pm ask /pm approve /pm merge @\u200beve',
    });
    talk.bring('comment', { id: 9, url: '', outcome: 'created' });
    expect(talk.told.at(-1)?.data).toMatchObject({
      trigger: {
        kind: 'commented',
        address: { relayed: { text: '/pm ask /pm approve /pm merge @eve' }, isOnlyCommands: true },
      },
    });
  });

  test('a spoken yes approves nothing', () => {
    const talk = record(aThread()).bring('transcribe', { text: 'Yes.' });
    talk.bring('comment', { id: 9, url: '', outcome: 'created' });
    const [said] = talk.told.map(({ data }) => data).slice(-1);
    expect(said).toMatchObject({ trigger: { address: { relayed: { text: '/pm ask Yes.' } } } });
    expect(JSON.stringify(said)).not.toContain('isYes');
  });
});

describe('its author reads', () => {
  test.each([
    [{ ...NOTE, seconds: 3_600 }, 'This recording is 60 minutes long.'],
    [{ ...NOTE, bytes: 30 * 1024 * 1024 }, 'This recording has 30 MB.'],
    [{ ...NOTE, name: 'note.aiff' }, 'I do not know the format'],
  ])('why one is not sent on', (file, says) => {
    const talk = record(new Talk(), file);
    expect(talk.kinds).toEqual(['chat-reply']);
    expect(talk.replies[0]).toContain(says);
  });

  test('to send one at a time', () => {
    const files = [NOTE, { ...NOTE, id: 'F2' }];
    const talk = new Talk().say('', { files }).bring('look-chat', HEARS);
    expect(talk.replies).toEqual(['Send one recording at a time.']);
  });

  test.each([
    [
      'budget-day',
      'The budget for this day is used up.',
      'I did not hear this recording. The budget',
    ],
    ['channel-file-refused', 'The file “x” is odd.', 'too large, or it is not on Slack. Write'],
    ['model-unauthorised', 'ears: bad key', 'I did not hear this recording. Write what you want.'],
  ] as const)('why it was not heard: %s', (code, message, says) => {
    const talk = record().fail('transcribe', { code, message });
    expect(talk.kinds).toEqual(['chat-reply']);
    expect(talk.replies[0]).toContain(says);
    expect(talk.state?.heard).toEqual([]);
  });

  test('that it has no words', () => {
    const talk = record().bring('transcribe', { text: ' \n' });
    expect(talk.replies).toEqual(['I heard no words in this recording. Write what you want.']);
    expect(talk.state?.phase).toBeUndefined();
  });
});

test('what is said while it is turned into text is read after it', () => {
  const talk = record();
  talk.say('and a light mode', { id: 'second', message: '3.0' });
  expect(talk.kinds).toEqual([]);
  talk.bring('transcribe', { text: '' });
  expect(talk.kinds).toEqual(['chat-reply', 'look-chat']);
});
