/** The journal of a thread on the memory branch: written where it differs, left alone where a person or its size says so. */
import { expect, test } from 'vitest';
import type { EffectContext } from '../../../src/act/effect-context.ts';
import { writeJournal } from '../../../src/act/memory/write-journal.ts';
import { MAX_MEMORY_FILE_BYTES } from '../../../src/domain/memory/file/branch-files.ts';
import type { EventData } from '../../../src/domain/event/event.ts';
import {
  aStream,
  done,
  journalOf,
  OPENED,
  said,
  THREAD,
  THREAD_KEY,
} from '../../record/a-record.ts';
import { aMemoryWorld, type MemoryBranches } from './a-memory-world.ts';

const PATH = `journal/${THREAD.number}.md`;
const JOURNAL = journalOf([]);
const ANSWERED = done('comment', {});

async function write(
  prepare: (world: MemoryBranches) => void = () => {},
  recorded: readonly EventData[] = [OPENED],
  whenClosed?: true,
) {
  const world = aMemoryWorld();
  world.config = { ...world.config, journal: { ...world.config.journal, enabled: true } };
  prepare(world);
  const noted: unknown[] = [];
  const readMemory = Object.assign(async () => undefined, {
    noteUnchanged: (...told: unknown[]) => void noted.push(told),
  });
  const context = world.context();
  const { events, effects, calls } = aStream(THREAD_KEY, recorded);
  const store = {
    load: async () => undefined,
    records: {
      events: async () => events,
      effects: async () => effects,
      calls: async () => calls,
    },
  };
  const performed = await writeJournal(
    { kind: 'write-journal', thread: THREAD, ...(whenClosed && { whenClosed }) },
    {
      ...context,
      ports: { ...context.ports, store },
      readMemory,
    } as unknown as EffectContext,
  );
  const branch = Object.values(world.branches)[0];
  const { outcome } = performed.result;
  return { performed, outcome, text: branch?.[PATH], updates: world.updates, noted };
}

const withFile =
  (text: string) =>
  (world: MemoryBranches): void => {
    world.branches[world.config.memory.branch] = { [PATH]: text };
  };

test('a journal that is not there is written whole, and what was read of memory before stays valid', async () => {
  const { performed, outcome, text, updates, noted } = await write();
  expect(outcome).toBe('written');
  expect(text).toBe(JOURNAL);
  expect(performed).toMatchObject({ effectKind: 'write-journal', githubCalls: { rest: 1 } });
  expect(updates).toMatchObject([
    { paths: [PATH], message: `Write the journal of #${THREAD.number}` },
  ]);
  expect(noted).toHaveLength(1);
});

test('one that says the same already is not written again', async () => {
  const { outcome, text } = await write(withFile(JOURNAL));
  expect([outcome, text]).toEqual(['unchanged', JOURNAL]);
});

test('one that tells of events which the store has deleted since stays as it was', async () => {
  const { outcome, text } = await write(withFile(JOURNAL), [ANSWERED]);
  expect([outcome, text]).toEqual(['kept', JOURNAL]);
});

test('one that would be too large for the branch is not written', async () => {
  const words = 'A word of many. '.repeat(100);
  const many = Array.from({ length: MAX_MEMORY_FILE_BYTES / 1_000 }, (_, id) =>
    said(words, { id }),
  );
  const { outcome, text } = await write(withFile(JOURNAL), [OPENED, ...many.flat()]);
  expect([outcome, text]).toEqual(['too-large', JOURNAL]);
});

test.each([
  [
    'where the journal is switched off',
    (world: MemoryBranches) => void (world.config.journal.enabled = false),
  ],
  ['on a host without memory', (world: MemoryBranches) => void (world.hasMemory = false)],
])('nothing is written %s', async (_, prepare) => {
  const { outcome, updates } = await write(prepare);
  expect([outcome, updates]).toEqual(['off', []]);
});

test('one that is wanted for its end is not written while the thread is open', async () => {
  const open = await write(undefined, [OPENED], true);
  expect([open.outcome, open.updates]).toEqual(['open', []]);
  const closed = await write(undefined, [OPENED, done('close', 'closed')], true);
  expect([closed.outcome, closed.updates.length]).toEqual(['written', 1]);
});
