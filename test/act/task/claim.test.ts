/** One claim, from what GitHub says to what the plan's text shows: the first thing that forbids it decides. */
import { describe, expect, test } from 'vitest';
import { claimTask } from '../../../src/act/task/claim.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { leasePlace } from '../../../src/act/task/coder/coding-runtime.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import type { Lease } from '../../../src/domain/plan/lease.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { taskDigest } from '../../../src/domain/plan/plan-digest.ts';
import type { Permission } from '../../../src/domain/run/thread-ref.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';
import { createMemoryPlan } from '../../helpers/memory-plan.ts';
import { PLAN } from '../../helpers/a-task.ts';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const LASTS_MS = 30 * 60_000;
const LEASE_AT = { namespace: 'refs/quorum/leases', lastsMs: LASTS_MS };
const PLACE = leasePlace({ thread: PLAN, task: 1, leaseAt: LEASE_AT }, 'base');
const BODY = aPlanBody({
  tasks: [aTask(1), aTask(2, { dependencies: [1] }), aTask(3, { dependencies: [1, 2] })],
});
const ANA = { id: 1, login: 'ana' };

type Claim = Extract<EffectData, { kind: 'claim' }>;

function claimOf(task = 1, over: Partial<Claim> = {}): Claim {
  const found = parsePlan(BODY).tasks.find(({ number }) => number === task);
  return {
    kind: 'claim',
    thread: PLAN,
    task,
    holder: 'run-1',
    digest: found === undefined ? '' : taskDigest(found),
    approvedBy: ANA,
    persona: 'dev',
    lease: LEASE_AT,
    ...over,
  };
}

interface Seen {
  body?: string;
  state?: string;
  isLocked?: boolean;
  headSha?: string;
  /** By the survey; absent where it says nothing of that person. */
  permission?: Permission;
  /** When they are asked about alone. */
  permissionNow?: Permission;
  /** The server tells nothing in one call. */
  isApart?: boolean;
}

/** A plan, what GitHub says around it, and what was asked. */
function createStage(seen: Seen = {}) {
  const clock = { now: () => NOW, sleep: () => Promise.resolve() };
  const plan = createMemoryPlan(seen.body ?? BODY, clock);
  const calls: string[] = [];
  const ports = plan.portsOf('here', async (what) => void calls.push(what));
  const repository = { defaultBranch: 'main', headSha: seen.headSha ?? 'base' };
  const issueNow = () => ({
    body: plan.body(),
    state: seen.state ?? 'open',
    isLocked: seen.isLocked ?? false,
  });
  const session = Object.assign(ports.github.at(PLAN), {
    survey: {
      issue: async (_: unknown, asked: object) => {
        calls.push(`survey ${JSON.stringify(asked)}`);
        const known = seen.permission === undefined ? [] : [[ANA.id, seen.permission] as const];
        if (seen.isApart === true) return undefined;
        return { repository, issue: issueNow(), permissions: new Map(known) };
      },
    },
    read: {
      repository: async () => repository,
      issue: async () => issueNow(),
      permission: async (_: unknown, { login }: { login: string }) => {
        calls.push(`permission ${login}`);
        return seen.permissionNow ?? 'none';
      },
    },
  });
  ports.github = { at: () => session, accountHost: 'github.test' } as unknown as ActPorts['github'];
  const claim = async (over: Partial<Claim> = {}, task = 1) =>
    (await claimTask(claimOf(task, over), ports)).result;
  const lease = async () => (await plan.leases.read(PLACE))?.lease;
  return { plan, ports, calls, claim, lease };
}

function heldBy(holder: string, over: Partial<Lease> = {}): Lease {
  return {
    issue: PLAN.number,
    task: 1,
    holder,
    digest: claimOf().digest,
    fence: 4,
    issuedAt: NOW,
    expiresAt: NOW + LASTS_MS,
    isReleased: false,
    ...over,
  };
}

