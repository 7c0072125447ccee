/** What is over or was deleted is erased: after a grace period, at once for deleted comments, or by `quorum forget`. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createJumpClock } from '../helpers/a-jump-clock.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';
import { quorum } from '../hosts/cli/fake-io.ts';

const CANARY = 'tangerine-submarine';
const KEPT = 'cobalt-lighthouse';
const OTHER = 'acme/other';
const DAY_MS = 24 * 3_600_000;

const issueOf = (word: string) => ({
  title: `${READY_ISSUE.title} (${word})`,
  body: `${READY_ISSUE.body}\n\nOur code word is ${word}.`,
});

/** Every file of the data directory, and of the log beside the database. */
async function filesOf(world: TestWorld): Promise<string> {
  const dir = world.appEnv['QUORUM_DATA'] ?? '';
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile());
  const bytes = await Promise.all(
    files.map((each) => readFile(path.join(each.parentPath, each.name))),
  );
  return Buffer.concat(bytes).toString('latin1');
}

/** A world whose days are skipped, with a discussion that ended. */
async function aPastDiscussion() {
  const clock = createJumpClock();
  const world = await aWorld({ clock, app: { reconcileEveryMs: 5 * 60_000 } });
  const { id } = world.emulator.repository(REPO);
  const number = await world.ask(issueOf(CANARY));
  await world.idle();
  expect(
    (await world.store.erasure.count({ kind: 'repository', repositoryId: id })).events,
  ).not.toBe(0);
  return { world, clock, number, repositoryId: id };
}

/** Lets days pass, until the daily pass of that day is over. */
async function pass(
  { world, clock }: { world: TestWorld; clock: ReturnType<typeof createJumpClock> },
  days: number,
) {
  const done = async () =>
    (await world.store.records.effects({ key: 'tick:purge', status: 'done', limit: 1000 })).length;
  await world.idle();
  const before = await done();
  clock.jump(days * DAY_MS);
  for (let i = 0; i < 2000 && (await done()) === before; i += 1) await wait(10);
  expect(await done()).toBeGreaterThan(before);
  await world.idle();
}

const ENDS: [string, (world: TestWorld) => unknown][] = [
  ['the App is removed', (world) => world.emulator.removeInstallation(world.installationId)],
  [
    'the repository is taken out of the installation',
    (world) => world.emulator.changeRepositories(world.installationId, { removed: [REPO] }),
  ],
  ['the repository is deleted', (world) => world.emulator.deleteRepository(REPO)],
];

describe('after a grace period of 30 days', () => {
  for (const [what, end] of ENDS)
    verifies('ING-12', `${what}: what was kept is erased, and not a day before`, async () => {
      const { world, clock, repositoryId } = await aPastDiscussion();
      await end(world);
      await world.idle();
      await pass({ world, clock }, 29);
      const target = { kind: 'repository', repositoryId } as const;
      expect((await world.store.erasure.count(target)).events).not.toBe(0);
      await pass({ world, clock }, 2);
      expect(await world.store.erasure.count(target)).toEqual({
        events: 0,
        effects: 0,
        states: 0,
        ledger: 0,
      });
      expect(await filesOf(world)).not.toContain(CANARY);
    });

  verifies('ING-12', 'the App is installed again meanwhile: nothing is erased', async () => {
    const { world, clock, repositoryId } = await aPastDiscussion();
    const before = await world.store.load(`thread:${repositoryId}/1`);
    world.emulator.removeInstallation(world.installationId);
    await world.idle();
    world.emulator.installApp(world.appId, 'acme');
    await world.idle();
    await pass({ world, clock }, 31);
    expect(await world.store.load(`thread:${repositoryId}/1`)).toEqual(before);
    expect(await world.store.erasure.keys(`installation:${world.installationId}`)).toEqual([]);
  });
});

