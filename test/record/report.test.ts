/** What a thread took: the report's figures, tips and words. */
import { describe, expect, test } from 'vitest';
import type { EventData } from '../../src/domain/event/event.ts';
import type { Exchange } from '../../src/domain/task/exchange.ts';
import { reportFigures, type ReportFigures } from '../../src/record/report/figures.ts';
import { renderReport } from '../../src/record/report/render-report.ts';
import { tipsFor } from '../../src/record/report/tips.ts';
import { verifies } from '../verifies.ts';
import {
  aCall,
  ANA,
  anEffect,
  aRecord,
  aStream,
  done,
  RUN,
  TASK_KEY,
  THREAD_KEY,
} from './a-record.ts';

const RULES = { repository: 'acme/shop' };
const NOTHING = reportFigures(aRecord());

const EXCHANGE: Exchange = {
  question: 'Which order?',
  answer: 'Ascending',
  source: 'src/b.ts:12',
  isEscalated: false,
};

/** So many questions that the PM answered. */
function questions(count: number): ReportFigures['exchanges'] {
  return Array.from({ length: count }, () => ({ ...EXCHANGE, task: 1 }));
}

function coded(exchanges: readonly Exchange[] = []) {
  return done('code', { report: { turns: 5, calls: [] }, files: [], exchanges });
}

describe('figures', () => {
  test('count tools, sessions of the Coder, questions, and calls that failed', () => {
    const looked = ['read_file {"path":"a"}', 'read_file {"path":"b"}', 'search {"q":"c"}'];
    const thread = aStream(THREAD_KEY, [done('propose', { word: {}, looked, calls: [] })], {
      calls: [aCall(), aCall({ id: 'c2', outcome: 'timed-out' })],
    });
    const task = aStream(TASK_KEY, [coded([EXCHANGE]), coded()], { from: 5 });
    expect(reportFigures(aRecord(thread, task))).toMatchObject({
      tools: [
        { name: 'read_file', uses: 2 },
        { name: 'search', uses: 1 },
      ],
      coderTurns: 10,
      sessions: [{ task: 1, count: 2 }],
      exchanges: [{ ...EXCHANGE, task: 1 }],
      failedCalls: 1,
      costs: [{ role: 'contributor', calls: 2 }],
    });
  });

  test('count who had nothing to add, and what that cost; the lead alone is no vote', () => {
    const ask = (id: string, value: unknown) => done('ask', { value }, `${RUN}/${id}-ask`);
    const effect = (id: string, purpose: string) =>
      anEffect(`${RUN}/${id}-ask`, { kind: 'ask', persona: 'maya', purpose });
    const stream = aStream(
      THREAD_KEY,
      [ask('1', { skip: true }), ask('2', { position: { skip: false } }), ask('3', { skip: true })],
      {
        effects: [effect('1', 'position'), effect('2', 'position'), effect('3', 'lead-alone')],
        calls: [aCall(), aCall({ id: 'c2' }), aCall({ id: 'c3', role: 'lead' })],
      },
    );
    expect(reportFigures(aRecord(stream)).voices).toEqual([
      { persona: 'maya', asked: 2, silent: 1, usd: 0.04 },
    ]);
  });

  test('tell which model replaced which', () => {
    const insteadOf = { name: 'strong', code: 'model-unreachable' } as const;
    const stream = aStream(THREAD_KEY, [], {
      calls: [aCall({ insteadOf }), aCall({ id: 'c2', insteadOf }), aCall({ id: 'c3' })],
    });
    expect(reportFigures(aRecord(stream)).standIns).toEqual([
      { ...insteadOf, answeredBy: 'claude-x', calls: 2 },
    ]);
  });
});

test('what a person answered after the session that asked is behind the scenes, once', () => {
  const asked = { outcome: 'asked', question: 'How loud?', turns: 2, calls: [] };
  const word = (answer?: string): EventData =>
    ({ kind: 'task-word', run: RUN, word: 'again', by: ANA, why: '', answer }) as EventData;
  const task = aStream(TASK_KEY, [
    word('before any question'),
    done('code', { report: asked, files: [], exchanges: [EXCHANGE] }),
    word('High'),
    word('Higher'),
  ]);
  expect(reportFigures(aRecord(task)).exchanges).toEqual([
    { ...EXCHANGE, task: 1 },
    { task: 1, question: 'How loud?', answer: 'High', source: 'ana', isEscalated: true },
  ]);
});

