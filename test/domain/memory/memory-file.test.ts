/** Files that people edit: every byte survives, what is malformed is skipped and counted, and what we add is read again. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addEntries,
  removeEntries,
  replaceEntries,
} from '../../../src/domain/memory/file/edit-memory-file.ts';
import {
  entriesOf,
  isOverCore,
  parseMemoryFile,
  readCore,
  renderMemoryFile,
} from '../../../src/domain/memory/file/memory-file.ts';
import { anEntry, CONTEXT, entries, manyEntries } from './some-memory.ts';
import { verifies } from '../../verifies.ts';

const parse = (source: string) => parseMemoryFile(source, CONTEXT);
const textsIn = (source: string): string[] => entriesOf(parse(source)).map(({ text }) => text);
const reasonsIn = (source: string): string[] => parse(source).problems.map(({ reason }) => reason);

const ONE =
  '## 2026-02-21 [PATTERN]\n\n- [PATTERN] Caches are per user (ref: src/cache.ts#L3-L9)\n';

/** Pieces of files, whole and broken. */
const pieces = fc.constantFrom(
  ONE,
  '## 2026-02-21 [TODO]\n',
  '## 2026-13-99\n',
  '- [todo] later\n',
  '- [PATTERN] a <!-- memory {"id":"0123456789","trust":"stranger"} -->\n',
  '- [PATTERN] b <!-- memory {broken -->\r\n',
  '  wrapped\n',
  '# Notes\n\nSome words.\n',
  '```\n',
  '<!--\n',
  '-->\n',
  '<<<<<<< ours\n',
  '- plain\n',
  '\ufeff',
  '\u0000',
  'no end',
);
const files = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
  fc.string(),
);

describe('reading and writing', () => {
  verifies(
    'MEM-06: bytes stay as they are',
    'every file is the same after it was read and written',
    () => {
      fc.assert(fc.property(files, (source) => renderMemoryFile(parse(source)) === source));
    },
  );

  test('what is added to any file is read again as it was, and nothing that was there is lost', () => {
    fc.assert(
      fc.property(files, manyEntries, (source, added) => {
        const before = parse(source);
        const file = parse(renderMemoryFile(addEntries(before, added)));
        const read = new Map(entriesOf(file).map((entry) => [entry.id, entry]));
        const known = new Set(entriesOf(before).map(({ id }) => id));
        for (const entry of entriesOf(before)) expect(read.get(entry.id)).toEqual(entry);
        for (const entry of added.filter(({ id }) => !known.has(id)))
          expect(read.get(entry.id)).toEqual(entry);
        expect(file.problems).toHaveLength(before.problems.length);
      }),
    );
  });

  test("added entries go above a heading of people's own, and keep their date", () => {
    const source = `${ONE}# Notes\n\n- [todo] later\n`;
    const added = anEntry();
    const text = renderMemoryFile(addEntries(parse(source), [added]));
    expect(entriesOf(parse(text)).find(({ id }) => id === added.id)).toEqual(added);
    expect(text.indexOf(added.text)).toBeLessThan(text.indexOf('# Notes'));
  });

  test("an entry below a heading of people's own keeps its date when it is written again", () => {
    const source = `${ONE}# Notes\n\n- [todo] later\n`;
    const file = parseMemoryFile(source, { ...CONTEXT, today: '2026-02-21' });
    const [, later] = entriesOf(file);
    const stale = { ...(later ?? expect.fail()), state: 'stale' as const };
    expect(entriesOf(parse(renderMemoryFile(replaceEntries(file, [stale]))))[1]).toEqual(stale);
  });

  test("a heading that loses its last entry leaves the text below people's own heading", () => {
    const file = parse(`${ONE}# Notes\n\n- [todo] later\n`);
    const [first] = entriesOf(file);
    const left = removeEntries(file, new Set([first?.id ?? '']));
    expect(renderMemoryFile(left)).toBe('# Notes\n\n- [todo] later\n');
  });

  test('what is added and removed again leaves the other entries as they were', () => {
    fc.assert(
      fc.property(manyEntries, entries, (kept, extra) => {
        fc.pre(kept.every(({ id }) => id !== extra.id));
        const file = addEntries(parse(''), kept);
        const back = removeEntries(addEntries(file, [extra]), new Set([extra.id]));
        expect(entriesOf(parse(renderMemoryFile(back)))).toEqual(entriesOf(file));
      }),
    );
  });

  verifies('MEM-02: facts that end their comment', 'facts cannot end their comment', () => {
    const entry = anEntry({ words: ['--> <b>'] });
    const text = renderMemoryFile(addEntries(parse(''), [entry]));
    expect(text.match(/-->/g)).toHaveLength(1);
    expect(entriesOf(parse(text))).toEqual([entry]);
  });

  test('two orders of adding write the same bytes', () => {
    fc.assert(
      fc.property(files, manyEntries, (source, added) => {
        const [one, other] = [added, added.toReversed()].map((each) =>
          renderMemoryFile(addEntries(parse(source), each)),
        );
        expect(one).toBe(other);
      }),
    );
  });

  verifies('MEM-06: every cut', 'no cut of a file makes the reader throw', () => {
    const whole = renderMemoryFile(addEntries(parse(`\ufeff# Maya\n\n${ONE}`), [anEntry()]));
    for (let at = 0; at <= whole.length; at += 1) {
      const cut = whole.slice(0, at);
      expect(renderMemoryFile(parse(cut))).toBe(cut);
    }
  });
});

