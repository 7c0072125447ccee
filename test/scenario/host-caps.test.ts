/** The operator's daily limits, through the App on GitHub: two installations, and the day that passes. */
import { expect, test } from 'vitest';
import { call } from '../contract/store-words.ts';
import { aModel } from '../helpers/a-model.ts';
import { createJumpClock } from '../helpers/a-jump-clock.ts';
import { aReviewedPull } from '../helpers/a-reviewed-pull.ts';
import { aWorld, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { anIssue, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const OTHER = 'beta/neat';
const DAY_MS = 24 * 3_600_000;
/** As much as the floors let a repository allow itself. */
const GENEROUS = [
  'council: { debounceSeconds: 1 }',
  'budget:',
  '  perDayUsd: 5000',
  '  council: { perThreadUsd: 100, perDayUsd: 1000 }',
  '  pm: { perThreadUsd: 100, perDayUsd: 1000 }',
  '',
].join('\n');
const files = { '.github/quorum.yml': GENEROUS };

/** An App that two accounts have installed. */
async function aHost(caps: Record<string, string>) {
  const { server, env } = await aModel();
  const clock = createJumpClock();
  const world = await aWorld({ env: { ...env, ...caps }, clock, files });
  const { emulator } = world;
  emulator.createOrg('beta');
  await emulator.createRepository({
    owner: 'beta',
    name: 'neat',
    history: [{ message: 'feat: first steps', author: 'ana', files }],
  });
  emulator.addCollaborator(OTHER, 'ana', 'admin');
  const others = emulator.installApp(world.appId, 'beta');
  await world.idle();
  const ana = emulator.as('ana');
  let spends = 0;
  return {
    world,
    server,
    clock,
    others,
    /** Money that was spent just now. */
    spend: (installationId: number, repositoryId: number, costUsd: number) =>
      world.store.records.settleCall('none', [
        call(`spent-${(spends += 1)}`, {
          installationId,
          repositoryId,
          costUsd,
          at: new Date(clock.now()).toISOString(),
        }),
      ]),
    /** Starts a discussion; what the team's comment says in the end. */
    discuss: async (repo: string, title: string): Promise<string> => {
      const { number } = await emulator.as('tom').openIssue(repo, { ...READY_ISSUE, title });
      await ana.label(repo, number, ['deliberate']);
      await world.idle();
      const path = `/repos/${repo}/issues/${number}/comments`;
      const comments = (await ana.request('GET', path)) as { body: string }[];
      return comments[0]?.body ?? '';
    },
  };
}

const PLACES = /Quorum can spend again from \d{4}-\d\d-\d\d \d\d:00 UTC\./;

verifies(
  ['CB-14b', 'LIM-08: installation'],
  'an installation at its limit says so in the check and the comment, another one works, and after a day it does too',
  async () => {
    const host = await aHost({ QUORUM_MAX_DAILY_USD_PER_INSTALLATION: '10' });
    const { world, server, discuss } = host;
    const words =
      "The operator's limit of $10.00 in 24 hours for this installation is reached. Quorum can spend again from";
    await host.spend(world.installationId, 999, 10);
    const pull = await aReviewedPull(world);
    const { checks } = await pull.push({ 'src/cli.ts': 'export const answer = 42;\n' });
    expect(checks.at(-1)).toMatchObject({ conclusion: 'neutral' });
    expect(checks.at(-1)?.output.summary).toContain(words);
    const told = await discuss(REPO, 'Here');
    expect(told).toContain(words);
    expect(told).toMatch(PLACES);
    expect(told).toContain('partial result');
    expect(server.calls).toEqual([]);
    expect(await discuss(OTHER, 'There')).toContain('priya would start');
    host.clock.jump(DAY_MS + 60_000);
    expect(await discuss(REPO, 'Tomorrow')).toContain('priya would start');
  },
);

verifies(
  ['CB-14b', 'LIM-08: whole host'],
  'at the limit in total everybody can read so, without a figure',
  async () => {
    const host = await aHost({ QUORUM_MAX_DAILY_USD: '77' });
    const { server, discuss } = host;
    await host.spend(host.others + 1000, 999, 77);
    for (const repo of [REPO, OTHER]) {
      const told = await discuss(repo, 'Now');
      expect(told).toContain(
        "The operator's limit in 24 hours for all repositories together is reached.",
      );
      expect(told).toMatch(PLACES);
      expect(told).not.toContain('$');
    }
    expect(server.calls).toEqual([]);
    host.clock.jump(DAY_MS + 60_000);
    expect(await discuss(OTHER, 'Tomorrow')).toContain('priya would start');
  },
);

verifies(
  'CB-14b',
  'a repository that configures $5,000 a day is held to the limit of its host, and can read it',
  async () => {
    const host = await aHost({
      QUORUM_MAX_DAILY_USD_PER_REPOSITORY: '2',
      QUORUM_MAX_DAILY_USD_PER_INSTALLATION: '9',
    });
    const { world, server } = host;
    const { id } = world.emulator.repository(REPO);
    await host.spend(world.installationId, id, 2);
    const number = await anIssue(world);
    const asked = await say(world, number, '/pm ask where is `main`?');
    expect(asked.answers[0]).toContain(
      "The operator's limit of $2.00 in 24 hours for this repository is reached.",
    );
    expect(server.calls).toEqual([]);
    const cost = await say(world, number, '/pm cost day');
    expect(cost.answers[0]).toContain(
      'Limits that the operator of this Quorum set for 24 hours: $2.00 for this repository, $9.00 for the installation (not reached), one for all repositories together (not reached)',
    );
  },
);

test('a limit that is not an amount stops the start, and says where it is and how to correct it', async () => {
  await expect(aWorld({ env: { QUORUM_MAX_DAILY_USD: '$5,000' } })).rejects.toMatchObject({
    code: 'daily-limit-invalid',
    message:
      'QUORUM_MAX_DAILY_USD in the environment is "$5,000". Set it to dollars in 24 hours, such as 25 or 12.50, or to "off" for no limit.',
  });
});
