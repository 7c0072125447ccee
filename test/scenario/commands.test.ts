/** Commands from comments, through the door and back: who may, what happens, what is said, and when nothing is. */
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/domain/commands/registry.ts';
import type { Permission } from '../../src/domain/run/thread-ref.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPull, anIssue, answered, reactionsOn, say, writesOf } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

/** Holds the delivery of comments back, so that something can happen before it is read. */
function delay(world: TestWorld, ms = 400): void {
  const fault = { kind: 'delay' as const, ms };
  world.emulator.faults.addHook({ event: 'issue_comment', action: 'created', fault });
}

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const BAD = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

async function makePrivate(world: TestWorld): Promise<void> {
  await world.emulator.as('ana').request('PATCH', `/repos/${REPO}`, { private: true });
  await world.idle();
}

const MAY: [Permission, { read: boolean; spend: boolean; change: boolean }][] = [
  ['read', { read: true, spend: false, change: false }],
  ['triage', { read: true, spend: true, change: false }],
  ['write', { read: true, spend: true, change: true }],
  ['maintain', { read: true, spend: true, change: true }],
  ['admin', { read: true, spend: true, change: true }],
];

describe('who may', () => {
  for (const [role, may] of MAY) {
    verifies(['CMD-01'], `${role}: reading, spending and changing commands`, async () => {
      const world = await aWorld();
      const number = await anIssue(world);
      world.emulator.addCollaborator(REPO, 'eve', role);
      const read = await say(world, number, { by: 'eve', body: '/pm status' });
      expect([read.reactions, read.answers.length]).toEqual([['+1'], 1]);
      const spend = await say(world, number, { by: 'eve', body: '/pm ask where is `main`?' });
      expect(spend.reactions).toEqual([may.spend ? '+1' : 'confused']);
      expect(spend.answers.join()).toContain(
        may.spend ? 'src/cli.ts' : 'needs `triage` permission and you have `read`',
      );
      const change = await say(world, number, { by: 'eve', body: '/pm hold' });
      expect(change.reactions).toEqual([may.change ? '+1' : 'confused']);
      expect(change.labels.includes('hold')).toBe(may.change);
      expect(world.openApi.violations).toEqual([]);
    });
  }

  verifies(
    'CMD-01',
    'somebody without any role by the time it is read changes nothing',
    async () => {
      const world = await aWorld();
      const number = await anIssue(world);
      await makePrivate(world);
      delay(world, 300);
      world.emulator.addCollaborator(REPO, 'eve', 'write');
      const { id } = await world.emulator.as('eve').comment(REPO, number, '/pm hold\n/pm nonsense');
      world.emulator.addCollaborator(REPO, 'eve', 'none');
      await world.idle();
      const told = await answered(world, { number, id, before: 0 });
      // In a private repository, anyone who could comment was let in. They get an answer, and
      // nothing is done.
      expect(told.labels).toEqual([]);
      expect(writesOf(world).filter((each) => each.includes('labels'))).toEqual([]);
    },
  );

  verifies(
    'CMD-01',
    'a refusal is explained once to each person and thread, then only by a reaction',
    async () => {
      const world = await aWorld();
      const number = await anIssue(world);
      const first = await say(world, number, { by: 'eve', body: '/pm hold' });
      expect(first.answers).toHaveLength(1);
      expect(first.answers[0]).toMatch(/needs `write` permission and you have `read`/);
      expect(first.answers[0]).not.toMatch(/@eve|@ana/);
      const second = await say(world, number, { by: 'eve', body: '/pm pause' });
      expect([second.answers, second.reactions]).toEqual([[], ['confused']]);
    },
  );

  verifies('CMD-01', 'a role that cannot be read is no role', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    world.emulator.faults.add({
      path: `/repos/${REPO}/collaborators/ana/permission`,
      times: Infinity,
      fault: { kind: 'status', status: 403, body: { message: 'Resource not accessible' } },
    });
    const told = await say(world, number, '/pm hold');
    expect(told.labels).toEqual([]);
    expect(told.reactions).not.toContain('+1');
  });

  verifies('CMD-02', 'a role that was taken away before the command is read is gone', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    world.emulator.addCollaborator(REPO, 'eve', 'write');
    delay(world);
    const { id } = await world.emulator.as('eve').comment(REPO, number, '/pm hold');
    world.emulator.addCollaborator(REPO, 'eve', 'read');
    await world.idle();
    const told = await answered(world, { number, id, before: 0 });
    expect([told.labels, told.reactions]).toEqual([[], ['confused']]);
  });

  verifies('CMD-02', 'and so is one that goes between the decision and the effect', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    world.emulator.addCollaborator(REPO, 'eve', 'write');
    // What was allowed a moment ago waits: the next look at the role finds another one.
    let reads = 0;
    const stop = world.emulator.onExchange(({ path }) => {
      if (!path.endsWith('/collaborators/eve/permission')) return;
      reads += 1;
      if (reads === 1) world.emulator.addCollaborator(REPO, 'eve', 'read');
    });
    await say(world, number, { by: 'eve', body: '/pm hold' });
    stop();
    expect(reads).toBeGreaterThan(1);
    expect((await world.tell(number)).labels).toEqual([]);
    const effects = await world.store.records.effects({ limit: 100 });
    expect(effects.find((each) => each.data.kind === 'labels')?.reason).toMatch(/^permission-lost/);
  });

  verifies('CMD-06', 'rights die with the account: a login in new hands has none', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    world.emulator.addCollaborator(REPO, 'eve', 'admin');
    world.emulator.faults.add({
      path: `/repos/${REPO}/collaborators/eve/permission`,
      times: Infinity,
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
    const told = await say(world, number, {
      by: 'eve',
      body: '/pm hold\n\u2215pm hold\n/\u0440m hold',
    });
    expect(told.labels).toEqual([]);
  });
});