describe('a task that may be claimed', () => {
  test('has a hold, its line in the text, and all that its work needs', async () => {
    const stage = createStage({ permission: 'write' });
    const lease = {
      ...heldBy('here/run-1'),
      fence: 1,
    };
    expect(await claimTask(claimOf(), stage.ports)).toEqual({
      effectKind: 'claim',
      githubCalls: {},
      result: {
        outcome: 'claimed',
        lease,
        base: { branch: 'main', sha: 'base' },
        accountHost: 'github.test',
        text: {
          title: 'Do thing 1',
          description: 'Thing 1 does what it should.',
          files: [{ path: 'src/thing-1.ts', note: 'what changes' }],
          plan: 'Quotes that never close',
          goal: 'An error names the line.',
          context: 'See #6.',
        },
        nonce: 'n0n5e7k2x9q4w8z1',
      },
    });
    expect(await stage.lease()).toEqual(lease);
    expect(parsePlan(stage.plan.body()).tasks[0]).toMatchObject({
      status: 'claimed',
      assignee: 'dev',
    });
    expect(stage.calls.filter((call) => call.startsWith('survey'))).toEqual([
      `survey ${JSON.stringify({ people: [ANA], files: [], folder: '.github/quorum/personas', maxBytes: 1, comments: 1, pastIssues: 1 })}`,
    ]);
    expect(stage.calls).not.toContain('permission ana');
  });

  test('is claimed as this job has seen the plan, without another look', async () => {
    const stage = createStage({ body: 'not read' });
    const view = {
      repository: { defaultBranch: 'main', headSha: 'base' },
      issue: { body: BODY, state: 'open', isLocked: false },
      actorPermission: 'write',
    };
    Object.assign(stage.ports.codingRuntime ?? {}, { known: { plan: { view, at: NOW } } });
    // The text itself is read again right before it is written.
    expect(await stage.claim()).toMatchObject({ outcome: 'edited' });
    expect(stage.calls.filter((call) => call.startsWith('survey'))).toEqual([]);
    const other = createStage();
    Object.assign(other.ports.codingRuntime ?? {}, { known: { plan: { view, at: NOW } } });
    expect(await other.claim()).toMatchObject({ outcome: 'claimed', base: { sha: 'base' } });
    const { actorPermission: _, ...nobody } = view;
    const third = createStage();
    Object.assign(third.ports.codingRuntime ?? {}, { known: { plan: { view: nobody, at: NOW } } });
    expect(await third.claim()).toMatchObject({ outcome: 'not-allowed' });
    const late = createStage({ permission: 'none' });
    Object.assign(late.ports.codingRuntime ?? {}, { known: { plan: { view, at: NOW - 30_001 } } });
    expect(await late.claim()).toMatchObject({ outcome: 'not-allowed' });
  });

  test('is given back where a dependency was taken back since the look', async () => {
    const body = BODY.replace('**Status:** pending', '**Status:** completed');
    const stage = createStage({ body: BODY });
    const view = {
      repository: { defaultBranch: 'main', headSha: 'base' },
      issue: { body, state: 'open', isLocked: false },
      actorPermission: 'write',
    };
    Object.assign(stage.ports.codingRuntime ?? {}, { known: { plan: { view, at: NOW } } });
    expect(await stage.claim({}, 2)).toMatchObject({ outcome: 'edited' });
    expect(parsePlan(stage.plan.body()).tasks[1]?.status).toBe('pending');
  });

  test.each<[string, Seen]>([
    ['where the survey does not name whoever said yes', { permissionNow: 'write' }],
    [
      'where the survey knows nothing of their role',
      { permission: 'none', permissionNow: 'admin' },
    ],
    ['where all is read one by one', { isApart: true, permissionNow: 'write' }],
  ])('is claimed %s', async (_, seen) => {
    const stage = createStage(seen);
    expect(await stage.claim()).toMatchObject({ outcome: 'claimed', base: { sha: 'base' } });
    const isAsked = seen.permissionNow !== undefined;
    expect(stage.calls.includes('permission ana')).toBe(isAsked);
  });

  test('is claimed once all that come before it are done', async () => {
    const body = BODY.replace('**Status:** pending', '**Status:** completed (#9)');
    const stage = createStage({ permission: 'write', body });
    expect(await stage.claim({}, 2)).toMatchObject({ outcome: 'claimed', lease: { task: 2 } });
  });

  test('is its own claim, after a crash that left no record: the text stays', async () => {
    const body = BODY.replace(
      '**Status:** pending\n**Assignee:**',
      '**Status:** claimed\n**Assignee:** dev',
    );
    const stage = createStage({ permission: 'write', body });
    expect(await stage.claim()).toMatchObject({ outcome: 'claimed' });
    expect(stage.plan.body()).toBe(body);
    expect(stage.calls).not.toContain('write text');
  });
});