test('a correction by a person is shown with the answer, and the last one holds', () => {
  const correct = (id: string, text: string, question?: string) =>
    anEffect(id, {
      kind: 'remember',
      change: { kind: 'add', corrects: { number: 1, by: 'ana', text, question } },
    });
  const written = (id: string, entries: readonly object[] = [{}]): EventData =>
    done('remember', { entries, removed: [], refused: [] }, id);
  const told = (...events: readonly EventData[]): string =>
    renderReport(
      reportFigures(
        aRecord(
          aStream(THREAD_KEY, events, {
            effects: [
              correct('a', 'Descending', EXCHANGE.question),
              correct('b', 'By date'),
              correct('c', 'Of another question', 'Which flag?'),
            ],
          }),
          aStream(TASK_KEY, [coded([EXCHANGE])], { from: 9 }),
        ),
      ),
      RULES,
    );
  expect(told(written('a'), written('b'))).toContain(
    '1. Task 1: Which order? **The PM**: Ascending (source: src/b.ts:12). **Corrected by `ana`**, in memory: By date',
  );
  expect(told(written('a'), written('c'))).toContain('in memory: Descending');
  expect(told(written('c'))).toContain('. Not in memory when this was written.');
  expect(told(written('a', []))).toContain('. Not in memory when this was written.');
  expect(told()).toContain('. Not in memory when this was written.');
  expect(told()).toContain(
    '\n\nThe team may still propose answers that are not in memory. Later, `/pm report` shows',
  );
  expect(told(written('b'))).not.toContain('may still propose');
});

test('answers are numbered in their order, so that a later one changes no number', () => {
  const first = aStream(TASK_KEY, [coded([EXCHANGE])], { from: 5 });
  const second = aStream('task:7/12-2', [coded([{ ...EXCHANGE, question: 'Which flag?' }])]);
  expect(reportFigures(aRecord(first, second)).exchanges.map(({ task }) => task)).toEqual([2, 1]);
});

describe('an answer that people kept in the files of roles', () => {
  const append = { op: 'append', file: 'pm', category: 'project', text: 'Rows ascend' };
  const replace = { op: 'replace', file: 'pm', old: 'a', text: 'b' };
  const opened = (operations: readonly object[], result: object) =>
    renderReport(
      reportFigures(
        aRecord(
          aStream(TASK_KEY, [coded([EXCHANGE])]),
          aStream('thread:7/14', [done('open-roles', { refused: [], ...result })], {
            from: 5,
            effects: [anEffect(`${RUN}/1-open-roles`, { kind: 'open-roles', operations })],
          }),
        ),
      ),
      RULES,
    );
  const pull = { number: 4, url: '' };
  const { question } = EXCHANGE;

  test('is in memory with the pull request that adds it', () => {
    expect(opened([{ ...append, question }], { pull })).toContain('. In memory once #4 is merged.');
    expect(opened([{ ...replace, question }], { pull })).toContain(
      '. In memory once #4 is merged.',
    );
  });

  test.each([
    ['nothing was to be changed', [{ ...append, question }], {}],
    ['it is about another question', [{ ...append, question: 'Which flag?' }], { pull }],
    ['it is about no question', [append], { pull }],
    ['a replacement did not fit', [{ ...replace, question }], { pull, refused: ['gone'] }],
  ])('is not in memory where %s', (_, operations, result) => {
    expect(opened(operations, result)).toContain('. Not in memory when this was written.');
  });
});

describe('tips', () => {
  const tips = (over: Partial<ReportFigures>): string[] => tipsFor({ ...NOTHING, ...over });
  const costs = (...calls: Parameters<typeof aCall>): ReportFigures['costs'] =>
    reportFigures(aRecord(aStream(THREAD_KEY, [], { calls: calls.map((more) => aCall(more)) })))
      .costs;
  const usage = { inputTokens: 1000, outputTokens: 0, cacheReadTokens: 500, cacheWriteTokens: 0 };

  test('are empty without a figure', () => {
    expect(tips({})).toEqual([]);
  });

  /** What fires a rule, and what stays just below its threshold. */
  const cases: [string, RegExp, Partial<ReportFigures>, Partial<ReportFigures>][] = [
    [
      'one model that caused 60 % of the cost',
      /^`claude-y` caused 60 % of the cost \(\$0\.06\)/,
      {
        costs: [
          ...costs({ model: 'claude-y', costUsd: 0.06, usage }),
          ...costs({ costUsd: 0.04, usage }),
        ],
      },
      {
        costs: [
          ...costs({ model: 'claude-y', costUsd: 0.059, usage }),
          ...costs({ costUsd: 0.041, usage }),
        ],
      },
    ],
    [
      'three sessions for one task',
      /^The Coder needed 3 sessions for task 2/,
      { sessions: [{ task: 2, count: 3 }] },
      { sessions: [{ task: 2, count: 2 }] },
    ],
    [
      'three questions',
      /^The Coder asked 3 questions/,
      { exchanges: questions(3) },
      { exchanges: questions(2) },
    ],
    [
      'a voice that never had anything to add',
      /^`maya` was asked 3 times and had nothing to add, for \$0\.05/,
      { voices: [{ persona: 'maya', asked: 3, silent: 3, usd: 0.05 }] },
      { voices: [{ persona: 'maya', asked: 4, silent: 3, usd: 0.05 }] },
    ],
    [
      'input that no cache gave',
      /^Only 19 % of the input tokens came from a cache/,
      {
        costs: costs({
          role: 'pm',
          costUsd: 0.05,
          usage: { ...usage, inputTokens: 81_000, cacheReadTokens: 19_000 },
        }),
      },
      {
        costs: costs({
          role: 'pm',
          costUsd: 0.05,
          usage: { ...usage, inputTokens: 80_000, cacheReadTokens: 20_000 },
        }),
      },
    ],
    [
      'large prompts of the team',
      /^A call of the team read 30,000 tokens on average/,
      { costs: costs({ costUsd: 0.05, usage: { ...usage, inputTokens: 29_500 } }) },
      { costs: costs({ costUsd: 0.05, usage: { ...usage, inputTokens: 29_499 } }) },
    ],
    ['three failed calls', /^3 calls of models failed/, { failedCalls: 3 }, { failedCalls: 2 }],
  ];

  test.each(cases)('%s gives a tip, and a little less gives none', (_, ...[text, over, below]) => {
    expect(tips(over)).toEqual([expect.stringMatching(text)]);
    expect(tips(below)).toEqual([]);
  });

  test('at most three are given, the dearest first', () => {
    const given = tips({
      sessions: [{ task: 2, count: 3 }],
      exchanges: questions(3),
      voices: [{ persona: 'maya', asked: 3, silent: 3, usd: 0.05 }],
      failedCalls: 3,
    });
    expect(given).toHaveLength(3);
    expect(given[0]).toMatch(/^`maya`/);
  });
});

