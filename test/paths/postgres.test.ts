/** The path of an operator with PostgreSQL: the server that writes code is restarted in the middle of a task, and finishes it. */
import { describe, expect, test } from 'vitest';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import { missingPostgresReason } from '../contract/postgres-place.ts';
import { aDatabase } from '../helpers/a-database.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { aCodeServer } from './a-code-server.ts';
import { printTimes } from './print-times.ts';

const missing = noClaude ?? (await missingPostgresReason());

describe.skipIf(missing !== undefined)('a server on PostgreSQL', () => {
  test('that is restarted while the coder works finishes the task, with one pull request', async () => {
    const times = printTimes('PostgreSQL');
    const { world, start, openPlan, pullProven, merged } = await aCodeServer({
      DATABASE_URL: await aDatabase(),
    });
    const first = await start();
    times.ended('start');
    const plan = await openPlan();
    await waitUntil(() => world.server.calls.length > 0);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    times.ended('stopped while the coder worked');
    expect(await world.body(plan)).not.toContain('**Status:** completed');
    await start();
    times.ended('start again');
    await pullProven();
    times.ended('pull request with gates and review');
    await merged(plan);
    times.ended('merge');
  });
});
