/** An answer in a thread that its channel did not take: the repository's channels count it. */
import { expect, test } from 'vitest';
import type { EventData } from '../../../../src/domain/event/event.ts';
import { LOOK, repository, Talk } from './a-talk.ts';

/** The newest answer in the thread fails like this. */
function failed(talk: Talk, code: string): Talk {
  const failure = { code, message: '', retryable: false };
  const about = { run: 'r', effectId: 'r/9-chat-reply', effectKind: 'chat-reply' };
  return talk.tell({ kind: 'failed', ...about, failure } as EventData);
}

const asking = (): Talk => new Talk().say('Add a flag').bring('look-chat', LOOK);

test('the channels of its repository learn of what waited for a day', () => {
  const talk = failed(asking(), 'channel-too-late');
  expect(talk.told).toMatchObject([
    { key: 'channels:7', data: { kind: 'chat-unsent', repository, channel: 'slack' } },
  ]);
  expect(talk.state?.phase?.kind).toBe('opening');
});

test.each(['channel-private', 'channel-ephemeral-refused', 'place-closed'])(
  'what failed with %s is no loss',
  (code) => {
    const talk = failed(asking(), code);
    expect([talk.told, talk.ignored]).toEqual([[], 'nothing waits for it']);
  },
);

test.each(['channel-message-gone', 'channel-not-found', 'channel-invalid'])(
  'the channels of its repository learn of what failed with %s',
  (code) => {
    expect(failed(asking(), code).told).toMatchObject([{ data: { kind: 'chat-unsent' } }]);
  },
);

test('in a thread of no repository nobody counts', () => {
  expect(failed(new Talk().say('Add a flag'), 'channel-too-late').told).toEqual([]);
});
