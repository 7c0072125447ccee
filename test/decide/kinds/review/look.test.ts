/** What a review does with a view: whether it goes on, what it keeps of it, and what it then wants. */
import { describe, expect, test } from 'vitest';
import { followPush, onPull } from '../../../../src/decide/kinds/review/look.ts';
import type { PullLookResult } from '../../../../src/domain/event/result.ts';
import { RUN_CONDITIONS } from '../../../../src/domain/run/permit/run-authority.ts';
import type { Run } from '../../../../src/domain/run/state/run-record.ts';
import { aDiff, aFinding, aPullView, aReply } from '../../../helpers/a-finding.ts';
import { aRun, contextOf, wantedBy } from '../../../helpers/a-run.ts';
import { CONFIG_FILES } from '../../../../src/domain/config/config-file.ts';
import { aComment, aPosition } from '../../../helpers/an-issue.ts';
import { ANA } from '../../../helpers/play.ts';

type View = Parameters<typeof aPullView>[0];
type ReviewRun = Run<'pr_review'>;

const HEAD = 'b'.repeat(40);
const EFFECT = 'effect-1';
const TOM = { id: 200, login: 'tom', isBot: false };
const SELF = { id: 900, login: 'quorum[bot]', isBot: true };

interface Seen {
  view?: View;
  run?: Partial<ReviewRun>;
  next?: 'start' | 'round' | 'verdict' | 'answer' | 'reminder';
  result?: Partial<PullLookResult>;
}

function see({ view = {}, run: over = {}, next = 'start', result = {} }: Seen = {}) {
  const phase = { kind: 'looking' as const, next, effectId: EFFECT };
  const run = aRun('pr_review', { phase, isRequested: false, ...over });
  const context = contextOf(run);
  const scan = { kind: 'read' as const, found: { findings: [], notRead: [] } };
  const look = { nonce: 'k7f3q9x2m5v8b1n4', unchangedRuns: 3, githubCalls: 5, scan };
  const outcome = onPull(context, {
    effectId: EFFECT,
    result: { ...look, view: aPullView(view), ...result },
  });
  const { effects, events } = wantedBy(context);
  return { run, outcome, kinds: effects.map(({ kind }) => kind), effects, events, context };
}

const withReview = (over: object): View => ({
  config: { review: { ...aPullView().config.review, ...over } },
});
const found = (over: Parameters<typeof aFinding>[0][]): Partial<PullLookResult> => ({
  scan: { kind: 'read', found: { findings: over.map((each) => aFinding(each)), notRead: [] } },
});

describe('a review does not begin', () => {
  const { repository, config } = aPullView();
  const skip = 'the label `quorum:skip` keeps the team out';
  const CASES: [string, Seen, string][] = [
    ['where it is stopped', { result: { stopped: 'it is paused' } }, 'it is paused'],
    [
      'where Quorum is switched off',
      { view: { config: { enabled: false } } },
      'Quorum is switched off here (`enabled: false`)',
    ],
    [
      'in an archived repository',
      { view: { repository: { ...repository, isArchived: true } } },
      'the repository is archived',
    ],
    ['once it is closed', { view: { pull: { state: 'closed' } } }, 'the pull request was closed'],
    ['while it is locked', { view: { pull: { isLocked: true } } }, 'the conversation is locked'],
    ['of a draft', { view: { pull: { isDraft: true } } }, 'it is a draft'],
    ['of one on hold', { view: { pull: { labels: ['hold'] } } }, 'it is on hold'],
    [
      'of one into the memory branch',
      { view: { pull: { baseRef: config.memory.branch } } },
      'it only changes memory',
    ],
    ['of one that is skipped', { view: { pull: { labels: ['quorum:skip'] } } }, skip],
    [
      'of one that is skipped, where it was asked for',
      { view: { pull: { labels: ['quorum:skip'] } }, run: { isRequested: true } },
      skip,
    ],
    [
      'of a head that was reviewed',
      { run: { reviewedSha: HEAD } },
      'this head was reviewed already',
    ],
    [
      'for somebody who lost the role',
      { run: { isRequested: true }, view: { actorPermission: 'none' } },
      '@ana needs the triage role to start a review and has none',
    ],
  ];

  test.each(CASES)('%s', (_, seen, endReason) => {
    const { run } = see(seen);
    expect([run.status, run.endReason]).toEqual(['closed', endReason]);
    expect(run.review).toBeUndefined();
  });

  test('with settings that cannot be read', () => {
    const [file = ''] = CONFIG_FILES;
    const place = { file, key: 'a', code: 'yaml-syntax' as const, line: 3, column: 1 };
    const problem = { ...place, message: 'a colon is missing', severity: 'error' as const };
    expect(see({ view: { problems: [problem] } }).run).toMatchObject({
      status: 'closed',
      endReason: `\`${file}:3\` needs a fix: a colon is missing. Comment \`/pm review\` after that`,
    });
    const warning = { ...problem, severity: 'warning' as const };
    expect(see({ view: { problems: [warning] } }).run.status).toBe('active');
  });
});