describe('a task that may not be claimed', () => {
  const closed = 'the plan is closed';
  const under = (status: string, assignee = ''): string =>
    BODY.replace(
      '**Status:** pending\n**Assignee:**',
      `**Status:** ${status}\n**Assignee:** ${assignee}`,
    );
  const lost = 'ana, who said yes, does not have the write role any more';
  const edited = 'its text was changed after the approval';

  test.each<[string, Seen, object, number, Partial<Claim>]>([
    [
      'a role that is too low',
      { permission: 'triage' },
      { outcome: 'not-allowed', reason: lost },
      1,
      {},
    ],
    ['no role', {}, { outcome: 'not-allowed', reason: lost }, 1, {}],
    [
      'no role, and a plan that is closed',
      { state: 'closed' },
      { outcome: 'not-allowed', reason: lost },
      1,
      {},
    ],
    [
      'a plan that is closed',
      { permission: 'write', state: 'closed' },
      { outcome: 'not-ready', reason: closed },
      1,
      {},
    ],
    [
      'a conversation that is locked',
      { permission: 'write', isLocked: true },
      { outcome: 'not-ready', reason: closed },
      1,
      {},
    ],
    [
      'a repository without a commit',
      { permission: 'write', headSha: '' },
      { outcome: 'not-ready', reason: closed },
      1,
      {},
    ],
    [
      'another text',
      { permission: 'write' },
      { outcome: 'edited', reason: edited },
      1,
      { digest: '0'.repeat(12) },
    ],
    [
      'a number that is not there',
      { permission: 'write' },
      { outcome: 'edited', reason: edited },
      9,
      {},
    ],
    [
      'a plan with problems',
      { permission: 'write', body: BODY.replace('### Task 2', '### Task 1') },
      { outcome: 'edited', reason: edited },
      1,
      {},
    ],
    [
      'work that goes on',
      { permission: 'write', body: under('in_progress') },
      { outcome: 'not-ready', reason: 'it is in progress already' },
      1,
      {},
    ],
    [
      'a claim of another persona',
      { permission: 'write', body: under('claimed', 'maya') },
      { outcome: 'not-ready', reason: 'it is claimed already' },
      1,
      {},
    ],
    [
      'its own persona, but blocked',
      { permission: 'write', body: under('blocked', 'dev') },
      { outcome: 'not-ready', reason: 'it is blocked already' },
      1,
      {},
    ],
    [
      'two that come before it',
      { permission: 'write' },
      { outcome: 'not-ready', reason: 'it waits for 1, 2' },
      3,
      {},
    ],
    [
      'one of two that come before it',
      { permission: 'write', body: under('completed') },
      { outcome: 'not-ready', reason: 'it waits for 2' },
      3,
      {},
    ],
  ])(
    'because of %s: nothing is held and nothing is written',
    async (_, ...[seen, result, task, over]) => {
      const stage = createStage(seen);
      expect(await stage.claim(over, task)).toEqual(result);
      expect(stage.calls.some((call) => /^(create|move|write)/.test(call))).toBe(false);
    },
  );
});

