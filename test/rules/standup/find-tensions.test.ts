/** Rules of a standup: each planted tension is found, a clean run has none, and nothing is invented. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aPersona } from '../../helpers/a-persona.ts';
import { aRecord, aRecordTask, records } from '../../domain/standup/some-record.ts';
import { dropInventions, type Viewed } from '../../../src/domain/standup/inventions.ts';
import { readAnswer } from '../../../src/domain/standup/standup-answer.ts';
import { formatMs } from '../../../src/domain/standup/look-back/estimates.ts';
import { recordTexts, type StandupRecord } from '../../../src/domain/standup/look-back/record.ts';
import { answerOf, findTensions } from '../../../src/rules/standup/find-tensions.ts';
import { loadPersonas } from '../../../src/index.ts';

const { personas } = await loadPersonas();
const named = (handle: string) =>
  personas.find((each) => each.handle === handle) ?? aPersona({ handle });
const TEAM = ['sasha', 'dev', 'maya', 'carlos', 'priya'].map(named);
const VIEW: Viewed = {
  paths: ['src/cart.ts', 'src/price.ts', 'test/cart.test.ts', 'README.md'],
  texts: { 'src/cart.ts': 'one\ntwo\n// TODO: close it\nfour\n', 'src/price.ts': 'a\n' },
};
const find = (record: StandupRecord) => findTensions({ record, viewed: VIEW }, TEAM);

const GATE = {
  task: 2,
  gate: '2' as const,
  name: 'tests',
  attempts: 3,
  failed: 2,
  passed: true,
  ms: 9_000,
  why: '1 of 12 tests failed.',
};
const ASKED = {
  task: 2,
  persona: 'dev',
  question: 'Which rounding should prices use?',
  answer: 'Round half to even, as banks do.',
  source: 'ana',
  isEscalated: true,
};

const TABLE: [string, Partial<StandupRecord>, string, string][] = [
  [
    'a gate that needed three attempts',
    { gates: [GATE] },
    'retried-gate',
    'Gate 2 (tests) of task 2 failed 2 times before it passed. The last time it said: "1 of 12 tests failed."',
  ],
  [
    'a gate that never passed',
    { gates: [{ ...GATE, failed: 3, passed: false, why: '' }] },
    'retried-gate',
    'Gate 2 (tests) of task 2 failed 3 times and never passed.',
  ],
  [
    'a test that takes most of the time',
    {
      tests: [
        { task: 2, name: 'test/cart.test.ts', ms: 8_000, gateMs: 9_500 },
        { task: 2, name: 'x', ms: 5, gateMs: 9_500 },
      ],
    },
    'slow-test',
    '`test/cart.test.ts` takes 8 s of the 9.5 s that the tests of task 2 take.',
  ],
  [
    'a test that is no file',
    { tests: [{ task: 2, name: 'reads it all', ms: 8_000, gateMs: 9_500 }] },
    'slow-test',
    'The test "reads it all" takes 8 s of the 9.5 s that the tests of task 2 take.',
  ],
  [
    'a file that three tasks touched',
    { files: [{ path: 'src/cart.ts', tasks: [1, 2, 4] }] },
    'crowded-file',
    'Tasks 1, 2 and 4 all changed `src/cart.ts`.',
  ],
  [
    'a question that the plan answers',
    { planText: '## Context\n\nBanks round half to even; prices do too.\n', questions: [ASKED] },
    'answered-question',
    'Task 2 asked a person: "Which rounding should prices use?" The plan has the answer: "Banks round half to even; prices do too."',
  ],
  [
    'a question that a named file answers',
    {
      tasks: [aRecordTask({ planned: ['src/price.ts'] })],
      questions: [{ ...ASKED, source: 'src/price.ts:1', isEscalated: false }],
    },
    'answered-question',
    'Task 2 asked the PM: "Which rounding should prices use?" The answer is in `src/price.ts:1`, which the plan names.',
  ],
  [
    'an estimate that was passed',
    { tasks: [aRecordTask({ workMs: 2_400_000 })] },
    'passed-estimate',
    'Task 2 was estimated at `5-10 min` and took 40 min of work.',
  ],
  [
    'a review that was overruled',
    {
      overruled: [
        {
          task: 2,
          voices: ['maya', 'carlos'],
          by: 'tom',
          what: 'Close the file',
          why: 'We trust it',
          path: 'src/cart.ts',
          line: 3,
        },
      ],
    },
    'overruled-review',
    '`tom` went on with task 2 without what maya and carlos asked for at `src/cart.ts:3`: "Close the file". The reason: "We trust it".',
  ],
  [
    'a TODO, at its line of the head',
    {
      todos: [
        { task: 2, persona: 'dev', path: 'src/cart.ts', line: 40, text: '// TODO: close it' },
      ],
    },
    'todo-left',
    'Task 2 left `src/cart.ts:3` for later: "// TODO: close it".',
  ],
];

const PLANTED = TABLE.map(([title, over, lens, message]) => ({ title, over, lens, message }));

describe('planted', () => {
  test.each(PLANTED)('$title', ({ over, lens, message }) => {
    expect(find(aRecord(over)).map((told) => [told.lens, told.message])).toEqual([[lens, message]]);
  });

  test.each(PLANTED)('$title, as an answer, stays word for word', ({ over, message }) => {
    const record = aRecord(over);
    const told = find(record);
    const from = told[0]?.from ?? '';
    const answer = readAnswer(answerOf(told, from), {
      run: 'run-1',
      persona: named(from),
      team: TEAM.map(({ handle }) => handle),
      limits: { maxInsights: 3, maxWords: 200 },
      rules: { repository: 'acme/tidy' },
      cost: { model: 'offline', costUsd: 0, tokens: 0, ms: 1 },
    });
    expect(answer?.insights.map((insight) => insight.message)).toEqual([message]);
    const { kept } = dropInventions(answer?.insights ?? [], {
      ...VIEW,
      record: recordTexts(record),
    });
    expect(kept.length).toBe(1);
  });
});

test.each([
  ['nothing happened', {}],
  ['a gate failed once', { gates: [{ ...GATE, attempts: 2, failed: 1 }] }],
  ['a gate was asked three times and always passed', { gates: [{ ...GATE, failed: 0 }] }],
  ['tests are even', { tests: [{ task: 2, name: 'a', ms: 3_000, gateMs: 9_500 }] }],
  ['the slow test is fast', { tests: [{ task: 2, name: 'a', ms: 300, gateMs: 400 }] }],
  [
    'a test took longer than its gate',
    { tests: [{ task: 2, name: 'a', ms: 12_000, gateMs: 9_500 }] },
  ],
  ['two tasks touched a file', { files: [{ path: 'src/cart.ts', tasks: [1, 2] }] }],
  ['three tasks touched the README', { files: [{ path: 'README.md', tasks: [1, 2, 3] }] }],
  ['the file is gone', { files: [{ path: 'src/gone.ts', tasks: [1, 2, 3] }] }],
  ['the plan has half of the answer', { planText: 'Banks have rounding.', questions: [ASKED] }],
  [
    'the plan has all of the answer but what it adds',
    {
      planText: 'Prices in carts and orders have a rounding.',
      questions: [
        {
          ...ASKED,
          question: 'Which rounding should prices in carts and orders use?',
          answer: 'Prices in carts and orders: rounding upwards.',
        },
      ],
    },
  ],
  [
    'the plan has the question only',
    { planText: 'Which rounding should prices use?', questions: [ASKED] },
  ],
  [
    'the answer is in a file that nobody named',
    { questions: [{ ...ASKED, source: 'src/price.ts:1', isEscalated: false }] },
  ],
  ['the estimate held', { tasks: [aRecordTask({ workMs: 620_000 })] }],
  ['the estimate is a size', { tasks: [aRecordTask({ estimate: 'small', workMs: 9e9 })] }],
  [
    'nobody asked for anything',
    { overruled: [{ task: 2, voices: [], by: 'tom', what: 'x', why: '' }] },
  ],
  [
    'the TODO is gone',
    { todos: [{ task: 2, persona: 'dev', path: 'src/price.ts', line: 1, text: '// TODO: x' }] },
  ],
])('no tension: %s', (_, over) => {
  expect(find(aRecord(over))).toEqual([]);
});

describe('whose', () => {
  test.each([
    ['retried-gate', PLANTED[0], 'sasha'],
    ['slow-test', PLANTED[2], 'priya'],
    ['crowded-file', PLANTED[4], 'carlos'],
    ['answered-question', PLANTED[5], 'sasha'],
    ['passed-estimate', PLANTED[7], 'sasha'],
    ['overruled-review', PLANTED[8], 'maya'],
    ['todo-left', PLANTED[9], 'carlos'],
  ])('%s', (_, planted, expected) => {
    expect(find(aRecord(planted?.over))[0]?.from).toBe(expected);
  });

  test('who did it tells it only when nobody else took part', () => {
    const record = aRecord(PLANTED[9]?.over);
    const alone = findTensions({ record, viewed: VIEW }, [named('dev')]);
    expect(alone.map(({ from }) => from)).toEqual(['dev']);
    expect(answerOf(alone, 'dev').insights[0]?.to).toBe('none');
    expect(answerOf(find(record), find(record)[0]?.from ?? '').insights[0]?.to).toBe('dev');
    expect(findTensions({ record, viewed: VIEW }, [])).toEqual([]);
  });
});

test('one lens tells its two worst', () => {
  const gates = [2, 4, 3, 5].map((failed, index) => ({
    ...GATE,
    task: index + 1,
    failed,
    why: '',
  }));
  expect(find(aRecord({ gates })).map(({ weight }) => weight)).toEqual([5, 4]);
});

/** Every number that a record holds, and every duration as it is written. */
function figuresOf(record: StandupRecord): Set<string> {
  const durations = [
    ...record.tests.flatMap(({ ms, gateMs }) => [ms, gateMs]),
    ...record.tasks.map(({ workMs }) => workMs),
  ];
  const all = `${JSON.stringify(record)} ${durations.map(formatMs).join(' ')}`;
  return new Set(all.match(/\d+(?:\.\d+)?/g));
}

