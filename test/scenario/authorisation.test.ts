/** Who may ask and who may answer: by numeric id and role, read from GitHub when it counts. */
import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/domain/run/thread-ref.ts';
import { aModel } from '../helpers/a-model.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { aWorld, isWrite, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPull, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

/** Writes on threads by any account: nothing else in these scenarios counts as a write. */
function writesOf(world: TestWorld): string[] {
  return world.emulator.requests
    .filter(isWrite)
    .map((request) => `${request.method} ${request.path}`);
}

/** The label is put on by the operations of the emulator itself, which let the role pass; the webhook names who did it. */
async function labelledBy(world: TestWorld, login: string, role: Permission): Promise<number> {
  const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
  world.emulator.addCollaborator(REPO, login, 'write');
  world.emulator.faults.addHook({
    event: 'issues',
    action: 'labeled',
    fault: { kind: 'delay', ms: 150 },
  });
  await world.emulator.as(login).label(REPO, number, ['deliberate']);
  world.emulator.addCollaborator(REPO, login, role);
  await world.idle();
  return number;
}

/** Enough of them for the dear scenarios. */
const FEW = new Set<Permission>(['none', 'read', 'triage', 'admin']);
const ROLES: [Permission, boolean][] = [
  ['none', false],
  ['read', false],
  ['triage', true],
  ['write', true],
  ['maintain', true],
  ['admin', true],
];

