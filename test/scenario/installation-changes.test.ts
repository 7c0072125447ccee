/** Places that close, move or go away in the middle of a run: nothing is written any more, or work goes on by id. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aModel } from '../helpers/a-model.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { openPullOf, pushTo } from '../helpers/commits.ts';
import { aPosition } from '../helpers/an-issue.ts';
import { aWorld, isWrite, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

interface Midway {
  world: TestWorld;
  number: number;
  /** Lets the personas answer. */
  goOn: () => void;
}

/** A run whose personas have been asked and have not answered yet. */
async function aRunMidway(): Promise<Midway> {
  const gate = Promise.withResolvers<undefined>();
  const { server, env } = await aModel();
  server.setScript(async (call) => {
    await gate.promise;
    return { json: aPosition({ reasons: `answer ${call.n}` }) };
  });
  const world = await aWorld({ env });
  const number = await world.ask(READY_ISSUE);
  for (let i = 0; i < 4_000 && server.calls.length === 0; i += 1) await wait(25);
  expect(server.calls.length).toBeGreaterThan(0);
  return { world, number, goOn: () => gate.resolve(undefined) };
}

function writesSince(world: TestWorld, from: number): string[] {
  return world.emulator.requests
    .slice(from)
    .filter(isWrite)
    .filter((each) => each.status > 0 && each.status < 300)
    .map((each) => `${each.method} ${each.path}`);
}

type Change = (world: TestWorld, number: number) => unknown;

const CLOSING: [string, Change][] = [
  [
    'the installation is suspended',
    (world) => world.emulator.suspendInstallation(world.installationId),
  ],
  ['the App is removed', (world) => world.emulator.removeInstallation(world.installationId)],
  [
    'the repository is taken out of the installation',
    (world) => world.emulator.changeRepositories(world.installationId, { removed: [REPO] }),
  ],
  ['the repository is deleted', (world) => world.emulator.deleteRepository(REPO)],
  ['the repository is transferred', (world) => world.emulator.transferRepository(REPO, 'eve')],
];

describe('in the middle of a run', () => {
  for (const [what, change] of CLOSING) {
    verifies(
      ['ING-12', 'LOOP-09'],
      `${what}: not one write after it, and the run ends`,
      async () => {
        const { world, number, goOn } = await aRunMidway();
        await change(world, number);
        await world.emulator.settled();
        const from = world.emulator.requests.length;
        goOn();
        await world.idle();
        expect(writesSince(world, from)).toEqual([]);
        const { events, effects } = await world.store.records.counts();
        expect(events).toMatchObject({ dead: 0, parked: 0 });
        expect(effects).toMatchObject({ dead: 0 });
      },
    );
  }

  verifies(
    'ING-12',
    'the repository is renamed: the run goes on where it is now, by its id',
    async () => {
      const { world, number, goOn } = await aRunMidway();
      world.emulator.renameRepository(REPO, 'tidier');
      await world.emulator.settled();
      goOn();
      await world.idle();
      const comments = (await world.emulator
        .as('ana')
        .request('GET', `/repos/acme/tidier/issues/${number}/comments`)) as { body: string }[];
      // The second one tells the person who is asked.
      expect(comments).toHaveLength(2);
      expect(comments[0]?.body).toMatch(/^### (?!Discussing|Stopped)/);
    },
  );

  verifies(
    'ING-12',
    'the repository is renamed, and the App removed and installed again: the next request is answered',
    async () => {
      const { world, goOn } = await aRunMidway();
      goOn();
      await world.idle();
      world.emulator.renameRepository(REPO, 'tidier');
      await world.idle();
      world.emulator.removeInstallation(world.installationId);
      await world.idle();
      world.emulator.installApp(world.appId, 'acme');
      await world.idle();
      const ana = world.emulator.as('ana');
      const { number } = (await ana.request('POST', '/repos/acme/tidier/issues', {
        ...READY_ISSUE,
        labels: ['deliberate'],
      })) as { number: number };
      await world.idle();
      const path = `/repos/acme/tidier/issues/${number}/comments`;
      expect(await ana.request('GET', path)).toHaveLength(2);
    },
  );

  verifies(
    ['LOOP-09', 'ING-12'],
    'the team is switched off in the default branch: no verdict, a word why, and no label',
    async () => {
      const { world, number, goOn } = await aRunMidway();
      await world.emulator.as('ana').request('PUT', `/repos/${REPO}/contents/.github/quorum.yml`, {
        message: 'chore: switch the team off',
        content: Buffer.from('enabled: false\n').toString('base64'),
        branch: 'main',
      });
      goOn();
      await world.idle();
      const told = await world.tell(number);
      expect(told.labels).toEqual(['deliberate']);
      expect(told.comments[0]).toMatch(/^### Stopped: .*switched off/);
    },
  );
});

describe('check suites', () => {
  test.each(['a repository that is added', 'the whole installation'])(
    'a push to %s opens no empty suite, and a review still has its check',
    async (what) => {
      const world = await aWorld({
        files: { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' },
      });
      const { emulator, installationId, appId } = world;
      if (what === 'the whole installation') {
        emulator.removeInstallation(installationId);
        await world.idle();
        emulator.installApp(appId, 'acme');
      } else {
        emulator.changeRepositories(installationId, { removed: [REPO] });
        await world.idle();
        emulator.changeRepositories(installationId, { added: [REPO] });
      }
      await world.idle();
      await pushTo(world, { 'src/new.ts': 'export const n = 1;\n' }, { branch: 'main' });
      expect(emulator.repository(REPO).checkSuites).toEqual([]);
      const number = await openPullOf(world, { 'src/run.ts': 'export const run = 1;\n' });
      await world.idle();
      const { checks } = await reviewsOf(world, number);
      expect(checks.map(({ status }) => status)).toEqual(['completed']);
      expect(world.openApi.violations).toEqual([]);
    },
  );
});
