/** Fairness between installations: how long a quiet one waits for a verdict while another one floods the App. */
import { openStoreReader } from '../../src/hosts/open-store.ts';
import type { StoreReader } from '../../src/ports/store.ts';
import { missingPostgresReason } from '../contract/postgres-place.ts';
import {
  addTenant,
  answerAll,
  aRequest,
  discuss,
  hasVerdict,
  hostileRequests,
  HOSTILE_SETTINGS,
  missingIssues,
  SLOW,
  threadOf,
  type SignedDelivery,
  type Tenant,
} from '../helpers/tenants.ts';
import { Line } from './load.ts';
import { describeLoad, median, wait, watchForeignLoad } from './machine.ts';
import type { Row, Section } from './report.ts';
import { openShippedWorld, type ShippedWorld, type StoreKind } from './shipped-world.ts';

/** Of the model, for an answer; of a slow one. */
const MODEL_MS = 300;
const SLOW_MS = 3_000;
const SLOW_ISSUES = 10;
const MISSING = 1_000;
const CONNECTIONS = 8;
const ROUNDS = 2;
/** Verdicts of each quiet tenant in its day. */
const DAY = 2;
const LIMIT_MS = 300_000;
const LOOK_MS = 10;

export const tenants: Section = {
  name: 'tenants',
  title: 'Tenants of one App',
  method: `The shipped App as a process with its own budgets, on the emulator and a scripted model behind the real Anthropic client. Two installations: a verdict of the quiet one is timed from its label until GitHub shows its comment, ${ROUNDS} times alone and ${ROUNDS} times behind a flood of the other one; the worst of these is judged against the median alone. First: ${SLOW_ISSUES} issues at once, with a model that takes ${SLOW_MS / 1000} s for each answer, to both. Second: the same, but the model is slow with the flood's questions alone, and answers the quiet one in ${MODEL_MS / 1000} s. Third: ${MISSING.toLocaleString('en')} signed deliveries for issues that do not exist, with a model that takes ${MODEL_MS / 1000} s. Then a day of ten tenants on SQLite: nine ask for ${DAY} verdicts each while the tenth sends ${MISSING.toLocaleString('en')} such deliveries, slow questions, injections, bait for the content filter and work over its budget. Emulator, model, database and App share the machine.`,
  run: async ({ isLong }) => {
    const rounds = isLong ? 2 * ROUNDS : ROUNDS;
    const rows: Row[] = [];
    for (const store of await stores())
      for (const flood of FLOODS) {
        const row = await measure(store, flood, rounds);
        // It takes minutes in all.
        process.stderr.write(`${row.what}: ${row.measured}\n`);
        rows.push(row);
      }
    return [...rows, ...(await day())];
  },
};

async function stores(): Promise<StoreKind[]> {
  const missing = await missingPostgresReason();
  if (missing === undefined) return ['SQLite', 'PostgreSQL'];
  process.stderr.write(`Without PostgreSQL: ${missing}\n`);
  return ['SQLite'];
}

interface Flood {
  what: string;
  /** Of the model: for everybody, and for what says that it is slow. */
  model: { delayMs: number; slowMs: number };
  /** Sends it; resolves when all of it was sent. */
  send: (world: ShippedWorld, from: Tenant) => Promise<void>;
}

const slowIssues: Flood['send'] = async (world, from) => {
  for (let n = 0; n < SLOW_ISSUES; n += 1) await discuss(world, from, aRequest(`${SLOW} ${n}`));
};

const missingOnes: Flood['send'] = async (world, from) => {
  await discuss(world, from, aRequest('The first one'));
  await world.emulator.settled();
  await sendAll(world.port, missingIssues(world, from, MISSING));
};

const FLOODS: readonly Flood[] = [
  {
    what: `behind ${SLOW_ISSUES} issues with a slow model`,
    model: { delayMs: SLOW_MS, slowMs: SLOW_MS },
    send: slowIssues,
  },
  {
    what: `behind ${SLOW_ISSUES} issues with a model that is slow for them alone`,
    model: { delayMs: MODEL_MS, slowMs: SLOW_MS },
    send: slowIssues,
  },
  {
    what: `behind ${MISSING.toLocaleString('en')} deliveries for issues that do not exist`,
    model: { delayMs: MODEL_MS, slowMs: MODEL_MS },
    send: missingOnes,
  },
];

