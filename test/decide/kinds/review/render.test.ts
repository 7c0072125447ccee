/** A review as people read it: its verdict in a line, and every part that can stand below it. */
import { describe, expect, test } from 'vitest';
import {
  isPartial,
  notReadOf,
  renderReview,
  renderVerdict,
  renderWithout,
} from '../../../../src/decide/kinds/review/render.ts';
import type { Laid } from '../../../../src/decide/kinds/review/place-findings.ts';
import type { ModelCall } from '../../../../src/domain/run/ledger.ts';
import type { LedgerFinding, ReviewState } from '../../../../src/domain/review/review.ts';
import type { Run } from '../../../../src/domain/run/state/run-record.ts';
import { aFinding } from '../../../helpers/a-finding.ts';
import { aRun } from '../../../helpers/a-run.ts';
import { aVerdict } from '../../../helpers/an-issue.ts';
import { CALL } from '../../talk/commands/run-here.ts';

type ReviewRun = Run<'pr_review'>;

const VOICES = ['maya', 'priya'].map((handle) => ({
  handle,
  name: handle === 'maya' ? 'Maya' : 'Priya',
  role: 'Reviewer',
}));
const LEAD = { handle: 'carlos', name: 'Carlos', role: 'Tech Lead' };
const LAID: Laid = { fresh: [], comments: [], unplaced: [], rest: [], muted: [], firstNumber: 1 };
const MISSED: ModelCall = {
  ...CALL,
  provider: 'offline',
  insteadOf: { name: 'anthropic/claude', code: 'model-overloaded' },
};

function aReview(over: Partial<ReviewState> = {}): ReviewState {
  return {
    headSha: 'abcdef1234567890',
    since: undefined,
    fresh: [],
    settled: [],
    hunks: [],
    unfolded: { conversations: {}, texts: [] },
    ledger: { reviewedSha: undefined, findings: [] },
    labels: [],
    settings: { maxComments: 15, minSeverity: 'low', event: 'COMMENT' },
    notRead: [],
    isCut: false,
    ...over,
  };
}

function concluded(over: Partial<ReviewRun> = {}): ReviewRun {
  return aRun('pr_review', {
    id: 'run-1',
    participants: VOICES,
    lead: LEAD,
    verdict: aVerdict({ verdict: 'APPROVE', headline: 'small and clear', reasons: 'One flag.' }),
    review: aReview(),
    ...over,
  });
}

function entry(over: Partial<LedgerFinding> & { of?: Parameters<typeof aFinding>[0] } = {}) {
  const { of, ...rest } = over;
  const found: LedgerFinding = {
    finding: aFinding(of),
    status: 'open',
    firstSha: 'b',
    lastSha: 'b',
    ...rest,
  };
  return found;
}

const ledgerOf = (...findings: LedgerFinding[]) => ({ reviewedSha: undefined, findings });

function below(
  review: Partial<ReviewState> = {},
  { laid = {}, run = {} }: { laid?: Partial<Laid>; run?: Partial<ReviewRun> } = {},
): string {
  const state = aReview(review);
  return renderReview(concluded({ review: state, ...run }), state, { ...LAID, ...laid });
}

const FOOTER = '<sub>Decided by Carlos · `abcdef1` · $0.00 · run `run-1`</sub>';

describe('the verdict in a line', () => {
  const held = (count: number) => ({
    ledger: ledgerOf(
      ...Array.from({ length: count }, (_, n) => entry({ of: { fingerprint: `f${n}` } })),
    ),
  });
  const CASES: [string, Partial<ReviewRun>, string][] = [
    ['an approval', {}, 'Looks good: small and clear'],
    [
      'changes',
      { verdict: aVerdict({ verdict: 'CHANGES', headline: 'a test is missing' }) },
      'Changes needed: a test is missing',
    ],
    [
      'a question',
      { verdict: aVerdict({ verdict: 'HUMAN', headline: 'keep it?' }) },
      'Needs you: keep it?',
    ],
    ['no verdict', { verdict: undefined } as never, 'Reviewed: see the comments'],
    [
      'an approval with one serious finding open',
      { review: aReview(held(1)) },
      '1 serious finding is open: small and clear',
    ],
    [
      'an approval with two of them',
      { review: aReview(held(2)) },
      '2 serious findings are open: small and clear',
    ],
    [
      'an approval of what could be read',
      { review: aReview({ isCut: true }) },
      'Looks good in what could be read: small and clear',
    ],
    [
      'changes of what could be read',
      {
        review: aReview({ isCut: true }),
        verdict: aVerdict({ verdict: 'CHANGES', headline: 'a test' }),
      },
      'Changes needed: a test',
    ],
    [
      'an approval by rules',
      { calls: [MISSED] },
      'No model, rules only: Looks good: small and clear',
    ],
    [
      'an approval by rules of a head that is gone, and by a model of this one',
      { calls: [MISSED, CALL], callsBefore: 1 },
      'Looks good: small and clear',
    ],
    [
      'an approval in which a model refused the text',
      {
        calls: [{ ...MISSED, insteadOf: { name: 'a', code: 'model-content-refused' } }, CALL],
      },
      'Partly without a model: Looks good: small and clear',
    ],
  ];

  test.each(CASES)('of %s', (_, over, text) => {
    expect(renderVerdict(concluded(over))).toBe(text);
  });
});

