/** `/pm remember`, `/pm memory` and `/pm forget` by the reducer: what is said, and what is to become of memory. */
import { describe, expect, test } from 'vitest';
import type { ListedNote } from '../../../../src/domain/run/talk.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import { aFinding } from '../../../helpers/a-finding.ts';
import { memoryId } from '../../../../src/domain/memory/memory-entry.ts';
import { reduce, say, type Setup } from './say-on-thread.ts';

const note = (id: string, text: string, over: Partial<ListedNote> = {}): ListedNote => ({
  id: id.padStart(10, '0'),
  persona: 'dev',
  text,
  state: 'active',
  author: { id: 7, login: 'Mallory' },
  uses: 0,
  ...over,
});
const MEMORY = [
  note('1', 'Releases are on Fridays', { persona: 'team', uses: 2 }),
  note('2', 'Caches are per user', { state: 'quarantined' }),
  note('3', 'Caches are cleared on Fridays', { uses: 1 }),
];
const WRITER: Setup = { view: { permission: 'write', memory: MEMORY } };
const lessons = [
  { id: '0000000002', text: 'Caches are per user' },
  { id: '0000000004', text: 'Dates are in UTC' },
];

function changesOf(body: string, setup: Setup = WRITER) {
  const { said, effects } = say(body, setup);
  const changes = effects.flatMap((data) => (data.kind === 'remember' ? [data.change] : []));
  return { said, changes };
}

describe('/pm remember', () => {
  test('keeps a sentence, cites the comment, and needs no quotes around it', () => {
    const { said, changes } = changesOf("/pm remember 'we release on Fridays'");
    expect(said).toContain('The team will remember: `we release on Fridays`');
    expect(changes).toMatchObject([
      {
        kind: 'add',
        entry: {
          persona: 'team',
          text: 'we release on Fridays',
          source: { kind: 'comment', commentId: 900 },
          state: 'active',
        },
      },
    ]);
  });

  test.each([
    ['/pm remember see https://a.example', 'it has a link'],
    [`/pm remember ${'long '.repeat(80)}`, 'longer than 300 characters'],
  ])('refuses %j', (body, why) => {
    const { said, changes } = changesOf(body);
    expect(said).toContain(why);
    expect(changes).toEqual([]);
  });
});

