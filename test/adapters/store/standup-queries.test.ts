/** Lists of standups read by index: what a list costs follows what it shows, and not what is kept. */
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished } from 'vitest';
import { migrateSqlite } from '../../../src/adapters/store/sqlite/sqlite-schema.ts';
import { SqliteStandups } from '../../../src/adapters/store/sqlite/standups/sqlite-standups.ts';
import { Sql } from '../../../src/adapters/store/sqlite/sql.ts';
import type { InsightFilter } from '../../../src/ports/standup-store.ts';
import { verifies } from '../../verifies.ts';

/** Keeps how SQLite reads each statement. */
class PlannedSql extends Sql {
  readonly plans: string[] = [];

  override all(...[text, ...values]: Parameters<Sql['all']>): ReturnType<Sql['all']> {
    const steps = this.db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values);
    this.plans.push(...steps.map(({ detail }) => String(detail)));
    return super.all(text, ...values);
  }
}

async function plansOf(filter: Omit<InsightFilter, 'limit'>): Promise<string[]> {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  migrateSqlite(db, 0);
  const sql = new PlannedSql(db);
  await new SqliteStandups({ sql }).insights({ ...filter, limit: 50 });
  return sql.plans.filter((plan) => /\binsights\b|ORDER BY/.test(plan));
}

const isSort = (plan: string): boolean => plan.includes('ORDER BY');

verifies('LS-7: indexes', 'a filtered list reads no row of others', async () => {
  for (const filter of [
    { run: 'r1' },
    { type: 'risk' },
    { repositories: [1], before: 900 },
    { repositories: [1], type: 'risk' },
    { repositories: [1, 2], type: 'drift' },
    { repositories: [1], run: 'r1', before: 900 },
  ] as const) {
    const reads = (await plansOf(filter)).filter((plan) => !isSort(plan));
    expect(reads).toHaveLength(2);
    for (const plan of reads) expect(plan).toMatch(/^SEARCH .* INDEX/);
  }
});

verifies('LS-7: indexes', 'the newest of one repository or type are not sorted', async () => {
  for (const filter of [
    { repositories: [1] },
    { repositories: [1], before: 900 },
    { repositories: [1], type: 'risk' },
    { type: 'risk' },
  ] as const)
    expect((await plansOf(filter)).filter(isSort)).toEqual([]);
  expect((await plansOf({ repositories: [1, 2] })).filter(isSort)).toHaveLength(1);
});

verifies(
  'LS-7: indexes',
  'a list of all counts in an index, and reads its page from the end',
  async () => {
    const [page, counts, ...others] = await plansOf({});
    expect(others).toEqual([]);
    expect(page).toBe('SCAN insights');
    expect(counts).toMatch(/^SCAN insights USING COVERING INDEX/);
  },
);
