/** Retrieval of memory: what is found of what should be, by class, and how long it takes with many entries. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { folderOf } from '../../../src/domain/memory/recall/rank-memory.ts';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import type { IndexedEntry, MemoryQuery } from '../../../src/ports/memory-index.ts';
import type { Store } from '../../../src/ports/store.ts';
import {
  dropSchema,
  missingPostgresReason,
  newSchema,
  postgresUrl,
} from '../../contract/postgres-place.ts';
import { realClock as clock } from '../../contract/real-clock.ts';
import { describeLoad, median, percentile, watchForeignLoad } from '../machine.ts';
import type { Row, Section } from '../report.ts';
import { byAllTerms, byPath, type Find } from './baselines.ts';
import {
  distractors,
  DISTRACTORS,
  lessonId,
  readQueries,
  relevantEntries,
  SEED,
  type QueryClass,
} from './proof.ts';

const LIMIT = 5;
const MANY = 100_000;
const REACH_MS = 20;
/** Folders of a change, in the second row of times. */
const WIDE = 300;
/** Of every query, after one that is not counted. */
const ROUNDS = 3;
const CLASSES: readonly QueryClass[] = ['path', 'term', 'paraphrase', 'mixed'];
const REPOSITORY = 7;

const queries = readQueries();

export const retrieval: Section = {
  name: 'retrieval',
  title: 'Retrieval of memory',
  method: `${queries.length} queries made from real diffs of public projects (paths and identifiers only), one to three written lessons for each, among ${DISTRACTORS.toLocaleString('en')} others (seed ${SEED}), a third of which cites a file of a query and shares no term with it. recall@${LIMIT}: the share of a query's lessons among the first ${LIMIT}, by class: the lesson cites a file of the diff (path), shares a rare term and no file (term), shares neither and is found by its search words alone (paraphrase), or is mixed. The two weights of the ranking were chosen on these queries; recall stays within 0.02 over a wide range of both. Then the time of one search among ${MANY.toLocaleString('en')} entries: on SQLite, where a search does not wait for another process, processor time counts.`,
  run: async () => {
    const few = [...distractors(queries, DISTRACTORS), ...relevantEntries(queries)];
    const many = [...distractors(queries, MANY), ...relevantEntries(queries)];
    const rows = [
      await recallRow('files alone', byPath(few)),
      await recallRow('FTS5, OR of all terms', byAllTerms(few)),
    ];
    rows.push(...(await measure('SQLite', openSqlite, { few, many })));
    if ((await missingPostgresReason()) === undefined)
      rows.push(...(await measure('PostgreSQL', openPostgres, { few, many })));
    return rows;
  },
};

interface Opened {
  store: Store;
  remove: () => Promise<void>;
}

async function openSqlite(): Promise<Opened> {
  const dir = mkdtempSync(path.join(tmpdir(), 'quorum-bench-'));
  const store = await openSqliteStore({ dir, clock });
  return {
    store,
    remove: async () => {
      await store.close();
      rmSync(dir, { recursive: true });
    },
  };
}

async function openPostgres(): Promise<Opened> {
  const schema = newSchema();
  const store = await openPostgresStore({ url: postgresUrl, schema, clock });
  return {
    store,
    remove: async () => {
      await store.close();
      await dropSchema(schema);
    },
  };
}

async function measure(
  name: string,
  open: () => Promise<Opened>,
  { few, many }: Record<'few' | 'many', readonly IndexedEntry[]>,
): Promise<Row[]> {
  const { store, remove } = await open();
  const find: Find = async (query) => (await store.memory.find(query)) ?? [];
  try {
    await store.memory.put(REPOSITORY, 'few', few);
    const rows = [await recallRow(name, find)];
    await store.memory.put(REPOSITORY, 'many', many);
    rows.push(await recallRow(`${name}, ${MANY.toLocaleString('en')} entries`, find, 'many'));
    rows.push(await timeRow(name, find, queries));
    rows.push(await timeRow(`${name}, a change of ${WIDE} folders`, find, wideQueries(many)));
    return rows;
  } finally {
    await remove();
  }
}

function toQuery(query: (typeof queries)[number], head: string): MemoryQuery {
  const { persona, paths, terms } = query;
  return { repository: REPOSITORY, head, persona, paths, terms, limit: LIMIT };
}

async function recallRow(what: string, find: Find, head = 'few'): Promise<Row> {
  const shares = new Map<QueryClass, number[]>(CLASSES.map((each) => [each, []]));
  for (const query of queries) {
    const ids = await find(toQuery(query, head));
    const hits = query.lessons.filter((_, n) => ids.includes(lessonId(query, n)));
    shares.get(query.class)?.push(hits.length / query.lessons.length);
  }
  const parts = CLASSES.map((each) => `${each} ${mean(shares.get(each) ?? []).toFixed(2)}`);
  const all = mean([...shares.values()].flat()).toFixed(2);
  return {
    what: `recall@${LIMIT}: ${what}`,
    reach: '',
    measured: `${parts.join(', ')}; all ${all}`,
    load: '',
  };
}

/** The terms of every fifth query, with files of as many folders as a change rarely has; lessons cite each of them. */
function wideQueries(entries: readonly IndexedEntry[]): typeof queries {
  const byFolder = new Map(
    entries.flatMap(({ paths }) => paths).map((file) => [folderOf(file), file]),
  );
  const paths = [...byFolder.values()].slice(0, WIDE);
  return queries.filter((_, at) => at % 5 === 0).map((query) => ({ ...query, paths }));
}

async function timeRow(name: string, find: Find, asked: typeof queries): Promise<Row> {
  const loadOf = watchForeignLoad([]);
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const query of asked) {
      const before = process.cpuUsage();
      const start = performance.now();
      await find(toQuery(query, 'many'));
      if (round === 0) continue;
      wall.push(performance.now() - start);
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / 1_000);
    }
  const isJudged = name.startsWith('SQLite');
  const p95 = percentile(cpu, 0.95);
  const times = (list: readonly number[]): string =>
    `p50 ${median(list).toFixed(1)}, p95 ${percentile(list, 0.95).toFixed(1)} ms`;
  return {
    what: `${name}: a search among ${MANY.toLocaleString('en')} entries`,
    reach: isJudged ? `p95 ≤ ${REACH_MS} ms` : '',
    measured: `CPU ${times(cpu)}; wall ${times(wall)}`,
    ...(isJudged && { isReached: p95 <= REACH_MS }),
    load: describeLoad(loadOf()),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
