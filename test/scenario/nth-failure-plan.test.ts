/**
 * A sample of the runs in `faulty-plan/`, others each day. `NTH_PLAN=12,345 npx vitest run test/scenario/nth-failure-plan.test.ts`
 * repeats those two, and tells what calls they made.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CALL_FAULTS } from '../helpers/call-faults.ts';
import { FAULTY_RUNS, planRunsWithFaults, runsOfDay } from './faulty-plan/faulty-plan.ts';

const SAMPLE = 2;
const WANTED = process.env['NTH_PLAN'];
const TODAY = new Date().toISOString().slice(0, 10);

if (WANTED === undefined) planRunsWithFaults(runsOfDay(TODAY, SAMPLE), `, of ${TODAY}`);
else planRunsWithFaults(WANTED.split(',').map(Number), '');

test('each day has other runs, and no run is left out for ever', () => {
  const first = Date.parse('2026-11-25');
  const days = Array.from({ length: Math.ceil(FAULTY_RUNS / SAMPLE) }, (_, n) =>
    runsOfDay(new Date(first + n * 86_400_000).toISOString().slice(0, 10), SAMPLE),
  );
  expect(new Set(days.flat()).size).toBe(FAULTY_RUNS);
});

test('each kind of failure has its file in faulty-plan', () => {
  const folder = path.join(import.meta.dirname, 'faulty-plan');
  const begun = readdirSync(folder).flatMap((name) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    return [...text.matchAll(/runsThatBeginWith\('([^']+)'\)/g)].map(([, title = '']) => title);
  });
  expect(begun.toSorted()).toEqual(CALL_FAULTS.map(([title]) => title).toSorted());
});
