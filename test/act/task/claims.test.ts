/** Claims from the first call to the last under every schedule: one holder, no task done twice, a text that says what the leases say. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { claimTask } from '../../../src/act/task/claim.ts';
import { renewLease, releaseLease } from '../../../src/act/task/lease/take-lease.ts';
import { findUnheld } from '../../../src/act/task/look-tasks.ts';
import { editPlanBody } from '../../../src/act/task/plan-edit.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { leasePlace, workAt } from '../../../src/act/task/coder/coding-runtime.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import { QuorumError } from '../../../src/domain/event/errors.ts';
import { type Lease, type LeaseEnd } from '../../../src/domain/plan/lease.ts';
import { isHeld } from '../../../src/policy/decide-lease.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { taskDigest } from '../../../src/domain/plan/plan-digest.ts';
import type { PlanView } from '../../../src/domain/plan/plan-view.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { LeasePlace } from '../../../src/ports/github/leases.ts';
import type { WorkSession } from '../../../src/ports/github/work.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';
import { createMemoryPlan, type MemoryPlan } from '../../helpers/memory-plan.ts';
import { verifies } from '../../verifies.ts';

const THREAD = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy', number: 4 };
const LASTS_MS = 30 * 60_000;
const LEASE_AT = { namespace: 'refs/quorum/leases', lastsMs: LASTS_MS };
const RUNS = Number(process.env['CLAIM_RUNS'] ?? 2000);

function placeOf(task: number): LeasePlace {
  return leasePlace({ thread: THREAD, task, leaseAt: LEASE_AT }, 'base');
}

/** What an instance does with a task that it may have. */
const STEPS = [
  'finish',
  'give back',
  'crash',
  'sleep and wake',
  'renew and finish',
  'be told no',
] as const;
type StepName = (typeof STEPS)[number];

const life = fc.array(
  fc.record({ task: fc.integer({ min: 1, max: 2 }), step: fc.constantFrom(...STEPS) }),
  { minLength: 1, maxLength: 4 },
);

interface Story {
  plan: MemoryPlan;
  clock: Clock & { advance(ms: number): void };
  digests: ReadonlyMap<number, string>;
  /** By task: who did it, with which number. */
  done: Map<number, number[]>;
  /** Tasks whose hold ran out and was taken between what was done and the word of it. */
  overtaken: Set<number>;
}

type Edit = Extract<EffectData, { kind: 'plan-edit' }>;

/** As the queue does it. A lost hold and a race that is lost each time are answers too. */
async function tried<T>(work: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 0; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof QuorumError)) throw error;
      if (!error.retryable || tries > 20) return undefined;
    }
}

class Instance {
  readonly #story: Story;
  readonly #ports: ActPorts;
  readonly #name: string;
  #runs = 0;

  constructor(story: Story, name: string, before: (what: string) => Promise<unknown>) {
    this.#story = story;
    this.#name = name;
    this.#ports = story.plan.portsOf(name, before);
  }

  async live(steps: readonly { task: number; step: StepName }[]): Promise<void> {
    for (const { task, step } of steps) {
      const lease = await this.#claim(task);
      if (lease !== undefined) await this.#work(lease, step);
    }
  }

