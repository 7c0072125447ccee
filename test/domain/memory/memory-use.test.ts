/** What is counted of entries: read as it was written, whatever else the file holds. */
import { expect, test } from 'vitest';
import { parseUses, renderUses } from '../../../src/domain/memory/file/memory-use.ts';
import { anEntry } from './some-memory.ts';

const [FIRST, SECOND] = [anEntry({ text: 'First lesson' }), anEntry({ text: 'Second lesson' })];
const ID = FIRST.id;

test('counters are read as they were written, and broken rows are left out and counted', () => {
  const uses = { [ID]: { uses: 2, kept: 0, dismissed: 1, verifiedAt: '2026-02-02' } };
  expect(parseUses(renderUses(uses))).toEqual({ uses, skipped: 0 });
  expect(parseUses(renderUses({}))).toEqual({ uses: {}, skipped: 0 });
  expect(parseUses('')).toEqual({ uses: {}, skipped: 0 });
  expect(parseUses('[1]')).toEqual({ uses: {}, skipped: 1 });
  const broken = JSON.stringify({ ...uses, x: uses[ID], [SECOND.id]: { uses: -1 } });
  expect(parseUses(broken)).toEqual({ uses, skipped: 2 });
});