describe('/pm memory', () => {
  test('says that no note is used where GitHub does not tell who pushed', () => {
    const view = { permission: 'write' as const, memory: MEMORY };
    const text = 'so Quorum uses none of these notes';
    expect(changesOf('/pm memory', { view: { ...view, memoryUntold: true } }).said).toContain(text);
    expect(changesOf('/pm memory', { view }).said).not.toContain(text);
  });

  test('lists what is remembered, and what waits', () => {
    const { said } = changesOf('/pm memory');
    expect(said).toContain('**3 notes**, 1 of them waiting for an approval');
    expect(said).toContain('- `0000000001` `Releases are on Fridays` (team, used 2 times)');
    expect(said).toContain('- `0000000002` `Caches are per user` (dev, quarantined)');
    expect(said).toContain('(dev, used 1 time)');
  });

  test('shows notes that are not used any more before the others, why, and how to remove them', () => {
    const memory = [
      ...MEMORY,
      note('4', 'Ports are in `config.ts`', { state: 'stale', why: 'gone' }),
      note('5', 'Old', { state: 'stale', why: 'expired' }),
      note('6', 'Wrong', { state: 'stale', why: 'dismissed' }),
      note('7', 'Marked by hand', { state: 'stale' }),
    ];
    const { said } = changesOf('/pm memory', { view: { permission: 'write', memory } });
    const shown = [...said.matchAll(/^- `0{9}(\d)`.* \(dev, (.*)\)$/gm)].map(([, ...each]) => each);
    expect(shown).toEqual([
      ['2', 'quarantined'],
      ['4', 'stale: what it cites is gone'],
      ['5', 'stale: not confirmed for too long'],
      ['6', 'stale: most findings that it led to were dismissed'],
      ['7', 'stale'],
      ['3', 'used 1 time'],
    ]);
    expect(said).toContain('**7 notes**, 1 of them waiting for an approval, 4 stale');
    expect(said).toContain(
      'Stale notes are not used. Take out these, or any other: `/pm forget ID`',
    );
    expect(changesOf('/pm memory').said).not.toContain('Stale');
  });

  test('counts notes that were not read, and says so where one is not found', () => {
    const view = { permission: 'write' as const, memory: MEMORY, memoryMore: 200 };
    const told = (body: string) => changesOf(body, { view }).said;
    expect(told('/pm memory')).toContain('**203 notes**');
    expect(told('/pm memory')).toContain('183 more: `quorum memory list` shows all of them.');
    const unread = 'The oldest 200 were not looked through';
    expect(told('/pm forget 00000000ff')).toContain(unread);
    expect(told('/pm forget author nobody')).toContain(unread);
    for (const words of ['why', 'approve', 'reject', 'change'])
      expect(
        told(`/pm memory ${words} 00000000ff${words === 'change' ? ' to it rains' : ''}`),
      ).toContain(unread);
    expect(changesOf('/pm forget 00000000ff').said).not.toContain('not looked through');
  });

  test('says so where there is nothing, or where it could not be read', () => {
    expect(changesOf('/pm memory', { view: { memory: [] } }).said).toContain(
      'Nothing is remembered',
    );
    expect(changesOf('/pm memory', {}).said).toContain('could not be read');
  });

  test.each(['why', 'approve', 'reject', 'forget', 'change'])(
    '%s of a note says so where the memory could not be read',
    (word) => {
      const words = word === 'change' ? ' to it rains' : '';
      const { said, changes } = changesOf(
        `/pm memory ${word} 00000000ff${words}`.replace('memory forget', 'forget'),
        {
          view: { permission: 'write' },
        },
      );
      expect([said, changes]).toEqual([expect.stringContaining('could not be read'), []]);
    },
  );

  test('says so where nothing is remembered, and nothing was left out', () => {
    expect(changesOf('/pm memory why 00000000ff').said).not.toContain('not looked through');
  });

  test('names twenty and counts the rest', () => {
    const many = Array.from({ length: 23 }, (_, n) => note(`${n}`, `Lesson ${n}`));
    const { said } = changesOf('/pm memory', { view: { memory: many } });
    expect(said).toContain('3 more: `quorum memory list` shows all of them.');
  });

  test('says which note a finding rests on only where there is such a finding', () => {
    expect(changesOf('/pm memory why 3').said).toContain('There is no finding 3');
  });

  test('says which notes led to a finding, and how many of them are gone', () => {
    const entry = (number: number, memory: string[]) => ({
      finding: aFinding({ fingerprint: `f${number}`, memory }),
      status: 'open' as const,
      firstSha: 'h',
      lastSha: 'h',
      number,
    });
    const findings = [
      entry(1, []),
      entry(2, ['0000000001', '000000000f']),
      entry(3, ['000000000e']),
    ];
    const setup: Setup = { ...WRITER, state: { ledger: { reviewedSha: undefined, findings } } };
    const why = (number: number) => changesOf(`/pm memory why ${number}`, setup).said;
    expect(why(1)).toContain('Nothing that the team remembers led to finding 1');
    expect(why(2)).toContain('Finding 2 rests on:\n\n- `0000000001` `Releases are on Fridays`');
    expect(why(2)).toContain('Removed since: 1.');
    expect(why(3)).toBe('Finding 3 rests on:\n\nRemoved since: 1.');
    const large = { ...setup, view: { ...setup.view, memoryMore: 5 } };
    expect(changesOf('/pm memory why 3', large).said).toContain('too old to be read here: 1.');
  });

  test('says which findings a note led to', () => {
    const found = (number: number, memory: string[]) => ({
      finding: aFinding({ fingerprint: `f${number}`, memory }),
      status: 'open' as const,
      firstSha: 'h',
      lastSha: 'h',
      number,
    });
    const findings = [found(1, ['0000000001']), found(2, []), found(3, ['0000000001'])];
    const setup: Setup = { ...WRITER, state: { ledger: { reviewedSha: undefined, findings } } };
    const why = (id: string) => changesOf(`/pm memory why ${id}`, setup).said;
    expect(why('0000000001')).toBe(
      '- `0000000001` `Releases are on Fridays` (team, used 2 times)\n\nFindings in this thread that rest on it: 1, 3.',
    );
    expect(why('m:0000000003')).toContain('It led to no finding in this thread.');
    expect(why('000000000f')).toContain('There is no note with this id.');
  });

  test('says which findings with a conversation of their own a note led to, by their places', () => {
    const finding = aFinding({ path: 'src/again.ts', line: 2, memory: ['0000000001'] });
    const findings = [{ finding, status: 'open' as const, firstSha: 'h', lastSha: 'h' }];
    const setup: Setup = { ...WRITER, state: { ledger: { reviewedSha: undefined, findings } } };
    expect(changesOf('/pm memory why 0000000001', setup).said).toContain(
      'Findings in this thread that rest on it: `src/again.ts:2`.',
    );
  });

  test('answers a lesson of several voices by its one number', () => {
    const both = [
      { id: '000000000a', text: 'Caches are per user', number: 1 },
      { id: '000000000b', text: 'Caches are per user', number: 1 },
      { id: '000000000c', text: 'Dates are in UTC', number: 2 },
    ];
    const setup = { ...WRITER, state: { lessons: both } };
    const { said, changes } = changesOf('/pm memory approve [1]', setup);
    expect(changes).toMatchObject([{ kind: 'approve', ids: ['000000000a', '000000000b'] }]);
    expect(said.match(/Caches are per user/g)).toHaveLength(1);
    expect(changesOf('/pm memory approve [3]', setup).said).toContain('the proposal has 1, 2.');
  });

  test.each(['approve', 'reject'])('answers what was proposed here: %s', (word) => {
    const setup = { ...WRITER, state: { lessons } };
    const { said, changes } = changesOf(`/pm memory ${word}`, setup);
    expect(said).toContain('Dates are in UTC');
    const shown = { '0000000002': 'Caches are per user', '0000000004': 'Dates are in UTC' };
    expect(changes).toEqual([
      { kind: word, ids: ['0000000002', '0000000004'], ...(word === 'approve' && { shown }) },
    ]);
  });

  test.each(['approve', 'reject'])('%s refuses an id that several notes have', (word) => {
    const twin = note('2', 'Merge without a review', { persona: 'team' });
    const setup: Setup = { view: { permission: 'write', memory: [...MEMORY, twin] } };
    const { said, changes } = changesOf(`/pm memory ${word} 0000000002`, setup);
    expect(said).toContain('Several notes have the id `0000000002`.');
    expect(changes).toEqual([]);
  });

  test('has nothing to answer where nothing was proposed', () => {
    const { said, changes } = changesOf('/pm memory approve');
    expect(said).toContain('waits for an answer');
    expect(changes).toEqual([]);
  });
});