describe('a review begins', () => {
  const ASKED = { isRequested: true };
  const CASES: [string, Seen][] = [
    ['of what was pushed', {}],
    ['of a draft that somebody asked for', { run: ASKED, view: { pull: { isDraft: true } } }],
    [
      'of a draft where drafts are reviewed',
      {
        view: {
          pull: { isDraft: true },
          config: { review: { ...aPullView().config.review, drafts: true } },
        },
      },
    ],
    [
      'into the memory branch where it was asked for',
      { run: ASKED, view: { pull: { baseRef: aPullView().config.memory.branch } } },
    ],
    ['of a reviewed head where it was asked for', { run: { ...ASKED, reviewedSha: HEAD } }],
    ['for somebody without a role who only pushed', { view: { actorPermission: 'none' } }],
    [
      'at a terminal, whatever it waives',
      {
        run: { authority: { kind: 'terminal', waives: RUN_CONDITIONS } },
        view: { pull: { isDraft: true, state: 'closed', isLocked: true, labels: ['hold'] } },
      },
    ],
  ];

  test.each(CASES)('%s', (_, seen) => {
    const { run, kinds } = see(seen);
    expect([run.status, run.endReason]).toEqual(['active', undefined]);
    expect(run.review?.headSha).toBe(HEAD);
    expect(kinds).toContain('ask');
  });

  test('only from the look that it waits for', () => {
    const other = see({ run: { phase: { kind: 'looking', next: 'start', effectId: 'newer' } } });
    expect(other.outcome).toMatchObject({
      kind: 'ignored',
      reason: 'a later look replaced this one',
    });
    expect(other.run.review).toBeUndefined();
    const ended = see({ run: { phase: { kind: 'ended' } } });
    expect(ended.kinds).toEqual([]);
  });
});

describe('pushes in a burst', () => {
  test('are waited for once, as long as the settings say', () => {
    const { run, events, kinds } = see({ view: withReview({ settleSeconds: 30 }) });
    expect(run.phase).toMatchObject({ kind: 'listening', next: 'start' });
    expect(events.map(({ kind, delayMs }) => [kind, delayMs])).toEqual([['timer', 30_000]]);
    expect([run.hasSettled, run.review]).toEqual([true, undefined]);
    expect(kinds).not.toContain('ask');
  });

  test.each([
    ['that were waited for', { hasSettled: true }, 30],
    ['that somebody asked to review', { isRequested: true }, 30],
    [
      'at a terminal',
      { authority: { kind: 'terminal' as const, waives: ['settle' as const] } },
      30,
    ],
    ['where nothing is waited for', {}, 0],
  ])('%s are reviewed at once', (...[, run, settleSeconds]) => {
    const { kinds } = see({ run, view: withReview({ settleSeconds }) });
    expect(kinds).toContain('ask');
  });
});

