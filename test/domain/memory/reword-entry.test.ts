/** A person's own words for a note: what the note keeps, and when nothing is written. */
import { describe, expect, test } from 'vitest';
import {
  applyChange,
  corePath,
  USES_FILE,
  workingPath,
  type ReadyChange,
} from '../../../src/domain/memory/file/apply-change.ts';
import { parseUses } from '../../../src/domain/memory/file/memory-use.ts';
import { memoryId, type MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import { entriesOf, parseMemoryFile } from '../../../src/domain/memory/file/memory-file.ts';
import { anEntry } from './some-memory.ts';

const AT = '2026-03-02T09:00:00.000Z';
const CORE = corePath('maya');
const BOB = { id: 5, login: 'bob' };
const ref = { path: 'src/parse.ts', from: 1, to: 2 };

const old = anEntry({
  id: '0000000001',
  persona: 'maya',
  text: 'Parsers throw',
  category: 'HYPOTHESIS',
  refs: [ref],
  words: ['parse'],
  source: { kind: 'run', run: 'RUN', thread: 7 },
  author: BOB,
});
const text = 'Parsers never throw';
const entry = anEntry({
  id: memoryId('maya', text),
  persona: 'maya',
  text,
  category: 'DECISION',
  source: { kind: 'comment', commentId: 900, thread: 8 },
  author: { id: 1, login: 'ana' },
});
const reword = { kind: 'reword', id: old.id, shown: old.text, entry } as const;

type Files = ReadonlyMap<string, string>;

const withLines = (...lines: MemoryEntry[]): Files =>
  applyChange(new Map(), { kind: 'learn', entries: lines, refreshed: [], used: [old.id] }, AT)
    .files;

function after(files: Files, change: ReadyChange) {
  const { files: changed, ...told } = applyChange(files, change, AT);
  return { files: new Map([...files, ...changed]), told };
}

function linesIn(files: Files, path = workingPath('maya')): MemoryEntry[] {
  return entriesOf(
    parseMemoryFile(files.get(path) ?? '', { persona: 'maya', today: '2026-03-02' }),
  );
}

describe('a reworded note', () => {
  test('keeps its category and what it cites, and whose words it grew from', () => {
    const { files, told } = after(withLines(old), reword);
    const [line, ...others] = linesIn(files);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      id: entry.id,
      text,
      category: 'HYPOTHESIS',
      refs: [ref],
      words: ['parse'],
      source: entry.source,
      author: entry.author,
      state: 'active',
      grewFrom: [{ source: old.source, author: BOB }],
    });
    expect(told).toMatchObject({ removed: [old.id], refused: [], entries: [{ id: entry.id }] });
    expect(parseUses(files.get(USES_FILE) ?? '').uses).not.toHaveProperty(old.id);
  });

  test('has the category that the words name', () => {
    const { files } = after(withLines(old), { ...reword, category: 'TODO' });
    expect(linesIn(files)[0]?.category).toBe('TODO');
  });

  test('stays in its file, and leaves what the persona experienced alone', () => {
    const self = 'personas/maya/experiences.json';
    const lines = withLines(old).get(workingPath('maya')) ?? '';
    const before = new Map([
      [CORE, lines],
      [self, '{"version":1,"experiences":[{"id":"RUN/0000000001"}]}\n'],
    ]);
    const { files } = after(before, reword);
    expect(linesIn(files, CORE).map(({ id }) => id)).toEqual([entry.id]);
    expect(files.get(workingPath('maya'))).toBeUndefined();
    expect(files.get(self)).toBe(before.get(self));
  });

  test.each<[string, ReadyChange]>([
    ['the author of the old words', { kind: 'forget', target: { kind: 'author', id: BOB.id } }],
    ['the run that learned it', { kind: 'forget', target: { kind: 'run', run: 'RUN' } }],
  ])('is forgotten with %s', (_, forget) => {
    expect(linesIn(after(after(withLines(old), reword).files, forget).files)).toEqual([]);
  });

  test('is written once where the change is made again', () => {
    const { files } = after(withLines(old), reword);
    const again = after(files, reword);
    expect(again.files).toEqual(files);
    expect(again.told.refused).toEqual([]);
  });
});

describe('nothing is reworded', () => {
  const taken = (state: MemoryEntry['state']) => anEntry({ ...entry, state, source: old.source });

  test.each<[string, MemoryEntry[], string]>([
    ['where another note says this and is in use', [old, taken('active')], 'it is in use'],
    ['where another note waits', [old, taken('quarantined')], 'it waits for an approval'],
    ['where another note is stale', [old, taken('stale')], 'it is stale'],
    ['where the note is gone', [], 'it is not there any more'],
    ['where the note was changed meanwhile', [{ ...old, text: 'b' }], 'its text changed'],
  ])('%s', (_, lines, why) => {
    const before = withLines(...lines);
    const { files, told } = after(before, reword);
    expect(files).toEqual(before);
    expect(told).toMatchObject({ entries: [], removed: [] });
    expect(told.refused.join()).toContain(why);
  });

  test('where several notes have its id, or it grew from more than a line can name', () => {
    const twin = anEntry({ ...old, persona: 'dev', text: 'c' });
    const grewFrom = Array.from({ length: 50 }, (_, at) => ({
      source: { kind: 'comment' as const, commentId: at + 1, thread: 1 },
      author: BOB,
    }));
    const told = [[old, twin], [{ ...old, grewFrom }]].map(
      (lines) => after(withLines(...lines), reword).told.refused,
    );
    expect(told).toEqual([
      [expect.stringContaining('several notes have this id')],
      [expect.stringContaining('it grew from too many others')],
    ]);
  });
});
