/** A thread's journal, made from recorded events. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventData } from '../../src/domain/event/event.ts';
import { projectJournal } from '../../src/record/journal/project-journal.ts';
import { renderJournal } from '../../src/record/journal/render-journal.ts';
import { replaceJournal } from '../../src/record/journal/replace-journal.ts';
import {
  aCall,
  ANA,
  anEffect,
  aRecord,
  aStream,
  done,
  go,
  journalOf,
  OPENED,
  RUN,
  said,
  TASK_KEY,
  THREAD,
  THREAD_KEY,
} from './a-record.ts';

describe('people', () => {
  test('quotes the author of the thread and each comment once', () => {
    const text = journalOf([...said('Smallest first.'), ...said('Smallest first.')]);
    expect(text).toContain('**`ana` opened issue #12**: Sorted rows\n\n> Please sort.\n');
    expect(text.split('> Smallest first.')).toHaveLength(2);
  });

  test('shows a command on one line', () => {
    expect(journalOf(said('/pm approve'))).toContain('**`ana` wrote** `/pm approve`\n');
  });

  test('defuses mentions, closing keywords and links, and removes secrets', () => {
    const secret = ['ghp', 'a1B2'.repeat(9)].join('_');
    const text = journalOf(said(`@ben fixes #3 ${secret} ![x](https://evil.example/x.png)`));
    expect(text).toContain('> `@ben` `fixes` #3');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('evil.example');
  });

  test.each(['Fixes GH-3 now', 'see www.evil.example', '::warning::x'])(
    'defuses what acts without a sign of its own: %s',
    (body) => {
      expect(journalOf(said(body))).not.toContain(`> ${body}`);
    },
  );

  test('leaves automated accounts out', () => {
    expect(journalOf(said('All checks passed.', { isBot: true }))).not.toContain('All checks');
  });

  test('cuts a quote after 2,000 characters and says how many are left out', () => {
    const text = journalOf(said('word '.repeat(1000).trim()));
    expect(text).toContain('(2999 more characters)');
    expect(text.length).toBeLessThan(3000);
  });

  test('no words leave their quote, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string(), fc.constantFrom('# What happened', '```', '<!--', '| a |', '---')),
        ),
        (lines) => {
          const text = journalOf(said(['words', ...lines].join('\n')));
          const [, story = ''] = text.split('## What happened\n');
          const own = /^(?:|>.*|#{2,3} .*|\d\d:\d\d · .*|No model was called\.)$/;
          for (const line of story.split('\n')) expect(line).toMatch(own);
          expect(text.match(/^## /gm)).toHaveLength(2);
        },
      ),
    );
  });
});

describe('approval', () => {
  const work = aStream(TASK_KEY, [go()], { from: 10 });

  test('tells who approved which version, once, when the first task begins', () => {
    const plan = aStream(THREAD_KEY, [OPENED, ...said('/pm approve', { plan: 'a'.repeat(40) })]);
    const second = aStream('task:7/12-2', [go(2)], { from: 11 });
    const journal = projectJournal(aRecord(plan, work, second));
    const approvals = journal.entries.filter(({ kind }) => kind === 'approval');
    expect(approvals.map(({ text }) => text)).toEqual([
      `**\`ana\` approved version \`${'a'.repeat(12)}\` of the plan** by command.`,
    ]);
    expect(journal.approvedBy).toEqual(['ana']);
  });

  test('a command that nothing began on is no approval', () => {
    const text = journalOf(said('/pm approve', { plan: 'a'.repeat(40) }));
    expect(text).not.toContain('approved version');
  });

  test('names a label as the way', () => {
    const trigger = {
      kind: 'labeled',
      thread: THREAD,
      actor: ANA,
      label: 'plan',
      plan: { digest: 'b'.repeat(40), at: '' },
    } as const;
    const plan = aStream(THREAD_KEY, [OPENED, { kind: 'trigger', trigger }]);
    const text = renderJournal(projectJournal(aRecord(plan, work)));
    expect(text).toContain('`bbbbbbbbbbbb` of the plan** by a label.');
  });
});

test('tells of a model that somebody chose, after the words that chose it', () => {
  const switches = [{ model: 'opus', by: 'ana', at: '', commentId: 100 }];
  const text = journalOf(said('/pm opus'), { switches });
  expect(text).toContain('From here on `opus` answers in this thread, chosen by `ana`.');
});

describe('the team', () => {
  const ask = (value: unknown, id: string) => done('ask', { value, calls: [] }, `${RUN}/${id}-ask`);
  const asked = (id: string, more: object) =>
    anEffect(`${RUN}/${id}-ask`, { kind: 'ask', trigger: 'issue_review', ...more });

  test('tells a verdict with each voice and the question to a person', () => {
    const position = { skip: false, vote: 'HUMAN', confidence: 0.75, line: 'Two ways' };
    const verdict = {
      verdict: 'HUMAN',
      headline: 'choose a way',
      reasons: 'Both are possible.',
      question: 'Which one?',
    };
    const effects = [
      asked('1', { persona: 'dev', purpose: 'position' }),
      asked('2', { persona: 'priya', purpose: 'position' }),
      asked('3', { persona: 'carlos', purpose: 'lead-alone' }),
      asked('4', { persona: 'carlos', purpose: 'verdict' }),
    ];
    const events = [
      ask({ position, verdict: null }, '1'),
      ask({ ...position, skip: true }, '2'),
      ask({ ...position, line: 'The lead alone' }, '3'),
      ask(verdict, '4'),
    ];
    const text = journalOf(events, { effects });
    expect(text).toContain(
      [
        '**The team on #12: a person decides**: choose a way',
        '',
        '- `dev`: a person decides (sure 0.8). Two ways',
        '- Nothing to add: `priya`.',
        '- Asked a person: Which one?',
        '',
        '> Both are possible.',
      ].join('\n'),
    );
    expect(text).not.toContain('The lead alone');
  });

  test('tells what the PM read and proposed', () => {
    const word = {
      kind: 'plan',
      plan: { title: 'Sorting', goal: 'Rows are sorted.', tasks: [{ number: 1, title: 'Sort' }] },
      questions: [],
      risks: ['Large files'],
    };
    const text = journalOf([
      done('propose', {
        word,
        looked: ['read_file {"path":"src/a.ts","line":3}', 'search x'],
        calls: [],
      }),
    ]);
    expect(text).toContain('**The PM proposed a plan**: Sorting');
    expect(text).toContain(
      '- Looked: `read_file src/a.ts 3`\n- Looked: `search x`\n- Task 1: Sort\n- Risk: Large files\n\n> Rows are sorted.',
    );
  });
});

describe('work on a task', () => {
  const FILE = { path: 'src/a.ts', change: 'modified', added: 3, removed: 1 };
  const REPORT = {
    outcome: 'done',
    summary: 'Sorts.',
    decisions: ['Stable'],
    notes: [],
    calls: [],
  };
  const receipt = (gate: string, result: string, sentence: string) => ({ gate, result, sentence });

  const story = (events: readonly EventData[], effects: ReturnType<typeof anEffect>[] = []) =>
    renderJournal(
      projectJournal(
        aRecord(
          aStream(THREAD_KEY, [OPENED]),
          aStream(TASK_KEY, [go(), ...events], { from: 2, effects }),
        ),
      ),
    );

  test('tells the files, the decisions, and each internal question with answer and source', () => {
    const exchanges = [
      { question: 'Which order?', answer: 'Ascending', source: 'src/b.ts:12', isEscalated: false },
      { question: 'A new flag?', answer: 'Yes', source: 'ana', isEscalated: true },
    ];
    const text = story([done('code', { report: REPORT, files: [FILE], exchanges })]);
    expect(text).toContain(
      'the Coder changed 1 file (+3 −1)**\n\n- `src/a.ts`: +3 −1\n- Decided: Stable',
    );
    expect(text).toContain(
      'the Coder asked, the PM answered**\n\n- Question: Which order?\n- Answer: Ascending\n- Source: src/b.ts:12',
    );
    expect(text).toContain('the Coder asked, a person answered**');
  });

  test('tells why the change has no copy of it', () => {
    const text = story([done('code', { report: REPORT, files: [FILE], copyLeftOut: 'size' })]);
    expect(text).toContain(
      '- Decided: Stable\n- The copy of the journal was left out: it is too large.',
    );
  });

  test('tells a question to people with its options', () => {
    const report = { ...REPORT, outcome: 'asked', question: 'Which?', options: ['A'], tried: 'B' };
    expect(story([done('code', { report, files: [] })])).toContain(
      'the Coder asked people**\n\n- Option: A\n- Tried: B\n\n> Which?',
    );
  });

  test('tells gates in one line when all passed, and each that did not', () => {
    const passed = [receipt('P', 'passed', 'fine'), receipt('2', 'passed', '9 passed.')];
    const text = story([
      done('verify', { headSha: 'abcdef123', receipts: passed }),
      done('verify', { headSha: 'abcdef123', receipts: [receipt('2', 'failed', '1 failed.')] }),
    ]);
    expect(text).toContain('gates passed for `abcdef1`: branch, tests. 9 passed.\n');
    expect(text).toContain('a gate stopped `abcdef1`**\n\n- tests failed: 1 failed.\n');
  });

  test('tells the pull request with its size, and the merge', () => {
    const effects = [anEffect(`${RUN}/1-merge`, { kind: 'merge', thread: { number: 14 } })];
    const pull = { number: 14, url: '' };
    const text = story(
      [
        done('code', { report: REPORT, files: [FILE] }),
        done('publish', { receipts: [], pull, reviewers: ['ben'] }),
        done('merge', { outcome: 'refused', reason: 'Not now.', isHeadMoved: false }),
        done('merge', { outcome: 'merged', sha: '1234567890' }),
      ],
      effects,
    );
    expect(text).toContain(
      '**Task 1 (Sort rows): pull request #14 was opened**: 1 file (+3 −1). Asked for a review: `ben`.',
    );
    expect(text).toContain('GitHub refused to merge #14: Not now.');
    expect(text).toContain('**#14 was merged** as `1234567`.');
    expect(text).toContain('- Pull requests: #14 (task 1, merged)');
  });

  test('tells why a task stops short', () => {
    const news = {
      task: 1,
      state: 'blocked',
      reason: 'no tests',
      persona: 'dev',
      attempt: 1,
      at: '',
    };
    const told = { kind: 'task-told', run: RUN, news } as EventData;
    const text = renderJournal(
      projectJournal(
        aRecord(aStream(TASK_KEY, [go()]), aStream(THREAD_KEY, [OPENED, told], { from: 2 })),
      ),
    );
    expect(text).toContain('**Task 1 (Sort rows) is blocked**: no tests');
  });
});

describe('the whole', () => {
  test('is the same bytes from the same events, in whatever order streams are read', () => {
    const streams = [
      aStream(THREAD_KEY, [OPENED, ...said('Do it.')], { calls: [aCall()] }),
      aStream(TASK_KEY, [go()], { from: 5, calls: [aCall({ id: 'c2', role: 'coder' })] }),
    ];
    const first = renderJournal(projectJournal(aRecord(...streams)));
    expect(renderJournal(projectJournal(aRecord(...streams.toReversed())))).toBe(first);
  });

  test('says that earlier events were deleted where the first one answers something', () => {
    const cut = aStream(THREAD_KEY, [done('comment', {}), ...said('Hello.')]);
    const text = renderJournal(projectJournal(aRecord(cut)));
    expect(text).toContain(
      '_Events before 2026-03-02 09:00 UTC were deleted. This journal begins there._',
    );
    expect(journalOf(said('Hello.'))).not.toContain('were deleted');
  });

  test('says so as well where a run began long before the first event', () => {
    const earlier = { ...go(), run: '01KJP0000000000000000000AB' } as EventData;
    expect(journalOf([earlier])).toContain('were deleted');
  });

  test('leaves out what waits to be reduced', () => {
    const stream = aStream(THREAD_KEY, [OPENED, ...said('Later.')]);
    const events = stream.events.map((event) => ({ ...event, seq: 0 }));
    const text = renderJournal(projectJournal(aRecord({ ...stream, events })));
    expect(text).toContain('Nothing is recorded.');
  });

  test('sums what models cost by role and model, and says when a price is unknown', () => {
    const calls = [
      aCall(),
      aCall({ id: 'c2' }),
      aCall({ id: 'c3', role: 'coder', model: 'claude-y', costUsd: undefined }),
    ];
    const text = journalOf([], { calls });
    expect(text).toContain('| team | `claude-x` | 2 | 3,000 | 1,000 | 400 | $0.04 |');
    expect(text).toContain(
      '| Coder | `claude-y` | 1 | 1,500 | 500 | 200 | $0 and an unknown part |',
    );
    expect(text).toContain(
      '| **Total** |  | 3 | 4,500 | 1,500 | 600 | $0.04 and an unknown part |',
    );
    expect(text).toContain('- Models: `claude-x`, `claude-y`');
  });
});

describe('the file of a journal', () => {
  const whole = projectJournal(aRecord(aStream(THREAD_KEY, [OPENED])));
  const cut = { ...whole, missingBefore: whole.from };

  test('is replaced by what is known now', () => {
    expect(replaceJournal('# Old\n', whole)).toBe(renderJournal(whole));
  });

  test('stays where it tells of events that are deleted', () => {
    expect(replaceJournal('# Old\n', cut)).toBeUndefined();
    expect(replaceJournal(undefined, cut)).toBe(renderJournal(cut));
  });
});

describe('memory', () => {
  const entry = { persona: 'dev', text: 'Dates are in UTC', state: 'active' };
  const remember = (change: object, more: object = {}) =>
    anEffect(`${RUN}/1-remember`, { kind: 'remember', change, ...more });
  const changed = (result: object) =>
    done('remember', { entries: [], removed: [], refused: [], ...result });

  test('shows what was learned, and what waits for an approval', () => {
    const waiting = { ...entry, text: 'Caches are per user', state: 'quarantined' };
    const text = journalOf([changed({ entries: [entry, waiting] })], {
      effects: [remember({ kind: 'learn' })],
    });
    expect(text).toContain(
      '**The team learned**.\n\n- `dev`: Dates are in UTC\n- `dev`: Caches are per user (waits for an approval)',
    );
  });

  test('shows who approved or forgot, and nothing when nothing changed', () => {
    const authority = { user: { id: 1, login: 'ana' }, needed: 'write' };
    const forgotten = journalOf([changed({ removed: ['0000000001'] })], {
      effects: [remember({ kind: 'forget' }, { authority })],
    });
    expect(forgotten).toContain('**Notes were forgotten** by `ana`: 1 note.');
    const nothing = journalOf([changed({})], { effects: [remember({ kind: 'learn' })] });
    expect(nothing).not.toContain('learned');
    const counted = journalOf([changed({ entries: [entry] })], {
      effects: [remember({ kind: 'judge' })],
    });
    expect(counted).not.toContain('in UTC');
  });

  test('shows what was proposed for the files of roles, and what was approved', () => {
    const operation = { op: 'append', file: 'pm', category: 'workflow', text: 'ship on Mondays' };
    const value = { operations: [operation, { op: 'none', text: '' }] };
    const text = journalOf(
      [
        done('ask', { value, calls: [] }, `${RUN}/1-ask`),
        done('open-roles', { pull: { number: 4, url: '' }, refused: [] }, `${RUN}/2-open-roles`),
      ],
      {
        effects: [
          anEffect(`${RUN}/1-ask`, { kind: 'ask', purpose: 'role-memory', persona: 'pm' }),
          anEffect(`${RUN}/2-open-roles`, {
            kind: 'open-roles',
            operations: [operation],
            authority: { user: { id: 1, login: 'ana' } },
          }),
        ],
      },
    );
    expect(text).toContain('**Quorum proposed what to keep in mind.**\n\n- ship on Mondays\n');
    expect(text).toContain(
      '**`ana` approved what the PM and the Artist keep in mind.** Pull request #4 adds it.\n\n- ship on Mondays',
    );
  });

  test('shows a proposal to consolidate', () => {
    const id = `${RUN}/1-open-consolidation`;
    const text = journalOf([done('open-consolidation', { pull: { number: 5, url: '' } }, id)], {
      effects: [anEffect(id, { kind: 'open-consolidation', persona: 'dev' })],
    });
    expect(text).toContain(
      '**Quorum proposed to consolidate the memory of `dev`** in pull request #5.',
    );
  });
});

test.each([
  ['CHANGES', 'asks for changes'],
  ['APPROVE', 'leaves points open'],
])(
  'a review of a task that says %s %s, and a comment tells where it was written',
  (verdict, words) => {
    const asks = ['src/sort.ts:13: A TODO names no issue'];
    const news = { kind: 'reviewed' as const, headSha: 'a'.repeat(40), verdict, asks };
    const task = aStream(TASK_KEY, [{ kind: 'pull-told', run: RUN, news }], { from: 10 });
    const pull = aStream('thread:7/14', said('/pm approve', { id: 77 }), { from: 20 });
    const text = renderJournal(projectJournal(aRecord(aStream(THREAD_KEY, [OPENED]), task, pull)));
    expect(text).toContain(`the review ${words}.`);
    expect(text).toContain('**`ana` wrote on #14** `/pm approve`');
  },
);

test('a thread of 5,000 events is rendered whole, and twice with the same bytes', () => {
  const comments = Array.from({ length: 2_500 }, (_, n) =>
    said(`Row ${n} of src/parse.ts is **lost**, see @tom`, { id: 1_000 + n }),
  );
  const text = journalOf(comments.flat());
  expect(text.match(/^> Row \d+ of src\/parse\.ts/gm)).toHaveLength(2_500);
  expect(text).not.toMatch(/[^`]@tom/);
  expect(journalOf(comments.flat())).toBe(text);
});
