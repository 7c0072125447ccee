/** How often GitHub is asked who pushed, and what people see where it does not say. */
import { expect, test } from 'vitest';
import { listNotes } from '../../../src/act/memory/list-notes.ts';
import type { ReadMemory } from '../../../src/act/memory/read-memory.ts';
import { createVouchedHeads } from '../../../src/act/memory/vouched-heads.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type {
  DoubtfulLines,
  KnownDoubt,
  MemorySession,
} from '../../../src/ports/github/memory-branch.ts';
import { THREAD } from '../../helpers/play.ts';

const PLACE = { repository: THREAD, branch: 'quorum/memory' };

/** Heads that GitHub was asked about, each with what was known before. */
function asking(answer: DoubtfulLines) {
  const asked: [string, KnownDoubt | undefined][] = [];
  let now = 0;
  const heads = createVouchedHeads(10, () => now);
  const doubtful = async (_: unknown, head: string, known?: KnownDoubt) => {
    asked.push([head, known]);
    return answer;
  };
  const session = { memory: { doubtful } } as unknown as MemorySession;
  return {
    asked,
    at: (head: string) => heads.at(session, PLACE, head),
    later: (ms: number) => (now += ms),
    heads,
  };
}

test('a GitHub that does not say who pushed is asked again after an hour, for whatever head', async () => {
  const { asked, at, later, heads } = asking('untold');
  expect([await at('one'), await at('two')]).toEqual(['untold', 'untold']);
  expect(asked).toHaveLength(1);
  later(3_600_000);
  await at('two');
  expect(asked).toHaveLength(2);
  heads.forget('');
  await at('two');
  expect(asked).toHaveLength(3);
});

test('a head that GitHub does not list yet is asked about again at once', async () => {
  const { asked, at } = asking('all');
  await at('one');
  await at('one');
  expect(asked).toHaveLength(2);
});

test('a further head is asked about with what is known of the one before', async () => {
  const doubtful = new Set(['a line']);
  const { asked, at } = asking(doubtful);
  await at('one');
  await at('one');
  await at('two');
  expect(asked).toEqual([
    ['one', undefined],
    ['two', { head: 'one', doubtful }],
  ]);
});

test.each([
  ['untold', true],
  ['all', false],
] as const)(
  'a list of notes says whether GitHub tells who pushed: %s',
  async (doubtful, isUntold) => {
    const memory = { head: 'h', entries: [], uses: {}, selves: new Map(), doubtful };
    const readMemory: ReadMemory = async () => memory;
    const session = { memory: {} } as unknown as MemorySession;
    const config = defaultConfig();
    const listed = await listNotes(THREAD, { session, config, readMemory, clock: systemClock });
    expect(listed).toEqual({ notes: [], more: 0, isUntold });
  },
);
