/** Boxes of a standup: what a tick and an edit bring, and what the comment shows of it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tension } from '../../../../src/domain/tension/tension.ts';
import type { TicksLook } from '../../../../src/domain/standup/standup-run.ts';
import { anInsight } from '../../../domain/standup/some-insights.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';
import {
  aTension,
  COMMENT,
  edited,
  HEAD,
  INSIGHT,
  QUIET,
  SETTLED,
  settling,
  shown,
  type StandupPlay,
} from './play-standup.ts';

const HOUR = 3_600_000;
const BOX = `Make this a follow-up issue (\`${INSIGHT.id}\`)`;
const OTHER = anInsight({ from: 'carlos', message: '`src/cart.ts:40` rounds twice.' });

function boxes(over: Partial<Extract<TicksLook, { kind: 'boxes' }>> = {}): TicksLook {
  return { kind: 'boxes', ticked: [], unticked: [], by: ANA, mayChange: true, ...over };
}

/** Somebody ticked the box, and the tension is theirs. */
function accepted(over: Partial<Tension> = {}): StandupPlay {
  const tension = aTension({ state: 'accepted', by: 'ana', ...over });
  return edited(shown())
    .answer('look-ticks', boxes({ ticked: [INSIGHT.id] }))
    .answer('move-tensions', { moved: [{ isMoved: true, tension, insight: INSIGHT.id }] });
}

const bodyOf = (play: StandupPlay): string => play.wants('comment').at(-1)?.body ?? '';

describe('reading', () => {
  test('an edit of our comment has its boxes read, against what we wrote, in a lane of their own', () => {
    const play = edited(shown());
    expect(play.effects).toMatchObject([
      {
        lane: `ticks:thread:${THREAD.repositoryId}/${THREAD.number}`,
        data: {
          kind: 'look-ticks',
          thread: THREAD,
          commentId: COMMENT,
          body: play.run.body,
          by: ANA,
          standup: play.run.about?.run,
        },
      },
    ]);
    expect(play.events).toEqual([]);
  });

  test('an edit of another comment has nothing read', () => {
    const play = edited(shown(), COMMENT + 1);
    expect([play.effects, play.ignored]).toEqual([[], 'no standup of this thread has it']);
  });

  test('without a delivery they are read three times: after an hour, a day and a week', () => {
    let play = settling().answer('settle-standup', SETTLED);
    const timers = [play.events.find(({ data }) => data.kind === 'timer')];
    play.answer('comment', { id: COMMENT, url: '', outcome: 'created' });
    const reads: string[][] = [];
    for (const timer of timers) {
      if (timer === undefined) break;
      play = play.tell(timer.data);
      reads.push(play.kinds);
      expect(play.wants('look-ticks')[0]).not.toHaveProperty('by');
      timers.push(play.events.find(({ data }) => data.kind === 'timer'));
    }
    expect(timers.map((timer) => timer?.delayMs)).toEqual([HOUR, 24 * HOUR, 168 * HOUR, undefined]);
    expect(reads).toEqual([['look-ticks'], ['look-ticks'], ['look-ticks']]);
  });

  test('as long as GitHub has no comment, there is nothing to read', () => {
    const play = settling().answer('settle-standup', SETTLED).passTime();
    expect([play.effects, play.ignored]).toEqual([[], 'nothing is shown']);
  });
});

