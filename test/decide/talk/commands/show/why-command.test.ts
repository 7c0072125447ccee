/** `/pm why`: how a decision or an answer came about. */
import { describe, expect, test } from 'vitest';
import type { TalkView } from '../../../../../src/domain/run/talk.ts';
import { aPosition, aVerdict } from '../../../../helpers/an-issue.ts';
import { aRunHere, CALL, onRun, watchOf } from '../run-here.ts';
import { BEFORE, refusal, say, sumUp } from '../say-on-thread.ts';

const ENDED = { status: 'consensus', verdict: aVerdict() };
const NEEDS = { owner: 'tom', question: 'Keep it?', since: BEFORE };

const MAYA = { handle: 'maya', name: 'Maya' };
const FIRST = '**Discussion `run1`**, asked for by `ana` (`deliberate`), 2026-03-02T08:30Z.';
const TAIL = '0 model calls, $0; 5 reads of GitHub.';

function why(over: object, view: Partial<TalkView> = {}): string[] {
  return say('/pm why', { state: onRun(over), view }).said.split('\n\n');
}

describe('/pm why', () => {
  test.each([
    [{}, 'It is going on.'],
    [{ status: 'closed', endReason: 'it was closed' }, 'It was stopped: it was closed.'],
    [{ status: 'closed' }, 'It was stopped: no reason was kept.'],
    [{ status: 'blocked', needsYou: NEEDS }, 'It waits for `tom`: Keep it?'],
    [{ status: 'consensus' }, 'It ended without a verdict.'],
    [ENDED, 'Verdict READY (sure 0.8): worth doing, small. One flag in one file.'],
  ])('tells how a run ended: case %#', (over, words) => {
    expect(why(over)).toEqual([FIRST, words, TAIL]);
  });

  test('tells who voted how, what the others changed, what bound the lead and what was read', () => {
    const said = (handle: string, name: string, over: object) => ({
      handle,
      name,
      outcome: 'said',
      ...over,
    });
    const files = Array.from({ length: 12 }, (_, n) => `src/${n}.ts`);
    const lines = why({
      ...ENDED,
      label: '',
      contributions: [
        said('maya', 'Maya', { position: aPosition({ vote: 'HUMAN' }) }),
        said('maya', 'Maya', { position: aPosition({ line: 'a | b' }) }),
        said('dev', 'Dev', {}),
        { handle: 'zoe', name: 'Zoe', outcome: 'absent' },
      ],
      lead: { handle: 'carlos', name: 'Carlos' },
      leadAlone: 'HUMAN',
      bounded: 'nobody else had spoken',
      lookedAt: { files, pastIssues: [], notRead: [], hidden: 0 },
      headSha: 'abcdef1234567890',
      calls: [CALL, { ...CALL, costUsd: undefined }],
    });
    expect(lines).toEqual([
      FIRST.replace('deliberate', 'a push'),
      'Verdict READY (sure 0.8): worth doing, small. One flag in one file.',
      '| voice | vote | sure | in a line |\n|---|---|---|---|\n| Maya | ready | 0.7 | a \\| b |\n| Dev | – | – |  |',
      'Carlos alone would have decided HUMAN; the others changed that.',
      'Code kept the lead from closing it alone: nobody else had spoken.',
      `Read at \`abcdef123456\`: ${files
        .slice(0, 10)
        .map((file) => `\`${file}\``)
        .join(', ')} and 2 more.`,
      '2 model calls, $0.25 and an unknown part; 5 reads of GitHub.',
    ]);
  });

  test('tells where the lead alone would have decided the same', () => {
    const lookedAt = { files: ['a.ts'], pastIssues: [], notRead: [], hidden: 0 };
    expect(why({ ...ENDED, leadAlone: 'READY', lookedAt }).slice(2, 4)).toEqual([
      'The lead alone, without the others, would have decided the same.',
      'Read: `a.ts`.',
    ]);
  });

  test('tells of the voices in a review how often people found them right, and in nothing else', () => {
    const tally = { 'persona:maya': { accepted: 9, declined: 1, ignored: 2 } };
    const review = {
      ...ENDED,
      trigger: 'pr_review',
      participants: [MAYA],
      lead: { handle: 'dev', name: 'Dev' },
    };
    const words = 'Findings that people here accepted: Maya 9 of 12 (75 %).';
    expect(why(review, { tally })).toContain(words);
    const quiet = {
      'persona:maya': { accepted: 0, declined: 12, ignored: 0 },
      'persona:dev': tally['persona:maya'],
    };
    expect(why(review, { tally: quiet })).toContain(
      'Findings that people here accepted: Dev 9 of 12 (75 %); Maya 0 of 12 (0 %), muted below high.',
    );
    expect(why({ ...review, lead: undefined }, { tally: quiet }).join('\n')).not.toContain('Dev 9');
    expect(why(review)).toHaveLength(3);
    expect(why({ ...review, trigger: 'issue_review' }, { tally })).toHaveLength(3);
  });

  test('tells what became of each candidate of a search', () => {
    const one = watchOf({ outcome: 'created', number: 8 }, undefined, undefined).watch;
    const judgement = { word: 'raise', confidence: 0.9, headline: 'is run as code' };
    const [first, second, third] = one.candidates;
    const candidates = [
      { ...first, judgement },
      { ...second, failure: 'model-timeout' },
      { ...third, candidate: { ruleId: 'rule-2', places: [] } },
    ];
    const over = { ...watchOf(), ...ENDED, watch: { candidates, files: 1 }, label: '/pm watch' };
    expect(why(over)).toEqual([
      '**Code watch `run1`**, asked for by `ana` (`/pm watch`), 2026-03-02T08:30Z.',
      '1 file searched, opened #8.',
      '- `rule-0` in `src/0.ts`: raise (sure 0.9): is run as code\n- `rule-1` in `src/1.ts`: judged by nobody (`model-timeout`)\n- `rule-2` in ` `: judged by nobody',
      TAIL,
    ]);
    const nothing = why({ ...over, watch: { candidates: [], files: 2 } });
    expect(nothing.slice(1)).toEqual(['2 files searched, no issue opened.', TAIL]);
  });
});

const ANSWER = {
  id: 'Answer1',
  handle: 'maya',
  asker: 'tom',
  references: ['src/a.ts:3', '#7'],
  costUsd: 0.02,
  isCostPartlyUnknown: true,
  model: 'claude',
  at: BEFORE,
};

describe('/pm why of something that is named', () => {
  const two = {
    runs: {
      prd_kickoff: aRunHere({
        id: 'older',
        trigger: 'prd_kickoff',
        startedAt: '2026-03-01T08:00:00Z',
      }),
      issue_review: aRunHere(),
    } as never,
    answers: [ANSWER],
  };

  test('takes the newest run where none is, and any case', () => {
    expect(say('/pm why', { state: two }).said).toContain('**Discussion `run1`**');
    const { runs } = two;
    const turned = Object.fromEntries(Object.entries(runs).toReversed()) as never;
    expect(say('/pm why', { state: { runs: turned } }).said).toContain('**Discussion `run1`**');
    expect(say('/pm why OLDER', { state: two }).said).toContain('**Kick-off `older`**');
  });

  test('tells of an answer what it rests on', () => {
    expect(say('/pm why answer1', { state: two })).toMatchObject({
      said: '**Answer `Answer1`** by `maya` to `tom`, 2026-03-02T08:59Z. It rests on `src/a.ts:3`, `#7`. `claude`, $0.02 and an unknown part.',
      reaction: '+1',
    });
    const bare = { ...ANSWER, references: [], isCostPartlyUnknown: false };
    expect(say('/pm why answer1', { state: { answers: [bare] } }).said).toBe(
      '**Answer `Answer1`** by `maya` to `tom`, 2026-03-02T08:59Z. It names no place in the repository. `claude`, $0.02.',
    );
  });

  const elsewhere = { run: 'Far', key: 'thread:7/31', verdict: 'READY', endedAt: BEFORE } as never;
  const open = { run: 'open', key: 'thread:7/32', verdict: undefined, endedAt: BEFORE } as never;
  const many = { answers: Array.from({ length: 6 }, (_, n) => ({ ...ANSWER, id: `a${n}` })) };

  test.each([
    ['/pm why', {}, 'There has been no decision in this thread yet.'],
    ['/pm why', { answers: [ANSWER] }, 'There has been no decision in this thread yet.'],
    ['/pm why x1', {}, 'No run `x1` is kept in this thread.'],
    [
      '/pm why x1',
      two,
      'No run `x1` is kept in this thread. Known here: `run1`, `older`, `Answer1`.',
    ],
    [
      '/pm why x1',
      many,
      'No run `x1` is kept in this thread. Known here: `a0`, `a1`, `a2`, `a3`, `a4`.',
    ],
    [
      '/pm why far',
      two,
      'Run `Far` belongs to #31, or a later one took its place: READY, ended 2026-03-02T08:59Z.',
    ],
    [
      '/pm why open',
      two,
      'Run `open` belongs to #32, or a later one took its place: no verdict, ended 2026-03-02T08:59Z.',
    ],
  ])('%s is refused: case %#', (words, state, said) => {
    const came = say(words, { state, view: { lastRuns: [elsewhere, open] } });
    expect(sumUp(came)).toEqual(refusal(said));
  });
});