describe('a model that did not answer', () => {
  const END = ' Until a model has read the whole change, the check is neutral.';

  test('is named, with how to ask again and why the check is neutral', () => {
    const text = renderWithout(concluded({ calls: [MISSED] }));
    expect(text).toMatch(/`anthropic\/claude` did not answer: .* comment `\/pm review`\./);
    expect(text.endsWith(END)).toBe(true);
  });

  test('keeps no check neutral where the verdict does not', () => {
    const verdict = aVerdict({ verdict: 'CHANGES' });
    const text = renderWithout(concluded({ calls: [MISSED], verdict }));
    expect(text).not.toBe('');
    expect(text.endsWith(END)).toBe(false);
    expect(renderWithout(concluded({ calls: [CALL] }))).toBe('');
  });
});

describe('below the verdict', () => {
  test('stand the reasons and the footer, where there is nothing else', () => {
    expect(below()).toBe(`One flag.\n\n${FOOTER}`);
  });

  test('rules have no reasons', () => {
    expect(below({}, { run: { isOffline: true } })).toBe(
      '<sub>Decided by Carlos · `abcdef1` · $0.00 · offline rules, no model · run `run-1`</sub>',
    );
  });

  test('comes the question first', () => {
    const needsYou = { owner: 'ana', question: 'Keep it?', since: '', reminders: 0 };
    expect(below({}, { run: { needsYou } }).split('\n\n')[0]).toBe(
      '**You decide:** Keep it? @ana, reply here.',
    );
  });

  test('comes the note that the budget was used up', () => {
    expect(below({}, { run: { isBudgetExhausted: true } })).toContain(
      'One flag.\n\nThe budget was used up, so this is a partial result.\n\n',
    );
    expect(below({}, { run: { hostCapNote: 'The host allows $5.' } })).toContain(
      'The host allows $5. This is a partial result.',
    );
  });

  test('come the findings over the cap of comments', () => {
    const rest = [aFinding({ severity: 'low' }), aFinding({ severity: 'medium' })];
    expect(below({}, { laid: { rest } })).toMatch(/\n\nNot commented one by one: [^\n]+\.\n\n/);
    expect(below()).not.toContain('Not commented');
  });
});

describe('hidden characters', () => {
  test.each([
    [
      { count: 1 },
      '**Hidden:** 1 character that a reader cannot see was left out of what the team read.',
    ],
    [
      { count: 2, most: { path: 'a.ts', count: 2 } },
      '**Hidden:** 2 characters that a reader cannot see were left out of what the team read, in `a.ts`.',
    ],
    [
      { count: 5, most: { path: 'a.ts', count: 3 } },
      '**Hidden:** 5 characters that a reader cannot see were left out of what the team read, 3 of them in `a.ts`.',
    ],
  ])('%j', (hidden, text) => {
    expect(below({ hidden })).toContain(`\n\n${text}\n\n`);
  });
});

describe('what became of earlier findings', () => {
  test('is listed by outcome, in this order', () => {
    const settled = [
      entry({
        status: 'refuted',
        of: { ruleId: 'r4' },
        refuted: [{ handle: 'maya' }, { handle: 'zoe' }] as never,
        why: 'a test',
      }),
      entry({ status: 'dismissed', of: { ruleId: 'r3' }, settledBy: '@ana', why: 'on purpose' }),
      entry({ status: 'dismissed', of: { ruleId: 'r5' } }),
      entry({ status: 'outdated', of: { ruleId: 'r2' } }),
      entry({ status: 'fixed', of: { ruleId: 'r1' } }),
      entry({ status: 'fixed', of: { ruleId: 'r1', line: 9 } }),
      entry({ status: 'fixed', of: { ruleId: 'r0', path: 'src/b.ts' } }),
      entry({ status: 'fixed', of: { source: 'model', title: 'No test' } }),
    ];
    const known = entry({ of: { ruleId: 'r6', severity: 'low', fingerprint: 'known' } });
    const info = entry({ of: { ruleId: 'r7', severity: 'info', fingerprint: 'info' } });
    const text = below({ settled, ledger: ledgerOf(known, info) });
    expect(text.split('\n').filter((line) => line.startsWith('- **'))).toEqual([
      '- **Fixed:** `r1`, “No test” in `src/run.ts`; `r0` in `src/b.ts`',
      '- **Outdated:** `r2` in `src/run.ts`',
      '- **Declined** by @ana: `r3` in `src/run.ts`, “on purpose”',
      '- **Declined** by somebody: `r5` in `src/run.ts`, “”',
      '- **Refuted** by Maya, zoe: `r4` in `src/run.ts`, “a test”',
      '- **Still open:** `r6` in `src/run.ts`',
    ]);
  });
});