describe('what people write', () => {
  test("a line without facts is a person's entry: active, and named by its text", () => {
    const [entry] = entriesOf(parse('## 2026-02-21\n\n- [decision] We release on Fridays\n'));
    expect(entry).toMatchObject({
      category: 'DECISION',
      text: 'We release on Fridays',
      source: { kind: 'hand' },
      state: 'active',
      trust: 'maintainer',
      createdAt: '2026-02-21',
    });
  });

  test('a reworded line keeps its id and where it came from', () => {
    const written = renderMemoryFile(addEntries(parse(''), [anEntry({ text: 'Old words' })]));
    const [entry] = entriesOf(parse(written.replace('Old words', 'New words')));
    expect(entry).toEqual(anEntry({ text: 'New words', id: anEntry({ text: 'Old words' }).id }));
  });

  test('a changed place loses the digest of the old one', () => {
    const refs = [{ path: 'src/a.ts', from: 1, to: 2, blobSha: 'aa', digest: 'bb' }];
    const written = renderMemoryFile(addEntries(parse(''), [anEntry({ refs })]));
    const [entry] = entriesOf(
      parse(written.replace('(ref: src/a.ts#L1-L2)', '(ref: src/a.ts#L1-L3)')),
    );
    expect(entry?.refs).toEqual([{ path: 'src/a.ts', from: 1, to: 3 }]);
  });

  test('a bullet without a category takes that of its heading', () => {
    expect(textsIn('## 2026-02-21 [TODO]\n- ask about quotas\n')).toEqual(['ask about quotas']);
  });

  test('a wrapped bullet is one entry', () => {
    expect(textsIn('- [TODO] ask about\n  quotas (ref: app/(main)/page.tsx#L4)\n')).toEqual([
      'ask about quotas',
    ]);
  });

  test('bullets in notes, code and comments are no entries', () => {
    const source =
      '# Notes\n- milk\n- [x] done\n\n```\n- [TODO] in code\n```\n<!--\n- [TODO] off\n-->\n- [TODO] on\n';
    expect(textsIn(source)).toEqual(['on']);
    expect(parse(source).problems).toEqual([]);
  });

  test('a copied line that was reworded is another entry', () => {
    const line = renderMemoryFile(addEntries(parse(''), [anEntry({ text: 'First' })]));
    const both = entriesOf(parse(line + line.replace('First', 'Second')));
    expect(both.map(({ text }) => text)).toEqual(['First', 'Second']);
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
  });
});

