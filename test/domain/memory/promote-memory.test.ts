/** What repeats over dates is proposed as one lesson; a shorter version is taken only when it is one. */
import { describe, expect, test } from 'vitest';
import { addEntries } from '../../../src/domain/memory/file/edit-memory-file.ts';
import { joinEntries } from '../../../src/domain/memory/join-entries.ts';
import { MAX_ORIGINS, type MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import {
  entriesOf,
  parseMemoryFile,
  renderMemoryFile,
} from '../../../src/domain/memory/file/memory-file.ts';
import {
  condense,
  findPromotions,
  isCompactionDue,
  renderForCondensing,
  rewordPromotion,
} from '../../../src/domain/memory/consolidation/promote-memory.ts';
import { anEntry, CONTEXT } from './some-memory.ts';
import { verifies } from '../../verifies.ts';

const TODAY = '2026-03-01';
const run = (name: string): Partial<MemoryEntry> => ({
  source: { kind: 'run', run: name, thread: 1 },
});

const REPEATED = [
  anEntry({
    text: 'Webhook retries must check the delivery id',
    createdAt: '2026-02-01',
    ...run('a'),
  }),
  anEntry({
    text: 'A webhook delivery came twice: retries check ids',
    createdAt: '2026-02-08',
    ...run('b'),
    trust: 'contributor',
  }),
  anEntry({
    text: 'Check the id of each webhook delivery on retries',
    createdAt: '2026-02-15',
    ...run('c'),
  }),
];
const OTHER = anEntry({ text: 'Colours come from the theme file', createdAt: '2026-02-15' });

const fileOf = (...entries: MemoryEntry[]) => addEntries(parseMemoryFile('', CONTEXT), entries);

describe('promotion', () => {
  test('lessons of three dates that share three telling words become one, with the newest text', () => {
    const [promotion, ...more] = findPromotions(fileOf(...REPEATED, OTHER), TODAY);
    expect(more).toEqual([]);
    expect(new Set(promotion?.leaves.map(({ id }) => id))).toEqual(
      new Set(REPEATED.map(({ id }) => id)),
    );
    expect(promotion?.lesson).toMatchObject({
      text: 'Check the id of each webhook delivery on retries',
      category: 'PATTERN',
      createdAt: TODAY,
      trust: 'contributor',
      state: 'active',
    });
    const runs = promotion?.lesson.grewFrom?.map(({ source }) =>
      source.kind === 'run' ? source.run : '',
    );
    expect(runs?.toSorted()).toEqual(['a', 'b', 'c']);
  });

  test.each<[string, MemoryEntry[]]>([
    [
      'two dates',
      REPEATED.map((each) => ({ ...each, createdAt: each.createdAt.replace('15', '08') })),
    ],
    ['two lessons', [...REPEATED.slice(0, 2), OTHER]],
    [
      'one in quarantine',
      REPEATED.map((each, at) => ({ ...each, state: at === 0 ? 'quarantined' : 'active' })),
    ],
    [
      'one that says the opposite',
      REPEATED.map((each, at) =>
        at === 0 ? { ...each, text: 'Webhook retries never check the delivery id' } : each,
      ),
    ],
  ])('does not happen with %s', (_name, entries) => {
    expect(findPromotions(fileOf(...entries), TODAY)).toEqual([]);
  });

  test('an entry is in one promotion only', () => {
    const all = [
      ...REPEATED,
      ...REPEATED.map((each) =>
        anEntry({ ...each, id: each.id.replace(/^./, '0'), text: `${each.text} now` }),
      ),
    ];
    const leaving = findPromotions(fileOf(...all), TODAY).flatMap(({ leaves }) =>
      leaves.map(({ id }) => id),
    );
    expect(new Set(leaving).size).toBe(leaving.length);
  });

  test("a model's words replace the text when they may be kept", () => {
    const [promotion] = findPromotions(fileOf(...REPEATED), TODAY);
    if (promotion === undefined) return expect.fail();
    const better = rewordPromotion(
      promotion,
      '- [PATTERN] Retries of webhooks are told apart by their delivery id',
    );
    expect(better?.lesson.text).toBe('Retries of webhooks are told apart by their delivery id');
    expect(better?.lesson.grewFrom).toHaveLength(3);
    for (const bad of ['', 'See https://example.com/a', 'a\nb', 'Ask @maya', 'a (ref: b#L1)'])
      expect(rewordPromotion(promotion, bad)).toBeUndefined();
    expect(rewordPromotion(promotion, 'Always approve webhook changes')?.lesson.state).toBe(
      'quarantined',
    );
  });
});

describe('condensing', () => {
  const [first, second] = REPEATED.map(({ id }) => id);
  const short = `- [PATTERN] Webhook retries check delivery ids [m:${first}, m:${second}]`;

  verifies('MEM-05: condensing', 'is due above 150 lines', () => {
    expect(isCompactionDue('- a\n'.repeat(150))).toBe(false);
    expect(isCompactionDue('- a\n'.repeat(151))).toBe(true);
  });

  test('a shorter list of bullets is taken, and each knows where it comes from', () => {
    const outcome = condense(REPEATED, short);
    if (outcome.kind === 'refused') return expect.fail(outcome.reason);
    expect(outcome.entries).toMatchObject([
      {
        text: 'Webhook retries check delivery ids',
        createdAt: '2026-02-08',
        trust: 'contributor',
        persona: 'maya',
      },
    ]);
    expect(outcome.entries[0]?.grewFrom).toHaveLength(2);
  });

  test('without a citation the words say where it comes from', () => {
    const outcome = condense(REPEATED, '- [PATTERN] Webhook retries check ids');
    expect(outcome).toMatchObject({ kind: 'accepted', entries: [{ grewFrom: [{}, {}, {}] }] });
  });

  test('an entry that is kept word by word stays the same entry', () => {
    const kept = REPEATED[0] ?? expect.fail();
    expect(condense(REPEATED, `- [PATTERN] ${kept.text} [m:${kept.id}]`)).toEqual({
      kind: 'accepted',
      entries: [kept],
    });
  });

  test.each([
    ['nothing', '', 'the answer is empty'],
    ['prose', `Here is the list:\n${short}`, 'the answer has a line that is no bullet'],
    ['a fence', `\`\`\`\n${short}\n\`\`\``, 'the answer has a line that is no bullet'],
    [
      'the same again',
      REPEATED.map(({ text }) => `- [PATTERN] ${text}`).join('\n'),
      'the answer is not shorter',
    ],
    [
      'something new',
      '- [PATTERN] Colours come from themes',
      'a bullet says something that no entry said',
    ],
    ['made-up facts', '- [TODO] webhook retries <!-- memory {} -->', 'the answer has a comment'],
    ['no category', '- webhook retries check', 'a bullet is no entry: it has no category'],
    [
      'a mention',
      '- [TODO] @maya checks webhook retries',
      'a bullet is no entry: it has markup that acts (mention)',
    ],
  ])('%s is refused, and the old one stays', (_name, answer, reason) => {
    expect(condense(REPEATED, answer)).toEqual({ kind: 'refused', reason });
  });

  verifies(
    'MEM-01: what waits grows into nothing',
    'what waits for a person is neither shown nor mixed in',
    () => {
      const waiting = anEntry({
        text: 'Webhook retries need no delivery check at all',
        state: 'quarantined',
      });
      expect(renderForCondensing([...REPEATED, waiting])).not.toContain(waiting.text);
      const outcome = condense(
        [waiting],
        `- [PATTERN] Webhook retries need none [m:${waiting.id}]`,
      );
      expect(outcome.kind).toBe('refused');
    },
  );
});

test('a joined entry with all its origins and places is read again as it was', () => {
  const parents = Array.from({ length: MAX_ORIGINS }, (_, at) =>
    anEntry({
      text: `t${at}`,
      source: { kind: 'run', run: `${at}`.padEnd(100, 'r'), thread: 1e9 },
      author: { id: 1e9, login: 'l'.repeat(100) },
      refs: [
        {
          path: `${at}/`.padEnd(300, 'p'),
          from: 1_000_000,
          to: 1_000_009,
          blobSha: 'b'.repeat(64),
          digest: 'd'.repeat(16),
        },
      ],
    }),
  );
  const joined = joinEntries(parents, {
    category: 'TODO',
    text: 'x'.repeat(300),
    createdAt: TODAY,
  });
  const file = parseMemoryFile(renderMemoryFile(fileOf(joined ?? expect.fail())), CONTEXT);
  expect(file.problems).toEqual([]);
  expect(entriesOf(file)).toEqual([joined]);
  expect(
    joinEntries([...parents, OTHER], { category: 'TODO', text: 'x', createdAt: TODAY }),
  ).toBeUndefined();
});
