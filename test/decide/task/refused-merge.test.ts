/** A merge that GitHub refuses again and again. */
import { describe, expect, test } from 'vitest';
import { HEAD, mergeView as view, playToPull, REVIEWED, TOM } from '../../helpers/a-task.ts';

describe('a merge', () => {
  const word = { by: TOM, headSha: HEAD, at: '2026-11-22T09:00:00Z' };

  test('is tried ever more rarely while GitHub refuses it, however often it is the same', () => {
    const play = playToPull();
    const waits: number[] = [];
    play.send(REVIEWED);
    play.answer(view());
    play.send({ kind: 'pull-told', run: 'r', news: { kind: 'merge', word } });
    play.answer(view());
    for (let n = 0; n < 4; n += 1) {
      play.answer({
        effectKind: 'merge',
        result: { outcome: 'refused', reason: 'no', isHeadMoved: false },
      });
      const timer = play.told.findLast(({ data }) => data.kind === 'timer');
      waits.push(timer?.delayMs ?? 0);
      if (timer !== undefined) play.send(timer.data);
      play.answer(view());
    }
    expect(waits).toEqual([60_000, 120_000, 240_000, 480_000]);
  });
});
