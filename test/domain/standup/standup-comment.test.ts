/** The comment of a standup, and the boxes that people tick in it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noTension } from '../../../src/domain/standup/standup-answer.ts';
import {
  noTensionLine,
  renderStandup,
  type StandupView,
} from '../../../src/domain/standup/standup-comment.ts';
import { readTicks } from '../../../src/domain/standup/ticks.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { anInsight, COST } from './some-insights.ts';

const quiet = (handle: string) => noTension({ run: 'run-1', persona: aPersona({ handle }) }, COST);
const RISK = anInsight({ to: 'carlos' });
const DRIFT = anInsight({
  from: 'carlos',
  type: 'drift',
  message: 'Two homes.',
  refs: [],
  actionable: false,
});
const DATES = anInsight({
  from: 'priya',
  type: 'pattern',
  message: 'Three date formats.',
  refs: [],
});

function aView(over: Partial<StandupView> = {}): StandupView {
  return {
    run: 'run-1',
    insights: [DRIFT, RISK, quiet('dev'), quiet('sasha')],
    names: { maya: 'Maya', carlos: 'Carlos', priya: 'Priya', dev: 'Dev', sasha: 'Sasha' },
    headSha: 'abcdef1234567890',
    cost: { usd: 0.0123, isPartlyUnknown: false },
    ms: 4_200,
    isOffline: false,
    ...over,
  };
}
const body = (over: Partial<StandupView> = {}) => renderStandup(aView(over)) ?? '';

test('insights first, what can be acted on before the rest, the quiet ones in one line', () => {
  expect(body()).toBe(
    [
      '### Standup',
      `🟠 \`risk\` **Maya** to **Carlos**: \`src/cart.ts:12\` trusts the price that the browser sends.\n- [ ] Make this a follow-up issue (\`${RISK.id}\`)`,
      '`drift` **Carlos**: Two homes.',
      '<sub>No tension: Dev, Sasha · $0.0123 · 4.2 s · run `run-1`</sub>',
    ].join('\n\n'),
  );
});

test('who gave no answer and what was invented is said', () => {
  const text = body({
    skipped: [{ handle: 'priya', why: 'answer not readable' }],
    invented: 2,
    isOffline: true,
  });
  expect(text).toContain('No answer: Priya (answer not readable)');
  expect(text).toContain('2 insights dropped for citing what does not exist at `abcdef1`');
  expect(text).toContain('offline rules, no model');
});

test.each([
  [{ kind: 'issue', number: 12 } as const, '- Follow-up: #12'],
  [{ kind: 'waits', why: '#4, #5 and #6 are open' } as const, '- Waits: #4, #5 and #6 are open'],
  [{ kind: 'rejected', by: 'tom' } as const, '- Rejected by `tom`'],
  [{ kind: 'repeats', number: 3, seen: 4 } as const, '- Repeats tension 3, seen 4 times'],
])('what became of it: %j', (followUp, line) => {
  expect(body({ ticked: new Set([RISK.id]), followUps: { [RISK.id]: followUp } })).toContain(
    `- [x] Make this a follow-up issue (\`${RISK.id}\`)\n${line}\n`,
  );
});

test('whom people hardly ever agreed with comes last, without a box', () => {
  const text = body({ insights: [RISK, DATES], demoted: ['maya'] });
  expect(text.indexOf('Three date formats.')).toBeLessThan(text.indexOf('trusts the price'));
  expect(text).toContain('`risk` **Maya** to **Carlos**');
  expect(text).not.toContain(RISK.id);
  expect(text.match(/🟠/g)?.length).toBe(1);
});

test('nobody has a tension: no comment, and a line for the plan', () => {
  const insights = [quiet('dev'), quiet('maya')];
  expect(renderStandup(aView({ insights }))).toBeUndefined();
  expect(noTensionLine(aView({ insights }))).toBe('Standup: no tension (2 participants).');
  expect(
    noTensionLine(
      aView({ insights: [quiet('dev')], invented: 1, skipped: [{ handle: 'maya', why: 'x' }] }),
    ),
  ).toBe(
    'Standup: no tension (1 participant); 1 without an answer; 1 insight dropped for citing what does not exist.',
  );
});

describe('boxes', () => {
  const insights = [RISK, DATES, DRIFT];
  const stored = body({ insights });
  const both = body({ insights, ticked: new Set([RISK.id, DATES.id]) });
  const one = body({ insights, ticked: new Set([RISK.id]) });

  test.each([
    ['nothing', stored, stored, [], []],
    ['one', stored, one, [RISK.id], []],
    ['several', stored, both, [RISK.id, DATES.id], []],
    ['a further one', one, both, [DATES.id], []],
    ['one taken back', both, one, [], [DATES.id]],
    ['a large X', stored, one.replace('[x]', '[X]'), [RISK.id], []],
    ['x made X', one, one.replace('[x]', '[X]'), [], []],
    ['other line ends', stored, one.replaceAll('\n', '\r\n'), [RISK.id], []],
    ['blanks at the end', stored, `${one}\n\n`, [RISK.id], []],
  ])('%s', (...[, before, after, ticked, unticked]) => {
    expect(readTicks(before, after)).toEqual({ kind: 'boxes', ticked, unticked });
  });

  test.each([
    [
      'a box that was edited in',
      one.replace('### Standup', '### Standup\n- [x] Make this a follow-up issue (`0123456789`)'),
    ],
    [
      'a box in the place of a line',
      one.replace(
        '`drift` **Carlos**: Two homes.',
        '- [x] Make this a follow-up issue (`0123456789`)',
      ),
    ],
    ['another id', one.replace(RISK.id, DATES.id)],
    ['boxes that changed their places', swap(both, RISK.id, DATES.id)],
    ['another message', one.replace('trusts the price', 'doubts the price')],
    ['another text of the box', one.replace('Make this', 'Do make this')],
    ['a word behind the box', one.replace(`(\`${RISK.id}\`)`, `(\`${RISK.id}\`) now`)],
    ['an invisible character', one.replace('Standup', 'Stand\u200bup')],
    ['a line less', one.replace('\n\n`drift` **Carlos**: Two homes.', '')],
    ['no box', one.replace('- [x] ', '- ')],
    ['another sign in the box', one.replace('[x]', '[o]')],
    ['a line at the end', `${one}\nmore`],
    ['nothing left', ''],
  ])('no box counts with %s', (_, after) => {
    expect(readTicks(stored, after)).toMatchObject({ kind: 'edited' });
  });

  test('exactly the boxes that were ticked, whichever they are', () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      anInsight({ message: `Thing ${index} leaks.`, refs: [] }),
    );
    const set = fc.subarray(many.map(({ id }) => id)).map((ids) => new Set(ids));
    fc.assert(
      fc.property(set, set, (before, after) => {
        const [was, is] = [before, after].map((ticked) => body({ insights: many, ticked }));
        expect(readTicks(was ?? '', is ?? '')).toEqual({
          kind: 'boxes',
          ticked: many.map(({ id }) => id).filter((id) => after.has(id) && !before.has(id)),
          unticked: many.map(({ id }) => id).filter((id) => before.has(id) && !after.has(id)),
        });
      }),
    );
  });

  test('one character anywhere but in a box is an edit', () => {
    const inBox = [...stored.matchAll(/\[( )\]/g)].map(({ index }) => index + 1);
    fc.assert(
      fc.property(fc.nat(stored.length - 1), fc.constantFrom('x', 'q', '#', '`'), (at, sign) => {
        if (inBox.includes(at) || stored[at] === sign) return;
        const after = `${stored.slice(0, at)}${sign}${stored.slice(at + 1)}`;
        expect(readTicks(stored, after).kind).toBe('edited');
      }),
    );
  });
});

function swap(text: string, a: string, b: string): string {
  return text.replace(a, '@@').replace(b, a).replace('@@', b);
}
