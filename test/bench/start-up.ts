/** From the start of the process to the answer to its first delivery. */
import { EMBEDDED, newPrivateKey, PROBOT, start, startStub, type Contender } from './contenders.ts';
import { describeLoad, median, watchForeignLoad } from './machine.ts';
import { createPayloads } from './payloads.ts';
import { byRatio, type Row, type Section } from './report.ts';

const SECRET = ['the', 'secret', 'of', 'benchmarks'].join('-');
const RUNS = 11;

export const startUp: Section = {
  name: 'start',
  title: 'Start',
  method:
    'From spawn to the answer to the first signed delivery, a new data directory each time; the two take turns; medians.',
  run: async ({ isLong }) => {
    const stub = await startStub(0);
    const secret = SECRET;
    const next = createPayloads(secret);
    const around = { secret, privateKey: newPrivateKey(), githubUrl: stub.url, payload: next() };
    const times = new Map<Contender, number[]>([
      [PROBOT, []],
      [EMBEDDED, []],
    ]);
    const loadOf = watchForeignLoad([stub.pid]);
    let own = 0;
    const startedAt = performance.now();
    for (let run = 0; run <= (isLong ? 3 * RUNS : RUNS); run += 1)
      for (const [contender, list] of times) {
        const app = await start(contender, around);
        // The first run fills the caches of both.
        if (run > 0) list.push(app.firstAckMs);
        own += app.firstAckMs;
        await app.stop();
      }
    // The started processes are ours, but are gone when the load is read: a start keeps about one processor busy.
    const share = own / (performance.now() - startedAt) / 2;
    const load = describeLoad(Math.max(0, loadOf() - share));
    await stub.stop();
    const of = (contender: Contender): number => median(times.get(contender) ?? []);
    const rows: Row[] = [
      { what: PROBOT.name, reach: '', measured: `${of(PROBOT).toFixed(0)} ms`, load },
      byRatio(
        {
          what: EMBEDDED.name,
          reach: '≤ 2×',
          measured: `${of(EMBEDDED).toFixed(0)} ms`,
          load,
        },
        of(EMBEDDED) / of(PROBOT),
        { atMost: 2 },
      ),
    ];
    return rows;
  },
};
