/** The status issue of a week. */
import { describe, expect, test } from 'vitest';
import {
  digestDetails,
  digestFacts,
  digestLine,
  isQuietWeek,
  renderDigest,
  STATUS_TITLE,
  type DigestInput,
} from '../../../src/domain/digest/weekly-digest.ts';
import type { Tension } from '../../../src/domain/tension/tension.ts';
import type { Theme } from '../../../src/domain/standup/trends.ts';
import { anInsight } from '../standup/some-insights.ts';

const EMPTY: DigestInput = {
  from: '2026-11-16',
  to: '2026-11-22',
  done: [],
  merged: [],
  spent: { usd: 0, isPartlyUnknown: false },
  tensions: [],
  themes: [],
  waiting: [],
  failures: [],
};

function aTension(number: number, over: Partial<Tension> = {}): Tension {
  const { from, role, type, message, refs, actionable, id } = anInsight({
    message: `Thing ${number} leaks.`,
  });
  return {
    number,
    state: 'open',
    from,
    role,
    type,
    message,
    refs,
    actionable,
    insights: [id],
    seen: 1,
    firstSeen: '2026-11-20T08:00:00Z',
    lastSeen: '2026-11-20T08:00:00Z',
    lastRun: 'run-1',
    evidence: { digest: '', places: [] },
    ...over,
  };
}
function aTheme(label: string, over: Partial<Theme> = {}): Theme {
  return {
    label,
    count: 3,
    firstSeen: '',
    lastSeen: '',
    isResolved: false,
    isRaised: true,
    insights: [],
    paths: ['src/date.ts'],
    ...over,
  };
}

test('a quiet week is three lines below a title that never changes', () => {
  expect(STATUS_TITLE).toBe('Quorum: status');
  expect(renderDigest(EMPTY)).toBe(
    [
      '## Week of 2026-11-16 to 2026-11-22',
      '0 done, 0 merged, $0.00 spent, 0 open tensions, 0 waiting for a person.',
      '<sub>Quorum writes this issue again each week and keeps no edits. Close it to switch it off.</sub>',
    ].join('\n\n'),
  );
});

test('what needs a person first, then tensions by age, themes, what was done and merged', () => {
  const text = renderDigest({
    ...EMPTY,
    done: [{ number: 4, title: 'Carts' }],
    merged: [{ number: 7, title: 'Task 2: keep `x`' }],
    spent: { usd: 1.234, isPartlyUnknown: true },
    tensions: [
      aTension(2),
      aTension(1, { firstSeen: '2026-11-01T08:00:00Z', seen: 3, state: 'accepted', issue: 12 }),
      aTension(3, { state: 'rejected' }),
      aTension(4, { state: 'closed' }),
    ],
    themes: [aTheme('date library'), aTheme('price', { isRaised: false })],
    waiting: [
      { number: 9, what: '`ana` approves the plan', since: '2026-11-21T00:00:00Z' },
      { number: 8, what: '`tom` answers a question', since: '2026-11-22T00:00:00Z' },
    ],
  });
  expect(text.split('\n').filter((line) => line !== '')).toEqual([
    '## Week of 2026-11-16 to 2026-11-22',
    '1 done, 1 merged, $1.23 and an unknown part spent, 2 open tensions, 2 waiting for a person.',
    '### What needs a person',
    '- #9: `ana` approves the plan (1 day)',
    '- #8: `tom` answers a question (today)',
    '### Open tensions, oldest first',
    '- **1** `risk` Thing 1 leaks. (20 days, seen 3 times, #12)',
    '- **2** `risk` Thing 2 leaks. (1 day, open)',
    '### Seen three times or more',
    '- `date library`: 3 runs, mostly in `src/date.ts`',
    '### Done',
    '- #4 `Carts`',
    '### Merged',
    '- #7 `` Task 2: keep `x` ``',
    expect.stringContaining('<sub>'),
  ]);
});

describe('our own failures', () => {
  test.each([
    [['store was down for 4 min'], 'On our side: `store was down for 4 min`.'],
    [['store was down', 'b', 'c'], 'On our side: `store was down`, and 2 others.'],
  ])('%j is one line', (failures, line) => {
    const text = renderDigest({ ...EMPTY, failures });
    expect(text.split('\n').filter((each) => each.startsWith('On our side'))).toEqual([line]);
  });

  test('a thousand are one line too', () => {
    const failures = Array.from({ length: 1_000 }, (_, index) => `failure ${index}\n- [ ] @ana`);
    expect(renderDigest({ ...EMPTY, failures }).split('\n').length).toBe(
      renderDigest(EMPTY).split('\n').length + 2,
    );
  });
});