describe('the label that asks', () => {
  for (const [role, isHeard] of ROLES) {
    verifies(
      ['P4', 'NW-5'],
      `put on by somebody whose role is ${role} by the time it is read ${isHeard ? 'starts a run' : 'starts nothing, and nothing is written'}`,
      async () => {
        const world = await aWorld();
        const number = await labelledBy(world, 'eve', role);
        const told = await world.tell(number);
        expect(told.labels).toEqual([isHeard ? 'ready' : 'deliberate']);
        expect(told.comments).toHaveLength(isHeard ? 1 : 0);
        if (!isHeard) expect(writesOf(world)).toEqual([]);
      },
    );
  }

  verifies('P4', 'counts for a custom role as for the built-in role it extends', async () => {
    const world = await aWorld();
    const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    world.emulator.addCollaborator(REPO, 'eve', 'write');
    const body = {
      permission: 'write',
      role_name: 'security-champion',
      user: { id: 0, login: 'eve' },
    };
    const eve = (await world.emulator.as('eve').request('GET', '/users/eve')) as { id: number };
    body.user.id = eve.id;
    world.emulator.faults.add({
      path: `/repos/${REPO}/collaborators/eve/permission`,
      times: Infinity,
      fault: {
        kind: 'status',
        status: 200,
        body: { ...body, user: { ...body.user, type: 'User' } },
      },
    });
    await world.emulator.as('eve').label(REPO, number, ['deliberate']);
    await world.idle();
    expect((await world.tell(number)).labels).toEqual(['ready']);
  });

  verifies('P4', 'counts for nothing when the role cannot be read', async () => {
    const world = await aWorld();
    world.emulator.faults.add({
      path: `/repos/${REPO}/collaborators/ana/permission`,
      times: Infinity,
      fault: { kind: 'status', status: 403, body: { message: 'Resource not accessible' } },
    });
    const number = await world.ask(READY_ISSUE);
    await world.idle();
    expect((await world.tell(number)).comments).toEqual([]);
    expect(writesOf(world)).toEqual([]);
  });

  verifies('P4', 'put on by another App starts nothing, whatever that App may write', async () => {
    const world = await aWorld();
    const other = await world.emulator.createApp({
      name: 'Helpful Robot',
      owner: 'acme',
      permissions: { issues: 'write', metadata: 'read' },
      events: [],
    });
    world.emulator.installApp(other.appId, 'acme');
    const bot = `${world.emulator.app(other.appId).slug}[bot]`;
    world.emulator.addCollaborator(REPO, bot, 'admin');
    const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    await world.emulator.as(bot).label(REPO, number, ['deliberate']);
    await world.idle();
    expect((await world.tell(number)).comments).toEqual([]);
    expect(writesOf(world)).toEqual([]);
  });

  verifies(
    ['P4', 'ING-12'],
    'counts for nothing when the login now belongs to another account',
    async () => {
      const world = await aWorld();
      const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
      world.emulator.addCollaborator(REPO, 'eve', 'write');
      world.emulator.faults.add({
        path: `/repos/${REPO}/collaborators/eve/permission`,
        times: Infinity,
        // Somebody registered the name that eve gave up, and has a role here.
        fault: {
          kind: 'status',
          status: 200,
          body: {
            permission: 'admin',
            role_name: 'admin',
            user: { id: 999_999, login: 'eve', type: 'User' },
          },
        },
      });
      await world.emulator.as('eve').label(REPO, number, ['deliberate']);
      await world.idle();
      expect((await world.tell(number)).comments).toEqual([]);
    },
  );

  verifies(
    ['P4', 'NW-5'],
    'loses its power when the role is taken away while the run goes on: no verdict, no label',
    async () => {
      let act: () => void = () => undefined;
      const { env } = await aModel({
        position: (_, handle) => {
          act();
          return { json: aPosition({ reasons: handle }), delayMs: 150 };
        },
      });
      const world = await aWorld({ env });
      world.emulator.addCollaborator(REPO, 'eve', 'triage');
      act = () => world.emulator.addCollaborator(REPO, 'eve', 'read');
      const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
      await world.emulator.as('eve').label(REPO, number, ['deliberate']);
      await world.idle();
      const told = await world.tell(number);
      expect(told.labels).toEqual(['deliberate']);
      expect(told.comments).toHaveLength(1);
      expect(told.comments[0]).toMatch(/^### Stopped: .*triage/);
    },
  );
});

interface Blocked {
  world: TestWorld;
  number: number;
}

/** A run that stopped with a question to ana, who asked. */
async function aBlockedRun(files: Record<string, string> = {}): Promise<Blocked> {
  const { env } = await aModel({
    verdict: (call) => ({
      json: call.system.includes('MY-ANSWER')
        ? aVerdict()
        : aVerdict({ verdict: 'HUMAN', question: 'Keep the old flag?' }),
    }),
  });
  const world = await aWorld({ env, files });
  const number = await world.ask(READY_ISSUE);
  await world.idle();
  expect((await world.tell(number)).labels).toContain('needs-human');
  return { world, number };
}

describe('the answer to a question', () => {
  for (const [role, isHeard] of ROLES.filter(([each]) => FEW.has(each))) {
    verifies(
      ['NW-10', 'P4'],
      `by a bystander whose role is ${role} ${isHeard ? 'resumes the run' : 'changes nothing'}`,
      async () => {
        const { world, number } = await aBlockedRun();
        world.emulator.addCollaborator(REPO, 'eve', role);
        await world.emulator.as('eve').comment(REPO, number, 'MY-ANSWER is yes');
        await world.idle();
        const told = await world.tell(number);
        expect(told.labels.includes('ready')).toBe(isHeard);
        expect(told.labels.includes('needs-human')).toBe(!isHeard);
      },
    );
  }

  verifies('NW-10', 'by the author of the issue resumes the run without any role', async () => {
    const { world, number } = await aBlockedRun();
    await world.emulator.as('tom').comment(REPO, number, 'MY-ANSWER is yes');
    await world.idle();
    expect((await world.tell(number)).labels).toEqual(['ready']);
  });

  verifies(
    ['NW-10', 'P4'],
    'by a stranger who took over the login of the one who asked changes nothing',
    async () => {
      const { world, number } = await aBlockedRun();
      await world.emulator.as('eve').comment(REPO, number, 'MY-ANSWER is yes');
      await world.idle();
      expect((await world.tell(number)).labels).toContain('needs-human');
      // Everybody who reads the comment sees `ana` from now on; the numeric id is another one.
      const disguise = (body: unknown): unknown =>
        JSON.parse(JSON.stringify(body).replaceAll('"login":"eve"', '"login":"ana"'));
      const comments = await world.emulator
        .as('ana')
        .request('GET', `/repos/${REPO}/issues/${number}/comments?per_page=100`);
      world.emulator.faults.add({
        method: 'GET',
        path: `/repos/${REPO}/issues/${number}/comments`,
        times: Infinity,
        fault: { kind: 'status', status: 200, body: disguise(comments) },
      });
      // Any event makes the run look again.
      await world.emulator.as('eve').comment(REPO, number, 'Anyone?');
      await world.idle();
      world.emulator.faults.clear();
      expect((await world.tell(number)).labels).toContain('needs-human');
    },
  );

  verifies(
    ['LOOP-02', 'NW-10', 'P4'],
    'by a bot is no answer, however it is spelled and whatever it may write',
    async () => {
      const { world, number } = await aBlockedRun();
      const other = await world.emulator.createApp({
        name: 'Eager Robot',
        owner: 'acme',
        permissions: { issues: 'write', metadata: 'read' },
        events: [],
      });
      world.emulator.installApp(other.appId, 'acme');
      const bot = `${world.emulator.app(other.appId).slug}[bot]`;
      world.emulator.addCollaborator(REPO, bot, 'admin');
      await world.emulator.as(bot).comment(REPO, number, 'MY-ANSWER is yes');
      await world.idle();
      expect((await world.tell(number)).labels).toContain('needs-human');
    },
  );
});

describe('where many people speak', () => {
  verifies(
    ['NW-10', 'P4'],
    'the answer of somebody with a role is found below the words of a dozen strangers',
    async () => {
      const { world, number } = await aBlockedRun();
      world.emulator.addCollaborator(REPO, 'eve', 'write');
      const { faults } = world.emulator;
      // Only the last of them is announced: the others came while the App was away.
      const lose = faults.addHook({
        event: 'issue_comment',
        times: Infinity,
        fault: { kind: 'lost' },
      });
      await world.emulator.as('eve').comment(REPO, number, 'MY-ANSWER is yes');
      for (let n = 0; n < 12; n += 1) {
        world.emulator.createUser(`reader-${n}`);
        await world.emulator.as(`reader-${n}`).comment(REPO, number, 'Any news?');
      }
      lose();
      await world.emulator.as('reader-0').comment(REPO, number, 'Anyone?');
      await world.idle();
      expect((await world.tell(number)).labels).toContain('ready');
    },
  );

  verifies('P4', 'those whose role was not read are counted in what was not read', async () => {
    const world = await aWorld();
    const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    for (let n = 0; n < 21; n += 1) {
      world.emulator.createUser(`reader-${n}`);
      await world.emulator.as(`reader-${n}`).comment(REPO, number, 'Me too.');
    }
    await world.emulator.as('ana').label(REPO, number, ['deliberate']);
    await world.idle();
    const [said] = (await world.tell(number)).comments;
    // Besides those who opened it and asked.
    expect(said).toContain('not read: the roles of 3 more people who spoke');
  });
});

describe('the answer to a question of a review', () => {
  async function aWaitingReview(): Promise<Blocked> {
    const { env } = await aModel({
      position: () => ({ json: aPosition({ vote: 'APPROVE' }) }),
      verdict: (call) => ({
        json: call.lastText.includes('MY-ANSWER')
          ? aVerdict({ verdict: 'APPROVE' })
          : aVerdict({ verdict: 'HUMAN', question: 'Keep the old flag?' }),
      }),
    });
    const files = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
    const world = await aWorld({ env, files });
    const number = await aPull(world, { 'src/run.ts': 'export const run = 1;\n' });
    await world.idle();
    expect((await world.tell(number)).labels).toEqual(['needs-human']);
    return { world, number };
  }

  verifies(
    ['NW-10', 'P4'],
    'by a stranger changes nothing and asks no model; by somebody with triage it resumes the review',
    async () => {
      const { world, number } = await aWaitingReview();
      const { calls } = await world.store.records.spent({});
      await say(world, number, { by: 'eve', body: 'MY-ANSWER is yes' });
      expect((await world.tell(number)).labels).toEqual(['needs-human']);
      expect((await world.store.records.spent({})).calls).toBe(calls);
      world.emulator.addCollaborator(REPO, 'eve', 'triage');
      await say(world, number, { by: 'eve', body: 'I said MY-ANSWER' });
      expect((await world.tell(number)).labels).toEqual([]);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  test('is what `/pm review` asks for again; for a person by name it is reviewed from scratch', async () => {
    const { world, number } = await aWaitingReview();
    const again = await say(world, number, '/pm review');
    expect(again.reactions).toEqual(['confused']);
    expect(again.answers.join()).toMatch(/waits for an answer by `ana`.*Keep the old flag\?/);
    const { calls } = await world.store.records.spent({});
    await say(world, number, '/pm review maya');
    expect((await world.store.records.spent({})).calls).toBeGreaterThan(calls);
    expect((await world.tell(number)).labels).toEqual(['needs-human']);
  });
});
