/** The block of a prompt: the most relevant first, within its budget, and nothing that may not be used. */
import { expect, test } from 'vitest';
import { citedMemories, renderMemory } from '../../../src/domain/memory/recall/render-memory.ts';
import { anEntry } from './some-memory.ts';

const many = Array.from({ length: 40 }, (_, at) =>
  anEntry({ text: `Lesson ${at} ${'word '.repeat(20)}`.trim() }),
);

test('an entry names its id, its origin and its places', () => {
  const ref = { path: 'src/a.ts', from: 3, to: 9, blobSha: 'aa', digest: 'bb' };
  const said = anEntry({
    text: 'Fridays',
    refs: [ref],
    source: { kind: 'comment', commentId: 1, thread: 8 },
  });
  expect(renderMemory([said]).text).toBe(
    `- [m:${said.id}] PATTERN, #8, ana: Fridays (src/a.ts#L3-L9)`,
  );
  expect(renderMemory([{ ...said, refs: [], source: { kind: 'hand' } }]).text).toBe(
    `- [m:${said.id}] PATTERN: Fridays`,
  );
});

test('the first that fit are shown, in the order given', () => {
  const { text, ids } = renderMemory(many);
  expect(ids).toEqual(many.slice(0, ids.length).map(({ id }) => id));
  expect(text.length).toBeLessThanOrEqual(1_800);
  expect(text.length).toBeGreaterThan(1_600);
  expect(renderMemory(many, { maxTokens: 1_200 }).ids.length).toBeGreaterThan(ids.length);
});

test('one that does not fit makes room for smaller ones', () => {
  const small = anEntry({ text: 'Small' });
  expect(renderMemory([...many.slice(0, 1), small], { maxTokens: 20 }).ids).toEqual([small.id]);
});

test('what is in quarantine or stale is never shown', () => {
  const out = [anEntry({ state: 'quarantined' }), anEntry({ text: 'Old', state: 'stale' })];
  expect(renderMemory(out)).toEqual({ text: '', ids: [] });
});

test('the same entries give the same bytes', () => {
  expect(renderMemory(many)).toEqual(renderMemory(structuredClone(many)));
});

test('citations in a text are found, each once', () => {
  const { text, ids } = renderMemory(many.slice(0, 3));
  expect(citedMemories(`${text}\n${text} [m:short] [m:ABCDEF0123]`)).toEqual(ids);
});
