/** Instances of Quorum that share nothing but GitHub race for the tasks of one plan. */
import { describe, expect } from 'vitest';
import { createGitHub } from '../../src/adapters/github/github.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open.ts';
import { systemClock, systemRandom } from '../../src/adapters/system/clock.ts';
import { createPerform, type Perform } from '../../src/act/perform.ts';
import type { Workshop } from '../../src/act/workshop.ts';
import type { EffectData } from '../../src/domain/effect.ts';
import { QuorumError } from '../../src/domain/errors.ts';
import { parsePlan } from '../../src/domain/plan/parse-plan.ts';
import { taskDigest } from '../../src/domain/plan/plan-digest.ts';
import type { ClaimResult } from '../../src/domain/task/effects.ts';
import { aPlanBody, aTask } from '../helpers/a-plan.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const INSTANCES = 8;
/** More take minutes: each claim is one edit of a text that all of them edit. */
const TASKS = Number(process.env['RACE_TASKS'] ?? 16);

/** Nothing is written in this race: of the workshop only the instance's name is asked. */
function nameOnly(instance: string): Workshop {
  const none = (): never => {
    throw new Error('no code is written here');
  };
  const git = { open: none, push: none, remoteHead: none, merge: none, read: none };
  return { instance, commands: none, coder: none, git: { ...git, worktrees: none, remove: none } };
}

/** An instance as its host builds it, with a store, a client and a name of its own. */
async function anInstance({ sandbox, appEnv, appId }: TestWorld, name: string): Promise<Perform> {
  const github = createGitHub({
    auth: { kind: 'app', appId, privateKey: appEnv['PRIVATE_KEY'] ?? '' },
    baseUrl: `http://${sandbox.host}/api/v3`,
    budgets: 'off',
    markerSecret: name,
    clock: systemClock,
    random: systemRandom,
  });
  const store = await openSqliteStore({ memory: true, clock: systemClock });
  const model = { name: 'none', generate: () => Promise.reject(new Error('nobody is asked')) };
  return createPerform({
    github,
    model,
    store,
    clock: systemClock,
    random: systemRandom,
    personas: [],
    markerSecret: name,
    workshop: nameOnly(name),
    estimateUsd: () => undefined,
  });
}

type Claim = Extract<EffectData, { kind: 'claim' }>;

/** As the queue does it: what may pass by itself is tried again. */
async function claim(perform: Perform, data: Claim): Promise<ClaimResult> {
  const run = `${data.holder}-${data.task}`;
  const at = new Date().toISOString();
  for (;;)
    try {
      const done = await perform({ id: run, key: run, run, at, data }, { isFirst: false });
      if (done.effectKind === 'claim') return done.result;
    } catch (error) {
      if (!(error instanceof QuorumError) || !error.retryable) throw error;
    }
}

/** Everybody begins at a place of their own and goes all the way round. */
function orderOf(instance: number): number[] {
  return Array.from({ length: TASKS }, (_, n) => 1 + ((n + instance * 3) % TASKS));
}

describe(`${INSTANCES} instances that share nothing but GitHub`, () => {
  verifies(
    ['TG-4', 'DUR-03'],
    `claim each of ${TASKS} tasks exactly once with ${INSTANCES * TASKS} tries`,
    async () => {
      const world = await aWorld();
      await world.stopApp();
      const tasks = Array.from({ length: TASKS }, (_, n) => aTask(n + 1));
      const body = aPlanBody({ tasks });
      const ana = world.sandbox.as('ana');
      const { number } = await ana.openIssue(REPO, { title: '[PLAN] Much', body });
      const at = (await ana.request('GET', `/repos/${REPO}`)) as { id: number };
      const { id } = (await ana.request('GET', '/user')) as { id: number };
      const [owner = '', repo = ''] = REPO.split('/');
      const { installationId } = world;
      const thread = { installationId, repositoryId: at.id, owner, repo, number };
      const digests = new Map(parsePlan(body).tasks.map((one) => [one.number, taskDigest(one)]));
      const winners = new Map<number, string[]>();
      const race = async (instance: number): Promise<void> => {
        const persona = `persona-${instance}`;
        const perform = await anInstance(world, `instance-${instance}`);
        for (const task of orderOf(instance)) {
          const result = await claim(perform, {
            kind: 'claim',
            thread,
            task,
            holder: 'run',
            digest: digests.get(task) ?? '',
            approvedBy: { id, login: 'ana' },
            persona,
            lease: { namespace: 'refs/quorum/leases', lastsMs: 30 * 60_000 },
          });
          if (result.outcome === 'claimed')
            winners.set(task, [...(winners.get(task) ?? []), persona]);
        }
      };
      await Promise.all(Array.from({ length: INSTANCES }, (_, n) => race(n)));
      const told = (await ana.request('GET', `/repos/${REPO}/issues/${number}`)) as {
        body: string;
      };
      const shown = parsePlan(told.body).tasks;
      expect([...winners.keys()].toSorted((a, b) => a - b)).toEqual([...digests.keys()]);
      // A line that others' edits covered says pending still: the lease alone decides.
      for (const { number: task, status, assignee } of shown)
        if (status === 'claimed') expect(winners.get(task)).toEqual([assignee]);
        else expect(winners.get(task)).toHaveLength(1);
      expect(leasesOf(world).map(({ fences }) => fences)).toEqual(tasks.map(() => [1]));
      // But for the two words of each claim, the text is what it was.
      expect(shown.map(taskDigest)).toEqual([...digests.values()]);
    },
  );
});
