/** Instances of Quorum that share nothing but GitHub race for the tasks of one plan. */
import { describe, expect } from 'vitest';
import { createGitHub } from '../../src/adapters/github/create-github.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { createPerform, type Perform } from '../../src/act/perform.ts';
import type { Performed } from '../../src/act/ports.ts';
import type { CodingRuntime } from '../../src/act/task/coder/coding-runtime.ts';
import type { EffectData } from '../../src/domain/event/effect.ts';
import { NOTHING } from '../../src/domain/prompt/prompt-text.ts';
import { QuorumError } from '../../src/domain/event/errors.ts';
import type { Lease } from '../../src/domain/plan/lease.ts';
import { parsePlan } from '../../src/domain/plan/body/parse-plan.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { taskDigest } from '../../src/domain/plan/plan-digest.ts';
import type { ClaimResult } from '../../src/domain/task/task-effects.ts';
import { aPlanBody, aTask } from '../helpers/a-plan.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';
import { SCAN_HERE } from '../../src/hosts/scan/scan-here.ts';

const INSTANCES = 8;
/** Each claim is one edit of a text that all of them edit. */
const TASKS = Number(process.env['RACE_TASKS'] ?? 50);

/** Nothing is written in this race: of the coding runtime only the instance's name is asked. */
function nameOnly(instance: string): CodingRuntime {
  const none = (): never => {
    throw new Error('no code is written here');
  };
  const git = { open: none, push: none, remoteHead: none, merge: none, read: none };
  return {
    instance,
    log: createLog({ level: 'silent', format: 'json' }),
    commands: none,
    coder: none,
    git: { ...git, worktrees: none, remove: none },
  };
}

/** An instance as its host builds it, with a store, a client and a name of its own. */
async function anInstance(
  { emulator, appEnv, appId }: TestWorld,
  name: string,
  clock: Clock = systemClock,
): Promise<Perform> {
  const github = createGitHub({
    auth: { kind: 'app', appId, privateKey: appEnv['PRIVATE_KEY'] ?? '' },
    baseUrl: `http://${emulator.host}/api/v3`,
    budgets: 'off',
    markerSecret: name,
    clock: systemClock,
    random: systemRandom,
  });
  const store = await openSqliteStore({ memory: true, clock });
  const model = { name: 'none', generate: () => Promise.reject(new Error('nobody is asked')) };
  return createPerform({
    github,
    model,
    store,
    clock,
    random: systemRandom,
    personas: [],
    scanner: SCAN_HERE,
    markerSecret: name,
    codingRuntime: nameOnly(name),
    estimateUsd: () => undefined,
  });
}

type Claim = Extract<EffectData, { kind: 'claim' }>;
type Edit = Extract<EffectData, { kind: 'plan-edit' }>;

/** A guard against hangs only. */
const MOST_TRIES = 100;

/** As the queue does it: what may pass by itself is tried again a little later. */
async function carryOut(perform: Perform, data: Claim | Edit, id: string): Promise<Performed> {
  const at = new Date().toISOString();
  for (let tries = 1; ; tries += 1)
    try {
      return await perform({ id, key: id, run: id, at, data }, { isFirst: false });
    } catch (error) {
      if (!(error instanceof QuorumError) || !error.retryable || tries > MOST_TRIES) throw error;
      await systemClock.sleep(systemRandom.next() * 200 * tries);
    }
}

async function claim(perform: Perform, data: Claim): Promise<ClaimResult> {
  const done = await carryOut(perform, data, `${data.holder}-${data.task}`);
  if (done.effectKind !== 'claim') throw new Error('no claim');
  return done.result;
}

interface Won {
  perform: Perform;
  persona: string;
  lease: Lease;
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
      const ana = world.emulator.as('ana');
      const { number } = await ana.openIssue(REPO, { title: '[PLAN] Much', body });
      const at = (await ana.request('GET', `/repos/${REPO}`)) as { id: number };
      const { id } = (await ana.request('GET', '/user')) as { id: number };
      const [owner = '', repo = ''] = REPO.split('/');
      const { installationId } = world;
      const thread = { installationId, repositoryId: at.id, owner, repo, number };
      const digests = new Map(parsePlan(body).tasks.map((one) => [one.number, taskDigest(one)]));
      const winners = new Map<number, Won[]>();
      const lease = { namespace: 'refs/quorum/leases', lastsMs: 30 * 60_000 };
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
            lease,
          });
          if (result.outcome === 'claimed')
            winners.set(task, [
              ...(winners.get(task) ?? []),
              { perform, persona, lease: result.lease },
            ]);
        }
      };
      const shown = async () => {
        const path = `/repos/${REPO}/issues/${number}`;
        return parsePlan(((await ana.request('GET', path)) as { body: string }).body).tasks;
      };
      await Promise.all(Array.from({ length: INSTANCES }, (_, n) => race(n)));
      expect([...winners.keys()].toSorted((a, b) => a - b)).toEqual([...digests.keys()]);
      expect([...winners.values()].map((all) => all.length)).toEqual(tasks.map(() => 1));
      // As each does when the plan is read after others' edits: lines of its own that were covered are written again.
      const lagging = async () => (await shown()).filter(({ status }) => status === 'pending');
      let covered = await lagging();
      for (let looks = 0; covered.length > 0 && looks < 20; looks += 1) {
        await Promise.all(
          covered.map(async ({ number: task }) => {
            const [won] = winners.get(task) ?? [];
            if (won === undefined) throw new Error('nobody holds it');
            const edit: Edit = {
              kind: 'plan-edit',
              thread,
              edits: [
                { kind: 'status', task, status: 'claimed' },
                { kind: 'assignee', task, assignee: won.persona },
              ],
              only: { task, digest: digests.get(task) ?? '' },
              holds: { lease: won.lease, leaseAt: lease },
            };
            await carryOut(won.perform, edit, `again-${task}-${looks}`);
          }),
        );
        covered = await lagging();
      }
      const after = await shown();
      expect(after.map(({ number: task, status, assignee }) => [task, status, assignee])).toEqual(
        [...digests.keys()].map((task) => [task, 'claimed', winners.get(task)?.[0]?.persona]),
      );
      expect(leasesOf(world).map(({ fences }) => fences)).toEqual(tasks.map(() => [1]));
      // But for the two words of each claim, the text is what it was.
      expect(after.map(taskDigest)).toEqual([...digests.values()]);
    },
  );
});

