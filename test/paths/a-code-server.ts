/** `quorum start` as a process that writes code: the real Claude Code in its sandbox, its model played by a script. */
import { expect } from 'vitest';
import { aCoderWorld, sayIt, wordTask, type CoderWorld } from '../helpers/a-coder-story.ts';
import { CLI, leaveToProcess, startAppProcess, type Running } from '../helpers/an-app-process.ts';
import { aFolder } from '../helpers/a-folder.ts';
import { REPO } from '../helpers/a-world.ts';
import { waitUntil } from '../helpers/wait-until.ts';

export interface CodeServer {
  world: CoderWorld;
  port: string;
  /** Starts it; a second time on the same data. */
  start: () => Promise<Running>;
  /** Opens an approved plan whose one task leaves the change to the coder. */
  openPlan: () => Promise<number>;
  /** Resolves when the task's pull request has passed its gates and its review. */
  pullProven: () => Promise<void>;
  /** Approves the pull request, and resolves when it is merged and the plan says so. */
  merged: (plan: number) => Promise<void>;
}

/** The pull request: the plan is the repository's first thread. */
const PULL = 2;

/** @param env - what its host's environment says besides */
export async function aCodeServer(env: Record<string, string> = {}): Promise<CodeServer> {
  const settings = 'merge:\n  mode: auto\nreview:\n  settleSeconds: 0\n';
  const world = await aCoderWorld({ settings });
  world.plays(sayIt('goodbye'));
  const port = await leaveToProcess(world);
  const data = aFolder('code-server');
  return {
    world,
    port,
    start: () => startAppProcess(world, [CLI, 'start'], { ...env, QUORUM_DATA: data, PORT: port }),
    openPlan: () => world.plan([wordTask(1, 'goodbye')]),
    pullProven: () => waitUntil(() => isProven(world)),
    merged: async (plan) => {
      await world.emulator.as('tom').comment(REPO, PULL, '/pm approve');
      const isDone = async (): Promise<boolean> =>
        (await world.body(plan)).includes(`**Status:** completed (#${PULL})`);
      await waitUntil(isDone);
      const all = await world.pulls();
      expect(all.map(({ number, merged_at: at }) => [number, at !== null])).toEqual([[PULL, true]]);
    },
  };
}

async function isProven(world: CoderWorld): Promise<boolean> {
  const [pull] = await world.pulls();
  if (pull === undefined) return false;
  const at = `/repos/${REPO}/commits/${pull.head.sha}/check-runs`;
  const { check_runs: runs } = (await world.emulator.as('ana').request('GET', at)) as {
    check_runs: { name: string; conclusion: string | null }[];
  };
  const passed = runs.filter(({ conclusion }) => conclusion === 'success').map(({ name }) => name);
  return ['quorum / gates', 'quorum / review'].every((name) => passed.includes(name));
}
