/** Moves of a repository's tensions, in a real store: each on the newest book, and none without the role that it needs. */
import { expect, test } from 'vitest';
import { moveTensions } from '../../../src/act/standup/move-tensions.ts';
import type { TensionMove } from '../../../src/domain/standup/standup-run.ts';
import type { Tension } from '../../../src/domain/tension/tension.ts';
import { THREAD } from '../../helpers/play.ts';
import { aStandupWorld, AT, INSIGHT } from './a-standup-world.ts';

const WHICH = { number: 1 };
const BY = 'tom';

async function move(tension: Partial<Tension>, ...moves: TensionMove[]) {
  const world = await aStandupWorld();
  await world.keep(tension);
  const { result } = await moveTensions(
    { kind: 'move-tensions', thread: THREAD, moves },
    world.context(),
  );
  return { ...result, kept: (await world.book()).tensions[0], calls: world.calls };
}

test.each<[string, Partial<Tension>, { wanted: TensionMove; after: Partial<Tension> }]>([
  [
    'accepted',
    {},
    {
      wanted: { kind: 'accept', which: WHICH, by: BY },
      after: { state: 'accepted', by: BY },
    },
  ],
  [
    'accepted by what was said',
    {},
    {
      wanted: { kind: 'accept', which: { insight: INSIGHT.id }, by: BY },
      after: { state: 'accepted', by: BY },
    },
  ],
  [
    'taken back',
    { state: 'accepted', by: BY },
    { wanted: { kind: 'withdraw', which: WHICH, by: BY }, after: { state: 'open' } },
  ],
  [
    'rejected',
    {},
    {
      wanted: { kind: 'reject', which: WHICH, by: BY, why: 'meant so' },
      after: { state: 'rejected', by: BY, why: 'meant so' },
    },
  ],
  [
    'linked to its follow-up',
    { state: 'accepted' },
    { wanted: { kind: 'link', number: 1, issue: 31 }, after: { state: 'accepted', issue: 31 } },
  ],
  [
    'opened again where its follow-up was deleted',
    { state: 'accepted', issue: 31 },
    { wanted: { kind: 'deleted', issue: 31 }, after: { state: 'open' } },
  ],
])('a tension is %s', async (_, before, { wanted, after }) => {
  const { moved, kept } = await move(before, wanted);
  expect(moved).toMatchObject([{ isMoved: true, tension: after }]);
  expect(kept).toMatchObject(after);
  expect(kept?.movedAt).toBe(wanted.kind === 'link' ? undefined : AT);
  expect(kept?.issue).toBe(after.issue);
});

test.each<[string, TensionMove, string]>([
  ['of nobody', { kind: 'accept', which: { number: 7 }, by: BY }, 'There is no tension 7 here.'],
  [
    'that nobody said',
    { kind: 'accept', which: { insight: 'ffffffffff' }, by: BY },
    'No tension is kept of this insight.',
  ],
  ['without a reason', { kind: 'reject', which: WHICH, by: BY, why: ' ' }, 'Say why tension 1'],
  [
    'to a follow-up that nobody accepted',
    { kind: 'link', number: 1, issue: 3 },
    'Tension 1 is open',
  ],
  [
    'of an issue that no tension belongs to',
    { kind: 'deleted', issue: 8 },
    'No tension has the issue #8.',
  ],
])('a move %s is reported, and changes nothing', async (_, wanted, why) => {
  const { moved, kept } = await move({}, wanted);
  expect(moved).toEqual([
    expect.objectContaining({ isMoved: false, why: expect.stringContaining(why) }),
  ]);
  expect(kept?.state).toBe('open');
});

test('several are made one after the other, each with the box that it came from', async () => {
  const { moved, kept } = await move(
    {},
    { kind: 'accept', which: { insight: INSIGHT.id }, by: BY },
    { kind: 'withdraw', which: { number: 9 }, by: BY },
    { kind: 'withdraw', which: { insight: INSIGHT.id }, by: BY },
  );
  expect(moved.map(({ isMoved, insight }) => [isMoved, insight])).toEqual([
    [true, INSIGHT.id],
    [false, undefined],
    [true, INSIGHT.id],
  ]);
  expect(kept).not.toHaveProperty('by');
});

test('the same insight in two tensions moves the newer one', async () => {
  const world = await aStandupWorld();
  await world.keep({ state: 'rejected' }, { after: 1 });
  await moveTensions(
    {
      kind: 'move-tensions',
      thread: THREAD,
      moves: [{ kind: 'accept', which: { insight: INSIGHT.id }, by: BY }],
    },
    world.context(),
  );
  const { tensions } = await world.book();
  expect(tensions.map(({ state }) => state)).toEqual(['rejected', 'accepted']);
});

test('a person who lost the role meanwhile moves nothing', async () => {
  const world = await aStandupWorld({ permission: 'read' });
  await world.keep({});
  const moves: TensionMove[] = [{ kind: 'accept', which: WHICH, by: BY }];
  const authority = { user: { id: 5, login: BY }, needed: 'write' as const };
  const work = (permission: 'read' | 'write') => {
    world.hub.permission = permission;
    return moveTensions(
      { kind: 'move-tensions', thread: THREAD, moves, authority },
      world.context(),
    );
  };
  await expect(work('read')).rejects.toMatchObject({ code: 'permission-lost' });
  expect((await world.book()).tensions[0]?.state).toBe('open');
  await work('write');
  expect((await world.book()).tensions[0]?.state).toBe('accepted');
});
