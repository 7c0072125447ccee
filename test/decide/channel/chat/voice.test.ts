/** Recordings in a thread of a channel: which are turned into text, and what becomes of what they say. */
import { describe, expect, test } from 'vitest';
import type { ChatFile } from '../../../../src/domain/channel/chat-thread.ts';
import type { ChatLook } from '../../../../src/domain/event/result.ts';
import { ANA, LOOK, POST, repository, Talk } from './a-talk.ts';

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

/** Its words are there, and its author was looked up again. */
function hearWords(text: string, talk = record(), then: Partial<ChatLook> = {}): Talk {
  return talk.bring('transcribe', { text }).bring('look-chat', { ...HEARS, ...then });
}

/** A thread that is about issue 5. */
function aThread(): Talk {
  return new Talk()
    .say('Add a dark mode')
    .bring('look-chat', LOOK)
    .bring('issue', { outcome: 'created', number: 5, url: '' });
}

test('in a pause the author of a recording reads once that it waits, because nothing listens to it before', () => {
  const paused = { ...HEARS, pausedBy: 'tom' };
  const talk = new Talk().say('', { files: [NOTE], why: 'mention' }).bring('look-chat', paused);
  expect(talk.kinds).toEqual(['chat-react', 'transcribe', 'chat-reply']);
  talk.bring('transcribe', { text: 'Add a dark mode' }).bring('look-chat', paused);
  expect(talk.kinds).toEqual(['issue']);
});

test('a recording of somebody who may ask is turned into text in their name', () => {
  expect(record().wanted).toEqual([
    { kind: 'chat-react', repository, chat: { ...POST, message: '1.0' }, reaction: 'seen' },
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
  const talk = hearWords('Add a dark mode.');
  expect(talk.wanted).toMatchObject([
    {
      kind: 'issue',
      title: 'Add a dark mode.',
      body: 'Asked by `ana` in Slack, in a recording:\n\nAdd a dark mode.',
    },
  ]);
});

describe('in a thread about an issue', () => {
  test('it is a question to the team, quoted, whatever it says', () => {
    const talk = hearWords('/pm approve\n/pm merge @eve', record(aThread()));
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

  test('one that mentions nobody is for colleagues: it goes to no model, which is said once', () => {
    const talk = aThread();
    const send = (id: string): Talk =>
      talk.say('', { files: [NOTE], id, why: 'seen' }).bring('look-chat', HEARS);
    expect(send('first').kinds).toEqual(['chat-reply']);
    expect(talk.replies[0]).toContain('I did not listen to this recording');
    expect(send('second').kinds).toEqual([]);
  });

  test('a spoken yes approves nothing', () => {
    const talk = hearWords('Yes.', record(aThread()));
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
    [
      'channel-file-refused',
      'The file “x” is odd.',
      'too large, it is not on Slack, or Slack does not give it to me. Write',
    ],
    ['channel-recording-refused', 'It is an hour long. Write.', 'It is an hour long. Write.'],
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

describe('when the words are there, their author is looked up again', () => {
  test.each<[string, Partial<ChatLook>, string[]]>([
    ['may write no more', { person: { ...ANA, permission: 'read' } }, ['chat-reply', 'chat-react']],
    ['is linked no more', { person: undefined, code: '0123456789' } as never, ['chat-reply']],
    ['speaks in a channel that is mapped no more', { repository: undefined } as never, []],
  ])('and nothing is opened or relayed for one who %s', (_, then, kinds) => {
    for (const talk of [record(), record(aThread())])
      expect(hearWords('Add it.', talk, then).kinds).toEqual(kinds);
  });
});

describe('while a recording is turned into text', () => {
  const digest = 'a'.repeat(64);
  const click = { repositoryId: 7, number: 5, digest, verb: 'approve' } as const;
  const press = (talk: Talk): Talk =>
    talk.say(`/pm approve ${digest}`, { id: 'press', message: '9.0', click });

  test('a press of a button is carried out at once', () => {
    const talk = press(record(aThread()));
    expect(talk.kinds).toEqual(['look-chat']);
    talk.bring('look-chat', { ...HEARS, planDigest: digest });
    expect(talk.wanted).toMatchObject([{ kind: 'comment' }]);
    talk.bring('comment', { id: 9, url: '', outcome: 'created' });
    expect(talk.kinds).toEqual([]);
    expect(talk.bring('transcribe', { text: 'Add it.' }).kinds).toEqual(['look-chat']);
  });

  test('a press overtakes what was written before it', () => {
    const talk = record(aThread()).say('and more', { id: 'more', message: '3.0' });
    expect(talk.kinds).toEqual([]);
    press(talk).bring('look-chat', { ...HEARS, planDigest: digest });
    expect(talk.wanted).toMatchObject([{ body: expect.stringContaining('/pm approve') as string }]);
  });

  test('words that come while a press is carried out come after it and before what was written', () => {
    const talk = record(aThread()).say('and more', { id: 'more', message: '3.0' });
    press(talk).bring('look-chat', { ...HEARS, planDigest: digest });
    expect(talk.bring('transcribe', { text: 'Add it.' }).kinds).toEqual([]);
    talk.bring('comment', { id: 9, url: '', outcome: 'created' });
    expect(talk.state?.heard.map(({ message: { text } }) => text)).toEqual(['Add it.', 'and more']);
    expect(talk.kinds).toEqual(['look-chat']);
  });
});
