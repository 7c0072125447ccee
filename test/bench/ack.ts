/** How fast a webhook is answered, and how many a second, against a Probot App that does nothing. */
import { contenders, newPrivateKey, PROBOT, start, startStub, type Running } from './contenders.ts';
import { sendClosed, sendOpen, type Loaded } from './load.ts';
import {
  cpuOf,
  describeLoad,
  median,
  percentile,
  untilQuiet,
  watchForeignLoad,
} from './machine.ts';
import { createPayloads, type NextPayload } from './payloads.ts';
import { byRatio, type Row, type Section } from './report.ts';

const SECRET = ['the', 'secret', 'of', 'benchmarks'].join('-');
const ROUNDS = 5;
const CELL_MS = 3_000;
const CONNECTIONS = 32;
const RATE = 200;
/** What piled up behind the door is worked off before the next App has its turn. */
const DRAIN_MS = 60_000;

/** What one App did in one turn. */
interface Cell {
  p50: number;
  p99: number;
  perSecond: number;
  /** Processor time of the App for one event of the closed loop, in microseconds. */
  cpuUs: number;
  refused: number;
  load: number;
}

export const ack: Section = {
  name: 'ack',
  title: 'Webhook, signed delivery in → durable → answer out',
  method:
    'GitHub’s own example payloads of 12 events (15 kB on average), no body twice: each is about a new comment, commit or moment on one of 20,000 threads, as real deliveries are. Four in ten are work, the others are kept as ignored. Quorum verifies, parses and inserts durably before it answers, Probot verifies and parses. The worker runs; a stub answers 404 for the repositories of the payloads. The Apps take turns; medians of the turns.',
  run: async ({ isLong }) => {
    const stub = await startStub(0);
    const next = createPayloads(SECRET);
    const around = {
      secret: SECRET,
      privateKey: newPrivateKey(),
      githubUrl: stub.url,
      payload: next(),
    };
    const apps: Running[] = [];
    for (const contender of await contenders()) apps.push(await start(contender, around));
    try {
      const cells = new Map<string, Cell[]>(apps.map(({ name }) => [name, []]));
      for (const app of apps) await warmUp(app, next);
      for (let round = 0; round < (isLong ? 3 * ROUNDS : ROUNDS); round += 1)
        for (const app of apps) cells.get(app.name)?.push(await measure(app, next, stub.pid));
      return compare(apps, cells);
    } finally {
      for (const app of apps) await app.stop();
      await stub.stop();
    }
  },
};

async function warmUp(app: Running, next: NextPayload): Promise<void> {
  await sendClosed(app.port, next, { connections: CONNECTIONS, ms: CELL_MS });
  await untilQuiet([app.pid], DRAIN_MS);
}

async function measure(app: Running, next: NextPayload, stubPid: number): Promise<Cell> {
  const loadOf = watchForeignLoad([app.pid, stubPid]);
  const open = await sendOpen(app.port, next, { perSecond: RATE, ms: CELL_MS });
  const cpuBefore = cpuOf(app.pid);
  const closed = await sendClosed(app.port, next, { connections: CONNECTIONS, ms: CELL_MS });
  const cpuUs = ((cpuOf(app.pid) - cpuBefore) * 1000) / closed.taken;
  const load = loadOf();
  await untilQuiet([app.pid, stubPid], DRAIN_MS);
  return {
    p50: percentile(open.latencies, 0.5),
    p99: percentile(open.latencies, 0.99),
    perSecond: closed.taken / closed.seconds,
    cpuUs,
    refused: refusedBy(open) + refusedBy(closed),
    load,
  };
}

function refusedBy({ refused }: Loaded): number {
  return refused;
}

const REACH_PER_SECOND = [0.5, 0.4];

function compare(apps: readonly Running[], cells: ReadonlyMap<string, Cell[]>): Row[] {
  const of = (name: string, field: keyof Cell): number =>
    median((cells.get(name) ?? []).map((cell) => cell[field]));
  const rows: Row[] = [];
  for (const [at, { name }] of apps.entries()) {
    const load = describeLoad(of(name, 'load'));
    const refused = (cells.get(name) ?? []).reduce((sum, cell) => sum + cell.refused, 0);
    const note = refused === 0 ? '' : `, ${refused} refused`;
    const figures = {
      p50: `${of(name, 'p50').toFixed(2)} ms`,
      p99: `${of(name, 'p99').toFixed(2)} ms`,
      perSecond: `${of(name, 'perSecond').toFixed(0)} events/s, ${of(name, 'cpuUs').toFixed(0)} µs CPU each${note}`,
    };
    const what = (text: string): string => `${name}: ${text}`;
    if (name === PROBOT.name) {
      rows.push(
        { what: what(`p50 at ${RATE}/s`), reach: '', measured: figures.p50, load },
        { what: what(`p99 at ${RATE}/s`), reach: '', measured: figures.p99, load },
        {
          what: what(`${CONNECTIONS} connections`),
          reach: '',
          measured: figures.perSecond,
          load,
        },
      );
      continue;
    }
    const ratio = (field: keyof Cell): number => of(name, field) / of(PROBOT.name, field);
    const least = REACH_PER_SECOND[at - 1] ?? 0.4;
    for (const field of ['p50', 'p99'] as const)
      rows.push(
        byRatio(
          { what: what(`${field} at ${RATE}/s`), reach: '≤ 2×', measured: figures[field], load },
          ratio(field),
          { atMost: 2 },
        ),
      );
    rows.push(
      byRatio(
        {
          what: what(`${CONNECTIONS} connections`),
          reach: `≥ ${least}×`,
          measured: figures.perSecond,
          load,
        },
        ratio('perSecond'),
        { atLeast: least },
      ),
    );
  }
  return rows;
}