describe('what was read', () => {
  test.each<[string, TicksLook, string]>([
    ['nothing', { kind: 'void', why: 'no box differs' }, 'no box differs'],
    ['a box of no insight', boxes({ ticked: ['0000000000'] }), 'the insights are not known here'],
    ['a box of nobody', boxes({ ticked: [QUIET.id] }), 'the insights are not known here'],
    ['no box', boxes(), 'the insights are not known here'],
  ])('%s moves nothing', (_, look, why) => {
    const play = edited(shown()).answer('look-ticks', look);
    expect([play.effects, play.ignored]).toEqual([[], why]);
  });

  test.each<[string, TicksLook]>([
    ['an edited line', { kind: 'edited', line: 3 }],
    ['a tick of somebody who may not', boxes({ ticked: [INSIGHT.id], mayChange: false })],
  ])('%s is written over by what is stored, and moves nothing', (_, look) => {
    const play = edited(shown());
    const before = play.run.body;
    play.answer('look-ticks', look);
    expect(play.kinds).toEqual(['comment']);
    expect(play.wants('comment')[0]).toMatchObject({
      thread: THREAD,
      body: before,
      marker: { kind: 'standup', run: play.run.id, key: 'standup' },
    });
    expect(play.wants('comment')[0]).not.toHaveProperty('isNew');
  });

  test('a tick accepts and an untick withdraws, in the name of the person and with what it needs', () => {
    const play = edited(shown({ insights: [INSIGHT, OTHER, QUIET] })).answer(
      'look-ticks',
      boxes({ ticked: [INSIGHT.id, QUIET.id], unticked: [OTHER.id, '0000000000'] }),
    );
    expect(play.effects).toMatchObject([{ lane: `tensions:${THREAD.repositoryId}` }]);
    expect(play.wants('move-tensions')).toEqual([
      {
        kind: 'move-tensions',
        thread: THREAD,
        moves: [
          { kind: 'accept', which: { insight: INSIGHT.id }, by: 'ana' },
          { kind: 'withdraw', which: { insight: OTHER.id }, by: 'ana' },
        ],
        authority: { user: { id: ANA.id, login: 'ana' }, needed: 'write' },
      },
    ]);
  });

  test('only boxes of insights with a tension ever move one', () => {
    const ids = [INSIGHT.id, OTHER.id, QUIET.id, 'f'.repeat(10)];
    const some = fc.subarray(ids);
    fc.assert(
      fc.property(some, some, (ticked, unticked) => {
        const play = edited(shown({ insights: [INSIGHT, OTHER, QUIET] }));
        play.answer('look-ticks', boxes({ ticked, unticked }));
        const moves = play.wants('move-tensions').flatMap((each) => each.moves);
        const real = (each: string): boolean => each === INSIGHT.id || each === OTHER.id;
        expect(moves.map((move) => [move.kind, 'which' in move ? move.which : {}])).toEqual([
          ...ticked.filter(real).map((insight) => ['accept', { insight }]),
          ...unticked.filter(real).map((insight) => ['withdraw', { insight }]),
        ]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('an accepted tension', () => {
  test('has its follow-up opened from what is stored, and its box is shown as ticked', () => {
    const play = accepted();
    const [issue] = play.wants('issue');
    expect(issue).toMatchObject({
      marker: { kind: 'standup', run: play.run.id, key: 'tension-1' },
      labels: [],
    });
    expect(issue?.body).toContain(INSIGHT.message);
    expect(issue?.body).toContain('raised by Name maya');
    expect(issue?.body).toContain(HEAD.slice(0, 12));
    expect(bodyOf(play)).toContain(`- [x] ${BOX}`);
    expect(play.effects.find(({ data }) => data.kind === 'issue')?.lane).toBe(
      `issues:${THREAD.repositoryId}`,
    );
  });

  test('has one follow-up, however often it is ticked', () => {
    const play = accepted();
    edited(play)
      .answer('look-ticks', boxes({ ticked: [INSIGHT.id] }))
      .answer('move-tensions', {
        moved: [{ isMoved: true, tension: aTension({ state: 'accepted' }), insight: INSIGHT.id }],
      });
    expect(play.kinds).toEqual([]);
    expect(play.run.shown?.ticked).toEqual([INSIGHT.id]);
  });

  test('that has an issue already is shown with it, and no other is opened', () => {
    const play = accepted({ issue: 31 });
    expect(play.kinds).toEqual(['comment']);
    expect(bodyOf(play)).toContain('- Follow-up: #31');
  });

  test('that was taken back has an empty box again, and nothing is opened', () => {
    const play = accepted();
    play.run.opening = {};
    edited(play)
      .answer('look-ticks', boxes({ unticked: [INSIGHT.id] }))
      .answer('move-tensions', {
        moved: [{ isMoved: true, tension: aTension({ state: 'open' }), insight: INSIGHT.id }],
      });
    expect(play.kinds).toEqual(['comment']);
    expect(bodyOf(play)).toContain(`- [ ] ${BOX}`);
  });

  test('that could not be moved opens nothing and ticks nothing', () => {
    const play = edited(shown())
      .answer('look-ticks', boxes({ ticked: [INSIGHT.id] }))
      .answer('move-tensions', { moved: [{ isMoved: false, why: 'no', insight: INSIGHT.id }] });
    expect(play.kinds).toEqual([]);
    expect(play.run.shown?.ticked).toEqual([]);
  });
});

describe('a follow-up issue', () => {
  test('that is open is linked, shown, and told what it is for', () => {
    const play = accepted();
    play.answer('issue', { outcome: 'created', number: 31, url: '' });
    expect(play.wants('move-tensions')).toEqual([
      { kind: 'move-tensions', thread: THREAD, moves: [{ kind: 'link', number: 1, issue: 31 }] },
    ]);
    expect(bodyOf(play)).toContain('- Follow-up: #31');
    expect(play.events).toMatchObject([
      {
        key: `thread:${THREAD.repositoryId}/31`,
        id: `${play.run.id}/follows-1`,
        data: { kind: 'followed-up', run: play.run.id, tension: 1, standup: THREAD },
      },
    ]);
    expect(play.run.opening).toEqual({});
  });

  test('that GitHub refuses is reported below its box, and a new tick tries again', () => {
    const play = accepted().fail('issue', 'github-unavailable');
    expect(bodyOf(play)).toContain('- Waits: GitHub refused the issue (github-unavailable)');
    expect(play.run.opening).toEqual({});
    edited(play)
      .answer('look-ticks', boxes({ ticked: [INSIGHT.id] }))
      .answer('move-tensions', {
        moved: [{ isMoved: true, tension: aTension({ state: 'accepted' }), insight: INSIGHT.id }],
      });
    expect(play.wants('issue')).toHaveLength(1);
  });

  test('of somebody else, or one that came to nothing, links nothing', () => {
    const play = accepted();
    play.answer('issue', { outcome: 'created', number: 0, url: '' });
    expect([play.effects, play.ignored]).toEqual([[], 'no follow-up of this standup']);
    const late = shown();
    late.expect({ id: 'other', run: late.run.id, kind: 'issue' });
    late.answer('issue', { outcome: 'created', number: 31, url: '' });
    expect([late.effects, late.ignored]).toEqual([[], 'no follow-up of this standup']);
  });

  test('a failure of anything else after the end is over', () => {
    const play = edited(shown()).fail('look-ticks', 'github-unavailable');
    expect([play.effects, play.ignored]).toEqual([[], 'it was over: github-unavailable']);
  });
});