  async #claim(task: number): Promise<Lease | undefined> {
    this.#runs += 1;
    const claimed = await tried(() =>
      claimTask(
        {
          kind: 'claim',
          thread: THREAD,
          task,
          holder: `run-${this.#runs}`,
          digest: this.#story.digests.get(task) ?? '',
          approvedBy: { id: 1, login: 'ana' },
          persona: this.#name,
          lease: LEASE_AT,
        },
        this.#ports,
      ),
    );
    return claimed?.result.outcome === 'claimed' ? claimed.result.lease : undefined;
  }

  async #work(lease: Lease, step: StepName): Promise<void> {
    const { clock } = this.#story;
    // Nobody hears of it again: what it holds runs out.
    if (step === 'crash') return;
    // Work done without a record leaves its branch behind. A person must decide whose commits those
    // are.
    if (this.#story.overtaken.has(lease.task))
      return this.#end(lease, { status: 'blocked', reason: 'a branch that is not ours' });
    if (step === 'sleep and wake') clock.advance(LASTS_MS + 10 * 60_000);
    if (step === 'renew and finish') {
      clock.advance(LASTS_MS / 2);
      await this.#renew(lease, LASTS_MS);
    }
    if (step === 'give back' || step === 'be told no') {
      const status = step === 'give back' ? 'pending' : 'blocked';
      return this.#end(lease, { status, reason: '' });
    }
    if (await this.#renew(lease, 0)) {
      const { done } = this.#story;
      done.set(lease.task, [...(done.get(lease.task) ?? []), lease.fence]);
      await this.#end(lease, { status: 'completed', reason: '#9' });
    } else await this.#end(lease, { status: 'pending', reason: 'lost' });
  }

  /** What is done is done in the moment that the answer is there. */
  async #renew(own: Lease, atLeastMs: number): Promise<boolean> {
    const { leases } = this.#session();
    const wanted = { own, lastsMs: LASTS_MS, atLeastMs };
    const ports = { leases, clock: this.#story.clock };
    return (await renewLease(ports, placeOf(own.task), wanted)) !== undefined;
  }

  async #end(lease: Lease, end: LeaseEnd): Promise<void> {
    const { task, digest } = lease;
    const { leases } = this.#session();
    const at = placeOf(task);
    const released = await releaseLease({ leases }, at, { ...lease, end });
    if (end.status === 'completed' && released === 'not-ours') this.#story.overtaken.add(task);
    await tried(() =>
      this.#edit({
        edits: [
          { kind: 'status', task, ...end },
          ...(end.status === 'pending' ? [{ kind: 'assignee' as const, task, assignee: '' }] : []),
        ],
        only: { task, digest },
        holds: { lease, leaseAt: LEASE_AT },
      }),
    );
  }

  #session(): WorkSession {
    return workAt(this.#ports, THREAD);
  }

  #edit(data: Omit<Edit, 'kind' | 'thread'>) {
    return editPlanBody({ kind: 'plan-edit', thread: THREAD, ...data }, this.#ports);
  }

  /** As a look at the plan ends: what nobody holds says so. */
  async look(): Promise<boolean> {
    const { plan } = this.#story;
    const view = {
      issue: { body: plan.body() },
      personas: ['a', 'b', 'c'].map((handle) => ({ handle })),
      config: defaultConfig(),
      repository: { headSha: 'base' },
    } as unknown as PlanView;
    const { unheld } = await findUnheld({ thread: THREAD, view, held: [] }, this.#ports);
    for (const { task, end } of unheld) {
      const found = parsePlan(plan.body()).tasks.find(({ number }) => number === task);
      if (found === undefined) continue;
      const { status, reason } = end ?? { status: 'pending', reason: 'nobody holds it' };
      await tried(() =>
        this.#edit({
          edits: [
            { kind: 'status', task, status, reason },
            ...(status === 'pending' ? [{ kind: 'assignee' as const, task, assignee: '' }] : []),
          ],
          only: { task, digest: taskDigest(found) },
          insteadOf: found.status,
        }),
      );
    }
    return unheld.length > 0;
  }
}

function createClock(): Story['clock'] {
  let now = Date.parse('2026-03-02T09:00:00Z');
  return { now: () => now, sleep: () => Promise.resolve(), advance: (ms) => void (now += ms) };
}

verifies(
  ['TG-4', 'DUR-03', 'CFG-06', 'GIT-08'],
  `under ${RUNS} schedules of instances that claim, renew, finish, crash and sleep, and a person who writes, no task is done twice and the text ends as the leases say`,
  async () => {
    let schedules = 0;
    let finished = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(life, { minLength: 2, maxLength: 3 }),
        async (scheduler, lives) => {
          schedules += 1;
          const first = aPlanBody({ tasks: [aTask(1), aTask(2)] });
          const clock = createClock();
          const plan = createMemoryPlan(first, clock);
          const digests = new Map(parsePlan(first).tasks.map((t) => [t.number, taskDigest(t)]));
          const story: Story = { plan, clock, digests, done: new Map(), overtaken: new Set() };
          const instances = lives.map(
            (_, n) =>
              new Instance(story, 'abc'[n] ?? 'a', (what) =>
                scheduler.schedule(Promise.resolve(), `${n} ${what}`),
              ),
          );
          const person = scheduler
            .schedule(Promise.resolve(), 'a person')
            .then(() => plan.edit((body) => body.replace('See #6.', 'See #6 and #7.')));
          await scheduler.waitFor(
            Promise.all([person, ...instances.map((one, n) => one.live(lives[n] ?? []))]),
          );
          clock.advance(2 * LASTS_MS);
          // Everybody looks until nobody finds anything; who only reads finds what is claimed by nobody.
          for (let looks = 0; looks < 5; looks += 1)
            await scheduler.waitFor(Promise.all(instances.map((one) => one.look())));
          // Lines that say pending are settled by the next claim.
          const tasks = await settled(story, instances, scheduler);
          for (const { number, status } of tasks) {
            const done = story.done.get(number) ?? [];
            expect(done.length).toBeLessThanOrEqual(1);
            finished += done.length;
            const kept = await plan.leases.read(placeOf(number));
            const word = isHeld(kept, clock.now())
              ? 'claimed'
              : (kept?.lease?.end?.status ?? 'pending');
            const isKnown = done.length === 1 && !story.overtaken.has(number);
            expect([number, status]).toEqual([number, isKnown ? 'completed' : word]);
          }
          expect(plan.body()).toContain('See #6 and #7.');
        },
      ),
      { numRuns: RUNS },
    );
    expect(schedules).toBeGreaterThanOrEqual(RUNS);
    expect(finished).toBeGreaterThan(RUNS / 4);
    console.info(`${schedules} schedules, ${finished} tasks done, none twice`);
  },
);

async function settled({ plan }: Story, instances: Instance[], scheduler: fc.Scheduler) {
  const [first] = instances;
  const pending = parsePlan(plan.body()).tasks.filter(({ status }) => status === 'pending');
  const claims = pending.map(({ number }) => ({ task: number, step: 'give back' as const }));
  if (first !== undefined) await scheduler.waitFor(first.live(claims));
  return parsePlan(plan.body()).tasks;
}