test('every figure, path and quote of a message is in the record', () => {
  fc.assert(
    fc.property(records, fc.infiniteStream(fc.boolean()), (record, coin) => {
      const all = [record.files, record.todos, record.overruled].flatMap((each) =>
        each.map(({ path }) => path ?? ''),
      );
      const paths = [...new Set([...all, ...record.tests.map(({ name }) => name)])].filter(
        () => coin.next().value,
      );
      const texts = Object.fromEntries(
        record.todos.map(({ path, line, text }) => [path, `${'x\n'.repeat(line - 1)}  ${text}\n`]),
      );
      const viewed = { paths, texts };
      const figures = figuresOf(record);
      for (const { message, refs, from } of findTensions({ record, viewed }, TEAM)) {
        for (const figure of message.match(/\d+(?:\.\d+)?/g) ?? [])
          expect(figures).toContain(figure);
        for (const { path } of refs) expect(paths).toContain(path);
        for (const [, quote = ''] of message.matchAll(/"([^"]+)"/g))
          expect(
            recordTexts(record).some((text) => text.replaceAll(/\s+/g, ' ').includes(quote)),
          ).toBe(true);
        expect(TEAM.map(({ handle }) => handle)).toContain(from);
      }
    }),
    { numRuns: 150 },
  );
});
