/** More commands at once in one thread than the team takes up. */
import { expect, test } from 'vitest';
import type { EffectData } from '../../../../src/domain/event/effect.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import type { CommentAddress } from '../../../../src/domain/run/talk.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';
import { reduce } from './say-on-thread.ts';

const CHAT = { channel: 'slack', place: 'C1', thread: '1.0', message: '1.1' } as const;
const ADDRESS = { place: 'thread', updatedAt: '', digest: '', isOnlyCommands: true } as const;

function commented(state: unknown, id: number, more: Partial<CommentAddress> = {}) {
  const said = { thread: THREAD, actor: ANA, commentId: id, isByBot: false };
  const address: CommentAddress = { ...ADDRESS, ...more };
  const trigger = { kind: 'commented', ...said, address } as const;
  return reduce(state, `e${id}`, { kind: 'trigger', trigger });
}

function busy(): ThreadState {
  let state: unknown = { v: 1, runs: {} };
  for (let id = 1; id <= 20; id += 1) ({ state } = commented(state, id));
  return state as ThreadState;
}

test('the twenty-first is not read, and answered with nothing on GitHub', () => {
  const { effects, ignored, state } = commented(busy(), 21);
  expect([effects, ignored]).toEqual([[], 'too many commands at once, try again later']);
  expect(Object.keys((state as ThreadState).talks ?? {})).toHaveLength(20);
});

test('who pressed a button for it reads alone that it was not done', () => {
  const presser = { chat: CHAT, person: 'T1/U1' };
  const relayed = { text: '/pm approve', run: 'r', key: 'said-k', presser };
  const { effects } = commented(busy(), 21, { relayed });
  expect(effects.map(({ data }): EffectData => data)).toEqual([
    {
      kind: 'chat-reply',
      repository: expect.objectContaining({ repositoryId: THREAD.repositoryId }) as unknown,
      chat: CHAT,
      markdown: 'Not done: too many commands at once, try again later.',
      onlyFor: 'T1/U1',
    },
  ]);
});
