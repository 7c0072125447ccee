/** What becomes of a participant's answer: cleaned, cut, without praise, and malformed where it is. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanOutput } from '../../../src/domain/text/clean-output.ts';
import { cutToWords, readAnswer } from '../../../src/domain/standup/standup-answer.ts';
import { withoutEmptyTalk } from '../../../src/domain/standup/empty-talk.ts';
import { CONTEXT, COST, said } from './some-insights.ts';
import { verifies } from '../../verifies.ts';

const read = (...insights: object[]) => readAnswer({ insights }, CONTEXT);
const messages = (...texts: string[]) =>
  read(...texts.map((text) => said(text)))?.insights.map(({ message }) => message);

describe('shape', () => {
  test('an insight keeps who says what to whom, with its places', () => {
    expect(read(said('`src/cart.ts:12` trusts the price.'))?.insights).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{10}$/),
        run: 'run-1',
        from: 'maya',
        role: 'Security reviewer',
        to: 'carlos',
        type: 'risk',
        message: '`src/cart.ts:12` trusts the price.',
        refs: [{ path: 'src/cart.ts', line: 12 }],
        actionable: true,
        ...COST,
      },
    ]);
  });

  test.each([
    ['no object', 'no tension'],
    ['no list', {}],
    ['an unknown type', { insights: [said('x', { insight_type: 'praise' })] }],
    ['no flag', { insights: [{ to: 'none', insight_type: 'risk', message: 'x' }] }],
    ['undefined', undefined],
  ])('is malformed: %s', (_, value) => {
    expect(readAnswer(value, CONTEXT)).toBeUndefined();
  });

  test.each([
    ['an empty list', []],
    ['type none', [said('No tensions detected.', { insight_type: 'none', to: 'none' })]],
    ['a blank message', [said('  \n ')]],
  ])('no tension: %s', (_, insights) => {
    const answer = readAnswer({ insights }, CONTEXT);
    expect(answer?.insights).toMatchObject([
      { type: 'none', message: '', actionable: false, ...COST },
    ]);
  });

  test.each([
    ['carlos', 'carlos'],
    ['@Carlos', 'carlos'],
    ['none', undefined],
    ['maya', undefined],
    ['stranger', undefined],
  ])('addressed to %j reaches %j', (to, expected) => {
    expect(read(said('It leaks.', { to }))?.insights[0]?.to).toBe(expected);
  });

  test('the cost of an answer is shared by its insights', () => {
    const answer = readAnswer(
      { insights: [said('One leaks.'), said('Two leaks.'), said('Three leaks.')] },
      { ...CONTEXT, cost: { ...COST, tokens: 100 } },
    );
    const insights = answer?.insights ?? [];
    expect(insights.map(({ tokens }) => tokens)).toEqual([34, 33, 33]);
    expect(insights.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0)).toBeCloseTo(0.01, 10);
  });

  test('unknown cost stays unknown', () => {
    const cost = { ...COST, costUsd: undefined };
    expect(
      readAnswer({ insights: [said('It leaks.')] }, { ...CONTEXT, cost })?.insights[0]?.costUsd,
    ).toBe(undefined);
  });
});

describe('limits', () => {
  test('the first three count, and a repetition does not', () => {
    const answer = read(said('A.'), said('A.'), said('B.'), said('C.'), said('D.'));
    expect(answer?.insights.map(({ message }) => message)).toEqual(['A.', 'B.', 'C.']);
    expect(answer?.dropped).toEqual({ repeated: 1, 'over-limit': 1 });
  });

  test('4,000 words become at most 200, to the end of a sentence', () => {
    const sentence = 'The parser reads the file twice and nobody knows why it does. ';
    const [message = ''] = messages(sentence.repeat(330)) ?? [];
    expect(message.split(' ').length).toBeLessThanOrEqual(200);
    expect(message.endsWith('does.')).toBe(true);
  });

  test('words without an end are cut', () => {
    expect(cutToWords('a b c d', 3)).toBe('a b c …');
    expect(cutToWords('a b c', 3)).toBe('a b c');
    expect(cutToWords('a. b c d e f', 4)).toBe('a. b c d …');
  });
});

describe('praise and summaries', () => {
  test.each([
    'Great work everyone!',
    'Kudos to Carlos for the clean design.',
    'I really appreciate how fast this was.',
    'Everything went well.',
    'I implemented the parser and added tests.',
    'All tasks were completed.',
    'In summary, the plan is done.',
    'No tensions detected.',
    'A smooth run. Great teamwork!',
  ])('%j is dropped', (text) => {
    const answer = read(said(text));
    expect(answer?.insights).toMatchObject([{ type: 'none' }]);
    expect(Object.keys(answer?.dropped ?? {})).toEqual([
      expect.stringMatching(/^(?:flattery|summary)$/),
    ]);
  });

  test.each([
    'The tests passed only after a third attempt at gate 2.',
    'All tests pass, but none of them reads an empty file.',
    'Great risk: `src/cart.ts:3` trusts the price.',
    'A good part of `src/a.ts` is copied from `src/b.ts`.',
    'We added a second date library in `src/date.ts:4`; `src/time.ts` has one.',
    'No test covers `src/cart.ts:30`.',
  ])('%j stays', (text) => {
    expect(withoutEmptyTalk(text)).toEqual({ text, removed: [] });
  });

  test('a tension behind praise stays without it', () => {
    expect(messages('Great work! `src/a.ts:3` swallows the error.')).toEqual([
      '`src/a.ts:3` swallows the error.',
    ]);
  });
});

describe('cleaning', () => {
  test.each([
    ['mentions', 'Ask @octocat about `src/a.ts:3`.', 'Ask `@octocat` about `src/a.ts:3`.'],
    ['markup', 'See <img src=x> in `src/a.ts:3`.', 'See &lt;img src=x> in `src/a.ts:3`.'],
    ['foreign links', 'See [this](https://evil.example/x).', 'See this (link removed).'],
    ['lines', 'One.\n\n- [ ] Two.\n', 'One. - [ ] Two.'],
    ['closing words', 'This fixes #12 for good.', 'This `fixes` #12 for good.'],
  ])('%s', (_, text, expected) => {
    expect(messages(text)).toEqual([expected]);
  });

  verifies(
    ['LS-17'],
    'nothing that looks like a key, and no secret of the process, comes through',
    () => {
      const key = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
      const own = ['hush', 'hush', 'sweet', 'value'].join('-');
      const answer = readAnswer(
        { insights: [said(`\`src/a.ts:3\` logs ${key} and ${own}.`)] },
        { ...CONTEXT, secrets: [own] },
      );
      const [insight] = answer?.insights ?? [];
      expect(insight?.message).not.toContain(key.slice(8, 30));
      expect(insight?.message).not.toContain(own);
    },
  );

  test('a secret goes while it has its shape: cleaning would change it', () => {
    const own = ['pass!', 'octocat-9', 'hush'].join('@');
    const answer = readAnswer(
      { insights: [said(`\`src/a.ts:3\` logs it: ${own}.`)] },
      { ...CONTEXT, secrets: [own] },
    );
    expect(answer?.insights[0]?.message).not.toContain('octocat-9');
  });

  test('whatever is said, each message is one line, within its words, and cleaning it again changes nothing', () => {
    const bit = fc.constantFrom(
      '`a',
      '`',
      '<!-- quorum:v1',
      '@maya',
      '\n',
      '- [x] ',
      '#',
      '|',
      'fixes #3',
      '[a](b)',
      '```',
    );
    const text = fc
      .array(fc.oneof(bit, fc.string({ maxLength: 12 })), { maxLength: 30 })
      .map((all) => all.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
        const answer = readAnswer({ insights: texts.map((each) => said(each)) }, CONTEXT);
        expect(answer?.insights.length).toBeGreaterThan(0);
        for (const { message } of answer?.insights ?? []) {
          expect(message).not.toMatch(/[\n\r]/);
          expect(cleanOutput(message, CONTEXT.rules).text).toBe(message);
          expect(message).not.toMatch(/<!--\s*quorum\s*:/i);
          expect(message.split(' ').length).toBeLessThanOrEqual(260);
        }
      }),
    );
  });
});
