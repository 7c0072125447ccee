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
import { aVerdict } from '../helpers/an-issue.ts';
import { REPO } from '../helpers/a-world.ts';

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
