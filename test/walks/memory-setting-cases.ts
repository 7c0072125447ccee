/** Settings of memory and the journal: what acts on them, with ports that answer at once. */
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { lookAtConsolidation } from '../../src/act/memory/look-consolidation.ts';
import { lookAtRoles } from '../../src/act/memory/look-roles.ts';
import { listNotes } from '../../src/act/memory/list-notes.ts';
import { toMemoryPlace } from '../../src/act/memory/read-memory.ts';
import { copyJournal } from '../../src/act/task/coder/copy-journal.ts';
import { isRankedAgain } from '../../src/act/memory/rank-again.ts';
import { writeJournal } from '../../src/act/memory/write-journal.ts';
import { decideThread } from '../../src/decide/thread.ts';
import type { Config } from '../../src/domain/config/config.ts';
import type { EventData } from '../../src/domain/event/event.ts';
import { toRepositoryRef } from '../../src/domain/run/thread-ref.ts';
import { withExperiences } from '../../src/domain/memory/self/experience.ts';
import { experiencesPath } from '../../src/domain/memory/self/self-file.ts';
import { anEntry } from '../domain/memory/some-memory.ts';
import { aMemoryWorld } from '../act/memory/a-memory-world.ts';
import { ANA, THREAD } from '../helpers/play.ts';
import type { OwnCase } from './setting-cases.ts';

export const MEMORY_CASES: Readonly<Record<string, OwnCase>> = {
  'memory.branch': {
    values: ['quorum/memory', 'quorum/notes'],
    outcome: (config) => toMemoryPlace(toRepositoryRef(THREAD), config),
  },
  'memory.enabled': { values: [true, false], outcome: lookAtRolesWith },
  'memory.proposals': { values: [true, false], outcome: lookAtRolesWith },
  'memory.expireDays': { values: [undefined, 200], outcome: listedWith },
  'memory.self': { values: [undefined, true], outcome: dueWith },
  'memory.embeddings': { values: [undefined, true], outcome: isRankedWith },
  'journal.enabled': { values: [true, false], outcome: writeJournalWith },
  'journal.inPullRequests': { values: [true, false], outcome: copyJournalWith },
  'models.memoryExtraction': { values: ['opus', 'sonnet'], outcome: extractionWith },
};

const session = {
  counts: {},
  survey: { issue: async () => ({ repository: {}, files: [], permissions: new Map() }) },
  read: {
    issue: async () => ({ author: ANA, authorPermission: 'write', body: '' }),
    comments: async () => [],
  },
  memory: { update: async () => ({ isUnchanged: false }) },
};

async function lookAtRolesWith(config: Config): Promise<unknown> {
  type Args = Parameters<typeof lookAtRoles>;
  const none = async () => [];
  const store = {
    load: async () => undefined,
    records: { events: none, effects: none, calls: none },
  };
  const ports = { github: { at: () => session }, random: { id: () => 'id' }, store };
  const context = { ports, readSettings: async () => ({ config, personas: [] }) };
  const { result } = await lookAtRoles(
    { kind: 'look-roles', thread: THREAD, source: {} } as unknown as Args[0],
    context as unknown as Args[1],
  );
  return result.off;
}

/** Whether a persona's own file is due after what it experienced. */
async function dueWith(config: Config): Promise<unknown> {
  const experience = {
    id: 'RUN/was_challenged',
    kind: 'was_challenged' as const,
    thread: THREAD.number,
    run: 'RUN',
    trust: 'maintainer' as const,
    text: 'A leak (src/a.ts): it is meant so',
  };
  const lived = withExperiences('', [experience], '2026-03-01T09:00:00.000Z');
  const world = aMemoryWorld();
  world.config = config;
  world.branches['quorum/memory'] = { [experiencesPath('maya')]: lived };
  const { result } = await lookAtConsolidation(
    { kind: 'look-consolidation', thread: THREAD, persona: 'maya' },
    world.context(),
  );
  return [result.off, result.found?.kind];
}

/** Whether a lesson of 100 days ago is stale. */
async function listedWith(config: Config): Promise<unknown> {
  const entry = anEntry({ createdAt: '2026-02-21' });
  const memory = {
    head: 'h',
    entries: [entry],
    uses: {},
    selves: new Map(),
    doubtful: new Set(''),
  };
  const listed = await listNotes(THREAD, {
    session: { memory: {} } as unknown as Parameters<typeof listNotes>[1]['session'],
    config,
    readMemory: async () => memory,
    clock: { now: () => Date.parse('2026-06-01'), sleep: async () => undefined },
  });
  return listed?.notes.map(({ state, why }) => [state, why]);
}

/** Whether a host with an embedding model asks it. */
function isRankedWith(config: Config): unknown {
  type Args = Parameters<typeof isRankedAgain>;
  return isRankedAgain({ config }, { embeddings: {} } as unknown as Args[1]);
}

async function writeJournalWith(config: Config): Promise<unknown> {
  type Args = Parameters<typeof writeJournal>;
  const store = await openSqliteStore({ memory: true, clock: systemClock });
  const context = {
    ports: { github: { at: () => session }, store },
    readSettings: async () => ({ config }),
    readMemory: { noteUnchanged: () => undefined },
  };
  const { result } = await writeJournal(
    { kind: 'write-journal', thread: THREAD } as unknown as Args[0],
    context as unknown as Args[1],
  );
  await store.close();
  return result;
}

async function copyJournalWith(config: Config): Promise<unknown> {
  type Args = Parameters<typeof copyJournal>;
  const store = await openSqliteStore({ memory: true, clock: systemClock });
  const result = { report: { outcome: 'done' }, patch: 'diff --git a/a b/a\n', files: [] };
  const { journal } = await copyJournal(
    { thread: THREAD, task: 1 },
    result as unknown as Args[1],
    {
      config,
      ports: { store, clock: systemClock },
      worktree: { base: { file: async () => '', mode: async () => '' } },
      run: 'run',
      effectId: 'effect',
    } as unknown as Args[2],
  );
  await store.close();
  return journal;
}

/** Which model is asked after a merge. */
function extractionWith(config: Config): unknown {
  const key = `thread:${THREAD.repositoryId}/${THREAD.number}`;
  const at = '2026-11-25T12:00:00Z';
  const now = Date.parse(at);
  const task = { plan: { ...THREAD, number: 3 }, task: 1 };
  const event = (id: string, data: EventData) => ({ id, key, version: 1, at, data });
  const merged = event('e1', { kind: 'merged', run: 'attempt', task, thread: THREAD });
  const looked = decideThread({ v: 1, runs: {} }, merged, { now });
  const [look] = looked.effects;
  const said = [{ source: 'plan 3', by: 'tom', trust: 'maintainer', text: 'Ship on Mondays.' }];
  const result = {
    config,
    material: { said, diff: '' },
    texts: { pm: '', artist: '' },
    nonce: 'A1B2C3D4E5F6A7B8C9D0',
  };
  const done = {
    kind: 'done',
    effectId: look?.id,
    run: look?.run,
    effectKind: 'look-roles',
    result,
  } as unknown as EventData;
  const { effects } = decideThread(looked.state, event('e2', done), { now });
  return effects.map(({ data }) => (data.kind === 'ask' ? data.model : data.kind));
}