test.each([
  ['an unknown category', '## 2026-02-21\n- [RUMOUR] it rains\n', '[RUMOUR] is not a category'],
  ['no category', '## 2026-02-21\n- it rains\n', 'it has no category'],
  ['a long text', `- [TODO] ${'a '.repeat(200)}\n`, 'it is longer than 300 characters'],
  ['a line of 10 MB', `- [TODO] ${'a'.repeat(1e7)}\n`, 'the line is too long'],
  ['a link', '- [TODO] see https://example.com/a\n', 'it has a link'],
  ['HTML', '- [TODO] <b>see</b>\n', 'it has HTML'],
  ['broken facts', '- [TODO] a <!-- memory {"id": -->\n', 'the facts behind the line are broken'],
  ['facts without an end', '- [TODO] a <!-- memory {"id"\n', 'it has HTML'],
  [
    'a secret',
    `- [TODO] the key is ${['ghp', 'a1B2'.repeat(9)].join('_')}\n`,
    'it looks like a credential',
  ],
  ['something hidden', '- [TODO] a\u202eb\n', 'it has invisible characters'],
  [
    'a place outside',
    '- [TODO] a (ref: ../../etc/passwd#L1)\n',
    'a cited place is not written as `path#L1-L2`',
  ],
  [
    'a place that leaves its folder',
    '- [TODO] a (ref: src/../../b.ts#L1)\n',
    'a cited place is not written as `path#L1-L2`',
  ],
  [
    'a place without a line',
    '- [TODO] a (ref: src/a.ts)\n',
    'a cited place is not written as `path#L1-L2`',
  ],
  ['a repeated entry', '- [TODO] a\n- [TODO] a\n', 'the same entry is above'],
  ['a conflict', '<<<<<<< ours\n', 'it is the mark of a merge conflict'],
])('skips and counts %s', (_name, source, reason) => {
  expect(reasonsIn(`${source}- [TODO] fine\n`)).toEqual([reason]);
  expect(textsIn(`${source}- [TODO] fine\n`)).toContain('fine');
});

verifies('MEM-06: malformed line beside good ones', 'a problem names its line', () => {
  expect(parse('# A\n\n- [TODO] fine\n- [TODO] <b>\n').problems).toEqual([
    { line: 4, reason: 'it has HTML' },
  ]);
});

test('a file full of openings is read in linear time', () => {
  const source = '<!--\n```\n~~~~\n'.repeat(30_000);
  expect(parse(source).problems).toEqual([]);
});

describe('changing', () => {
  test('a rewritten entry keeps its place and the kind of line end', () => {
    const source = `# Maya\r\n\r\n${ONE}`.replaceAll(/\r?\n/g, '\r\n');
    const [entry] = entriesOf(parse(source));
    const stale = replaceEntries(parse(source), [{ ...(entry ?? expect.fail()), state: 'stale' }]);
    const text = renderMemoryFile(stale);
    expect(entriesOf(parse(text))).toMatchObject([{ state: 'stale' }]);
    expect(text.startsWith('# Maya\r\n\r\n## 2026-02-21 [PATTERN]\r\n\r\n- [PATTERN] Caches')).toBe(
      true,
    );
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('a heading goes with its last entry, but not with what people wrote below it', () => {
    const [entry] = entriesOf(parse(ONE));
    const ids = new Set([entry?.id ?? '']);
    expect(renderMemoryFile(removeEntries(parse(`# Maya\n\n${ONE}`), ids))).toBe('# Maya\n\n');
    expect(renderMemoryFile(removeEntries(parse(`${ONE}\nA note.\n`), ids))).toContain('A note.');
  });

  test('an entry is written below the heading of its date and category', () => {
    const added = renderMemoryFile(
      addEntries(parse(ONE), [anEntry(), anEntry({ category: 'TODO', text: 'Ask' })]),
    );
    const heads = added.split('\n').filter((line) => line.startsWith('#'));
    expect(heads).toEqual(['## 2026-02-21 [PATTERN]', '## 2026-02-21 [TODO]']);
  });
});

describe('budgets', () => {
  const long = Array.from({ length: 60 }, (_, at) =>
    anEntry({ text: `${at} ${'word '.repeat(35)}`.trim() }),
  );
  const file = addEntries(parse(''), long);

  test('of core the first 4,000 characters are read, in whole entries', () => {
    const [all, core] = [entriesOf(file), readCore(file)];
    expect(core).toEqual(all.slice(0, core.length));
    const shown = core.reduce((sum, { text }) => sum + text.length + 13, 0);
    expect(shown).toBeLessThanOrEqual(4_000);
    expect(shown).toBeGreaterThan(3_700);
  });

  test('core says when more is in it than is read', () => {
    expect(isOverCore(file)).toBe(true);
    expect(isOverCore(parse(ONE))).toBe(false);
  });
});
