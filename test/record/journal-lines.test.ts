/** Each kind of line in a journal, with its text: one event, and what it says. */
import { describe, expect, test } from 'vitest';
import type { EventData } from '../../src/domain/event/event.ts';
import { projectJournal } from '../../src/record/journal/project-journal.ts';
import { renderJournal } from '../../src/record/journal/render-journal.ts';
import {
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

type Effects = ReturnType<typeof anEffect>[];

const HEAD = 'abcdef1234567';

/** What the thread's journal says after its opening. */
function inThread(events: readonly EventData[], effects: Effects = []): string {
  return journalOf(events, { effects });
}

/** The same for a task of the plan that began and has pull request #14. */
function inTask(events: readonly EventData[], effects: Effects = []): string {
  const pull = { number: 14, url: '' };
  const before = [go(), done('publish', { receipts: [], pull, reviewers: [] })];
  const task = aStream(TASK_KEY, [...before, ...events], { from: 2, effects });
  return renderJournal(projectJournal(aRecord(aStream(THREAD_KEY, [OPENED]), task)));
}

function trigger(more: object): EventData {
  return { kind: 'trigger', trigger: { thread: THREAD, actor: ANA, ...more } } as EventData;
}

function taskWord(more: object): EventData {
  return {
    kind: 'task-word',
    run: RUN,
    by: { id: 1, login: 'ana' },
    why: '',
    ...more,
  } as EventData;
}

function news(more: object): EventData {
  return { kind: 'pull-told', run: RUN, news: more } as EventData;
}

describe('people and ends', () => {
  test.each([
    ['closed', trigger({ kind: 'ended', how: 'closed' }), '**`ana`** closed #12.'],
    ['transferred', trigger({ kind: 'ended', how: 'transferred' }), '**`ana`** transferred #12.'],
    ['reopened', trigger({ kind: 'reopened' }), '**`ana`** reopened #12.'],
  ])('a thread that a person %s', (_, event, line) => {
    expect(inThread([event])).toContain(`· ${line}\n`);
  });

  test('a thread that Quorum closed, with the reason, and nothing where it was closed before', () => {
    const effects = [anEffect(`${RUN}/1-close`, { kind: 'close', reason: 'not_planned' })];
    expect(inThread([done('close', 'closed')], effects)).toContain(
      '· **Quorum closed #12** as not planned.\n',
    );
    expect(inThread([done('close', 'was-closed')], effects)).not.toContain('closed #12');
  });

  test('what failed for good, and no read that is made again', () => {
    const failure = { code: 'timed-out', message: 'The limit of 60 s ended it.' };
    const effects = [anEffect(`${RUN}/1-ask`, { kind: 'ask', persona: 'dev' })];
    const failed = (effectKind: string): EventData =>
      ({ kind: 'failed', run: RUN, effectId: `${RUN}/1-ask`, effectKind, failure }) as EventData;
    expect(inThread([failed('ask')], effects)).toContain(
      '**A question to the team (`dev`) failed** (`timed-out`): The limit of 60 s ended it.',
    );
    expect(inThread([failed('merge')])).toContain('**Merging failed** (`timed-out`)');
    expect(inThread([failed('look')])).not.toContain('The limit of 60 s');
  });

  test('the usual models are back', () => {
    const switches = [{ by: 'ana', at: '', commentId: 100 }];
    expect(journalOf(said('/pm models'), { switches })).toContain(
      '`ana` went back to the usual models.',
    );
  });

  test.each([
    ['words', said('yes', { plan: 'c'.repeat(40) }), 'in words'],
    ['a reaction', [], 'by a thumbs-up'],
  ])('an approval by %s', (_, before, how) => {
    const comments = before.map((event) => {
      if (event.kind !== 'trigger' || event.trigger.kind !== 'commented') return event;
      const address = { ...event.trigger.address, isYes: true };
      return { ...event, trigger: { ...event.trigger, address } } as EventData;
    });
    const thumbs = comments.length === 0 ? [ANA] : [];
    const plan = aStream(THREAD_KEY, [OPENED, ...comments, planLook('# Goal', { thumbs })]);
    const work = aStream(TASK_KEY, [go()], { from: 10 });
    expect(renderJournal(projectJournal(aRecord(plan, work)))).toMatch(
      new RegExp(`\\*\\*\`ana\` approved version \`\\w{12}\` of the plan\\*\\* ${how}\\.`),
    );
  });
});

function planLook(goal: string, more: object = {}): EventData {
  const body = `## Goal\n\n${goal}\n\n## Tasks\n\n### Task 1: Sort\n\n**Description:** Sort the rows.\n`;
  const issue = { number: 12, title: '[PLAN] Sorting', body, author: ANA };
  return done('look-plan', { issue, repository: { fullName: 'acme/shop' }, ...more });
}

describe('planning', () => {
  test('a plan as it was first read, and who changed it to what', () => {
    const text = inThread([
      planLook('Rows are sorted.'),
      planLook('Rows are sorted.'),
      planLook('Rows are sorted by date.', { writer: { id: 2, login: 'ben' } }),
    ]);
    expect(
      text.match(/\*\*`ana` wrote plan #12\*\*, version `\w{12}`\.\n\n- Task 1: Sort/g),
    ).toHaveLength(1);
    expect(text).toMatch(/\*\*The plan was changed\*\* to version `\w{12}` by `ben`\./);
    expect(text).toContain('> Rows are sorted by date.');
  });

  test('what the PM asked first, with the model and what it read', () => {
    const asked = { kind: 'questions', questions: ['Which column?'] };
    const result = { word: asked, looked: ['search "sort"'], calls: [{ model: 'claude-x' }] };
    expect(inThread([done('propose', result)])).toContain(
      '**The PM asked before it made a plan** with `claude-x`.\n\n- Looked: `search "sort"`\n- Asked: Which column?',
    );
  });

  test('what the PM answered, and no model where rules answered', () => {
    const word = { kind: 'answer', answer: 'It is sorted already.' };
    const result = { word, looked: [], calls: [{ model: 'offline' }] };
    expect(inThread([done('propose', result)])).toContain(
      '**The PM answered instead of making a plan**.\n\n> It is sorted already.',
    );
  });

  test.each([
    ['created', 'proposal', '**Quorum opened plan #13**: Sorting\n'],
    ['reopened', 'sentinel', '**Quorum reopened issue #13**: Sorting\n'],
  ])('an issue that was %s for a %s', (outcome, kind, line) => {
    const effects = [
      anEffect(`${RUN}/1-issue`, { kind: 'issue', marker: { kind }, title: 'Sorting' }),
    ];
    expect(inThread([done('issue', { outcome, number: 13 })], effects)).toContain(line);
  });

  test('no issue that was there already', () => {
    expect(inThread([done('issue', { outcome: 'unchanged', number: 13 })])).not.toContain('#13');
  });
});

describe('the team', () => {
  test('the answer of a voice', () => {
    const effects = [anEffect(`${RUN}/1-ask`, { kind: 'ask', persona: 'dev', purpose: 'answer' })];
    expect(inThread([done('ask', { value: { text: 'In `src/sort.ts`.' } })], effects)).toContain(
      '**`dev` answered**\n\n> In `src/sort.ts`.',
    );
  });

  test('a verdict on a pull request, and the review that was posted', () => {
    const value = { verdict: 'CHANGES', headline: 'one race', reasons: 'The cache is shared.' };
    const body = '## **Changes needed**: one race\n\nmore';
    const effects = [
      anEffect(`${RUN}/1-ask`, { kind: 'ask', persona: 'lead', trigger: 'pr_review' }),
      anEffect(`${RUN}/1-review`, { kind: 'review', thread: { number: 14 }, review: { body } }),
    ];
    const text = inThread(
      [done('ask', { value }), done('review', { outcome: 'created', id: 1 })],
      effects,
    );
    expect(text).toContain(
      '**The team’s review of #12: changes needed**: one race\n\n> The cache is shared.',
    );
    expect(text).toContain('Quorum posted its review on #14: **Changes needed**: one race.\n');
  });
});

describe('work on a task', () => {
  const NAME = 'Task 1 (Sort rows)';
  const receipt = { gate: '4', result: 'passed', sentence: '9 passed.' };

  test.each([
    [
      'a claim',
      done('claim', { outcome: 'claimed', base: { branch: 'main', sha: HEAD } }),
      `**${NAME} began** as \`priya\`, on \`main\` at \`abcdef1\`.`,
    ],
    [
      'a claim that was refused',
      done('claim', { outcome: 'held', reason: 'ben holds it' }),
      `${NAME} did not start: ben holds it`,
    ],
    ...(
      [
        ['failed', 'failed'],
        ['timed-out', 'ran out of time'],
        ['cancelled', 'was stopped'],
      ] as const
    ).map(([outcome, words]): [string, EventData, string] => [
      `a session that ${words}`,
      done('code', { report: { outcome, reason: 'No tests.', calls: [] }, files: [] }),
      `${NAME}: the Coder ${words}. No tests.`,
    ]),
    [
      'a conflict with the base',
      done('verify', { headSha: HEAD, receipts: [], conflict: ['src/a.ts', 'b.ts'] }),
      `${NAME} conflicts with its base in \`src/a.ts\`, \`b.ts\`.`,
    ],
    [
      'other workflow files in the base',
      done('publish', { receipts: [], reviewers: [], outdated: 'c'.repeat(40) }),
      `${NAME} was not pushed: its base has other workflow files.`,
    ],
    [
      'a head that was pushed later',
      done('publish', { receipts: [], reviewers: [], pull: { number: 14, url: '' } }),
      `**${NAME}: pull request #14 was updated**.`,
    ],
    [
      'a test with the base',
      done('retest', { outcome: 'tested', baseSha: HEAD, receipt }),
      '#14 was tested together with its base at `abcdef1`: 9 passed.',
    ],
    [
      'a conflict at the merge',
      done('retest', { outcome: 'conflict', paths: ['src/a.ts'] }),
      '#14 conflicts with its base in `src/a.ts`.',
    ],
    [
      'a place in the merge queue',
      done('merge', { outcome: 'queued' }),
      '#14 was put into the merge queue.',
    ],
    [
      'a base that moved',
      done('merge', { outcome: 'base-moved' }),
      '#14 was not merged yet: its base moved, so it is tested again.',
    ],
    [
      'a proof that is too old',
      done('merge', { outcome: 'stale' }),
      '#14 was not merged yet: what it rests on is too old, so it is read again.',
    ],
    [
      'an approval of the pull request',
      news({ kind: 'approved', word: { by: { id: 1, login: 'ana' }, headSha: HEAD } }),
      '**`ana` approved #14** at `abcdef1`.',
    ],
    [
      'a word to merge',
      news({ kind: 'merge', word: { by: { id: 1, login: 'ana' }, headSha: HEAD } }),
      '**`ana` asked to merge #14** at `abcdef1`.',
    ],
    [
      'a task that was given back',
      taskWord({ word: 'release', why: 'busy' }),
      `**\`ana\` gave back ${NAME}**: busy`,
    ],
    ['a task that was blocked', taskWord({ word: 'block' }), `**\`ana\` blocked ${NAME}**`],
    ['another try', taskWord({ word: 'again' }), `**\`ana\` let the team try ${NAME} again**`],
    [
      'a task that a person completed',
      taskWord({ word: 'complete' }),
      `**\`ana\` marked ${NAME} as complete**`,
    ],
    ['the end of its plan', taskWord({ word: 'tidy' }), `**\`ana\` ended the plan of ${NAME}**`],
    [
      'an answer to what the Coder asked',
      taskWord({ word: 'again', answer: 'By date.' }),
      `**\`ana\` let the team try ${NAME} again**\n\n> By date.`,
    ],
  ])('%s', (_, event, line) => {
    const effects = [anEffect(`${RUN}/1-claim`, { kind: 'claim', persona: 'priya' })];
    expect(inTask([event], effects)).toContain(`· ${line}\n`);
  });

  test('what the Coder noted, and more files than are listed', () => {
    const files = Array.from({ length: 22 }, (_, n) => ({ path: `f${n}`, added: 1, removed: 0 }));
    const report = { outcome: 'done', summary: '', decisions: [], notes: ['Slow'], calls: [] };
    const text = inTask([done('code', { report, files })]);
    expect(text).toContain('the Coder changed 22 files (+22 −0)**');
    expect(text).toContain('- `f19`: +1 −0\n- and 2 more\n- Noted: Slow\n');
    expect(text).not.toContain('`f20`');
  });

  test.each(['failed', 'released'])('a task that is %s', (state) => {
    const told = { kind: 'task-told', run: RUN, news: { task: 1, state, reason: 'no tests' } };
    const plan = aStream(THREAD_KEY, [OPENED, told as EventData], { from: 5 });
    const text = renderJournal(projectJournal(aRecord(aStream(TASK_KEY, [go()]), plan)));
    expect(text).toContain(`· **${NAME} is ${state}**: no tests\n`);
  });

  test('a task whose pull request was merged elsewhere says nothing, and its pull request is merged', () => {
    const merged = { task: 1, state: 'done', pull: { number: 14 }, mergeSha: HEAD };
    const told = { kind: 'task-told', run: RUN, news: merged } as EventData;
    const pull = { number: 14, url: '' };
    const work = [go(), done('publish', { receipts: [], pull, reviewers: [] })];
    const plan = aStream(THREAD_KEY, [OPENED, told], { from: 5 });
    const text = renderJournal(projectJournal(aRecord(aStream(TASK_KEY, work), plan)));
    expect(text).toContain('- Pull requests: #14 (task 1, merged)');
    expect(text).not.toContain(`${NAME} is`);
  });
});

describe('memory', () => {
  const authority = { user: { id: 1, login: 'ana' }, needed: 'write' };
  const entry = { persona: 'dev', text: 'Dates are in UTC', state: 'active' };
  const changed = (change: object, result: object): string =>
    inThread(
      [done('remember', { entries: [], removed: [], refused: [], ...result })],
      [anEffect(`${RUN}/1-remember`, { kind: 'remember', change, authority })],
    );

  test.each([
    [
      'an added note',
      changed({ kind: 'add' }, { entries: [entry] }),
      '**A note was added** by `ana`.\n\n- `dev`: Dates are in UTC',
    ],
    [
      'approved notes',
      changed({ kind: 'approve' }, { entries: [entry] }),
      '**Notes were approved** by `ana`.\n\n- `dev`: Dates are in UTC',
    ],
    [
      'rejected notes',
      changed({ kind: 'reject' }, { removed: ['1', '2'] }),
      '**Notes were rejected** by `ana`: 2 notes.',
    ],
    [
      'a corrected answer',
      changed(
        { kind: 'add', corrects: { number: 2, by: 'ana', text: 'By date' } },
        { entries: [{ ...entry, persona: 'pm', text: 'By date' }] },
      ),
      '**Answer 2 was corrected** by `ana`.\n\n- `pm`: By date',
    ],
  ])('%s', (_, text, line) => {
    expect(text).toContain(`· ${line}\n`);
  });

  test('more notes than are listed', () => {
    const entries = Array.from({ length: 12 }, (_, n) => ({ ...entry, text: `Note ${n}` }));
    expect(changed({ kind: 'learn' }, { entries })).toContain('- `dev`: Note 9\n- and 2 more\n');
  });
});