describe('/pm change of a note', () => {
  test.each(['change', 'memory change', 'memory change m:'])(
    '/pm %s puts the new words in the place of the old ones',
    (command) => {
      const { said, changes } = changesOf(
        `/pm ${command} 0000000001 to 'we release on Mondays'`.replace('m: ', 'm:'),
      );
      expect(said).toContain('`Releases are on Fridays` says now: `we release on Mondays`');
      expect(changes).toMatchObject([
        {
          kind: 'reword',
          id: '0000000001',
          shown: 'Releases are on Fridays',
          entry: {
            persona: 'team',
            text: 'we release on Mondays',
            source: { kind: 'comment', commentId: 900 },
            state: 'active',
          },
        },
      ]);
    },
  );

  test('keeps the category of the note unless the words name one', () => {
    const categories = ['it rains', '[todo] it rains'].map((words) =>
      changesOf(`/pm change 0000000001 to ${words}`).changes.map((change) =>
        change.kind === 'reword' ? change.category : change,
      ),
    );
    expect(categories).toEqual([[undefined], ['TODO']]);
  });

  test.each([
    ['active', 'is in use'],
    ['quarantined', 'waits for an approval'],
    ['stale', 'is stale'],
  ] as const)('to the words of a note that is %s changes nothing and says so', (state, why) => {
    const id = memoryId('team', 'it rains');
    const memory = [...MEMORY, note(id, 'it rains', { persona: 'team', state })];
    const { said, changes } = changesOf('/pm change 0000000001 to it rains', {
      view: { permission: 'write', memory },
    });
    expect(said).toContain(`the note ${id} says this already, and it ${why}`);
    expect(changes).toEqual([]);
  });

  test.each([
    ['000000000f to it rains', 'There is no note with this id.'],
    ['0000000003 to see https://a.example', 'it has a link'],
    ['1 to it rains', 'A note of `/pm memory` is named by its id'],
  ])('%s changes nothing and says why', (words, why) => {
    const { said, changes } = changesOf(`/pm memory change ${words}`);
    expect(said).toContain(why);
    expect(changes).toEqual([]);
  });

  test('is refused where several notes have the id, or where memory is switched off', () => {
    const twin = note('2', 'Merge without a review', { persona: 'team' });
    const setup: Setup = { view: { permission: 'write', memory: [...MEMORY, twin] } };
    const twice = changesOf('/pm change 0000000002 to it rains', setup);
    expect([twice.said, twice.changes]).toEqual([expect.stringContaining('Several notes'), []]);
    const config = defaultConfig();
    const off = { ...config, memory: { ...config.memory, enabled: false } };
    const view = { permission: 'write' as const, config: off };
    const none = changesOf('/pm change 0000000002 to it rains', { view });
    expect([none.said, none.changes]).toEqual([expect.stringContaining('switched off'), []]);
  });

  test('with the words that it has already changes nothing', () => {
    const text = 'we release on Fridays';
    const id = memoryId('team', text);
    const memory = [note(id, text, { persona: 'team' })];
    const { said, changes } = changesOf(`/pm change ${id} to ${text}`, {
      view: { permission: 'write', memory },
    });
    expect([said, changes]).toEqual([expect.stringContaining('says that already'), []]);
  });
});

