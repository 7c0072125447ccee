/** Ways in which one call to GitHub goes wrong, and a run for each call that it may hit. */
import { expect } from 'vitest';
import type { Fault } from '../../src/emulator/github/behave/faults.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import { createFastClock } from '../contract/fast-clock.ts';
import { aWorld, type TestWorld } from './a-world.ts';

/** What passes by itself. */
const OUTAGES: Record<string, Fault> = {
  'answers 500': { kind: 'status', status: 500 },
  'answers 502 after the effect': { kind: 'effect-then-fail', status: 502 },
  'drops the connection after the effect': { kind: 'effect-then-fail', reset: true },
  'drops the connection before the effect': { kind: 'reset' },
  'cuts the body after the effect': { kind: 'truncated' },
  'answers with a page': { kind: 'wrong-body', body: 'html' },
  'answers with nothing': { kind: 'wrong-body', body: 'empty' },
  'answers with an object of another kind': { kind: 'wrong-body', body: 'other-json' },
  'answers 429 with a wait': { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
  'answers a secondary limit': {
    kind: 'status',
    status: 403,
    headers: { 'retry-after': '3' },
    body: { message: 'You have exceeded a secondary rate limit.' },
  },
};

/** What sounds final: a copy of GitHub that lags behind the others says so too. */
const REFUSALS: Record<string, Fault> = Object.fromEntries(
  Object.entries({
    401: 'Bad credentials',
    403: 'Resource not accessible by integration',
    404: 'Not Found',
    409: 'Conflict',
    422: 'Validation Failed',
  }).map(([status, message]): [string, Fault] => [
    `answers a plain ${status}`,
    { kind: 'status', status: Number(status), body: { message } },
  ]),
);

export const CALL_FAULTS: [string, Fault][] = Object.entries({ ...OUTAGES, ...REFUSALS });

/** More calls than a run makes; the loop stops at the first run that was not hit. */
const MAX_CALLS = 80;

export interface FaultyRun {
  world: TestWorld;
  /** Counted from 1. */
  nth: number;
  /** From now on, the `nth` call goes wrong, and no other. */
  arm: () => void;
}

/**
 * One run in the same world for each call that it makes; `run` says from where calls are counted, as often as it likes,
 * and holds its end against what it should be. Returns how many calls went wrong.
 */
export async function hitEachCall(
  fault: Fault,
  run: (one: FaultyRun) => Promise<void>,
  files: Record<string, string> = {},
): Promise<number> {
  const world = await aFastWorld({ files });
  const { faults } = world.emulator;
  for (let nth = 1, all = 0; nth <= MAX_CALLS; nth += 1) {
    let hits = 0;
    const disarm = (): void => {
      hits += faults.hits().reduce((sum, one) => sum + one, 0);
      faults.clear();
    };
    const arm = (): void => {
      disarm();
      faults.add({ path: /^\/(?!app)/, nth, fault });
    };
    await run({ world, nth, arm });
    disarm();
    all += hits;
    await expectNoneGivenUp(world, nth);
    if (hits === 0) return all;
  }
  throw new Error(`a run of more than ${MAX_CALLS} calls`);
}

/** A world whose time passes faster than ours. */
export function aFastWorld(over: Parameters<typeof aWorld>[0]): Promise<TestWorld> {
  return aWorld({ clock: createFastClock(Date.now()), random: systemRandom, ...over });
}

const BESIDE: ReadonlySet<string> = new Set(['look-memory', 'remember', 'write-journal']);

export async function expectNoneGivenUp({ store }: TestWorld, nth: number): Promise<void> {
  const { records } = store;
  const given = await Promise.all(
    ['dead', 'refused'].map((status) => records.effects({ status, limit: 10 })),
  );
  // Memory is kept beside the work: where GitHub refuses it for good, the lesson is lost and nothing else.
  const isBeside = ({ data }: { data: { kind: string } }): boolean => BESIDE.has(data.kind);
  const why = given
    .flat()
    .filter((effect) => !isBeside(effect))
    .map(({ data, reason }) => `${data.kind}: ${reason ?? ''}`);
  const { events } = await records.counts();
  expect([nth, events.dead, why]).toEqual([nth, 0, []]);
}
