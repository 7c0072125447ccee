/** Two writers and a person at once: additions of both stay, a person's edit and removal hold, counters add up. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addEntries,
  removeEntries,
  replaceEntries,
} from '../../../src/domain/memory/file/edit-memory-file.ts';
import {
  entriesOf,
  parseMemoryFile,
  renderMemoryFile,
  type MemoryFile,
} from '../../../src/domain/memory/file/memory-file.ts';
import { mergeMemoryFile, type ThreeFiles } from '../../../src/domain/memory/file/merge-memory.ts';
import { mergeUses, parseUses, renderUses } from '../../../src/domain/memory/file/memory-use.ts';
import { anEntry, CONTEXT, manyEntries } from './some-memory.ts';

const parse = (source: string) => parseMemoryFile(source, CONTEXT);
const merge = (files: ThreeFiles) => mergeMemoryFile(files, CONTEXT);
const idsIn = (source: string): string[] => entriesOf(parse(source)).map(({ id }) => id);

const [FIRST, SECOND] = [anEntry({ text: 'First lesson' }), anEntry({ text: 'Second lesson' })];
const BASE = renderMemoryFile(addEntries(parse('# Maya\n\nNotes of mine.\n'), [FIRST, SECOND]));
const edited = (change: (file: MemoryFile) => MemoryFile): string =>
  renderMemoryFile(change(parse(BASE)));

test('additions of two writers give the same file in either order, and none is lost', () => {
  fc.assert(
    fc.property(manyEntries, manyEntries, manyEntries, (old, some, others) => {
      const base = renderMemoryFile(addEntries(parse('# Maya\n'), old));
      const apart = others.filter(({ id }) => some.every((each) => each.id !== id));
      const [one, other] = [some, apart].map((added) =>
        renderMemoryFile(addEntries(parse(base), added)),
      );
      const both = { base, ours: one ?? '', theirs: other ?? '' };
      const { text, overruled } = merge(both);
      expect(merge({ base, ours: both.theirs, theirs: both.ours }).text).toBe(text);
      expect(new Set(idsIn(text))).toEqual(
        new Set([...old, ...some, ...apart].map(({ id }) => id)),
      );
      expect(overruled).toEqual([]);
    }),
  );
});

test('twenty writers, one after the other, lose nothing', () => {
  const writers = Array.from({ length: 20 }, (_, at) => anEntry({ text: `Lesson number ${at}` }));
  const head = writers.reduce((theirs, entry) => {
    const ours = renderMemoryFile(addEntries(parse(BASE), [entry]));
    return merge({ base: BASE, ours, theirs }).text;
  }, BASE);
  expect(new Set(idsIn(head))).toEqual(new Set([FIRST, SECOND, ...writers].map(({ id }) => id)));
});

test('what was acknowledged is only lost by a removal of one side', () => {
  fc.assert(
    fc.property(manyEntries, fc.nat(63), fc.nat(63), (all, leftOut, alsoOut) => {
      const base = renderMemoryFile(addEntries(parse(''), all));
      const without = (bits: number) =>
        new Set(all.filter((_, at) => (bits & (1 << at)) !== 0).map(({ id }) => id));
      const ours = renderMemoryFile(removeEntries(parse(base), without(leftOut)));
      const theirs = renderMemoryFile(removeEntries(parse(base), without(alsoOut)));
      const gone = new Set([...without(leftOut), ...without(alsoOut)]);
      const left = all.filter(({ id }) => !gone.has(id)).map(({ id }) => id);
      expect(new Set(idsIn(merge({ base, ours, theirs }).text))).toEqual(new Set(left));
    }),
  );
});

test('a removal by a person wins over our copy, changed or not', () => {
  const theirs = edited((file) => removeEntries(file, new Set([FIRST.id])));
  const added = edited((file) => addEntries(file, [anEntry({ text: 'Third lesson' })]));
  expect(idsIn(merge({ base: BASE, ours: added, theirs }).text)).not.toContain(FIRST.id);
  const ours = edited((file) => replaceEntries(file, [{ ...FIRST, state: 'stale' }]));
  expect(merge({ base: BASE, ours, theirs })).toEqual({ text: theirs, overruled: [FIRST.id] });
});

test('an edit by a person wins over our change and our removal', () => {
  const theirs = BASE.replace('First lesson', 'First lesson, in better words');
  const changed = edited((file) => replaceEntries(file, [{ ...FIRST, state: 'stale' }]));
  const removed = edited((file) => removeEntries(file, new Set([FIRST.id])));
  for (const ours of [changed, removed])
    expect(merge({ base: BASE, ours, theirs })).toEqual({ text: theirs, overruled: [FIRST.id] });
});

test('our change of an entry that they left alone is made in their file', () => {
  const theirs = BASE.replace('Notes of mine.', 'Other notes.').replace('Second', 'The second');
  const ours = edited((file) => replaceEntries(file, [{ ...FIRST, state: 'stale' }]));
  const { text, overruled } = merge({ base: BASE, ours, theirs });
  expect(text).toContain('Other notes.');
  expect(entriesOf(parse(text)).map(({ text: said, state }) => [said, state])).toEqual(
    expect.arrayContaining([
      ['First lesson', 'stale'],
      ['The second lesson', 'active'],
    ]),
  );
  expect(overruled).toEqual([]);
});

test('a file that was deleted, or filled with something else, takes our additions', () => {
  const third = anEntry({ text: 'Third lesson' });
  const ours = edited((file) => addEntries(file, [third]));
  for (const theirs of ['', '\u0000\u0001\u0002binary'])
    expect(idsIn(merge({ base: BASE, ours, theirs }).text)).toEqual([third.id]);
});

const ID = FIRST.id;

test('counters of two writers add up, and the later date holds', () => {
  const use = { uses: 2, kept: 1, dismissed: 0, lastUsedAt: '2026-02-01T00:00:00Z' };
  const ours = { [ID]: { ...use, uses: 5, lastUsedAt: '2026-02-03T00:00:00Z' } };
  const theirs = { [ID]: { ...use, uses: 3, dismissed: 1, verifiedAt: '2026-02-02' } };
  const merged = {
    [ID]: {
      uses: 6,
      kept: 1,
      dismissed: 1,
      lastUsedAt: '2026-02-03T00:00:00Z',
      verifiedAt: '2026-02-02',
    },
  };
  expect(mergeUses({ [ID]: use }, ours, theirs)).toEqual(merged);
  expect(mergeUses({ [ID]: use }, theirs, ours)).toEqual(merged);
});

test('counts of an entry that one side forgot stay out; those of a new one stay', () => {
  const use = { uses: 2, kept: 0, dismissed: 0 };
  expect(mergeUses({ [ID]: use }, {}, { [ID]: { ...use, uses: 3 } })).toEqual({});
  expect(mergeUses({ [ID]: use }, { [ID]: use }, {})).toEqual({});
  expect(mergeUses({}, { [ID]: use }, {})).toEqual({ [ID]: use });
});

test('counters are read as they were written, and broken rows are left out and counted', () => {
  const uses = { [ID]: { uses: 2, kept: 0, dismissed: 1, verifiedAt: '2026-02-02' } };
  expect(parseUses(renderUses(uses))).toEqual({ uses, skipped: 0 });
  expect(parseUses(renderUses({}))).toEqual({ uses: {}, skipped: 0 });
  expect(parseUses('')).toEqual({ uses: {}, skipped: 0 });
  expect(parseUses('[1]')).toEqual({ uses: {}, skipped: 1 });
  const broken = JSON.stringify({ ...uses, x: uses[ID], [SECOND.id]: { uses: -1 } });
  expect(parseUses(broken)).toEqual({ uses, skipped: 2 });
});
