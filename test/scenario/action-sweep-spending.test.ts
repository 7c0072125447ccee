/** What a search of the code counts with in a sweep: also where its job dies or fails. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { type ActionsState, parseActionsState } from '../../src/domain/actions/actions-state.ts';
import {
  spentLastDay,
  watchTokensLastDay,
} from '../../src/domain/actions/spending/book-spending.ts';
import type { SweepDone } from '../../src/hosts/action/sweep/sweep-ticket.ts';
import { aModel } from '../helpers/a-model.ts';
import {
  applySweep,
  askSweep,
  claimSweep,
  finishSweep,
  forgetSpending,
  moveBack,
  readSweepState,
  sweepOnce,
} from '../helpers/a-sweep.ts';
import {
  anActionsWorld,
  buildForTests,
  dropBuild,
  type ActionsWorld,
} from '../helpers/a-workflow-run.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';

beforeAll(() => buildForTests(['sweep']));
afterAll(dropBuild);

const WATCH = { loops: 'code-watch' };
const FIXME = {
  'src/late.ts': '// FIXME: crashes on an empty list\nexport const late = [];\n',
};

async function spentIn(world: ActionsWorld): Promise<{ usd: number; tokens: number }> {
  const state = parseActionsState((await readSweepState(world)).text) as ActionsState;
  const now = systemClock.now();
  return { usd: spentLastDay(state, now), tokens: watchTokensLastDay(state, now) };
}

/** As sums are kept. */
const rounded = (usd: number): number => Math.round(usd * 1e6) / 1e6;

/** What a search may use here: the dollars of a thread and the tokens of a day, as they are by default. */
const IN_FULL = { usd: 0.5, tokens: 50_000 };

describe('a search of the code', () => {
  test('whose job dies counts in full, and the code is searched again when that no longer counts', async () => {
    const world = await anActionsWorld(FIXME);
    const claimed = await claimSweep(world, { inputs: WATCH });
    expect(claimed.outputs['proceed']).toBe('true');
    expect(await spentIn(world)).toEqual(IN_FULL);
    await moveBack(world, 'until');
    const next = await claimSweep(world, { inputs: WATCH, run: '78' });
    expect(next.outputs).toEqual({ proceed: 'false' });
    expect(next.summary).toContain('have used the tokens of `sweeps.codeWatch.dailyTokens`');
    await forgetSpending(world);
    const later = await claimSweep(world, { inputs: WATCH, run: '79' });
    expect(later.outputs['proceed']).toBe('true');
  });

  test('that ends counts with what it spent, and not with what its claim reserved', async () => {
    const { env } = await aModel({
      candidate: () => ({ json: aVerdict({ verdict: 'CHANGES' }) }),
    });
    const world = await anActionsWorld(FIXME);
    const { done, applied } = await sweepOnce(world, { inputs: WATCH, models: env });
    expect([done?.exitCode, applied?.exitCode]).toEqual([0, 0]);
    const told = JSON.parse(done?.outputs['digest'] ?? '{}') as SweepDone;
    const spent = { usd: told.watchUsd, tokens: told.watchTokens };
    expect(spent.usd).toBeGreaterThan(0);
    expect(spent.tokens).toBeGreaterThan(0);
    expect(await spentIn(world)).toEqual(spent);
  });

  test('that fails before a model is asked costs nothing, and is begun again after the interval', async () => {
    const world = await anActionsWorld(FIXME);
    const claimed = await claimSweep(world, { inputs: WATCH });
    const claim = JSON.parse(claimed.outputs['claim'] ?? '{}') as { watch: { headSha: string } };
    claim.watch.headSha = 'f'.repeat(40);
    const outputs = { ...claimed.outputs, claim: JSON.stringify(claim) };
    const { done, applied } = await finishSweep(world, { ...claimed, outputs });
    expect([done.exitCode, applied.exitCode]).toEqual([0, 0]);
    expect(done.summary).toContain('is not checked out');
    expect(await spentIn(world)).toEqual({ usd: 0, tokens: 0 });
    await world.emulator.as('ana').request('PUT', `/repos/${REPO}/contents/src/more.ts`, {
      message: 'add more',
      content: Buffer.from('export const more = 1;\n').toString('base64'),
    });
    const soon = await claimSweep(world, { inputs: WATCH, run: '78' });
    expect(soon.outputs).toEqual({ proceed: 'false' });
    await moveBack(world, 'until');
    const later = await claimSweep(world, { inputs: WATCH, run: '79' });
    expect(later.outputs['proceed']).toBe('true');
  });
});

