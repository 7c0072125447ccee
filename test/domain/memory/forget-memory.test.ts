/** What is forgotten is gone, with everything that was made of it. */
import { expect, test } from 'vitest';
import { addEntries } from '../../../src/domain/memory/file/edit-memory-file.ts';
import { forgetEntries, forgetUses } from '../../../src/domain/memory/forget-memory.ts';
import {
  entriesOf,
  parseMemoryFile,
  renderMemoryFile,
} from '../../../src/domain/memory/file/memory-file.ts';
import { anEntry, CONTEXT } from './some-memory.ts';
import { verifies } from '../../verifies.ts';

const BAD = {
  source: { kind: 'run' as const, run: 'bad', thread: 3 },
  author: { id: 66, login: 'mallory' },
};
const KEPT = anEntry({ text: 'Kept' });
const LEARNED = anEntry({ text: 'Learned in the bad run', ...BAD });
const DERIVED = anEntry({
  text: 'Derived from both',
  grewFrom: [{ source: KEPT.source, author: KEPT.author }, BAD],
});
const FILE = renderMemoryFile(
  addEntries(parseMemoryFile('# Maya\n\nNotes.\n', CONTEXT), [KEPT, LEARNED, DERIVED]),
);
const left = (source: string, target: Parameters<typeof forgetEntries>[1]) => {
  const { file, ids } = forgetEntries(parseMemoryFile(source, CONTEXT), target);
  return { text: renderMemoryFile(file), texts: entriesOf(file).map(({ text }) => text), ids };
};

test.each([[{ kind: 'run', run: 'bad' } as const], [{ kind: 'author', id: 66 } as const]])(
  '%j: what it taught goes, and what was derived from that',
  (target) => {
    const { text, texts, ids } = left(FILE, target);
    expect(texts).toEqual(['Kept']);
    expect(new Set(ids)).toEqual(new Set([LEARNED.id, DERIVED.id]));
    expect(text).toContain('Notes.');
    expect(text).not.toMatch(/bad|mallory/);
  },
);

verifies('MEM-08: entry', 'one entry is forgotten by its id', () => {
  const { texts, ids } = left(FILE, { kind: 'entry', id: LEARNED.id });
  expect(texts).not.toContain(LEARNED.text);
  expect([texts.length, ids]).toEqual([2, [LEARNED.id]]);
});

verifies(
  'MEM-08: copies and malformed lines',
  'copies and malformed lines with the same facts go too',
  () => {
    const line = FILE.split('\n').find((each) => each.includes(LEARNED.text)) ?? '';
    const long = line.replace(LEARNED.text, 'word '.repeat(90));
    const { text, texts } = left(`${FILE}${line}\n${long}\n`, { kind: 'run', run: 'bad' });
    expect(texts).toEqual(['Kept']);
    expect(text).not.toContain('word word');
    expect(text).not.toContain('"run":"bad"');
  },
);

test('nothing is touched where nothing matches', () => {
  expect(left(FILE, { kind: 'run', run: 'ba' })).toMatchObject({ text: FILE, ids: [] });
});

verifies('MEM-08: counters', 'their counters go with them', () => {
  const use = { uses: 1, kept: 0, dismissed: 0 };
  expect(forgetUses({ [KEPT.id]: use, [LEARNED.id]: use }, [LEARNED.id])).toEqual({
    [KEPT.id]: use,
  });
});