describe('a task that somebody holds', () => {
  test.each<[string, string, object]>([
    ['another instance', 'there/run-9', { isElsewhere: true }],
    ['another attempt of this instance', 'here/run-9', {}],
    ['an instance whose name begins alike', 'here-2/run-9', { isElsewhere: true }],
  ])('is held by %s', async (_, ...[holder, more]) => {
    const stage = createStage({ permission: 'write' });
    await stage.plan.leases.create(PLACE, heldBy(holder));
    expect(await stage.claim()).toEqual({ outcome: 'held', reason: `held by ${holder}`, ...more });
    expect(stage.calls).not.toContain('write text');
  });

  test('is taken again once the hold has run out, under the next number', async () => {
    const stage = createStage({ permission: 'write' });
    await stage.plan.leases.create(PLACE, heldBy('there/run-9', { expiresAt: NOW - LASTS_MS }));
    expect(await stage.claim()).toMatchObject({ outcome: 'claimed', lease: { fence: 5 } });
  });

  test.each(['completed', 'blocked'] as const)(
    'that ended as %s shows it again',
    async (status) => {
      const stage = createStage({ permission: 'write' });
      const end = { status, reason: '#9' };
      await stage.plan.leases.create(PLACE, heldBy('here/run-9', { isReleased: true, end }));
      expect(await stage.claim()).toEqual({
        outcome: 'not-ready',
        reason: `it is ${status} already`,
      });
      const [first, second] = parsePlan(stage.plan.body()).tasks;
      expect([first?.status, first?.statusReason, second?.status]).toEqual([
        status,
        '#9',
        'pending',
      ]);
    },
  );

  test('that was blocked is taken once somebody took that back, and remembers it where the text moved', async () => {
    const end = { status: 'blocked', reason: 'a question' } as const;
    const blocked = BODY.replace('**Status:** pending', '**Status:** blocked (a question)');
    const freed = createStage({ permission: 'write', body: blocked });
    freed.plan.edit(() => BODY);
    await freed.plan.leases.create(PLACE, heldBy('here/run-9', { isReleased: true, end }));
    expect(await freed.claim()).toMatchObject({ outcome: 'claimed', lease: { fence: 5 } });
  });

  test('that was completed is not taken, no matter who changed its line', async () => {
    const end = { status: 'completed', reason: '#9' } as const;
    const done = BODY.replace('**Status:** pending', '**Status:** blocked (a question)');
    const stage = createStage({ permission: 'write', body: done });
    stage.plan.edit(() => BODY);
    await stage.plan.leases.create(PLACE, heldBy('here/run-9', { isReleased: true, end }));
    expect(await stage.claim()).toMatchObject({ outcome: 'not-ready' });
  });
});

describe('a text that is changed while its task is being claimed', () => {
  const changed = { outcome: 'edited', reason: 'it was changed while it was being claimed' };

  /** The change comes between the hold and the word of it. */
  function createRace(change: (body: string) => string, body = BODY) {
    const stage = createStage({ permission: 'write', body });
    const { plans } = stage.ports.github.at(PLAN) as unknown as {
      plans: { editBody: (...args: unknown[]) => Promise<unknown> };
    };
    const { editBody } = plans;
    plans.editBody = (...args) => {
      stage.plan.edit(change);
      return editBody(...args);
    };
    return stage;
  }

  test.each<[string, (body: string) => string]>([
    ['to other words', (body) => body.replace('Thing 1 does', 'Thing 1 never does')],
    [
      'to a task that another one has',
      (body) => body.replace('**Status:** pending', '**Status:** in_progress'),
    ],
    ['to a plan with problems', (body) => body.replace('### Task 2', '### Task 1')],
  ])('%s gives the hold back', async (_, change) => {
    const stage = createRace(change);
    expect(await stage.claim()).toEqual(changed);
    const lease = await stage.lease();
    expect(lease).toMatchObject({ holder: 'here/run-1', isReleased: true });
    expect(lease).not.toHaveProperty('end');
  });

  test('keeps the block that it had', async () => {
    const end = { status: 'blocked', reason: 'a question' } as const;
    const blocked = BODY.replace('**Status:** pending', '**Status:** blocked (a question)');
    const stage = createRace((body) => body.replace('Thing 1 does', 'Thing 1 never does'), blocked);
    stage.plan.edit(() => BODY);
    await stage.plan.leases.create(PLACE, heldBy('here/run-9', { isReleased: true, end }));
    expect(await stage.claim()).toEqual(changed);
    expect(await stage.lease()).toMatchObject({ fence: 5, isReleased: true, end });
  });
});
