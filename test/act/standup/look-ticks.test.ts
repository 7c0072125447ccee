/** Boxes of our comment: only what we wrote and signed counts, and who ticked it decides what that means. */
import { describe, expect, test } from 'vitest';
import { lookAtTicks } from '../../../src/act/standup/look-ticks.ts';
import { renderMarker } from '../../../src/domain/github/marker.ts';
import { threadKey, type Actor, type Permission } from '../../../src/domain/run/thread-ref.ts';
import { aStandup } from '../../helpers/a-kept-standup.ts';
import { ANA, THREAD } from '../../helpers/play.ts';
import { verifies } from '../../verifies.ts';
import { aStandupWorld, SECRET, type Hub } from './a-standup-world.ts';

const [ONE, TWO] = ['0123456789', 'abcdef0123'];
const COMMENT = 4711;
const line = (id: string, mark = ' ') => `- [${mark}] Make this a follow-up issue (\`${id}\`)`;
const BODY = ['### Standup', line(ONE), line(TWO, 'x')].join('\n');
const signed = (body: string, kind: 'standup' | 'notice' = 'standup', scope = threadKey(THREAD)) =>
  `${body}\n${renderMarker({ kind, run: 'r', key: 'standup' }, SECRET, scope)}`;
const ours = (body: string, over: object = {}) => ({
  id: COMMENT,
  isOurs: true,
  author: ANA,
  body,
  ...over,
});
const TICKED = [line(ONE, 'x'), line(TWO)].reduce((all, each) => `${all}\n${each}`, '### Standup');

async function look(
  comment: object | undefined,
  hub: Partial<Hub> = {},
  by: Actor | undefined = ANA,
) {
  const world = await aStandupWorld({ ...hub, comments: comment === undefined ? [] : [comment] });
  const data = { kind: 'look-ticks', thread: THREAD, commentId: COMMENT, body: BODY } as const;
  const { result, githubCalls } = await lookAtTicks(
    { ...data, ...(by && { by }) },
    world.context(),
  );
  expect(githubCalls).toEqual({ rest: 3 });
  return { result, calls: world.calls };
}

test('boxes that differ are reported with who ticked them', async () => {
  const { result, calls } = await look(ours(signed(TICKED)));
  expect(result).toEqual({
    kind: 'boxes',
    ticked: [ONE],
    unticked: [TWO],
    by: ANA,
    mayChange: true,
  });
  expect(calls).not.toContain('editor');
});

test.each<[string, object | undefined, object]>([
  ['gone', undefined, { kind: 'void', why: 'the comment is gone' }],
  ['another one', ours(signed(TICKED), { id: 1 }), { kind: 'void', why: 'the comment is gone' }],
  [
    'of somebody else',
    ours(signed(TICKED), { isOurs: false }),
    { kind: 'void', why: 'the marker is not ours' },
  ],
  ['without a marker', ours(TICKED), { kind: 'void', why: 'the marker is not ours' }],
  [
    'of another kind',
    ours(signed(TICKED, 'notice')),
    { kind: 'void', why: 'the marker is not ours' },
  ],
  [
    'signed for another thread',
    ours(signed(TICKED, 'standup', 'thread:7/99')),
    { kind: 'void', why: 'the marker is not ours' },
  ],
  ['as we wrote it', ours(signed(BODY)), { kind: 'void', why: 'no box differs' }],
  ['edited', ours(signed(`${TICKED}\nMore.`)), { kind: 'edited', line: 4 }],
])('a comment that is %s has no box that counts', async (_, comment, expected) => {
  const { result, calls } = await look(comment);
  expect(result).toEqual(expected);
  expect(calls).toEqual(['comments']);
});

test.each<[Permission, boolean, boolean]>([
  ['read', false, false],
  ['triage', false, false],
  ['write', false, true],
  ['admin', false, true],
  ['admin', true, false],
])('with %s, a bot: %s, a tick counts: %s', async (permission, isBot, mayChange) => {
  const { result } = await look(ours(signed(TICKED)), { permission }, { ...ANA, isBot });
  expect(result).toMatchObject({ kind: 'boxes', mayChange });
});

test('without a delivery GitHub is asked who edited it', async () => {
  const data = { kind: 'look-ticks', thread: THREAD, commentId: COMMENT, body: BODY } as const;
  const told = async (editor: Actor | undefined) => {
    const world = await aStandupWorld({ comments: [ours(signed(TICKED))], editor });
    return (await lookAtTicks(data, world.context())).result;
  };
  expect(await told(ANA)).toMatchObject({ kind: 'boxes', by: ANA, mayChange: true });
  expect(await told(undefined)).toEqual({
    kind: 'void',
    why: 'GitHub does not tell who edited the comment',
  });
});

describe('reactions to the comment', () => {
  const STANDUP = 'run-1';
  const rated = async (comment: object, standup?: string) => {
    const world = await aStandupWorld({ comments: [comment] });
    await world.store.standups.save(
      aStandup({ repository: THREAD.repositoryId, run: STANDUP, insights: [] }),
    );
    await lookAtTicks(
      {
        kind: 'look-ticks',
        thread: THREAD,
        commentId: COMMENT,
        body: BODY,
        ...(standup !== undefined && { standup }),
      },
      world.context(),
    );
    const [kept] = await world.store.standups.standups({ run: STANDUP, limit: 1 });
    return kept?.thumbs;
  };
  const thumbs = { up: 2, down: 1 };

  verifies('LS-11: reactions', 'are kept, also where no box differs', async () => {
    expect(await rated(ours(signed(BODY), { thumbs }), STANDUP)).toEqual(thumbs);
  });

  test('say nothing where the comment is not ours, or of no known run', async () => {
    const none = { up: 0, down: 0 };
    expect(await rated(ours(BODY, { thumbs }), STANDUP)).toEqual(none);
    expect(await rated(ours(signed(BODY), { thumbs }))).toEqual(none);
    expect(await rated(ours(signed(BODY)), STANDUP)).toEqual(none);
  });
});