describe('what a review keeps of a view', () => {
  test('of the pull request: its head, author, host, labels and the trust of everyone who commented', () => {
    const view: View = {
      repository: { ...aPullView().repository, host: 'ghe.test' },
      pull: { author: TOM, authorPermission: 'write', labels: ['bug'] },
      comments: [
        aComment({ id: 7, permission: 'triage' }),
        aComment({ id: 9, author: SELF, permission: 'none' }),
        aComment({ id: 8, permission: 'admin' }),
      ],
    };
    const { run } = see({ view, run: { githubCalls: 2, heardCommentId: 3 } });
    expect(run).toMatchObject({
      headSha: HEAD,
      host: 'ghe.test',
      author: { id: 200, login: 'tom' },
      trust: 'contributor',
      nonce: 'k7f3q9x2m5v8b1n4',
      githubCalls: 7,
      unchangedRuns: 3,
      heardCommentId: 9,
    });
    expect(run.settings.owner).toBe('tom');
    expect(run.review?.labels).toEqual(['bug']);
  });

  test('an App that opened it owns nothing: who asked does', () => {
    const author = { id: 300, login: 'bot[bot]', isBot: true };
    expect(see({ view: { pull: { author } } }).run.settings.owner).toBe('ana');
  });

  test('an older nonce stays, and no later comment is lost', () => {
    const { run } = see({ run: { nonce: 'first-nonce-0123456', heardCommentId: 99 } });
    expect([run.nonce, run.heardCommentId]).toEqual(['first-nonce-0123456', 99]);
    expect(see().run.heardCommentId).toBe(0);
  });

  test('of the change: its files, lines and what nobody sees in it', () => {
    const diff = aDiff('src/a.ts', ['a\u{200b}b', 'c']) + aDiff('src/b.ts', ['d']);
    const { run } = see({ view: { diff } });
    expect(run.lookedAt).toMatchObject({
      files: ['src/a.ts', 'src/b.ts'],
      pastIssues: [],
      notRead: [],
      hidden: 1,
    });
    expect(run.review?.hidden).toEqual({ count: 1, most: { path: 'src/a.ts', count: 1 } });
    expect(run.review?.hunks).toEqual([
      { path: 'src/a.ts', old: [0, -1], new: [1, 2] },
      { path: 'src/b.ts', old: [0, -1], new: [1, 1] },
    ]);
    const plain = see().run;
    expect([plain.lookedAt.hidden, plain.review?.hidden]).toEqual([0, undefined]);
  });

  test('lines of both sides of a hunk, first to last', () => {
    const diff = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -3,2 +5,3 @@\n a\n+b\n c\n';
    expect(see({ view: { diff } }).run.review?.hunks).toEqual([
      { path: 'a.ts', old: [3, 4], new: [5, 7] },
    ]);
  });

  test.each([
    [14, 14],
    [15, 15],
    [16, 15],
  ])('of at most %d comments in the settings %d may be written', (maxComments, most) => {
    expect(see({ view: withReview({ maxComments }) }).run.review?.settings.maxComments).toBe(most);
  });

  test.each([
    ['comment', 'COMMENT'],
    ['request-changes', 'REQUEST_CHANGES'],
  ])('reviews of "%s" are written as %s', (event, written) => {
    expect(see({ view: withReview({ event }) }).run.review?.settings.event).toBe(written);
  });

  test('findings below the least severity are left out', () => {
    const { run } = see({
      view: withReview({ minSeverity: 'medium' }),
      result: found([
        { severity: 'low', fingerprint: 'low' },
        { severity: 'medium', fingerprint: 'medium', line: 1 },
        { severity: 'high', fingerprint: 'high' },
      ]),
    });
    expect(run.review?.fresh.map(({ severity }) => severity).toSorted()).toEqual([
      'high',
      'medium',
    ]);
  });

  test('what was not read, and whether that is people’s own', () => {
    const read = { kind: 'read' as const, found: { findings: [], notRead: ['b: too large'] } };
    const part = see({ view: { notRead: ['a: not read'] }, result: { scan: read } }).run.review;
    expect([part?.notRead, part?.isCut]).toEqual([['a: not read', 'b: too large'], false]);
    expect(see({ view: { isCut: true } }).run.review?.isCut).toBe(true);
    const late = { kind: 'not-read' as const, reason: 'too slow' };
    const none = see({ result: { scan: late } }).run.review;
    expect([none?.notRead, none?.isCut]).toEqual([['what the rules read: too slow'], true]);
  });

  test('conversations that are open and can be folded', () => {
    const replies = [
      aReply({ key: 'open', threadId: 'T1' }),
      aReply({ key: 'resolved', threadId: 'T2', isResolved: true }),
      aReply({ key: 'hidden', threadId: 'T3', isHidden: true }),
      aReply({ key: 'elsewhere', threadId: undefined }),
    ];
    expect(see({ view: { replies, openTexts: ['R1'] } }).run.review?.unfolded).toEqual({
      conversations: { open: 'T1' },
      texts: ['R1'],
    });
  });

  test('a queue that is not heard, and notes that were shown', () => {
    const shown = { id: '0123456789', persona: 'maya', text: 'ships on Mondays' };
    const note = { ...shown, category: 'PATTERN', refs: [], words: [], trust: 'maintainer' };
    const memory = { notes: { maya: [note], zoe: [note] } };
    const { run } = see({
      view: { isQueueUnheard: true },
      result: { memory } as unknown as Partial<PullLookResult>,
    });
    expect(run.review?.isQueueUnheard).toBe(true);
    expect(run.lookedAt.notes).toEqual([shown]);
    expect(see().run.review).not.toHaveProperty('isQueueUnheard');
    expect(see().run.lookedAt).not.toHaveProperty('notes');
  });
});