describe('what was not read', () => {
  test('is a list of paths with why, as code', () => {
    expect(below({ notRead: ['src/`a.ts: too large', 'everything'] })).toContain(
      '<details><summary>Not read</summary>\n\n- ``src/`a.ts``: too large\n- `everything`\n\n</details>',
    );
  });

  test.each([
    [20, 20, undefined],
    [21, 20, '- and 1 more'],
    [23, 20, '- and 3 more'],
  ])('of %d parts %d are listed', (...[count, told, more]) => {
    const notRead = Array.from({ length: count }, (_, n) => `f${n}.ts: too large`);
    const lines = below({ notRead })
      .split('\n')
      .filter((line) => line.startsWith('- '));
    expect(lines.filter((line) => line.endsWith('too large'))).toHaveLength(told);
    expect(lines.find((line) => line.startsWith('- and'))).toBe(more);
  });

  test('by a model is listed when there is a model', () => {
    const review = aReview({ notRead: ['a: too large'], unseen: ['b: too large'] });
    expect(notReadOf(concluded(), review)).toEqual(['a: too large', 'b: too large']);
    expect(notReadOf(concluded({ isOffline: true }), review)).toEqual(['a: too large']);
  });

  const PARTS: [string, Partial<ReviewRun>, Partial<ReviewState>, boolean][] = [
    ['all of it', {}, {}, false],
    ['not what people wrote', {}, { isCut: true }, true],
    ['a generated file left out', {}, { notRead: ['a.lock: generated'] }, false],
    ['until the budget was used up', { isBudgetExhausted: true }, {}, true],
    ['until the host said stop', { hostCapNote: 'x' }, {}, true],
    ['not what is too much for voices', {}, { unseen: ['b'] }, true],
    ['by rules alone, which read that too', { isOffline: true }, { unseen: ['b'] }, false],
  ];
  test.each(PARTS)('a review has read %s', (...[, run, review, isPart]) => {
    expect(isPartial(concluded(run), aReview(review))).toBe(isPart);
  });
});

describe('findings of who went quiet', () => {
  const muted = [
    { subject: 'persona:maya', accepted: 1, declined: 4 },
    { subject: 'rule:js-eval', accepted: 0, declined: 5 },
  ] as unknown as NonNullable<ReviewState['muted']>;
  const some = (count: number) =>
    Array.from({ length: count }, (_, n) => aFinding({ severity: 'low', fingerprint: `m${n}` }));

  test('are folded away, with who it is and how to unmute them', () => {
    const text = below({ muted }, { laid: { muted: some(1), firstNumber: 3 } });
    expect(text).toContain(
      '<details><summary>Muted: 1 finding below high</summary>\n\nMaya: people accepted 1 of ',
    );
    expect(text).toContain('; `js-eval`: people accepted 0 of ');
    expect(text).toContain('A thumb up on what they find, or fixing it, brings them back.');
    expect(text).toContain(' · muted below high: Maya · run ');
  });

  test.each([
    [20, ''],
    [21, 'And 1 more.'],
    [22, 'And 2 more.'],
  ])('of %d at most 20 are shown', (count, more) => {
    const text = below({ muted }, { laid: { muted: some(count) } });
    expect(text).toContain(`Muted: ${count} findings below high`);
    expect(/And \d+ more\./.exec(text)?.[0] ?? '').toBe(more);
  });

  test('are left out when nobody found anything', () => {
    expect(below({ muted })).not.toContain('<details>');
  });
});

describe('the footer', () => {
  test('names the head before, what is known of the cost, and nobody where there is no lead', () => {
    const { costUsd: _, ...unknown } = CALL;
    const run = { lead: undefined, calls: [unknown as ModelCall] };
    expect(below({ since: '1234567890' }, { run }).split('\n\n').at(-1)).toBe(
      '<sub>`abcdef1` since `1234567` · cost unknown · run `run-1`</sub>',
    );
    expect(below({}, { run: { calls: [CALL] } })).toContain(' · $0.25 · ');
    expect(below({}, { run: { calls: [CALL, unknown as ModelCall] } })).toContain(' · $0.25 · ');
  });
});
