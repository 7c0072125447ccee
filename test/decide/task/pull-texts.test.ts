/** Which of Quorum's texts a task's pull request may show, over refused publishes and several attempts (CB-8). */
import { describe, expect, test } from 'vitest';
import { keepTask } from '../../../src/domain/actions/kept/kept-tasks.ts';
import { renderPullText } from '../../../src/decide/task/render-task-pull.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import type { EventData } from '../../../src/domain/event/event.ts';
import { shownDigest, titleDigest } from '../../../src/domain/github/own-text.ts';
import {
  BASE,
  GOOD,
  HEAD,
  mergeView as view,
  ORDER,
  playTask,
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
const FOUND: EventData = {
  kind: 'task-found',
  run: 'plan',
  order: ORDER,
  found: {
    task: 2,
    attempt: 1,
    run: 'run-found',
    persona: 'dev',
    pull: GOOD.publish.result.pull,
    headSha: HEAD,
    commit: {
      change: { from: BASE, patch: 'diff', summary: '', decisions: [], paths: ['src/hello.ts'] },
      at: 0,
    },
    isReviewed: false,
  },
};
const ENDED = { effectKind: 'plan-edit', result: { outcome: 'edited' } } as const;

const described = (play: TaskPlay): Describe[] =>
  play.effects.flatMap(({ data }) => (data.kind === 'describe' ? [data] : []));

/** The team's review sends the task back, and the gates pass for a second head. */
function refine(play: TaskPlay): void {
  refineFrom(play, HEAD);
}

function refineFrom(play: TaskPlay, headSha: string): void {
  play.send({ ...CHANGES, news: { ...CHANGES.news, headSha } });
  play.answer(GOOD.code);
  play.answer({ effectKind: 'verify', result: { headSha: SECOND, receipts: receipts(SECOND) } });
}

function publishAs(play: TaskPlay, number: number): void {
  const pull = { number, url: `https://github.test/acme/tidy/pull/${number}` };
  play.answer({ ...GOOD.publish, result: { ...GOOD.publish.result, pull } });
}

const titleOf = (play: TaskPlay): string => titleDigest(play.last('publish').title);

/** Texts and the title of the newest publish, as digests. */
const sent = (play: TaskPlay, ...texts: string[]): string[] => [
  ...texts.map(shownDigest),
  titleOf(play),
];

/** The base has other workflow files: nothing was written, and the gates pass for another head. */
function outdate(play: TaskPlay, headSha: string): void {
  const result = { receipts: [], reviewers: [], outdated: { baseSha: 'f'.repeat(40) } };
  play.answer({ effectKind: 'publish', result });
  play.answer({ effectKind: 'verify', result: { headSha, receipts: receipts(headSha) } });
}

function forgetTexts(play: TaskPlay): void {
  const { run } = play.stream();
  delete run?.sent;
  delete run?.pullText;
}

/** As an older version kept it: the text of the head that was published last, or of the one that is to be. */
function keepAsOlder(play: TaskPlay, headSha: string, endText?: string): void {
  const { run } = play.stream();
  if (run?.pullText === undefined) throw new Error('no text was kept');
  delete run.sent;
  const source = run.pullText.source.replace(HEAD, headSha);
  run.pullText = { ...run.pullText, source };
  if (endText !== undefined) run.endText = endText;
}

function tryAgainAfterFailure(play: TaskPlay, order: typeof ORDER): void {
  refine(play);
  play.fail('publish', 'head-differs');
  tryAgain(play, order);
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
  verifies('CB-8', 'leaves the older text known, which the next publish replaces', () => {
    const play = playToPull();
    const first = play.last('publish').body;
    refine(play);
    const second = play.last('publish').body;
    expect(play.last('publish').from).toEqual(sent(play, first));
    play.fail('publish', 'head-differs');
    tryAgain(play);
    expect(play.last('publish').from).toEqual(sent(play, first, second));
    expect(new Set([first, second, play.last('publish').body]).size).toBe(3);
  });

  test('keeps the text that is on GitHub while nobody knows whether the new one was written', () => {
    const play = playToPull();
    const before = play.stream().run?.pullText;
    const first = play.last('publish').body;
    refine(play);
    outdate(play, 'e'.repeat(40));
    expect(play.stream().run?.pullText).toEqual(before);
    expect(play.last('publish').from).toContain(shownDigest(first));
  });

  test('keeps the text that is on GitHub over as many publishes as a task has heads', () => {
    const play = playToPull();
    const first = play.last('publish').body;
    refine(play);
    play.fail('publish', 'head-differs');
    for (let count = 0; count < 18; count += 1) {
      play.stream().failures = 0;
      tryAgain(play);
      expect(play.last('publish').from).toContain(shownDigest(first));
      play.fail('publish', 'head-differs');
    }
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
    expect(described(play).map(({ from }) => from)).toEqual([sent(play, second)]);
  });

  test('a title that Quorum sent may be replaced like a text', () => {
    const play = playToPull();
    const title = titleOf(play);
    tryAgainAfterFailure(play, { ...ORDER, title: 'Say it louder' });
    expect(play.last('publish').title).toContain('Say it louder');
    expect(play.last('publish').from).toContain(title);
  });
});

