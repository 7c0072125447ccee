/** What may be proposed for the files of PM and Artist, how people see it, and what their words do to it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMemoryAnswer } from '../../../src/domain/memory/role/role-answer.ts';
import {
  applyOperations,
  readRoleProposal,
  RoleMemoryForm,
  type RoleOperation,
} from '../../../src/domain/memory/role/role-memory.ts';
import { applyAnswer, renderProposal } from '../../../src/domain/memory/role/role-proposal.ts';

const TEXTS = { pm: '## Project Knowledge\n\n- Node 24\n', artist: '## Style\n\n- Flat\n' };

const anAppend = (over: object = {}) => ({
  op: 'append',
  file: 'pm',
  category: 'project',
  role: null,
  old: null,
  text: 'Tests need PostgreSQL 16',
  answer: null,
  ...over,
});

function propose(...operations: unknown[]) {
  const proposal = readRoleProposal({ operations }, TEXTS);
  return proposal.kind === 'proposed' ? proposal : expect.fail(proposal.reason);
}

describe('a proposal', () => {
  test.each([
    [2, 'A flag?'],
    [3, undefined],
    [0, undefined],
    [null, undefined],
    ['two', undefined],
  ])('that keeps answer %s names the question %s', (answer, question) => {
    const asked = ['Which order?', 'A flag?'];
    const proposal = readRoleProposal({ operations: [anAppend({ answer })] }, TEXTS, asked);
    expect(proposal).toMatchObject({ kind: 'proposed', refused: [] });
    const [operation] = proposal.kind === 'proposed' ? proposal.operations : [];
    expect(operation).toEqual({
      op: 'append',
      file: 'pm',
      category: 'project',
      text: 'Tests need PostgreSQL 16',
      ...(question === undefined ? {} : { question }),
    });
  });

  test('is read in the format that the prompt asks for', () => {
    const answer = {
      operations: [
        anAppend(),
        anAppend({ category: 'roles', role: '@maya', text: 'wants threat models early' }),
        anAppend({ op: 'replace', category: null, old: '- Node 24', text: 'Node 24 and 26' }),
        anAppend({
          op: 'suggest-claude',
          file: null,
          category: null,
          text: 'Run the linter first',
        }),
        anAppend({ op: 'none', file: null, category: null, text: '' }),
      ],
    };
    expect(propose(...RoleMemoryForm.parse(answer).operations)).toEqual({
      kind: 'proposed',
      operations: [
        { op: 'append', file: 'pm', category: 'project', text: 'Tests need PostgreSQL 16' },
        {
          op: 'append',
          file: 'pm',
          category: 'roles',
          role: 'maya',
          text: 'wants threat models early',
        },
        { op: 'replace', file: 'pm', old: '- Node 24', text: 'Node 24 and 26' },
        { op: 'suggest-claude', text: 'Run the linter first' },
      ],
      refused: [],
      over: 0,
    });
  });

  test.each([
    ['what is there already', anAppend({ text: 'node 24' }), 'it is in the file already'],
    ['a role without a name', anAppend({ category: 'roles' }), 'it names no role'],
    ['no file', anAppend({ file: null }), 'it names no file'],
    ['no category', anAppend({ category: null }), 'it names no category'],
    ['another file', anAppend({ file: '../README' }), 'it has not the form of an operation'],
    [
      'a line that is not there',
      anAppend({ op: 'replace', old: 'Node 22' }),
      'the line is not in the file',
    ],
    [
      'a replacement by the same',
      anAppend({ op: 'replace', old: 'Node 24', text: 'Node 24' }),
      'it changes nothing',
    ],
    ['several lines', anAppend({ text: 'a\n## b' }), 'it has more than one line'],
    ['a link', anAppend({ text: 'see http://example.com' }), 'it has a link'],
    [
      'a secret',
      anAppend({ text: `use ${['ghp', 'a1B2'.repeat(9)].join('_')}` }),
      'it looks like a credential',
    ],
    ['a mention', anAppend({ text: 'ask @ana' }), 'it has markup that acts (mention)'],
    ['no object', 7, 'it has not the form of an operation'],
  ])('refuses %s, and only that', (_name, bad, reason) => {
    const { operations, refused } = propose(bad, anAppend());
    expect([operations.length, refused]).toEqual([1, [reason]]);
  });

  test('repeats are dropped, and what is over the limit is counted', () => {
    const many = Array.from({ length: 14 }, (_, at) => anAppend({ text: `Fact ${at}` }));
    const { operations, over } = propose(...many, ...many);
    expect([operations.length, over]).toEqual([10, 4]);
  });

  test.each([[undefined], ['none'], [{}], [[anAppend()]]])(
    'garbage is an error value: %j',
    (answer) => {
      expect(readRoleProposal(answer, TEXTS)).toMatchObject({ kind: 'garbage' });
    },
  );
});

const OPERATIONS: RoleOperation[] = [
  { op: 'append', file: 'pm', category: 'project', text: 'Tests need PostgreSQL 16' },
  { op: 'append', file: 'artist', category: 'roles', role: 'PM', text: 'asks for size last' },
  { op: 'replace', file: 'pm', old: 'Node 24', text: 'Node 24 and 26' },
  { op: 'suggest-claude', text: 'Run the linter first' },
];

test('a proposal is numbered, and shows each text as code', () => {
  expect(renderProposal(OPERATIONS)).toBe(
    [
      'I would keep this from the work in this thread:',
      '',
      '1. Add to `memory/pm.md`, Project Knowledge: `Tests need PostgreSQL 16`',
      '2. Add to `memory/artist.md`, Working with Other Roles: `PM: asks for size last`',
      '3. Change `memory/pm.md`: `Node 24` becomes `Node 24 and 26`',
      '4. A suggestion for `CLAUDE.md`, which only people edit: `Run the linter first`',
      '',
      'Answer `yes` to keep all of it or `no` to drop it. You can also answer `remove 3`, `add: …` or `change 1 to: …`. Without an answer I drop it after 24 hours.',
    ].join('\n'),
  );
});

test('approved operations are made in the files; a suggestion for CLAUDE.md is written nowhere', () => {
  expect(applyOperations(TEXTS, OPERATIONS)).toEqual({
    texts: {
      pm: '## Project Knowledge\n\n- Node 24 and 26\n- Tests need PostgreSQL 16\n',
      artist: '## Style\n\n- Flat\n\n## Working with Other Roles\n\n- PM: asks for size last\n',
    },
    refused: [],
  });
});

test('a replacement whose line a person changed since is refused, and the rest is made', () => {
  const texts = { ...TEXTS, pm: TEXTS.pm.replace('24', '26') };
  const { refused, texts: now } = applyOperations(texts, OPERATIONS);
  expect(refused).toEqual([{ operation: OPERATIONS[2], reason: 'the line is not in the file' }]);
  expect(now.pm).toContain('- Tests need PostgreSQL 16');
});

describe('answers in words', () => {
  test.each([
    'yes',
    'Yes!',
    'ok',
    'LGTM',
    'go',
    'dale',
    'sí',
    'si, gracias',
    'ja',
    'Ja, bitte.',
    'passt',
    'oui',
    'D’accord',
    'vale',
    'yes please',
    'thanks\n\nyes',
    '> old words\n\nyes',
  ])('%j approves', (body) =>
    expect(readMemoryAnswer(body)).toMatchObject({ verdict: 'yes', unclear: [] }),
  );

  test.each([
    'no',
    'No.',
    'nein',
    'Nein, danke',
    'non',
    'non merci',
    'no, gracias',
    'no thanks',
    'nope',
  ])('%j rejects', (body) => expect(readMemoryAnswer(body)).toMatchObject({ verdict: 'no' }));

  test.each([
    ['remove 3', { remove: [3] }],
    ['Remove #1, 2 and 4.', { remove: [1, 2, 4] }],
    ['add: tests run on Node 24', { add: ['tests run on Node 24'] }],
    [
      'change 1 to: tests run; on Node 26',
      { change: [{ number: 1, text: 'tests run; on Node 26' }] },
    ],
    ['yes, but remove 3', { verdict: 'yes', remove: [3] }],
    ['remove 3 and yes', { verdict: 'yes', remove: [3] }],
    ['ja, aber change 2 to: x', { verdict: 'yes', change: [{ number: 2, text: 'x' }] }],
    [
      '- remove 1\n- change 2 to: b\n- add: c\n\nyes',
      { verdict: 'yes', remove: [1], change: [{ number: 2, text: 'b' }], add: ['c'] },
    ],
  ])('%j says all of its steps', (body, expected) => {
    const nothing = { verdict: undefined, remove: [], add: [], change: [], unclear: [] };
    expect(readMemoryAnswer(body)).toEqual({ ...nothing, ...expected });
  });

  test.each([
    '',
    'thanks!',
    'hai, onegai shimasu',
    'はい',
    'I would say yes but later',
    'please add a test',
    'remove the cache',
    '> yes',
    `On 1 May 2026 at 10:00, Ana <ana@example.com> wrote:\n> x\nyes`,
  ])('%j is no answer', (body) => expect(readMemoryAnswer(body)).toBeUndefined());

  test('“yes” with a condition, or with “no”, decides nothing', () => {
    expect(readMemoryAnswer('yes\nbut only after the release')).toMatchObject({
      verdict: undefined,
      unclear: ['but only after the release'],
    });
    expect(readMemoryAnswer('yes\nno')).toMatchObject({
      verdict: undefined,
      unclear: ['yes and no'],
    });
  });

  test('“no” with more text still rejects', () => {
    expect(readMemoryAnswer('no\nwe know all of that')).toMatchObject({ verdict: 'no' });
  });

  test('no comment makes the reader throw, and none is slow', () => {
    fc.assert(fc.property(fc.string(), (body) => void readMemoryAnswer(body)));
    for (const bit of ['yes, ', 'remove 1 ', 'yes but and ', 'change 1 to '])
      readMemoryAnswer(bit.repeat(400));
  });
});

describe('what an answer does', () => {
  const NOTHING = { remove: [], add: [], change: [] };

  test('numbers are those that were shown', () => {
    const { operations, problems } = applyAnswer(OPERATIONS, {
      remove: [1, 4],
      change: [{ number: 2, text: 'asks for the place first' }],
      add: ['Releases are on Fridays'],
    });
    expect(operations).toEqual([
      { ...OPERATIONS[1], text: 'asks for the place first' },
      OPERATIONS[2],
      { op: 'append', file: 'pm', category: 'project', text: 'Releases are on Fridays' },
    ]);
    expect(problems).toEqual([]);
  });

  test('a number that does not exist and a text that may not be kept are reported', () => {
    const { operations, problems } = applyAnswer(OPERATIONS, {
      remove: [9],
      change: [{ number: 1, text: 'see https://example.com' }],
      add: ['<b>bold</b>'],
    });
    expect(operations).toEqual(OPERATIONS);
    expect(problems).toEqual([
      'The proposal has no number 9.',
      'Number 1 stays as it is: it has a link.',
      'Quorum cannot add `<b>bold</b>`: it has HTML.',
    ]);
  });

  test('nothing asked, nothing changed', () => {
    expect(applyAnswer(OPERATIONS, NOTHING)).toEqual({ operations: OPERATIONS, problems: [] });
  });
});