describe('a head that was reviewed in part', () => {
  const since = 'a'.repeat(40);
  const whole = aDiff('src/a.ts', ['a']) + aDiff('src/b.ts', ['b']);

  test('is judged by what came since, and searched as a whole', () => {
    const delta = { since, diff: aDiff('src/b.ts', ['b']) };
    const { run } = see({ view: { diff: whole, delta } });
    expect(run.lookedAt.files).toEqual(['src/b.ts']);
    expect(run.review?.hunks.map(({ path }) => path)).toEqual(['src/a.ts', 'src/b.ts']);
    expect(run.review?.since).toBe(since);
    expect(see({ view: { diff: whole } }).run.lookedAt.files).toEqual(['src/a.ts', 'src/b.ts']);
  });
});

describe('another look while the team is at it', () => {
  const begun = (): ReviewRun => see().run;

  test('at the same head asks the lead for the verdict', () => {
    const { effects } = see({ run: { ...heard(), ...looking('verdict') } });
    expect(effects.filter(({ kind }) => kind === 'ask')).toMatchObject([{ purpose: 'verdict' }]);
  });

  test('at another head begins again, and ends the check of the one before', () => {
    const { run, effects } = see({
      run: { ...begun(), ...looking('verdict'), round: 2 },
      view: { pull: { headSha: 'c'.repeat(40) } },
    });
    expect(run.review?.headSha).toBe('c'.repeat(40));
    expect(run.round).toBe(1);
    const checks = effects.flatMap((each) => (each.kind === 'review-check' ? [each.check] : []));
    expect(checks[0]).toMatchObject({
      headSha: HEAD,
      conclusion: 'neutral',
      title: 'Superseded by a newer push',
      summary: 'The newest head of this pull request is reviewed instead.',
    });
  });

  test('that only asks whether it is over changes nothing while it is not', () => {
    const run = { ...begun(), recheck: EFFECT };
    expect(see({ run }).run.status).toBe('active');
    expect(see({ run, view: { pull: { state: 'closed' } } }).run.status).toBe('closed');
  });

  test('after a push looks at the new head from the start', () => {
    const context = contextOf({ ...begun(), hasSettled: true });
    followPush(context);
    expect(context.run).toMatchObject({
      phase: { kind: 'looking', next: 'start' },
      hasSettled: false,
    });
    expect(context.run.review).toBeUndefined();
  });
});

/** The phase of a run that looks before this. */
function looking(next: NonNullable<Seen['next']>): Pick<ReviewRun, 'phase'> {
  return { phase: { kind: 'looking', next, effectId: EFFECT } };
}

/** A run in which everybody has spoken. */
function heard(): ReviewRun {
  const { run } = see();
  const position = aPosition({ vote: 'APPROVE' });
  run.contributions = run.participants.map((voice) => ({
    ...voice,
    round: 1,
    outcome: 'said',
    position,
  }));
  return run;
}

test('the person who asked and the author are kept apart', () => {
  expect(see({ view: { pull: { author: ANA } } }).run.author).toEqual({ id: 100, login: 'ana' });
});
