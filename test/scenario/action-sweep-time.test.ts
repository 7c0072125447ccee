/** How long a sweep may take: what a pass does not begin is begun by the next one. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { agentSweepStep } from '../../src/hosts/action/sweep/agent-sweep-step.ts';
import { parseSweepTicket } from '../../src/hosts/action/sweep/sweep-ticket.ts';
import { uploadFiles } from '../../src/hosts/action/steps/hand-over.ts';
import { aModel } from '../helpers/a-model.ts';
import { applySweep, claimSweep, sweepOnce } from '../helpers/a-sweep.ts';
import {
  anActionsWorld,
  buildForTests,
  dropBuild,
  READS,
  type ActionsWorld,
} from '../helpers/a-workflow-run.ts';
import { aVerdict } from '../helpers/an-issue.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';

beforeAll(() => buildForTests(['sweep']));
afterAll(dropBuild);

const RECONCILE = { loops: 'reconcile' };

describe('a pass that reaches its time limit', () => {
  test('stops between two events, says what it left, and the next pass begins there', async () => {
    const world = await anActionsWorld();
    const numbers = [await world.ask(READY_ISSUE), await world.ask(READY_ISSUE)];
    const claimed = await claimSweep(world, { inputs: RECONCILE });
    const ticket = parseSweepTicket(claimed.outputs['claim'] ?? '');
    const [first = 0, second = 0] = ticket.events.map(({ thread }) => thread.number);
    expect([first, second].toSorted((a, b) => a - b)).toEqual(numbers);
    let gone = 0;
    const { env } = await aModel({
      verdict: () => {
        gone = 15 * 60_000 + 1;
        return { json: aVerdict({ verdict: 'READY' }) };
      },
    });
    const clock = { ...systemClock, now: () => systemClock.now() + gone };
    const swept = await agentSweepStep(ticket, await working(world, clock, env));
    const [report] = swept.reports;
    expect(report?.lines[0]).toMatch(new RegExp(`^#${first}: READY, `));
    expect(report?.lines.slice(1)).toEqual([
      `#${second}: left to the next pass, because this one reached its limit.`,
    ]);
    expect(swept.done).toMatchObject({ left: ['1'] });
    await handOver(world, swept.files);
    const claim = claimed.outputs['claim'] ?? '';
    const applied = await applySweep(world, { claim, digest: JSON.stringify(swept.done) });
    expect(applied.exitCode).toBe(0);
    const told = [await world.tell(first), await world.tell(second)];
    expect([told[0]?.labels, told[1]?.comments]).toEqual([['ready'], []]);
    const next = await sweepOnce(world, { inputs: RECONCILE, run: '78' });
    expect(next.claimed.summary).toContain(`#${second}: is started`);
    expect(next.claimed.summary).not.toContain(`#${first}: is started`);
    expect([next.done?.exitCode, next.applied?.exitCode]).toEqual([0, 0]);
    // The same issue again is concluded as a duplicate.
    expect((await world.tell(second)).comments).toHaveLength(1);
  });
});

const quiet = (): undefined => undefined;

/** As `readWorkflowContext` reads it in the agent job. */
async function working(
  world: ActionsWorld,
  clock: typeof systemClock,
  env: Record<string, string>,
): Promise<Parameters<typeof agentSweepStep>[1]> {
  const [owner = '', repo = ''] = REPO.split('/');
  const { id: repositoryId } = world.emulator.repository(REPO);
  const log = { info: quiet, warn: quiet, error: quiet, debug: quiet };
  return {
    basics: { env, clock, random: systemRandom, log },
    context: {
      event: 'schedule',
      payload: {},
      repository: { installationId: 0, repositoryId, owner, repo },
      sender: { id: 0, login: 'github-actions[bot]', isBot: true },
      defaultBranch: 'main',
      workflowRun: '77',
      attempt: 1,
      apiUrl: world.emulator.apiUrl,
      token: await world.mint(READS),
    },
    isPrivate: false,
  };
}

/** The client of artifacts reads the environment of the process. */
async function handOver(
  world: ActionsWorld,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  vi.stubEnv('ACTIONS_RESULTS_URL', world.results.url);
  vi.stubEnv('ACTIONS_RUNTIME_TOKEN', world.results.createToken('77', 'agent'));
  try {
    await uploadFiles(files, { env: {}, artifact: 'quorum-sweep' });
  } finally {
    vi.unstubAllEnvs();
  }
}