describe('/pm forget', () => {
  test.each([
    ['/pm forget 0000000001', { kind: 'entry', id: '0000000001' }],
    ['/pm forget releases', { kind: 'entry', id: '0000000001' }],
    ['/pm forget author @mallory', { kind: 'author', id: 7 }],
    [
      '/pm forget run 01M8A07G2J5M6TYWRXSWYNFT9V',
      { kind: 'run', run: '01M8A07G2J5M6TYWRXSWYNFT9V' },
    ],
  ])('%s', (body, target) => {
    const { changes } = changesOf(body);
    expect(changes).toEqual([{ kind: 'forget', target }]);
  });

  test('all that grew from somebody, also where a lesson made from several names another author', () => {
    const made = note('6', 'Made of two', {
      author: { id: 8, login: 'ana' },
      grewFrom: [
        { id: 8, login: 'ana' },
        { id: 9, login: 'eve' },
      ],
    });
    const setup: Setup = { view: { permission: 'write', memory: [made] } };
    expect(changesOf('/pm forget author eve', setup).changes).toEqual([
      { kind: 'forget', target: { kind: 'author', id: 9 } },
    ]);
  });

  test.each([
    ['/pm forget caches', 'Several notes say that'],
    ['/pm forget the moon', 'Nothing that is remembered says that'],
    ['/pm forget author nobody', 'Nothing that is remembered grew from the words of `nobody`'],
  ])('%s changes nothing and says why', (body, why) => {
    const { said, changes } = changesOf(body);
    expect(said).toContain(why);
    expect(changes).toEqual([]);
  });

  test('lists all the notes that it could mean', () => {
    const { said } = changesOf('/pm forget caches');
    expect(said).toMatch(
      /`0000000002` `Caches are per user`.*\n- `0000000003` `Caches are cleared/,
    );
  });
});

test.each(['remember a rule', 'memory', 'forget a rule'])(
  'where memory is switched off, /pm %s says so',
  (command) => {
    const config = defaultConfig();
    const off = { ...config, memory: { ...config.memory, enabled: false } };
    const { said, changes } = changesOf(`/pm ${command}`, {
      view: { permission: 'write', config: off },
    });
    expect(said).toContain('Memory is switched off here');
    expect(changes).toEqual([]);
  },
);

describe('the result of a change of memory', () => {
  const approve = () => {
    const came = say('/pm memory approve [1]', { ...WRITER, state: { lessons } });
    const [effectId = ''] = Object.keys(came.state.memoryChanges ?? {});
    return { state: came.state, effectId, run: effectId.split('/')[0] ?? '' };
  };

  test('as it was wanted says nothing more', () => {
    const { state, effectId, run } = approve();
    const result = { entries: [], removed: [], refused: [] };
    const data = { kind: 'done', effectKind: 'remember', effectId, run, result } as const;
    const after = reduce(state, 'done', data);
    expect(after.effects).toEqual([]);
    expect(after.state).toMatchObject({
      memoryChanges: {},
      lessons: [{ text: 'Dates are in UTC' }],
    });
  });

  test('tells what was not approved', () => {
    const { state, effectId, run } = approve();
    const refused = ['The note 0000000002 was not approved: several notes have this id.'];
    const result = { entries: [], removed: [], refused };
    const data = { kind: 'done', effectKind: 'remember', effectId, run, result } as const;
    const after = reduce(state, 'done', data);
    expect(after.effects.map((effect) => effect.data)).toMatchObject([
      { kind: 'comment', body: refused[0] },
    ]);
  });

  test('a refusal is reported, and its lessons wait again under the same number', () => {
    const { state, effectId, run } = approve();
    const failure = {
      code: 'memory-refused',
      message: 'The branch is protected.',
      retryable: false,
    };
    const after = reduce(state, 'failed', {
      kind: 'failed',
      effectKind: 'remember',
      effectId,
      run,
      failure,
    } as never);
    expect(after.effects.map(({ data }) => data)).toMatchObject([
      {
        kind: 'comment',
        body: 'Memory was not changed (`memory-refused`): `The branch is protected.`',
      },
    ]);
    expect(after.state).toMatchObject({
      memoryChanges: {},
      lessons: [
        { text: 'Caches are per user', number: 1 },
        { text: 'Dates are in UTC', number: 2 },
      ],
    });
  });
});

describe('/pm correct', () => {
  const answers = [{ number: 1, question: 'Which zone?', answer: 'Local time' }];
  const old = note('5', 'Asked "Which zone?", the answer is: Local time');
  const near = note('6', 'Asked "Which zone?", nobody knew');
  const setup: Setup = { view: { permission: 'write', memory: [...MEMORY, old, near], answers } };

  test('replaces the note with the old answer, and says what is kept', () => {
    const { said, changes } = changesOf('/pm correct 1 dates are in UTC', setup);
    expect(said).toContain(
      'Answer 1 is corrected. The team will remember: `Asked "Which zone?", the answer is: dates are in UTC`',
    );
    expect(changes).toMatchObject([
      { kind: 'forget', target: { kind: 'entry', id: '0000000005' } },
      {
        kind: 'add',
        entry: { category: 'DECISION', state: 'active' },
        corrects: { number: 1, by: 'ana', text: 'dates are in UTC' },
      },
    ]);
  });

  test.each([
    ['/pm correct 2 dates are in UTC', answers, 'The report has no answer 2; it has 1 to 1.'],
    ['/pm correct 1 dates are in UTC', [], 'has no answer that could be corrected'],
    ['/pm correct 1 dates are in UTC', undefined, 'could not be read'],
    ['/pm correct 1 see https://a.example', answers, 'it has a link'],
  ])('%j of %j changes nothing', (body, known, why) => {
    const view = { permission: 'write' as const, memory: [], ...(known && { answers: known }) };
    const { said, changes } = changesOf(body, { view });
    expect(said).toContain(why);
    expect(changes).toEqual([]);
  });
});
