/**
 * A comment on a line of the diff: found among the conversations there, and not run when it has
 * changed since then.
 */
import { expect, test } from 'vitest';
import { lookAtComment } from '../../../../src/act/read/comment/look-comment.ts';
import type { ActPorts } from '../../../../src/act/ports.ts';
import { bodyDigest, nameDigest } from '../../../../src/domain/persona/digest.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';

const NOW = Date.parse('2026-03-02T09:05:00Z');
const AT = '2026-03-02T09:01:00Z';
const BODY = '/pm why';

interface Setup {
  id?: number;
  author?: typeof ANA;
  body?: string;
  updatedAt?: string;
  called?: string[];
}

async function look({ id = 7, author = ANA, body = BODY, updatedAt = AT, called }: Setup) {
  const calls: string[] = [];
  const threads = [
    { path: 'a.ts', comments: [{ id: 1, author: ANA, body: 'x', updatedAt: AT }] },
    {
      path: 'b.ts',
      comments: [
        { id: 2, author, body, updatedAt },
        { id, author, body, updatedAt },
      ],
    },
  ];
  const feedback = async () => {
    calls.push('feedback');
    return { threads };
  };
  const first = { read: {}, counts: { names: 1, both: 2 } };
  const second = { pulls: { feedback }, reviews: {}, counts: { diff: 3, both: 4 } };
  const sessions = [first, second];
  const ports = {
    clock: { now: () => NOW },
    github: { at: () => sessions.shift() },
  } as unknown as ActPorts;
  const address = {
    place: 'review' as const,
    updatedAt: AT,
    digest: bodyDigest(BODY),
    isOnlyCommands: true,
  };
  const done = await lookAtComment(
    {
      kind: 'look-comment',
      thread: THREAD,
      actor: ANA,
      comment: { id: 7, place: 'review' },
      address: { ...address, ...(called && { called }) },
    },
    {
      ports,
      at: AT,
      waits: { code: 'comment-not-there', since: NOW - 3_000 },
      readSettings: () => Promise.reject(new Error('not used')),
      readMemory: async () => undefined,
      teamNames: async () => ['Maya'],
    },
  );
  return { ...done, calls };
}

const BOTH = { names: 1, both: 6, diff: 3 };

test.each<[string, string, Setup]>([
  ['not there any more', 'the comment was deleted', { id: 8 }],
  ['by somebody else', 'the comment is by another account now', { author: { ...ANA, id: 5 } }],
  ['of other words', 'the comment was changed since it was sent', { body: '/pm stop' }],
  [
    'changed and changed back',
    'the comment was changed since it was sent',
    { updatedAt: '2026-03-02T09:02:00Z' },
  ],
  [
    'for one of the team, and gone',
    'the comment was deleted',
    { id: 8, called: [nameDigest('Maya')] },
  ],
])('one that is %s is not run', async (_, reason, context) => {
  expect(await look(context)).toEqual({
    effectKind: 'look-comment',
    result: { kind: 'gone', reason },
    githubCalls: BOTH,
    calls: ['feedback'],
  });
});

test('one that calls nobody of the team is not looked for', async () => {
  expect(await look({ called: [nameDigest('Bob')] })).toEqual({
    effectKind: 'look-comment',
    result: { kind: 'gone', reason: 'nobody of the team is called so' },
    githubCalls: { names: 1, both: 2 },
    calls: [],
  });
});
