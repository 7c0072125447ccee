/** CPU time of making the journal of a thread with 5,000 events, at most 200 ms (spec 07): `node test/bench/journal.ts`. */
import { journalOf, said } from '../record/a-record.ts';

const COMMENTS = 2_500;
const ROUNDS = 11;

function measure(name: string, body: (n: number) => string): void {
  const events = Array.from({ length: COMMENTS }, (_, n) =>
    said(body(n), { id: 1_000 + n }),
  ).flat();
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    journalOf(events);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  const [first = 0] = times;
  const p50 = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  console.log(`${name}: p50 ${p50.toFixed(0)} ms of CPU, the first ${first.toFixed(0)} ms`);
}

measure('prose', (n) => `Row ${n} of src/parse.ts is **lost** again.`);
// Each of them needs the parser of Markdown.
measure('a mention in every comment', (n) => `Row ${n} of src/parse.ts is **lost**, see @tom`);