describe('where nobody knows which text is on GitHub', () => {
  test('a publish of found work replaces any text, also after one that wrote nothing', () => {
    const play = playTask();
    play.send(FOUND);
    play.answer(GOOD.claim);
    play.answer(GOOD.verify);
    expect(play.last('publish')).not.toHaveProperty('from');
    outdate(play, SECOND);
    expect(play.last('publish')).toMatchObject({ headSha: SECOND });
    expect(play.last('publish')).not.toHaveProperty('from');
    publishAs(play, 9);
    refineFrom(play, SECOND);
    expect(play.last('publish')).toHaveProperty('from');
  });

  test('a publish after one of an older version that kept no text replaces any text', () => {
    const play = playToPull();
    forgetTexts(play);
    refine(play);
    play.fail('publish', 'head-differs');
    tryAgain(play);
    expect(play.last('publish')).not.toHaveProperty('from');
  });

  test('an older version’s text of a head that was not published is no proof', () => {
    const play = playToPull();
    keepAsOlder(play, SECOND);
    refine(play);
    expect(play.last('publish')).not.toHaveProperty('from');
  });

  test('an older version’s text of the published head, and its end, may be replaced', () => {
    const play = playToPull();
    const first = play.last('publish').body;
    keepAsOlder(play, HEAD, 'It ended.');
    refine(play);
    expect(play.last('publish').from).toEqual(sent(play, 'It ended.', first));
  });

  test('an older version’s title may be replaced once the plan has another title', () => {
    const play = playToPull();
    const title = titleOf(play);
    keepAsOlder(play, HEAD);
    close(play);
    tryAgain(play, { ...ORDER, title: 'Say it louder' });
    expect(play.last('publish').title).toContain('Say it louder');
    expect(play.last('publish').from).toContain(title);
  });

  test('the digests of an older version’s texts are kept before a record drops the texts', () => {
    const play = playToPull();
    keepAsOlder(play, HEAD);
    const { run } = play.stream();
    if (run?.pullText === undefined) throw new Error('no text was kept');
    run.pullText = { ...run.pullText, change: 'x'.repeat(7_000) };
    const shown = renderPullText(run.pullText);
    play.send(REVIEWED);
    const { tasks } = keepTask({ version: 1, tasks: {} }, { stream: play.stream() }, 'secret');
    const kept = Object.values(tasks)[0]?.stream.run;
    expect(kept).not.toHaveProperty('pullText');
    expect(kept?.sent).toEqual({ digests: sent(play, shown), isComplete: true });
  });

  test('an older version’s publish that succeeds tells the text again', () => {
    const play = playToPull();
    refine(play);
    const second = play.last('publish').body;
    keepAsOlder(play, SECOND);
    publishAs(play, 9);
    mergeByHand(play, SECOND);
    expect(described(play).map(({ from }) => from)).toEqual([sent(play, second)]);
  });
});

describe('a first publish that opened a pull request and failed then', () => {
  test('leaves its text known to the next attempts', () => {
    const play = playTask();
    play.send({ kind: 'task-go', run: 'plan', order: ORDER });
    for (const result of [GOOD.claim, GOOD.code, GOOD.verify]) play.answer(result);
    const first = play.last('publish').body;
    play.fail('publish', 'github-forbidden');
    tryAgain(play);
    const second = play.last('publish').body;
    expect(play.last('publish').from).toEqual(sent(play, first));
    outdate(play, SECOND);
    expect(play.last('publish').from).toEqual(sent(play, first, second));
  });
});

/** Blocked once its pull request is open. */
function toClosed(): TaskPlay {
  const play = playToPull();
  close(play);
  return play;
}

function close(play: TaskPlay): void {
  play.send(REVIEWED);
  play.answer(view({ pull: { state: 'closed' } }));
}

/** What a pull request may show whose end was wanted once. */
function shownOn(closed: Describe | undefined): string[] {
  return [...(closed?.from ?? []), shownDigest(closed?.to ?? '')];
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
      expect(replaced).toMatchObject({ thread: { number: 9 } });
      expect(replaced?.from).toEqual(expect.arrayContaining(shownOn(closed)));
      expect(replaced?.to).toContain(
        '### How it ended\n\n- Replaced by #12: the work goes on there\n',
      );
      mergeByHand(play, HEAD);
      expect(described(play).slice(2)).toMatchObject([
        { thread: { number: 12 }, from: sent(play, own) },
      ]);
      expect(described(play)[2]?.to).toContain('- Merged as `eeeeeeeeeeee`');
    },
  );

  test('that publishes into the same pull request gives it one end', () => {
    const play = toClosed();
    const [closed] = described(play);
    tryAgain(play);
    expect(play.last('publish').from).toEqual(shownOn(closed));
    publishAs(play, 9);
    mergeByHand(play, HEAD);
    expect(described(play).slice(1)).toMatchObject([
      { thread: { number: 9 }, from: sent(play, play.last('publish').body) },
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