async function measure(store: StoreKind, flood: Flood, rounds: number): Promise<Row> {
  const world = await openShippedWorld(store, answerAll(flood.model));
  try {
    const loadOf = watchForeignLoad([world.pid]);
    const quiet = await addTenant(world, 'quiet');
    const loud = await addTenant(world, 'loud');
    await verdictMs(world, quiet, 'The warm-up');
    const alone: number[] = [];
    for (let n = 0; n < rounds; n += 1) alone.push(await verdictMs(world, quiet, `Alone ${n}`));
    await flood.send(world, loud);
    const flooded: number[] = [];
    // The flood goes on for longer than the first of these.
    for (let n = 0; n < rounds; n += 1) flooded.push(await verdictMs(world, quiet, `Behind ${n}`));
    const load = describeLoad(loadOf());
    return toRow(`${store}: ${flood.what}`, { alone: median(alone), flooded }, load);
  } finally {
    await world.close();
  }
}

function toRow(
  what: string,
  { alone, flooded }: { alone: number; flooded: readonly number[] },
  load: string,
): Row {
  const worst = Math.max(...flooded);
  const limit = 2_000 + 2 * alone;
  return {
    what,
    reach: `worst ≤ 2 s + 2 × alone = ${seconds(limit)}`,
    measured: `alone ${seconds(alone)}, behind the flood median ${seconds(median(flooded))}, worst ${seconds(worst)}`,
    ratio: `${(worst / alone).toFixed(2)}×`,
    isReached: worst <= limit,
    load,
  };
}

/** From the label to the comment that GitHub shows. */
async function verdictMs(world: ShippedWorld, tenant: Tenant, title: string): Promise<number> {
  const admin = world.emulator.as(tenant.admin);
  const { number } = await admin.openIssue(tenant.repo, aRequest(title));
  const from = performance.now();
  await admin.label(tenant.repo, number, ['deliberate']);
  while (!hasVerdict(threadOf(world, tenant, number))) {
    if (performance.now() - from > LIMIT_MS)
      throw new Error(`no verdict: ${tenant.repo}#${number}`);
    await wait(LOOK_MS);
  }
  return performance.now() - from;
}

/** As fast as they are taken. */
async function sendAll(port: number, deliveries: readonly SignedDelivery[]): Promise<void> {
  const left = [...deliveries];
  const lines = await Promise.all(Array.from({ length: CONNECTIONS }, () => Line.open(port)));
  await Promise.all(
    lines.map(async (line) => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const status = await line.send(next);
        if (status !== 202 && status !== 200) throw new Error(`a delivery was answered ${status}`);
      }
      line.close();
    }),
  );
}

/** One row for each of ten tenants. */
async function day(): Promise<Row[]> {
  const world = await openShippedWorld('SQLite', answerAll({ delayMs: MODEL_MS, slowMs: SLOW_MS }));
  try {
    const loadOf = watchForeignLoad([world.pid]);
    const quiet: Tenant[] = [];
    for (let n = 1; n <= 9; n += 1) quiet.push(await addTenant(world, `tenant-${n}`));
    const hostile = await addTenant(world, 'hostile', HOSTILE_SETTINGS);
    for (const request of hostileRequests()) await discuss(world, hostile, request);
    await slowIssues(world, hostile);
    await missingOnes(world, hostile);
    const days = await Promise.all(
      quiet.map(async (tenant, at) => {
        // Not all in the same moment.
        await wait(at * MODEL_MS);
        const latencies: number[] = [];
        for (let n = 0; n < DAY; n += 1)
          latencies.push(await verdictMs(world, tenant, `Request ${n} of ${tenant.owner}`));
        return { tenant, latencies };
      }),
    );
    const { threads } = world.emulator.repository(hostile.repo);
    const loud = threads.values().filter(hasVerdict).toArray().length;
    const load = describeLoad(loadOf());
    const reader = await openStoreReader(world.place);
    try {
      const rows = [];
      for (const { tenant, latencies } of days)
        rows.push(await toDayRow(reader, tenant, { verdicts: latencies.length, latencies, load }));
      rows.push(await toDayRow(reader, hostile, { verdicts: loud, latencies: [], load }));
      return rows;
    } finally {
      await reader.close();
    }
  } finally {
    await world.close();
  }
}

interface Told {
  verdicts: number;
  latencies: readonly number[];
  load: string;
}

async function toDayRow(
  { records }: StoreReader,
  { owner, installationId, repositoryId }: Tenant,
  { verdicts, latencies, load }: Told,
): Promise<Row> {
  const [paid, own] = await Promise.all([
    records.spent({ installationId }),
    records.spent({ installationId, repositoryId }),
  ]);
  const times =
    latencies.length === 0
      ? ''
      : `, median ${seconds(median(latencies))}, worst ${seconds(Math.max(...latencies))}`;
  return {
    what: `a day: ${owner}`,
    reach: 'pays for its own repository alone',
    measured: `${verdicts} verdicts${times}, $${paid.usd.toFixed(4)} for ${paid.calls} calls`,
    isReached: paid.usd === own.usd && paid.calls === own.calls,
    load,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