describe('deleted on GitHub', () => {
  test('a comment that a discussion has read is in no file any more', async () => {
    const world = await aWorld();
    const ana = world.emulator.as('ana');
    await world.ask(issueOf(KEPT));
    const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
    const comments = `/repos/${REPO}/issues/${number}/comments`;
    const { id } = (await ana.request('POST', comments, {
      body: `I would rather call it ${CANARY}, as my sister does.`,
    })) as { id: number };
    await world.emulator.as('ana').label(REPO, number, ['deliberate']);
    await world.idle();
    expect(await filesOf(world)).toContain(CANARY);
    await ana.request('DELETE', `/repos/${REPO}/issues/comments/${id}`);
    await world.idle();
    const rows = JSON.stringify([
      await world.store.records.events({ limit: 1000 }),
      await world.store.records.effects({ limit: 1000 }),
      await world.store.load(`thread:${world.emulator.repository(REPO).id}/${number}`),
    ]);
    expect(rows).not.toContain(CANARY);
    await world.stopApp();
    const left = await filesOf(world);
    expect(left).not.toContain(CANARY);
    expect(left).toContain(KEPT);
    await world.startApp();
  });
});

describe('quorum forget and export', () => {
  test('erase one repository from every file, and leave the other as it is', async () => {
    const world = await aWorld();
    await world.emulator.createRepository({
      owner: 'acme',
      name: 'other',
      files: { 'a.txt': 'a' },
    });
    world.emulator.addCollaborator(OTHER, 'ana', 'admin');
    await world.ask(issueOf(CANARY));
    const { number } = await world.emulator.as('tom').openIssue(OTHER, issueOf(KEPT));
    await world.emulator.as('ana').label(OTHER, number, ['deliberate']);
    await world.idle();
    const env = world.appEnv;

    const busy = await quorum(['forget', 'repository', REPO, '--yes'], { env });
    expect([busy.code, busy.err]).toEqual([2, expect.stringContaining('in use by process')]);
    const written = await quorum(['export', 'repository', REPO], { env });
    expect(written.out).toContain(CANARY);
    expect(written.out).not.toContain(KEPT);
    const dry = await quorum(['forget', 'repository', REPO.toUpperCase(), '--json'], { env });
    expect(dry.json()).toMatchObject({ erased: false, rows: { states: expect.any(Number) } });
    await world.stopApp();
    expect(await filesOf(world)).toContain(CANARY);

    const done = await quorum(['forget', 'repository', REPO, '--yes', '--json'], { env });
    expect(done.json()).toMatchObject({ erased: true, rows: dry.json()['rows'] });
    const left = await filesOf(world);
    expect(left).not.toContain(CANARY);
    expect(left).toContain(KEPT);
    const again = await quorum(['forget', 'repository', REPO], { env });
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('Nothing is kept of')]);

    await world.startApp();
    const next = await world.emulator.as('tom').openIssue(OTHER, READY_ISSUE);
    await world.emulator.as('ana').label(OTHER, next.number, ['deliberate']);
    await world.idle();
    const path2 = `/repos/${OTHER}/issues/${next.number}/comments`;
    expect(await world.emulator.as('ana').request('GET', path2)).toHaveLength(1);
  });

  test("erases a person's texts and login, and keeps what others wrote", async () => {
    const world = await aWorld();
    const kept = await world.emulator.as('ana').openIssue(REPO, issueOf(KEPT));
    await world.emulator.as('ana').label(REPO, kept.number, ['deliberate']);
    const { number } = await world.emulator.as('ana').openIssue(REPO, READY_ISSUE);
    await world.emulator.as('tom').request('POST', `/repos/${REPO}/issues/${number}/comments`, {
      body: `Please call it ${CANARY} instead.`,
    });
    await world.emulator.as('ana').label(REPO, number, ['deliberate']);
    await world.idle();
    await world.stopApp();
    const env = world.appEnv;
    expect((await quorum(['export', 'user', 'tom'], { env })).out).toContain(CANARY);
    const done = await quorum(['forget', 'user', 'TOM', '--yes'], { env });
    expect([done.code, done.err]).toEqual([0, '']);
    const left = await filesOf(world);
    expect(left).not.toContain(CANARY);
    expect(left).not.toMatch(/"login":"tom"/);
    expect(left).toContain(KEPT);
    await world.startApp();
  });

  test('says what is wrong with a name', async () => {
    const world = await aWorld();
    await world.idle();
    const env = world.appEnv;
    for (const [args, code] of [
      [['installation', 'acme'], 'forget-invalid'],
      [['repository', 'acme'], 'forget-invalid'],
      [['repository', 'acme/unknown'], 'forget-unknown'],
    ] as const) {
      const said = await quorum(['forget', ...args, '--json'], { env });
      expect([said.code, said.out + said.err]).toEqual([2, expect.stringContaining(code)]);
    }
  });
});