describe('words', () => {
  test('say how little there was', () => {
    expect(renderReport(NOTHING, RULES)).toBe(
      [
        '- Calls of models: 0, 0 tokens, $0',
        '- Tools of the PM: 0',
        '- Sessions of the Coder: 0',
        '',
        'No model was called.',
      ].join('\n'),
    );
  });

  test('sum calls, tokens, cost, tools and turns, and show them by role and model', () => {
    const looked = ['read_file {"path":"a"}', 'read_file {"path":"b"}', 'search {"q":"c"}'];
    const thread = aStream(THREAD_KEY, [done('propose', { word: {}, looked, calls: [] })], {
      calls: [aCall(), aCall({ id: 'c2', role: 'pm', model: 'claude-y', costUsd: undefined })],
    });
    const text = renderReport(
      reportFigures(aRecord(thread, aStream(TASK_KEY, [coded(), coded()], { from: 5 }))),
      RULES,
    );
    expect(text).toContain(
      [
        '- Calls of models: 2, 3,400 tokens, $0.02 and an unknown part',
        '- Tools of the PM: 3 (`read_file` 2, `search` 1)',
        '- Sessions of the Coder: 2, 10 turns',
      ].join('\n'),
    );
    expect(text).toContain('| team | `claude-x` | 1 | 1,500 | 500 | 200 | $0.02 |');
    expect(text).toContain('| PM | `claude-y` | 1 | 1,500 | 500 | 200 | $0 and an unknown part |');
  });

  test('number what happened behind the scenes, with answer and source, and defuse it', () => {
    const figures = reportFigures(
      aRecord(
        aStream(TASK_KEY, [
          coded([
            { ...EXCHANGE, question: 'Ask @ben?' },
            { ...EXCHANGE, isEscalated: true, source: 'ana' },
          ]),
        ]),
      ),
    );
    expect(renderReport(figures, RULES)).toContain(
      [
        '**Behind the scenes**',
        '',
        '1. Task 1: Ask `@ben`? **The PM**: Ascending (source: src/b.ts:12). Not in memory when this was written.',
        '2. Task 1: Which order? **A person**: Ascending (source: ana). Not in memory when this was written.',
      ].join('\n'),
    );
  });

  test('tell of answers that are not in memory where all of those are left out', () => {
    const last = { ...EXCHANGE, question: 'Which flag?' };
    const exchanges = [...Array.from({ length: 20 }, () => EXCHANGE), last];
    const figures = reportFigures(aRecord(aStream(TASK_KEY, [coded(exchanges)])));
    const keptAnswers = [{ question: EXCHANGE.question, pull: 7 }];
    const told = renderReport({ ...figures, keptAnswers }, RULES);
    expect(told).not.toContain('Not in memory when this was written.');
    expect(told).toContain('\nand 1 more\n\nThe team may still propose answers');
  });

  verifies('CB-14', 'name model switches and models that replaced others', () => {
    const switches = [{ model: 'opus', by: 'ana', at: '2026-03-02T09:00:00Z', commentId: 1 }];
    const standIns = [
      { name: 'strong', code: 'model-unreachable' as const, answeredBy: 'small', calls: 2 },
    ];
    const text = renderReport({ ...NOTHING, switches, standIns }, RULES);
    expect(text).toContain('- 2026-03-02 09:00 UTC: to `opus`, by `ana`');
    expect(text).toContain('- `small` answered 2 times instead of `strong` (`model-unreachable`)');
  });
});