describe('automated accounts', () => {
  async function aRobot(world: TestWorld): Promise<string> {
    const app = await world.emulator.createApp({
      name: 'Helpful Robot',
      owner: 'acme',
      permissions: { issues: 'write', metadata: 'read' },
      events: [],
    });
    world.emulator.installApp(app.appId, 'acme');
    return `${world.emulator.app(app.appId).slug}[bot]`;
  }

  verifies('CMD-07', 'get neither words nor deeds, whatever role they have', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    const bot = await aRobot(world);
    world.emulator.addCollaborator(REPO, bot, 'admin');
    const told = await say(world, number, { by: bot, body: '/pm hold\n/pm status\n/pm help' });
    expect([told.labels, told.reactions]).toEqual([[], []]);
    expect(writesOf(world)).toEqual([]);
  });
});

describe('a comment that is not what it was', () => {
  verifies(
    ['CMD-04', 'INJ-08: command edited before it is read'],
    'changed before it is read, nothing is run',
    async () => {
      const world = await aWorld();
      const number = await anIssue(world);
      delay(world);
      const ana = world.emulator.as('ana');
      const { id } = await ana.comment(REPO, number, '/pm status');
      await ana.request('PATCH', `/repos/${REPO}/issues/comments/${id}`, { body: '/pm hold' });
      await world.idle();
      const told = await answered(world, { number, id, before: 0 });
      expect([told.labels, told.answers, told.reactions]).toEqual([[], [], []]);
      const events = await world.store.records.events({ limit: 100, status: 'ignored' });
      expect(events.map((each) => each.reason)).toContain(
        'the comment was changed since it was sent',
      );
    },
  );

  verifies('CMD-04', 'edited into a command, it does not count as one', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    const ana = world.emulator.as('ana');
    const { id } = await ana.comment(REPO, number, 'hello');
    await ana.request('PATCH', `/repos/${REPO}/issues/comments/${id}`, { body: '/pm hold' });
    await world.idle();
    expect((await world.tell(number)).labels).toEqual([]);
    expect(writesOf(world)).toEqual([]);
  });

  verifies('CMD-04', 'deleted before it is read, nothing is run', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    delay(world);
    const ana = world.emulator.as('ana');
    const { id } = await ana.comment(REPO, number, '/pm hold');
    await ana.request('DELETE', `/repos/${REPO}/issues/comments/${id}`);
    await world.idle();
    expect((await world.tell(number)).labels).toEqual([]);
    expect(writesOf(world)).toEqual([]);
    const events = await world.store.records.events({ limit: 100, status: 'ignored' });
    expect(events.map((each) => each.reason)).toContain('the comment was deleted');
  });

  verifies(
    ['LOOP-03', 'CMD-05'],
    'titles, quotes and e-mail replies give no commands',
    async () => {
      const world = await aWorld();
      const title = '/pm hold';
      const { number } = await world.emulator
        .as('ana')
        .openIssue(REPO, { title, body: '/pm hold' });
      await say(
        world,
        number,
        'On Mon, 2 Mar 2026 at 09:00, Ana <ana@example.com> wrote:\n> /pm hold\n',
      );
      await say(world, number, '> /pm hold\n\n```\n/pm hold\n```\n');
      const told = await world.tell(number);
      expect([told.labels, told.comments]).toEqual([[], []]);
      expect(writesOf(world)).toEqual([]);
    },
  );
});