describe('an instance that wakes up after its lease ran out', () => {
  verifies(
    ['TG-4', 'DUR-03'],
    'finds another one with the next number, and writes no code, pushes nothing and says nothing in the plan',
    async () => {
      const world = await aWorld();
      await world.stopApp();
      const body = aPlanBody({ tasks: [aTask(1)] });
      const ana = world.emulator.as('ana');
      const { number } = await ana.openIssue(REPO, { title: '[PLAN] One', body });
      const at = (await ana.request('GET', `/repos/${REPO}`)) as { id: number };
      const { id } = (await ana.request('GET', '/user')) as { id: number };
      const [owner = '', repo = ''] = REPO.split('/');
      const thread = {
        installationId: world.installationId,
        repositoryId: at.id,
        owner,
        repo,
        number,
      };
      const [task] = parsePlan(body).tasks;
      if (task === undefined) throw new Error('no task');
      const digest = taskDigest(task);
      const leaseAt = { namespace: 'refs/quorum/leases', lastsMs: 30 * 60_000 };
      const later: Clock = { ...systemClock, now: () => systemClock.now() + 40 * 60_000 };
      const early = await anInstance(world, 'early');
      const late = await anInstance(world, 'late', later);
      const take = (perform: Perform, persona: string) =>
        claim(perform, {
          kind: 'claim',
          thread,
          task: 1,
          holder: 'run',
          digest,
          approvedBy: { id, login: 'ana' },
          persona,
          lease: leaseAt,
        });
      const first = await take(early, 'dev');
      if (first.outcome !== 'claimed') throw new Error('not claimed');
      const { lease } = first;
      // As a look of the later one asks for it: nobody holds the task any more.
      const free: Edit = {
        kind: 'plan-edit',
        thread,
        edits: [{ kind: 'status', task: 1, status: 'pending' }],
        only: { task: 1, digest },
        insteadOf: 'claimed',
      };
      await carryOut(late, free, 'free');
      expect(await take(late, 'maya')).toMatchObject({ outcome: 'claimed', lease: { fence: 2 } });
      const work = {
        thread,
        task: 1,
        digest,
        branch: 'quorum/task-1-1-it',
        lease,
        leaseAt,
        name: 'x',
      };
      const { sha } = first.base;
      const commit = {
        change: { from: sha, patch: '', summary: '', decisions: [], paths: [] },
        message: '',
        title: '',
        coAuthor: '',
        at: 0,
      };
      const tries: EffectData[] = [
        { kind: 'code', ...work, from: sha, attempt: 1, persona: 'dev', prompt: NOTHING },
        {
          kind: 'publish',
          ...work,
          commit,
          headSha: sha,
          ours: [],
          base: 'main',
          title: '',
          body: '',
          marker: { run: 'run', key: 'k' },
        },
        {
          kind: 'plan-edit',
          thread,
          edits: [{ kind: 'status', task: 1, status: 'pending' }],
          only: { task: 1, digest, assignee: 'dev' },
          holds: { lease, leaseAt },
        },
      ];
      const effect = { id: 'e', key: 'e', run: 'run', at: new Date().toISOString() };
      for (const data of tries)
        await expect(early({ ...effect, data }, { isFirst: false })).rejects.toMatchObject({
          code: 'lease-lost',
        });
      const told = (await ana.request('GET', `/repos/${REPO}/issues/${number}`)) as {
        body: string;
      };
      expect(parsePlan(told.body).tasks).toMatchObject([{ status: 'claimed', assignee: 'maya' }]);
      expect(leasesOf(world)).toMatchObject([{ isReleased: false, fences: [1, 2] }]);
    },
  );
});