describe('what is wrong with the memory', () => {
  test.each([
    [
      { stale: 1, failed: 0 },
      '1 note of the memory expired, was mostly dismissed or cites what is gone, so no run uses it. `/pm memory` lists stale notes.',
    ],
    [
      { stale: 3, failed: 2 },
      '3 notes of the memory expired, were mostly dismissed or cite what is gone, so no run uses them. `/pm memory` lists stale notes. 2 reflections failed and saved no lessons.',
    ],
    [{ stale: 0, failed: 1 }, '1 reflection failed and saved no lessons.'],
    [{ failed: 1 }, '1 reflection failed and saved no lessons.'],
  ])('%j is one line, and a fact', (memory, line) => {
    expect(renderDigest({ ...EMPTY, memory }).split('\n')).toContain(line);
    expect(digestFacts({ ...EMPTY, memory })).not.toBe(digestFacts(EMPTY));
    // Stale notes alone are no reason to write.
    expect(isQuietWeek({ ...EMPTY, memory })).toBe(memory.failed === 0);
  });
});

test('other people\u2019s titles are code, on one line, and mention nobody', () => {
  const text = renderDigest({
    ...EMPTY,
    done: [{ number: 4, title: 'Ping @ana\n- [x] fixes #3 `a`' }],
  });
  expect(text).toContain('- #4 `` Ping @ana - [x] fixes #3 `a` ``');
});

test('a long list is cut, and says so', () => {
  const merged = Array.from({ length: 60 }, (_, index) => ({ number: index + 1, title: 'x' }));
  const text = renderDigest({ ...EMPTY, merged });
  expect(text).toContain('- #20 `x`\n- 40 more');
  expect(text).not.toContain('#21 ');
});

test('the same values give the same bytes, and one line for channels', () => {
  const input = { ...EMPTY, tensions: [aTension(1)] };
  expect(renderDigest(input)).toBe(renderDigest(structuredClone(input)));
  expect(digestLine(input)).toBe(
    '0 done, 0 merged, $0.00 spent, 1 open tension, 0 waiting for a person',
  );
});

describe('what a digest tells', () => {
  test('is nothing where nothing happened and nothing waits', () => {
    expect(isQuietWeek(EMPTY)).toBe(true);
    const settled = [aTension(1, { state: 'closed' })];
    const resolved = [aTheme('date', { isRaised: false })];
    expect(isQuietWeek({ ...EMPTY, tensions: settled, themes: resolved })).toBe(true);
  });

  test('is the same in another week with the same facts', () => {
    const waiting = [{ number: 9, what: 'the plan waits for approval', since: '2026-11-21' }];
    const one = digestFacts({ ...EMPTY, waiting });
    expect(digestFacts({ ...EMPTY, waiting, from: '2026-11-23', to: '2026-11-30' })).toBe(one);
  });

  test.each<[string, Partial<DigestInput>]>([
    ['what was done', { done: [{ number: 4, title: '' }] }],
    ['what was merged', { merged: [{ number: 4, title: '' }] }],
    ['what was spent', { spent: { usd: 0.5, isPartlyUnknown: false } }],
    ['a tension', { tensions: [aTension(1)] }],
    ['a tension that was seen again', { tensions: [aTension(1, { seen: 2 })] }],
    ['a theme', { themes: [aTheme('date library')] }],
    ['who waits', { waiting: [{ number: 1, what: 'x', since: '' }] }],
    ['our own failures', { failures: ['x'] }],
  ])('changes with %s', (_, over) => {
    const before = { ...EMPTY, done: [{ number: 1, title: '' }], tensions: [aTension(9)] };
    expect(digestFacts({ ...before, ...over })).not.toBe(digestFacts(before));
    expect(isQuietWeek({ ...EMPTY, ...over })).toBe(false);
  });

  test('is figures and the first five that wait, in channels', () => {
    const waiting = Array.from({ length: 7 }, (_, n) => ({
      number: n + 1,
      what: 'the plan waits for approval',
      since: EMPTY.to,
    }));
    expect(digestDetails(EMPTY)).toBe(
      '0 done, 0 merged, $0.00 spent, 0 open tensions, 0 waiting for a person.',
    );
    const lines = digestDetails({ ...EMPTY, waiting }).split('\n');
    expect(lines.slice(2)).toEqual([
      ...waiting.slice(0, 5).map(({ number, what }) => `- #${number}: ${what} (today)`),
      '- 2 more',
    ]);
  });
});

test('a number without a known title is listed as it is', () => {
  expect(renderDigest({ ...EMPTY, merged: [{ number: 7, title: '' }] })).toContain('\n- #7\n');
});