describe('several commands in one comment', () => {
  verifies(
    'CMD-11: one comment',
    'the safer one wins, and the answer names the other',
    async () => {
      const world = await aWorld();
      const number = await anIssue(world);
      const told = await say(world, number, '/pm deliberate\n/pm hold');
      expect(told.labels).toEqual(['hold']);
      expect(told.answers).toHaveLength(1);
      expect(told.answers[0]).toContain('it contradicts `/pm hold` on line 2');
    },
  );

  test('at most five run, in one answer that names the rest', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    const body = ['status', 'cost', 'config', 'model', 'doctor', 'why', 'help'].map(
      (name) => `/pm ${name}`,
    );
    const told = await say(world, number, body.join('\n'));
    expect(told.answers).toHaveLength(1);
    expect(told.answers[0]?.match(/^> `\/pm /gm)).toHaveLength(5);
    expect(told.answers[0]).toContain('only 5 commands of one comment are run');
    // No line that Quorum writes is a command itself.
    expect(told.answers[0]).not.toMatch(/^ {0,3}\/pm/m);
  });

  test('an unknown one gets the nearest name, arguments that do not fit get the usage', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    const told = await say(world, number, '/pm stauts\n/pm claim x');
    expect(told.reactions).toEqual(['confused']);
    expect(told.answers[0]).toContain('did you mean `/pm status`?');
    expect(told.answers[0]).toContain('it is written `/pm claim N`');
  });
});

test('every command of the README is acknowledged and answered, where it belongs', async () => {
  const world = await aWorld({ files: QUICK });
  // Two people: there are more commands than one person may give in an hour.
  world.emulator.createUser('ben');
  world.emulator.addCollaborator(REPO, 'ben', 'admin');
  const number = await aPull(world, { 'src/run.ts': BAD });
  let issue = await anIssue(world);
  await world.idle();
  for (const [index, { name, examples, where, built }] of COMMANDS.entries()) {
    if (!built) continue;
    const by = index % 2 === 0 ? 'ana' : 'ben';
    // A thread has room for so many answers in an hour.
    if (name === 'done') issue = await anIssue(world);
    const thread = where === 'pull' ? number : issue;
    const told = await say(world, thread, { by, body: examples[0] ?? '' });
    expect([name, told.reactions.length]).toEqual([name, 1]);
    if (name === 'report') expect(told.answers[0]).toMatch(/^\| \*\*Total\*\* \|  \| [1-9]/m);
    // What a run says is in its own comment or check.
    if (name !== 'review') expect([name, told.answers.length]).toEqual([name, 1]);
    // The issue is closed then, and has many of our comments.
    if (name === 'done') issue = await anIssue(world);
  }
  const { events, effects } = await world.store.records.counts();
  expect(events).toMatchObject({ dead: 0, parked: 0 });
  expect(effects).toMatchObject({ pending: 0, dead: 0, refused: 0 });
});

describe('where nothing is run', () => {
  verifies('CMD-12', 'a closed thread: one sentence, and nothing changes', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    await world.emulator.as('ana').close(REPO, number);
    const told = await say(world, number, '/pm hold\n/pm ask why?\n/pm status');
    expect(told.labels).toEqual([]);
    expect(told.answers).toHaveLength(1);
    expect(told.answers[0]).toMatch(/^This thread is closed, so commands do not run here\./);
    expect((await world.store.records.spent({})).calls).toBe(0);
  });

  verifies('CMD-12', 'a locked thread: not even that', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    await world.emulator.as('ana').request('PUT', `/repos/${REPO}/issues/${number}/lock`, {});
    const told = await say(world, number, '/pm hold');
    expect([told.labels, told.answers, told.reactions]).toEqual([[], [], []]);
  });

  test('switched off by the configuration: not even that', async () => {
    const world = await aWorld({ files: { '.github/quorum.yml': 'enabled: false\n' } });
    const number = await anIssue(world);
    const told = await say(world, number, '/pm status');
    expect([told.answers, told.reactions]).toEqual([[], []]);
  });

  test('a check that GitHub refused permanently is reported by the status', async () => {
    const world = await aWorld({ files: QUICK });
    const fault = { kind: 'status', status: 403, body: { message: 'Not accessible' } } as const;
    const path = `/repos/${REPO}/check-runs`;
    world.emulator.faults.add({ method: 'POST', path, times: Infinity, fault });
    const number = await aPull(world, { 'docs/notes.md': '# Notes\n\nOne line.\n' });
    await world.idle();
    const told = await say(world, number, '/pm status');
    expect(told.answers[0]).toContain('**GitHub did not take** the check (`github-forbidden`).');
  });

  test('a command for pull requests on an issue, and one that is not built', async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    const told = await say(world, number, '/pm review\n/pm image a bird');
    expect(told.reactions).toEqual(['confused']);
    expect(told.answers[0]).toContain('This command works only on pull requests.');
    expect(told.answers[0]).toContain('This command is not available yet.');
  });
});

async function onDiff(world: TestWorld, number: number) {
  const all = await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/pulls/${number}/comments`);
  return all as { id: number; body: string; user: { login: string }; in_reply_to_id?: number }[];
}

describe('on a pull request', () => {
  test('review by name asks only those, and the comment shows how it ended', async () => {
    const world = await aWorld({ files: QUICK });
    const number = await aPull(world, { 'src/run.ts': BAD });
    await world.idle();
    const before = await onDiff(world, number);
    const told = await say(world, number, '/pm review maya');
    expect([told.reactions, told.answers]).toEqual([['+1'], []]);
    const runs = (await world.store.load(`thread:${await repositoryId(world)}/${number}`))?.state;
    expect(runs).toMatchObject({
      runs: {
        pr_review: { named: ['maya'], participants: [{ handle: 'maya' }], status: 'consensus' },
      },
    });
    // What was said is not said again.
    expect(await onDiff(world, number)).toHaveLength(before.length);
    expect(world.openApi.violations).toEqual([]);
  });

  test('explain tells what a required check and a draft still keep from being merged', async () => {
    const world = await aWorld({ files: QUICK });
    const rules = { checks: [{ context: 'ci' }], isStrict: false, hasQueue: false };
    world.emulator.repository(REPO).rules = new Map([['main', { from: 'protection', ...rules }]]);
    const number = await aPull(world, { 'docs/notes.md': '# Notes\n\nOne line.\n' });
    await world.idle();
    const waiting = await say(world, number, { by: 'tom', body: '/PM Explain' });
    expect(waiting.answers[0]).toMatch(
      /can be merged into `main`:\n\n- the required check `ci` \(missing\)/,
    );
    expect(waiting.answers[0]).toContain('The team says APPROVE to this head; findings open: 0.');
    const { head } = (await world.emulator
      .as('ana')
      .request('GET', `/repos/${REPO}/pulls/${number}`)) as {
      head: { sha: string };
    };
    const status = { state: 'success', context: 'ci' };
    await world.emulator.as('ana').request('POST', `/repos/${REPO}/statuses/${head.sha}`, status);
    const ready = await say(world, number, '/pm explain');
    expect(ready.answers[0]).toContain('from being merged into `main`.');
    expect(world.openApi.violations).toEqual([]);
  });

  test('feedback in the conversation of a finding dismisses it for good', async () => {
    const world = await aWorld({ files: QUICK });
    const number = await aPull(world, { 'src/run.ts': BAD });
    await world.idle();
    const ana = world.emulator.as('ana');
    const [finding] = await onDiff(world, number);
    await ana.request(
      'POST',
      `/repos/${REPO}/pulls/${number}/comments/${finding?.id ?? 0}/replies`,
      {
        body: '/pm feedback the text is our own',
      },
    );
    await world.idle();
    const after = await onDiff(world, number);
    const asked = after.find((each) => each.body.startsWith('/pm feedback'));
    expect(await reactionsOn(world, `pulls/comments/${asked?.id ?? 0}`)).toEqual(['+1']);
    const reply = after.find((each) => each.body.includes('Dismissed, with your reason'));
    expect(reply?.in_reply_to_id).toBe(finding?.id);
    const state = (await world.store.load(`thread:${await repositoryId(world)}/${number}`))?.state;
    expect(state).toMatchObject({
      ledger: {
        findings: [{ status: 'dismissed', settledBy: 'ana', why: 'the text is our own' }],
      },
    });
    expect(world.openApi.violations).toEqual([]);
  });
});

async function repositoryId(world: TestWorld): Promise<number> {
  const repository = (await world.emulator.as('ana').request('GET', `/repos/${REPO}`)) as {
    id: number;
  };
  return repository.id;
}
