/** Entries for tests: one with everything, and arbitrary ones. */
import * as fc from 'fast-check';
import {
  MEMORY_CATEGORIES,
  MEMORY_STATES,
  memoryId,
  type MemoryEntry,
  type MemoryOrigin,
} from '../../../src/domain/memory/memory-entry.ts';
import { faultOfText } from '../../../src/domain/memory/memory-text.ts';

export const CONTEXT = { persona: 'maya', today: '2026-03-01' };

export function anEntry(over: Partial<MemoryEntry> = {}): MemoryEntry {
  const text = over.text ?? 'Dates are parsed in UTC, never in the zone of the server';
  return {
    id: memoryId('maya', text),
    persona: 'maya',
    category: 'PATTERN',
    text,
    refs: [],
    words: ['time zone'],
    source: { kind: 'run', run: 'review-1', thread: 12 },
    author: { id: 7, login: 'ana' },
    trust: 'maintainer',
    createdAt: '2026-02-21',
    state: 'active',
    ...over,
  };
}

const word = fc.stringMatching(/^[a-z]{2,8}$/);
const path = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.ts`);
const hex = fc.stringMatching(/^[0-9a-f]{16}$/);

const ref = fc
  .record({ path, from: fc.integer({ min: 1, max: 900 }), more: fc.nat(30), blob: fc.option(hex) })
  .map(({ path: file, from, more, blob }) => ({
    path: file,
    from,
    to: from + more,
    ...(blob === null ? {} : { blobSha: blob, digest: blob }),
  }));

const author = fc.option(
  fc.record({ id: fc.integer({ min: 1, max: 1e6 }), login: fc.stringMatching(/^[a-z]{1,9}$/) }),
  { nil: undefined },
);

const origin: fc.Arbitrary<MemoryOrigin> = fc.record({
  source: fc.oneof(
    fc.record({ kind: fc.constant('run' as const), run: word, thread: fc.nat(99) }),
    fc.record({
      kind: fc.constant('comment' as const),
      commentId: fc.integer({ min: 1, max: 99 }),
      thread: fc.nat(99),
    }),
    fc.constant({ kind: 'hand' as const }),
  ),
  author,
});

const date = fc.constantFrom('2026-02-20', '2026-02-21', '2026-02-25', '2026-03-02');

/** Texts that a file can hold, with signs that mean something in Markdown or in our lines. */
const text = fc
  .array(
    fc.oneof(word, fc.constantFrom('[TODO]', '-', '--', '>', '#', '"', '\\', '(x)', 'é', '`a`')),
    {
      minLength: 1,
      maxLength: 9,
    },
  )
  .map((words) => words.join(' '))
  .filter((each) => faultOfText(each) === undefined);

export const entries: fc.Arbitrary<MemoryEntry> = fc
  .tuple(
    fc.record({
      category: fc.constantFrom(...MEMORY_CATEGORIES),
      text,
      refs: fc.uniqueArray(ref, {
        maxLength: 3,
        selector: (each) => `${each.path}${each.from}-${each.to}`,
      }),
      words: fc.array(word, { maxLength: 3 }),
      trust: fc.constantFrom('stranger' as const, 'contributor' as const, 'maintainer' as const),
      createdAt: date,
      state: fc.constantFrom(...MEMORY_STATES),
    }),
    origin,
    fc.option(fc.array(origin, { minLength: 1, maxLength: 2 })),
  )
  .map(([facts, from, grewFrom]) => ({
    ...facts,
    ...from,
    persona: 'maya',
    id: memoryId('maya', facts.text),
    ...(grewFrom === null ? {} : { grewFrom }),
  }));

export const manyEntries = fc.uniqueArray(entries, { maxLength: 6, selector: ({ id }) => id });
