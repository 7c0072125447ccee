/** Which of Quorum's texts a task's pull request may show, over refused publishes and several attempts (CB-8). */
import { describe, expect, test } from 'vitest';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import {
  GOOD,
  HEAD,
  mergeView as view,
  ORDER,
  playToPull,
  receipts,
  REVIEWED,
  type TaskPlay,
} from '../../helpers/a-task.ts';
import { verifies } from '../../verifies.ts';

type Describe = Extract<EffectData, { kind: 'describe' }>;

const SECOND = 'd'.repeat(40);
const CHANGES: typeof REVIEWED = {
  ...REVIEWED,
  news: { ...REVIEWED.news, verdict: 'CHANGES', asks: ['Say hello twice.'] },
};
const ENDED = { effectKind: 'plan-edit', result: { outcome: 'edited' } } as const;

const described = (play: TaskPlay): Describe[] =>
  play.effects.flatMap(({ data }) => (data.kind === 'describe' ? [data] : []));

/** The team's review sends the task back, and the gates pass for a second head. */
function refine(play: TaskPlay): void {
  play.send(CHANGES);
  play.answer(GOOD.code);
  play.answer({ effectKind: 'verify', result: { headSha: SECOND, receipts: receipts(SECOND) } });
}

function publishAs(play: TaskPlay, number: number): void {
  const pull = { number, url: `https://github.test/acme/tidy/pull/${number}` };
  play.answer({ ...GOOD.publish, result: { ...GOOD.publish.result, pull } });
}

function tryAgain(play: TaskPlay, order = ORDER): void {
  play.answer(ENDED);
  play.send({ kind: 'task-go', run: 'plan', order });
  for (const result of [GOOD.claim, GOOD.code, GOOD.verify]) play.answer(result);
}

function mergeByHand(play: TaskPlay, headSha: string): void {
  play.send({ ...REVIEWED, news: { ...REVIEWED.news, headSha } });
  play.answer(
    view({ pull: { isMerged: true, state: 'closed', mergeSha: 'e'.repeat(40), headSha } }),
  );
}

describe('a publish that is refused between two heads', () => {
  verifies(
    'CB-8',
    'leaves the older text known, which the next publish and the end replace',
    () => {
      const play = playToPull();
      const first = play.last('publish').body;
      refine(play);
      const second = play.last('publish').body;
      expect(play.last('publish').from).toEqual([first]);
      play.fail('publish', 'head-differs');
      tryAgain(play);
      const third = play.last('publish').body;
      expect(play.last('publish').from).toEqual([first, second]);
      expect(new Set([first, second, third]).size).toBe(3);
    },
  );

  test('keeps the text that is on GitHub while nobody knows whether the new one was written', () => {
    const play = playToPull();
    const before = play.stream().run?.pullText;
    refine(play);
    expect(play.stream().run?.pullText).toEqual(before);
    play.answer({
      effectKind: 'publish',
      result: { receipts: [], reviewers: [], outdated: { baseSha: 'f'.repeat(40) } },
    });
    expect(play.stream().run?.pullText).toEqual(before);
  });

  test('the first publish of a task replaces no text that it knows', () => {
    expect(playToPull().last('publish')).not.toHaveProperty('from');
  });

  test('a published text alone is replaced at the end', () => {
    const play = playToPull();
    refine(play);
    const second = play.last('publish').body;
    publishAs(play, 9);
    mergeByHand(play, SECOND);
    expect(described(play).map(({ from }) => from)).toEqual([[second]]);
  });
});

/** Blocked once its pull request is open. */
function toClosed(): TaskPlay {
  const play = playToPull();
  play.send(REVIEWED);
  play.answer(view({ pull: { state: 'closed' } }));
  return play;
}

describe('a later attempt', () => {
  verifies(
    'CB-8',
    'that opens another pull request says so on the old one, and ends its own',
    () => {
      const play = toClosed();
      const [closed] = described(play);
      tryAgain(play);
      publishAs(play, 12);
      const own = play.last('publish').body;
      const [, replaced] = described(play);
      expect(replaced).toMatchObject({
        thread: { number: 9 },
        from: [closed?.from[0], closed?.to],
      });
      expect(replaced?.to).toContain(
        '### How it ended\n\n- Replaced by #12: the work goes on there\n',
      );
      mergeByHand(play, HEAD);
      expect(described(play).slice(2)).toMatchObject([{ thread: { number: 12 }, from: [own] }]);
      expect(described(play)[2]?.to).toContain('- Merged as `eeeeeeeeeeee`');
    },
  );

  test('that publishes into the same pull request gives it one end', () => {
    const play = toClosed();
    const [closed] = described(play);
    tryAgain(play);
    expect(play.last('publish').from).toEqual([closed?.from[0], closed?.to]);
    publishAs(play, 9);
    mergeByHand(play, HEAD);
    expect(described(play).slice(1)).toMatchObject([
      { thread: { number: 9 }, from: [play.last('publish').body] },
    ]);
  });

  test('remembers the old pull request over an attempt that opened none', () => {
    const play = toClosed();
    tryAgain(play);
    play.fail('publish', 'head-differs');
    tryAgain(play);
    publishAs(play, 12);
    expect(described(play).slice(1)).toMatchObject([{ thread: { number: 9 } }]);
  });

  test('does not say that a merged pull request was replaced', () => {
    const play = playToPull();
    mergeByHand(play, HEAD);
    tryAgain(play);
    publishAs(play, 12);
    expect(described(play).map(({ thread }) => thread.number)).toEqual([9]);
  });
});
