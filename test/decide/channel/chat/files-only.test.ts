/** Files without text in a thread of a channel. */
import { describe, expect, test } from 'vitest';
import type { ChatFile } from '../../../../src/domain/channel/chat-thread.ts';
import { LOOK, Talk } from './a-talk.ts';

const AUDIO: ChatFile = {
  id: 'F1',
  name: 'note.m4a',
  kind: 'audio',
  bytes: 57_600_000,
  url: 'https://files.slack.com/note.m4a',
  seconds: 3_600,
};
const IMAGE: ChatFile = { ...AUDIO, kind: 'image', name: 'a.png' };

describe('files without text', () => {
  test.each<[string, ChatFile[], string]>([
    ['a recording', [AUDIO], 'this one of 60 minutes.'],
    ['a recording beside an image', [IMAGE, AUDIO], 'this one of 60 minutes.'],
    ['a recording of unknown length', [{ ...AUDIO, seconds: 0 }], 'I did not hear this one.'],
    ['an image', [IMAGE], 'I read text, not files alone.'],
  ])('are answered and reach no issue: %s', (_, files, answer) => {
    const talk = new Talk().say(' \n', { files }).bring('look-chat', LOOK);
    expect(talk.kinds).toEqual(['chat-reply']);
    expect(talk.replies.join('')).toContain(answer);
    expect(talk.state?.number).toBeUndefined();
  });

  test('are answered once in a thread about an issue, and there whenever they mention the team', () => {
    const talk = new Talk().say('Add a dark mode').bring('look-chat', LOOK);
    talk.bring('issue', { outcome: 'created', number: 5, url: '' });
    const share = (count: number, over = {}): string[] =>
      talk
        .say('', {
          why: 'seen',
          id: `file ${count}`,
          message: `${count}.0`,
          files: [IMAGE],
          ...over,
        })
        .bring('look-chat', LOOK).kinds;
    expect(share(2)).toEqual(['chat-reply']);
    expect(share(3)).toEqual([]);
    expect(share(4, { author: { id: 'T1/U2', name: 'Ben', isBot: false } })).toEqual([]);
    expect(share(5, { why: 'mention' })).toEqual(['chat-reply']);
    expect(share(6)).toEqual([]);
  });

  test('of somebody who is not known are no reason to say more than how to link', () => {
    const { person: _, ...unknown } = LOOK;
    const talk = new Talk()
      .say('', { files: [AUDIO] })
      .bring('look-chat', { ...unknown, code: '0123456789' });
    expect(talk.replies.join('')).toContain('/pm link');
  });
});

test('files beside words do not keep the words from being read', () => {
  const talk = new Talk().say('Add a dark mode', { files: [IMAGE] }).bring('look-chat', LOOK);
  expect(talk.kinds).toEqual(['issue', 'chat-react']);
});
