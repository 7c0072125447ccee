/** When the memory branch is read, and when what is kept of it is enough. */
import { expect, test } from 'vitest';
import { createInstallationCaches } from '../../../src/act/installation-caches.ts';
import { createReadMemory } from '../../../src/act/memory/read-memory.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { renderEntryLine } from '../../../src/domain/memory/file/entry-line.ts';
import type {
  DoubtfulLines,
  MemorySession,
  MemoryWanted,
} from '../../../src/ports/github/memory-branch.ts';
import { anEntry } from '../../domain/memory/some-memory.ts';
import { THREAD } from '../../helpers/play.ts';

const PLACE = { repository: THREAD, branch: 'quorum/memory' };
const FIRST = anEntry();
const SECOND = anEntry({ id: '2222222222', text: 'Sums are kept in cents' });
const DOUBTED = anEntry({ id: '3333333333', text: 'Names are compared without case' });

const fileOf = (...entries: ReturnType<typeof anEntry>[]): [string, string] => [
  'personas/maya/working.md',
  `## 2026-02-21 [PATTERN]\n\n${entries.map((each) => `${renderEntryLine(each, '2026-02-21')}\n`).join('')}`,
];

/** A branch at its head, and each read of its files with what the caller had. */
function aBranch(doubtful: DoubtfulLines, ...entries: ReturnType<typeof anEntry>[]) {
  const caches = createInstallationCaches();
  const reads: (string | undefined)[] = [];
  const branch = { head: 'one', files: new Map([fileOf(...entries)]) };
  const memory = {
    read: async (_: unknown, { known }: MemoryWanted) => {
      reads.push(known);
      const isKnown = known === branch.head;
      return { head: branch.head, isKnown, files: isKnown ? new Map() : branch.files, unread: [] };
    },
    doubtful: async () => doubtful,
  };
  const session = { memory } as unknown as MemorySession;
  const readMemory = createReadMemory({ clock: systemClock, caches });
  const told = (head: string) => ({ name: PLACE.branch, head });
  return { caches, reads, branch, session, readMemory, told };
}

const MOVED = { head: 'two', base: 'one' };

test('what we wrote ourselves is not read again, and is what a read would give', async () => {
  const { readMemory, session, reads, branch, told } = aBranch(new Set(), FIRST);
  await readMemory(session, PLACE, told('one'));
  const written = new Map([fileOf(FIRST, SECOND), ['state/team.json', '{}']]);
  readMemory.noteWritten(PLACE, MOVED, written);
  const kept = await readMemory(session, PLACE, told('two'));
  expect(reads).toHaveLength(1);
  expect(kept?.entries.map(({ id }) => id)).toEqual([FIRST.id, SECOND.id]);
  Object.assign(branch, { head: 'two', files: new Map([fileOf(FIRST, SECOND)]) });
  const fresh = createReadMemory({ clock: systemClock });
  expect(kept).toEqual(await fresh(session, PLACE));
});

test('what nobody vouches for still waits after our own commit', async () => {
  const line = renderEntryLine(DOUBTED, '2026-02-21').trim();
  const { readMemory, session, told } = aBranch(new Set([line]), FIRST, DOUBTED);
  await readMemory(session, PLACE, told('one'));
  readMemory.noteWritten(PLACE, MOVED, new Map([fileOf(FIRST, DOUBTED, SECOND)]));
  const kept = await readMemory(session, PLACE, told('two'));
  expect(kept?.entries.map(({ id, state }) => [id, state])).toEqual([
    [FIRST.id, 'active'],
    [DOUBTED.id, 'quarantined'],
    [SECOND.id, 'active'],
  ]);
});

test.each([
  ['GitHub does not say who pushed what we wrote on', 'untold', 'one'],
  ['somebody else pushed in between', new Set<string>(), 'another'],
] as const)('it is read again where %s', async (_, doubtful, base) => {
  const { readMemory, session, reads, told } = aBranch(doubtful, FIRST);
  await readMemory(session, PLACE, told('one'));
  readMemory.noteWritten(PLACE, { ...MOVED, base }, new Map([fileOf(FIRST, SECOND)]));
  await readMemory(session, PLACE, told('two'));
  expect(reads).toHaveLength(2);
});

test('it is read again when a commit of others came after ours', async () => {
  const { readMemory, session, reads, told } = aBranch(new Set(), FIRST);
  await readMemory(session, PLACE, told('one'));
  readMemory.noteWritten(PLACE, MOVED, new Map([fileOf(FIRST, SECOND)]));
  await readMemory(session, PLACE, told('three'));
  expect(reads).toHaveLength(2);
});

test('what is kept of an installation goes with it, and of no other', async () => {
  const { readMemory, session, reads, caches, told } = aBranch(new Set(), FIRST);
  await readMemory(session, PLACE, told('one'));
  caches.forget(THREAD.installationId + 1);
  await readMemory(session, PLACE, told('one'));
  expect(reads).toEqual([undefined]);
  caches.forget(THREAD.installationId);
  await readMemory(session, PLACE, told('one'));
  // Not even that it knew a head.
  expect(reads).toEqual([undefined, undefined]);
});
