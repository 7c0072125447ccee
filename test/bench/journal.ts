/** Processor time of making the journal of a thread with 5,000 events. */
import { journalOf, said } from '../record/a-record.ts';
import { describeLoad, median, watchForeignLoad } from './machine.ts';
import type { Row, Section } from './report.ts';

const EVENTS = 5_000;
const ROUNDS = 11;
const REACH_MS = 200;

const BODIES: readonly [what: string, body: (n: number) => string][] = [
  ['prose', (n) => `Row ${n} of src/parse.ts is **lost** again.`],
  ['a mention in every comment', (n) => `Row ${n} of src/parse.ts is **lost**, see @tom`],
];

export const journal: Section = {
  name: 'journal',
  title: 'The journal of a long thread',
  method: `The journal of a thread with ${EVENTS.toLocaleString('en')} events, two for each comment, made ${ROUNDS} times from what was recorded. Prose is quoted as it is; a comment that mentions somebody is read by the parser of Markdown. Processor time counts, as nothing else is waited for.`,
  run: () => Promise.resolve(BODIES.map(([what, body]) => toRow(what, body))),
};

function toRow(what: string, body: (n: number) => string): Row {
  const events = Array.from({ length: EVENTS / 2 }, (_, n) => said(body(n), { id: 1_000 + n }));
  const recorded = events.flat();
  const loadOf = watchForeignLoad([]);
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    journalOf(recorded);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  const [first = Number.NaN] = times;
  const p50 = median(times);
  return {
    what: `${recorded.length.toLocaleString('en')} events, ${what}`,
    reach: `≤ ${REACH_MS} ms`,
    measured: `CPU p50 ${p50.toFixed(0)} ms, the first ${first.toFixed(0)} ms`,
    isReached: p50 <= REACH_MS,
    load: describeLoad(loadOf()),
  };
}
