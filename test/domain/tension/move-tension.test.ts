/** The life of tensions: what a run repeats, what people decide, and what a commit settles. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acceptTension,
  closeGone,
  endFollowUp,
  followRenames,
  linkFollowUp,
  raiseTension,
  rejectTension,
  withdrawTension,
  type Moved,
} from '../../../src/domain/tension/move-tension.ts';
import { findSame } from '../../../src/domain/tension/similar.ts';
import {
  isUnsettled,
  NO_TENSIONS,
  tensionOf,
  type TensionBook,
} from '../../../src/domain/tension/tension.ts';
import type { Insight } from '../../../src/domain/standup/insight.ts';
import { anInsight } from '../standup/some-insights.ts';

const CODE = 'const a = 1;\nconst price = order.price;\ncharge(price);\n';
const AT = '2026-11-25T08:00:00.000Z';
const LATER = '2026-11-26T08:00:00.000Z';
const REFS = [{ path: 'src/cart.ts', line: 2 }];
const PRICE = anInsight({
  message: '`src/cart.ts:2` trusts the price that the browser sends.',
  refs: REFS,
});
const AGAIN = anInsight({
  run: 'run-2',
  from: 'carlos',
  message: 'The browser still sends the price, and `src/cart.ts:2` trusts it.',
  refs: REFS,
});
const OTHER = anInsight({
  run: 'run-2',
  message: '`src/cart.ts:2` has no test for an empty basket.',
  refs: REFS,
});
const TOM = { by: 'tom', at: LATER };

const raise = (book: TensionBook, insight: Insight, { text = CODE, at = AT } = {}) =>
  raiseTension(book, insight, { at, viewed: { texts: { 'src/cart.ts': text } } });
const OPEN = raise(NO_TENSIONS, PRICE).book;
function bookOf(moved: Moved): TensionBook {
  if (!moved.isMoved) throw new Error(moved.why);
  return moved.book;
}
const ACCEPTED = bookOf(acceptTension(OPEN, 1, TOM));
const LINKED = bookOf(linkFollowUp(ACCEPTED, 1, 12));
const REJECTED = bookOf(rejectTension(OPEN, 1, { ...TOM, why: 'The server checks it.' }));
const stateOf = (book: TensionBook, number = 1) => tensionOf(book, number)?.state;

describe('raising', () => {
  test('a new one is open, seen once', () => {
    expect(OPEN.tensions).toMatchObject([
      {
        number: 1,
        state: 'open',
        from: 'maya',
        seen: 1,
        firstSeen: AT,
        lastSeen: AT,
        insights: [PRICE.id],
      },
    ]);
    expect(OPEN.next).toBe(2);
  });

  test.each([
    ['open', OPEN],
    ['accepted', ACCEPTED],
  ])('the same matter counts one more time on an %s one', (state, book) => {
    const raised = raise(book, AGAIN, { at: LATER });
    expect(raised.outcome).toBe('repeated');
    expect(raised.book.tensions).toMatchObject([
      { state, seen: 2, firstSeen: AT, lastSeen: LATER, insights: [PRICE.id, AGAIN.id] },
    ]);
  });

  test('two participants of one run count once', () => {
    const raised = raise(OPEN, { ...AGAIN, run: 'run-1' });
    expect([raised.outcome, raised.tension.seen]).toEqual(['repeated', 1]);
  });

  test('another matter in the same file is another tension', () => {
    expect(raise(OPEN, OTHER).book.tensions.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('the same words about another file are another tension', () => {
    const elsewhere = {
      ...AGAIN,
      message: AGAIN.message.replace('cart', 'shop'),
      refs: [{ path: 'src/shop.ts', line: 2 }],
    };
    expect(raise(OPEN, elsewhere).outcome).toBe('opened');
  });

  test('a rejected one stays silent while its lines are what they were', () => {
    const raised = raise(REJECTED, AGAIN);
    expect([raised.outcome, raised.book]).toEqual(['silent', REJECTED]);
    expect(
      raise(REJECTED, AGAIN, { text: CODE.replace('const price', '  const  price') }).outcome,
    ).toBe('silent');
  });

  test('and is raised again when they changed, with the one that it follows', () => {
    const raised = raise(REJECTED, AGAIN, { text: CODE.replace('order.price', 'body.price') });
    expect([raised.outcome, raised.tension.number, raised.tension.after]).toEqual(['opened', 2, 1]);
    expect(stateOf(raised.book)).toBe('rejected');
  });

  test('a rejected one without places stays silent', () => {
    const process = anInsight({
      type: 'process',
      message: 'Gate 2 (tests) of task 2 failed 2 times before it passed.',
      refs: [],
    });
    const book = bookOf(
      rejectTension(raise(NO_TENSIONS, process).book, 1, { ...TOM, why: 'Flaky runner.' }),
    );
    const again = {
      ...process,
      run: 'run-9',
      message: 'Gate 2 (tests) of task 5 failed 3 times before it passed.',
    };
    expect(raise(book, again).outcome).toBe('silent');
    expect(raise(book, { ...again, type: 'drift' }).outcome).toBe('opened');
  });

  test('a closed one that is back is a new tension', () => {
    const closed = endFollowUp(LINKED, {
      issue: 12,
      end: { kind: 'merged', sha: 'abc', pull: 13 },
      at: LATER,
    });
    expect(raise(closed, AGAIN)).toMatchObject({
      outcome: 'opened',
      tension: { number: 2, after: 1 },
    });
  });
});

describe('decisions of people', () => {
  test('accepted by whom; twice is once; with its follow-up', () => {
    expect(tensionOf(LINKED, 1)).toMatchObject({
      state: 'accepted',
      by: 'tom',
      movedAt: LATER,
      issue: 12,
    });
    expect(bookOf(acceptTension(LINKED, 1, { by: 'ana', at: AT }))).toBe(LINKED);
  });

  test('rejected with a reason, and never without one', () => {
    expect(tensionOf(REJECTED, 1)).toMatchObject({
      state: 'rejected',
      by: 'tom',
      why: 'The server checks it.',
    });
    expect(rejectTension(OPEN, 1, { ...TOM, why: ' ' })).toMatchObject({
      isMoved: false,
      why: expect.stringContaining('Say why'),
    });
  });

  test('a rejected one can be taken up', () => {
    const taken = tensionOf(bookOf(acceptTension(REJECTED, 1, TOM)), 1);
    expect(taken).toMatchObject({ state: 'accepted' });
    expect(taken).not.toHaveProperty('why');
  });

  test('unticked before there is an issue it is open again; later the issue is what is closed', () => {
    expect(stateOf(bookOf(withdrawTension(ACCEPTED, 1, TOM)))).toBe('open');
    expect(bookOf(withdrawTension(OPEN, 1, TOM))).toBe(OPEN);
    expect(withdrawTension(LINKED, 1, TOM)).toMatchObject({
      isMoved: false,
      why: expect.stringContaining('#12'),
    });
  });

  test.each([
    ['accept', (book: TensionBook) => acceptTension(book, 7, TOM)],
    ['reject', (book: TensionBook) => rejectTension(book, 7, { ...TOM, why: 'x' })],
    ['withdraw', (book: TensionBook) => withdrawTension(book, 7, TOM)],
    ['link', (book: TensionBook) => linkFollowUp(book, 7, 3)],
  ])('%s of one that is not there is refused', (_, act) => {
    expect(act(OPEN)).toMatchObject({
      isMoved: false,
      why: expect.stringContaining('no tension 7'),
    });
  });

  test('a closed one is over', () => {
    const { book } = closeGone(OPEN, { sha: 'abc', at: LATER, viewed: { paths: [] } });
    expect(acceptTension(book, 1, TOM).isMoved).toBe(false);
    expect(rejectTension(book, 1, { ...TOM, why: 'x' }).isMoved).toBe(false);
    expect(linkFollowUp(OPEN, 1, 3).isMoved).toBe(false);
  });
});

describe('follow-ups', () => {
  test('a merge closes it and is named', () => {
    const book = endFollowUp(LINKED, {
      issue: 12,
      end: { kind: 'merged', sha: 'abc', pull: 13 },
      at: LATER,
    });
    expect(tensionOf(book, 1)).toMatchObject({
      state: 'closed',
      closedBy: { kind: 'commit', sha: 'abc', pull: 13 },
    });
  });

  test('not planned rejects it, deleted opens it again', () => {
    const end = { kind: 'not-planned', by: 'ana' } as const;
    const rejected = endFollowUp(LINKED, { issue: 12, end, at: LATER });
    expect(tensionOf(rejected, 1)).toMatchObject({
      state: 'rejected',
      by: 'ana',
      why: '#12 was closed as not planned',
      notPlanned: 12,
    });
    const taken = bookOf(acceptTension(rejected, 1, TOM));
    expect(tensionOf(taken, 1)).not.toHaveProperty('issue');
    const again = endFollowUp(bookOf(linkFollowUp(taken, 1, 13)), { issue: 13, end, at: LATER });
    expect(tensionOf(again, 1)).toMatchObject({ state: 'rejected', issue: 13, notPlanned: 13 });
    const deleted = tensionOf(
      endFollowUp(LINKED, { issue: 12, end: { kind: 'deleted' }, at: LATER }),
      1,
    );
    expect(deleted).toMatchObject({ state: 'open' });
    expect(deleted).not.toHaveProperty('issue');
  });

  test('one that was rejected before its issue was closed keeps its reason, and gets another issue', () => {
    const why = { ...TOM, why: 'too late' };
    const rejected = bookOf(rejectTension(LINKED, 1, why));
    expect(tensionOf(bookOf(acceptTension(rejected, 1, TOM)), 1)).toMatchObject({ issue: 12 });
    const end = { kind: 'not-planned', by: 'ana' } as const;
    const ended = endFollowUp(rejected, { issue: 12, end, at: LATER });
    expect(tensionOf(ended, 1)).toMatchObject({ state: 'rejected', why: 'too late', issue: 12 });
    const taken = tensionOf(bookOf(acceptTension(ended, 1, TOM)), 1);
    expect(taken).toMatchObject({ state: 'accepted', notPlanned: 12 });
    expect(taken).not.toHaveProperty('issue');
    const merged = { kind: 'merged', sha: 'abc' } as const;
    expect(endFollowUp(rejected, { issue: 12, end: merged, at: LATER })).toBe(rejected);
  });

  test('a book of an earlier version tells the end of an issue in its reason', () => {
    const why = '#12 was closed as not planned';
    const rejected = bookOf(rejectTension(LINKED, 1, { ...TOM, why }));
    const taken = tensionOf(bookOf(acceptTension(rejected, 1, TOM)), 1);
    expect(taken).toMatchObject({ notPlanned: 12 });
    expect(taken).not.toHaveProperty('issue');
  });

  test('an issue of no tension changes nothing', () => {
    expect(endFollowUp(LINKED, { issue: 99, end: { kind: 'deleted' }, at: LATER })).toBe(LINKED);
  });
});

describe('lines that are gone', () => {
  const gone = (book: TensionBook, texts: Record<string, string>, paths = ['src/cart.ts']) =>
    closeGone(book, { sha: 'abc', at: LATER, viewed: { paths, texts } });

  test.each([
    ['moved down', { 'src/cart.ts': `\n\n\n${CODE}` }, 'open'],
    ['indented', { 'src/cart.ts': CODE.replace('const price', '    const price') }, 'open'],
    ['changed', { 'src/cart.ts': CODE.replace('order.price', 'body.price') }, 'closed'],
    ['not in view', {}, 'open'],
  ])('%s', (_, texts, state) => {
    expect(stateOf(gone(OPEN, texts).book)).toBe(state);
  });

  test('a deleted file closes it, and the head is named', () => {
    const { book, closed } = gone(OPEN, {}, []);
    expect(closed.map(({ number }) => number)).toEqual([1]);
    expect(tensionOf(book, 1)?.closedBy).toEqual({ kind: 'lines-gone', sha: 'abc' });
  });

  test('a renamed file does not', () => {
    const renamed = followRenames(OPEN, { 'src/cart.ts': 'src/basket.ts' });
    expect(tensionOf(renamed, 1)?.refs).toEqual([{ path: 'src/basket.ts', line: 2 }]);
    expect(stateOf(gone(renamed, { 'src/basket.ts': CODE }, ['src/basket.ts']).book)).toBe('open');
    const moved = {
      ...AGAIN,
      message: AGAIN.message.replace('cart', 'basket'),
      refs: [{ path: 'src/basket.ts', line: 2 }],
    };
    expect(raise(renamed, moved).outcome).toBe('repeated');
  });

  test('a rejected one stays silent over a rename', () => {
    const renamed = followRenames(REJECTED, { 'src/cart.ts': 'src/basket.ts' });
    const moved = {
      ...AGAIN,
      message: AGAIN.message.replace('cart', 'basket'),
      refs: [{ path: 'src/basket.ts', line: 2 }],
    };
    const viewed = { texts: { 'src/basket.ts': CODE } };
    expect(raiseTension(renamed, moved, { at: LATER, viewed }).outcome).toBe('silent');
  });

  test('what people accepted, and what cites no place, stays', () => {
    expect(stateOf(gone(LINKED, {}, []).book)).toBe('accepted');
    const process = raise(
      NO_TENSIONS,
      anInsight({ message: 'It was asked twice.', refs: [] }),
    ).book;
    expect(stateOf(gone(process, {}, []).book)).toBe('open');
  });

  test('a brace is no evidence: its file has to go', () => {
    const brace = raise(
      NO_TENSIONS,
      anInsight({ message: '`src/cart.ts:1` is odd.', refs: [{ path: 'src/cart.ts', line: 1 }] }),
      { text: '}\n' },
    ).book;
    expect(stateOf(gone(brace, { 'src/cart.ts': 'other\n' }).book)).toBe('open');
  });
});

describe('alike', () => {
  const refs = [{ path: 'src/a.ts' }];
  test.each([
    [
      'The parser in `src/a.ts` swallows errors of the reader.',
      'Errors of the reader are swallowed by the parser in `src/a.ts`.',
      true,
    ],
    [
      '`src/a.ts:3` parses dates with dayjs, `src/b.ts` with moment.',
      'There are two date libraries, dayjs in `src/a.ts` and moment.',
      true,
    ],
    ['Tasks 1, 2 and 4 all changed `src/a.ts`.', 'Tasks 2, 5 and 6 all changed `src/a.ts`.', true],
    [
      'The parser in `src/a.ts` swallows errors of the reader.',
      '`src/a.ts` logs the address of the customer.',
      false,
    ],
    [
      'No test covers the empty list in `src/a.ts`.',
      '`src/a.ts` opens a file and never closes it.',
      false,
    ],
  ])('%j and %j: %j', (one, other, expected) => {
    const [a, b] = [one, other].map((message) => anInsight({ message, refs }));
    if (a === undefined || b === undefined) return;
    expect(findSame(a, [b]) !== undefined).toBe(expected);
    expect(findSame(b, [a]) !== undefined).toBe(expected);
  });
});

const word = fc.constantFrom(
  'parser',
  'price',
  'leak',
  'cache',
  'retry',
  'order',
  'basket',
  'reader',
  'date',
  'error',
);
const insights = fc.array(
  fc.record({
    words: fc.array(word, { minLength: 3, maxLength: 6 }),
    run: fc.nat(5),
    path: fc.constantFrom('a.ts', 'b.ts'),
    act: fc.constantFrom('none', 'accept', 'reject'),
  }),
  { maxLength: 25 },
);

test('numbers are unique and never used again, a rejected one is not touched by a run, and nobody opens a twin', () => {
  fc.assert(
    fc.property(insights, (all) => {
      let book = NO_TENSIONS;
      for (const { words, run, path, act } of all) {
        const before = book;
        const insight = anInsight({
          run: `run-${run}`,
          message: words.join(' '),
          refs: [{ path }],
        });
        const twin = findSame(insight, before.tensions.filter(isUnsettled));
        const raised = raiseTension(before, insight, { at: AT, viewed: {} });
        expect(raised.outcome === 'repeated').toBe(twin !== undefined);
        for (const old of before.tensions)
          if (!isUnsettled(old)) expect(tensionOf(raised.book, old.number)).toEqual(old);
        book = raised.book;
        const { number } = raised.tension;
        if (act === 'accept') book = bookOf(acceptTension(book, number, TOM));
        if (act === 'reject') book = bookOf(rejectTension(book, number, { ...TOM, why: 'x' }));
      }
      const numbers = book.tensions.map(({ number }) => number);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(Math.max(0, ...numbers)).toBeLessThan(book.next);
    }),
  );
});
