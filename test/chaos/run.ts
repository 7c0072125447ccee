/** `npm run chaos [-- --store sqlite|postgres|both --seed N --kills 40 --minutes 6]`: ends with 1 when anything was lost or duplicated. */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { onPostgres, postgresUrl } from '../contract/postgres-place.ts';
import { runChaos, type ChaosResult } from './chaos.ts';
import { renderTable, sumUp } from './table.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'both' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    kills: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '6' },
    'without-plan': { type: 'boolean', default: false },
  },
});
const stores = values.store === 'both' ? ['sqlite', 'postgres'] : [values.store];

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function run(store: string): Promise<boolean> {
  const seed = Number(values.seed);
  tell(`\n${store}, seed ${seed}`);
  const options = {
    seed,
    kills: Number(values.kills),
    limitMs: Number(values.minutes) * 60_000,
    hasPlan: !values['without-plan'],
    tell,
  };
  if (store === 'sqlite') return report(await runChaos({ ...options, env: {} }));
  const database = `quorum_chaos_${randomUUID().slice(0, 8)}`;
  await onPostgres(`CREATE DATABASE ${database}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  try {
    return report(await runChaos({ ...options, env: { DATABASE_URL: url.href } }));
  } finally {
    await onPostgres(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  }
}

function report({ seen, kills, hits, isSettled, failed }: ChaosResult): boolean {
  const { lost, duplicated } = sumUp(seen);
  const met = [...hits].map(([name, times]) => `${name} ${times}`).join(', ');
  tell(`\n${kills} kills; faults that were met: ${met}`);
  tell(renderTable(seen));
  for (const line of failed) tell(`given up: ${line}`);
  if (!isSettled) tell('Work was left at the end.');
  return lost === 0 && duplicated === 0 && isSettled;
}

let isGood = true;
for (const store of stores) isGood = (await run(store)) && isGood;
process.exitCode = isGood ? 0 : 1;
