/**
 * What the end of a follow-up issue means to its tension: a commit resolved it, a person decided,
 * or it is open again.
 */
import { describe, expect, test } from 'vitest';
import { endFollowUpIssue } from '../../../src/act/standup/end-follow-up.ts';
import type { Tension } from '../../../src/domain/tension/tension.ts';
import { THREAD } from '../../helpers/play.ts';
import { aStandupWorld, AT, type Hub } from './a-standup-world.ts';

const ISSUE = THREAD.number;
const WITHOUT = { 'src/cart.ts': 'const a = 1;\n' };
const SHA = 'e'.repeat(40);

async function end(hub: Partial<Hub>, more: { isDeleted?: true; kept?: Partial<Tension> } = {}) {
  const world = await aStandupWorld(hub);
  const { isDeleted, kept = {} } = more;
  await world.keep({ state: 'accepted', issue: ISSUE, by: 'ana', ...kept });
  const data = { kind: 'end-follow-up', thread: THREAD, by: 'tom' } as const;
  const { result } = await endFollowUpIssue(
    { ...data, ...(isDeleted && { isDeleted }) },
    world.context(),
  );
  return { tension: result.tension, kept: (await world.book()).tensions[0], calls: world.calls };
}

const completed = [{ number: ISSUE, stateReason: 'completed' }];

describe('closed', () => {
  test.each<[string, Partial<Hub>, object]>([
    [
      'with the cited lines gone, by the pull request that brought the commit in',
      {
        closed: completed,
        files: WITHOUT,
        commits: [{ sha: SHA }, { sha: 'f'.repeat(40) }],
        pull: { number: 9, mergeSha: 'b'.repeat(40) },
      },
      { state: 'closed', closedBy: { kind: 'commit', sha: 'b'.repeat(40), pull: 9 } },
    ],
    [
      'with the cited lines gone, by a commit of nobody',
      { closed: completed, files: WITHOUT, commits: [{ sha: SHA }] },
      { state: 'closed', closedBy: { kind: 'commit', sha: SHA } },
    ],
    [
      'with the cited lines gone, and no commit that shows it',
      { closed: completed, files: WITHOUT },
      { state: 'closed', closedBy: { kind: 'issue', issue: ISSUE } },
    ],
    [
      'with the cited lines still there',
      { closed: completed, commits: [{ sha: SHA }] },
      { state: 'closed', closedBy: { kind: 'issue', issue: ISSUE } },
    ],
    [
      'as not planned',
      { closed: [{ number: ISSUE, stateReason: 'not_planned' }] },
      { state: 'rejected', by: 'tom', why: `#${ISSUE} was closed as not planned` },
    ],
    [
      'as a duplicate',
      { closed: [{ number: ISSUE, stateReason: 'duplicate' }] },
      { state: 'rejected', by: 'tom' },
    ],
  ])('%s', async (_, hub, expected) => {
    const { tension, kept } = await end(hub);
    expect(tension).toMatchObject({ ...expected, movedAt: AT });
    expect(kept).toEqual(tension);
  });

  test('one that a person has rejected keeps its reason, and knows that its issue is closed', async () => {
    const closed = [{ number: ISSUE, stateReason: 'not_planned' as const }];
    const { kept } = await end({ closed }, { kept: { state: 'rejected', why: 'too late' } });
    expect(kept).toMatchObject({ state: 'rejected', why: 'too late', notPlanned: ISSUE });
  });

  test('a tension that cites nothing ends with the word of the person, and no code is read', async () => {
    const { tension, calls } = await end(
      { closed: completed },
      { kept: { refs: [], evidence: { digest: '', places: [] } } },
    );
    expect(tension?.closedBy).toEqual({ kind: 'issue', issue: ISSUE });
    expect(calls).toEqual(['threads']);
  });
});

test('deleted, it asks of people again, and GitHub is not asked', async () => {
  const { tension, calls } = await end({}, { isDeleted: true });
  expect(tension).toMatchObject({ state: 'open', movedAt: AT });
  expect(tension).not.toHaveProperty('issue');
  expect(calls).toEqual([]);
});

test.each<[string, Partial<Hub>]>([
  ['while it is open', { closed: [] }],
  ['while another one is closed', { closed: [{ number: 99, stateReason: 'completed' }] }],
])('%s, its tension goes on', async (_, hub) => {
  const { tension, kept } = await end(hub);
  expect([tension, kept?.state]).toEqual([undefined, 'accepted']);
});

test('moved by an attempt that ended with its process, it is reported all the same', async () => {
  const { tension, calls } = await end({}, { kept: { state: 'closed' } });
  expect(tension).toMatchObject({ state: 'closed', issue: ISSUE });
  expect(calls).toEqual([]);
});

test('an issue that follows nothing up ends nothing', async () => {
  const { tension } = await end({ closed: completed }, { kept: { issue: 99 } });
  expect(tension).toBeUndefined();
});
