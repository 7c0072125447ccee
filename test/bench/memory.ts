/** Resident memory at rest, and after many events. */
import { EMBEDDED, newPrivateKey, PROBOT, start, startStub, type Running } from './contenders.ts';
import { sendClosed } from './load.ts';
import { describeLoad, median, rssOf, untilQuiet, wait, watchForeignLoad } from './machine.ts';
import { createPayloads } from './payloads.ts';
import { byRatio, type Row, type Section } from './report.ts';

const SECRET = ['the', 'secret', 'of', 'benchmarks'].join('-');
const STEP = 20_000;
const CONNECTIONS = 32;

interface Memory {
  idle: number;
  /** After each 20,000 events, at rest again. */
  after: number[];
}

export const memory: Section = {
  name: 'memory',
  title: 'Memory',
  method:
    'Resident set at rest three seconds after the first answer, and at rest again after each 20,000 events from 32 connections (five times with --long: flat means that the last is at most 1.2 times the first).',
  run: async ({ isLong }) => {
    const stub = await startStub(0);
    const next = createPayloads(SECRET);
    const around = {
      secret: SECRET,
      privateKey: newPrivateKey(),
      githubUrl: stub.url,
      payload: next(),
    };
    const loadOf = watchForeignLoad([stub.pid]);
    const of = async (app: Running): Promise<Memory> => {
      await wait(3_000);
      const idle = median([rssOf(app.pid), await later(app), await later(app)]);
      const after: number[] = [];
      for (let step = 0; step < (isLong ? 5 : 1); step += 1) {
        await sendClosed(app.port, next, { connections: CONNECTIONS, events: STEP });
        await untilQuiet([app.pid], 60_000);
        after.push(rssOf(app.pid));
      }
      await app.stop();
      return { idle, after };
    };
    const probot = await of(await start(PROBOT, around));
    const ours = await of(await start(EMBEDDED, around));
    await stub.stop();
    return toRows(probot, ours, describeLoad(loadOf()));
  },
};

async function later(app: Running): Promise<number> {
  await wait(500);
  return rssOf(app.pid);
}

function toRows(probot: Memory, ours: Memory, load: string): Row[] {
  const mb = (value: number): string => `${value.toFixed(0)} MB`;
  const rows: Row[] = [
    { what: `${PROBOT.name}: idle`, reach: '', measured: mb(probot.idle), load },
    byRatio(
      { what: `${EMBEDDED.name}: idle`, reach: '≤ 1.6×', measured: mb(ours.idle), load },
      ours.idle / probot.idle,
      { atMost: 1.6 },
    ),
  ];
  const events = (STEP * ours.after.length).toLocaleString('en');
  const last = (list: readonly number[]): number => list.at(-1) ?? Number.NaN;
  rows.push(
    {
      what: `${PROBOT.name}: after ${events} events`,
      reach: '',
      measured: mb(last(probot.after)),
      load,
    },
    {
      what: `${EMBEDDED.name}: after ${events} events`,
      reach: '',
      measured: mb(last(ours.after)),
      ratio: `${(last(ours.after) / last(probot.after)).toFixed(2)}×`,
      load,
    },
  );
  if (ours.after.length > 1) {
    const growth = last(ours.after) / (ours.after[0] ?? Number.NaN);
    const what = `${EMBEDDED.name}: after ${events} against after 20,000`;
    const measured = ours.after.map(mb).join(', ');
    rows.push(byRatio({ what, reach: '≤ 1.2×', measured, load }, growth, { atMost: 1.2 }));
  }
  return rows;
}
