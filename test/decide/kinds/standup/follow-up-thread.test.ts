/**
 * The thread of a follow-up issue: what it is for, who learns of its end, and how the standup shows
 * it.
 */
import { describe, expect, test } from 'vitest';
import { ANA, THREAD } from '../../../helpers/play.ts';
import type { Tension } from '../../../../src/domain/tension/tension.ts';
import { anInsight } from '../../../domain/standup/some-insights.ts';
import { aTension, INSIGHT, shown, StandupPlay } from './play-standup.ts';

const STANDUP = { ...THREAD, number: 4 };

const OTHER = anInsight({ from: 'carlos', message: '`src/cart.ts:40` rounds twice.' });
const bodyOf = (play: StandupPlay): string => play.wants('comment').at(-1)?.body ?? '';

function aThread(): StandupPlay {
  return new StandupPlay({ v: 1, runs: {} });
}

function aFollowUp(): StandupPlay {
  return aThread().tell({ kind: 'followed-up', run: 'r', tension: 3, standup: STANDUP });
}

const ended = (play: StandupPlay, how: 'closed' | 'deleted' | 'transferred' | 'locked') =>
  play.trigger({ kind: 'ended', thread: THREAD, actor: ANA, how });

test('it is remembered which tension of which standup it is for', () => {
  const play = aFollowUp();
  expect(play.state.followUp).toEqual({ tension: 3, standup: STANDUP });
  expect([play.effects, play.events]).toEqual([[], []]);
});

describe('its end', () => {
  test.each([
    { how: 'closed', isDeleted: undefined },
    { how: 'deleted', isDeleted: true },
    { how: 'transferred', isDeleted: true },
  ] as const)('$how ends the tension', ({ how, isDeleted }) => {
    const play = ended(aFollowUp(), how);
    const [effect] = play.effects.filter(({ data }) => data.kind === 'end-follow-up');
    expect(effect?.lane).toBe(`tensions:${THREAD.repositoryId}`);
    expect(effect?.data).toEqual({
      kind: 'end-follow-up',
      thread: THREAD,
      by: 'ana',
      ...(isDeleted && { isDeleted }),
    });
  });

  test('a locked thread is no end, and a thread that follows nothing up ends nothing', () => {
    expect(ended(aFollowUp(), 'locked').wants('end-follow-up')).toEqual([]);
    expect(ended(aThread(), 'closed').wants('end-follow-up')).toEqual([]);
  });

  test('is reported to the thread of the standup', () => {
    const tension = aTension({ state: 'closed', number: 3 });
    const play = ended(aFollowUp(), 'closed').answer('end-follow-up', { tension });
    expect(play.events).toMatchObject([
      {
        key: `thread:${THREAD.repositoryId}/4`,
        data: { kind: 'tension-told', tension },
      },
    ]);
    expect(play.events[0]?.id).toMatch(/\/ended-3$/);
  });

  test('is reported to nobody while the tension goes on', () => {
    const play = ended(aFollowUp(), 'closed').answer('end-follow-up', {});
    expect([play.events, play.ignored]).toEqual([[], 'its tension goes on']);
  });
});

describe('the end of a tension', () => {
  test.each<[string, Partial<Tension>, string]>([
    [
      'by a pull request',
      { issue: 31, closedBy: { kind: 'commit', sha: 'b'.repeat(40), pull: 9 } },
      `- Closed: #31 by \`${'b'.repeat(12)}\` (#9)`,
    ],
    [
      'by a commit',
      { issue: 31, closedBy: { kind: 'commit', sha: 'b'.repeat(40) } },
      `- Closed: #31 by \`${'b'.repeat(12)}\``,
    ],
    [
      'because its lines are gone',
      { closedBy: { kind: 'lines-gone', sha: 'c'.repeat(40) } },
      `- Closed: by \`${'c'.repeat(12)}\``,
    ],
    ['by a person', { issue: 31, closedBy: { kind: 'issue', issue: 31 } }, '- Closed: #31'],
    ['for a reason nobody knows', {}, '- Closed:'],
  ])('%s is shown below its box', (_, over, line) => {
    const play = shown().tell({
      kind: 'tension-told',
      run: 'r',
      tension: aTension({ state: 'closed', ...over }),
    });
    expect(play.kinds).toEqual(['comment']);
    expect(bodyOf(play).split('\n')).toContain(line);
  });

  test.each([
    { by: 'tom', line: '- Rejected by `tom`' },
    { by: undefined, line: '- Rejected by' },
  ])('by $by who rejected it is shown', ({ by, line }) => {
    const tension = aTension({ state: 'rejected', ...(by !== undefined && { by }) });
    const play = shown().tell({ kind: 'tension-told', run: 'r', tension });
    expect(bodyOf(play)).toContain(line);
  });

  test('one that is open has not ended', () => {
    const play = shown().tell({ kind: 'tension-told', run: 'r', tension: aTension() });
    expect([play.effects, play.ignored]).toEqual([[], 'the tension is open']);
  });

  test('is ignored when no standup here raised it', () => {
    const tension = aTension({ state: 'rejected', by: 'tom' }, OTHER);
    const play = shown().tell({ kind: 'tension-told', run: 'r', tension });
    expect([play.effects, play.ignored]).toEqual([[], 'no standup of this thread has it']);
  });

  test('an insight of another run of the same tension is not shown here', () => {
    const tension = aTension({ state: 'rejected', by: 'tom' });
    tension.insights.push(OTHER.id);
    const play = shown().tell({ kind: 'tension-told', run: 'r', tension });
    expect(Object.keys(play.run.shown?.followUps ?? {})).toEqual([INSIGHT.id]);
  });
});