describe('jobs of a search that a person runs again', () => {
  type Handed = Parameters<typeof applySweep>[1];

  interface Begun {
    world: ActionsWorld;
    /** Runs the job with the model in this attempt, and returns what it hands on and what it spent. */
    ask: (attempt: number) => Promise<{ handed: Handed; spent: typeof IN_FULL }>;
  }

  async function begin(): Promise<Begun> {
    const { env: models } = await aModel({
      candidate: () => ({ json: aVerdict({ verdict: 'CHANGES' }) }),
    });
    const world = await anActionsWorld(FIXME);
    const claimed = await claimSweep(world, { inputs: WATCH });
    const ask: Begun['ask'] = async (attempt) => {
      const { outputs } = await askSweep(world, claimed, { models, attempt });
      const digest = outputs['digest'] ?? '{}';
      const { watchUsd = 0, watchTokens = 0 } = JSON.parse(digest) as SweepDone;
      const spent = { usd: watchUsd, tokens: watchTokens };
      return { handed: { claim: claimed.outputs['claim'] ?? '', digest }, spent };
    };
    return { world, ask };
  }

  const sum = (a: typeof IN_FULL, b: typeof IN_FULL): typeof IN_FULL => ({
    usd: rounded(a.usd + b.usd),
    tokens: a.tokens + b.tokens,
  });

  test('count it once where only the last job ran again', async () => {
    const { world, ask } = await begin();
    const asked = await ask(1);
    await applySweep(world, asked.handed, { attempt: 2 });
    expect(await spentIn(world)).toEqual(asked.spent);
    await applySweep(world, asked.handed, { attempt: 3 });
    expect(await spentIn(world)).toEqual(asked.spent);
  });

  test('count both searches where the job with the model ran again, the lost one in full', async () => {
    const { world, ask } = await begin();
    await ask(1);
    const again = await ask(2);
    await applySweep(world, again.handed, { attempt: 2 });
    expect(await spentIn(world)).toEqual(sum(IN_FULL, again.spent));
  });

  test('ask no model where all was done before', async () => {
    const { world, ask } = await begin();
    const first = await ask(1);
    await applySweep(world, first.handed);
    const again = await ask(2);
    expect(again.spent).toEqual({ usd: 0, tokens: 0 });
    await applySweep(world, again.handed, { attempt: 2 });
    expect(await spentIn(world)).toEqual(first.spent);
  });
});

describe('an event of a pass', () => {
  const EVENTS = { loops: 'reconcile' };

  test('whose answer could not be written counts with what it cost, once', async () => {
    const { env: models } = await aModel({
      position: () => ({ json: aPosition() }),
      verdict: () => ({ json: aVerdict() }),
    });
    const world = await anActionsWorld();
    await world.ask(READY_ISSUE);
    const claimed = await claimSweep(world, { inputs: EVENTS });
    const done = await askSweep(world, claimed, { models });
    const usd = rounded(Number(done.outputs['cost']));
    expect(usd).toBeGreaterThan(0);
    const handed = {
      claim: claimed.outputs['claim'] ?? '',
      digest: done.outputs['digest'] ?? '',
    };
    const path = '/repos/{owner}/{repo}/issues/{issue_number}/comments';
    const fault = { kind: 'status', status: 422 } as const;
    const disarm = world.emulator.faults.add({ method: 'POST', path, times: Infinity, fault });
    expect((await applySweep(world, handed)).exitCode).toBe(1);
    expect((await spentIn(world)).usd).toBe(usd);
    disarm();
    expect((await applySweep(world, handed, { attempt: 2 })).exitCode).toBe(0);
    expect((await spentIn(world)).usd).toBe(usd);
    const again = await askSweep(world, claimed, { models, attempt: 2 });
    expect([again.outputs['cost'], again.summary]).toEqual([
      '0',
      expect.stringContaining('not begun, because its claim has ended'),
    ]);
  });
});
