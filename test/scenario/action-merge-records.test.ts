/** Records of tasks that somebody forged, or signed as they may not: the workflow of a merge merges nothing. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeptTask } from '../../src/domain/actions/kept/kept-tasks.ts';
import { markerSecretFrom } from '../../src/hosts/environment/host-settings.ts';
import { moveBranch, openPullOf, tipOf, writeCommit } from '../helpers/commits.ts';
import {
  APPLY,
  aPulledTask,
  changeRecords,
  isMerged,
  NOTHING,
  signedAgain,
} from '../helpers/a-pulled-task.ts';
import {
  anApproval,
  conclusions,
  playMergeWorkflow,
  SIGNING,
  told,
} from '../helpers/a-workflow-plan.ts';
import { buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

/** The second job of a merge. */
const VERIFY = 2;

beforeAll(() => buildForTests(['task', 'review', 'merge', 'standup']));
afterAll(dropBuild);

describe('nothing is merged', () => {
  const forge = (text: string): string => text.replaceAll('"APPROVE"', '"HUMAN"');

  verifies(['ACT-6'], 'of a record that somebody changed on the memory branch', async () => {
    const { planned, play } = await aPulledTask();
    await changeRecords(planned, forge);
    const jobs = await play();
    expect(conclusions(jobs)).toEqual(NOTHING);
    expect(told(jobs)).toContain('not one that this workflow opened');
    expect(await isMerged(planned)).toEqual([false]);
  });

  test('of a record that was changed after the claim', async () => {
    const { planned, play } = await aPulledTask();
    const jobs = await play('tom', {
      before: async (job) => {
        if (job === APPLY) await changeRecords(planned, forge);
      },
    });
    expect(conclusions(jobs).at(-1)).toBe('apply: failure');
    expect(told(jobs)).toContain('[intents-refused]');
    expect(await isMerged(planned)).toEqual([false]);
  });

  test('of a base that moved, where somebody changed the record before its tests ran again', async () => {
    const renamed = (text: string): string => text.replaceAll('A function', 'Another one');
    const { planned, play } = await aPulledTask();
    const { world } = planned;
    const { gitDir } = world.emulator.repository(REPO);
    const parent = await tipOf(world, 'main');
    const changes = { 'src/more.js': 'export const more = 1;\n' };
    await moveBranch(world, 'main', { sha: writeCommit(gitDir, { changes, parent }) });
    const jobs = await play('tom', {
      before: async (job) => {
        if (job === VERIFY) await changeRecords(planned, renamed);
      },
    });
    expect(conclusions(jobs).slice(0, 2)).toEqual(['claim: success', 'verify: success']);
    // Without a secret it cannot tell who wrote a record, so it takes the one that the claim job has checked.
    expect(told(jobs)).toContain('the merge could not be tested');
    expect(await isMerged(planned)).toEqual([false]);
  });

  test('of a record that names no lease, even when it is signed', async () => {
    const { planned, play } = await aPulledTask();
    const withoutLease = (kept: KeptTask): KeptTask => {
      delete kept.stream.run?.lease;
      return kept;
    };
    await changeRecords(planned, (text) =>
      signedAgain(text, markerSecretFrom(SIGNING, ''), withoutLease),
    );
    const jobs = await play();
    expect(told(jobs)).toContain('[lease-lost]');
    expect(await isMerged(planned)).toEqual([false]);
  });

  test('without the secret `QUORUM_ENCRYPTION_KEY`, although the record is signed as anybody can', async () => {
    const { planned, play } = await aPulledTask();
    const { id } = (await planned.world.emulator.as('ana').request('GET', `/repos/${REPO}`)) as {
      id: number;
    };
    const open = createHash('sha256').update(`quorum actions ${id}`).digest('base64url');
    await changeRecords(planned, (text) => signedAgain(text, open));
    const jobs = await play('tom', { secrets: {} });
    expect(told(jobs)).toContain('Set the secret `QUORUM_ENCRYPTION_KEY`');
    expect([conclusions(jobs), await isMerged(planned)]).toEqual([NOTHING, [false]]);
  });

  test('of a pull request of somebody else that a signed record names', async () => {
    const { planned, number } = await aPulledTask();
    const files = { 'src/other.js': 'export const other = 1;\n' };
    const foreign = await openPullOf(planned.world, files, { by: 'tom' });
    const named = (kept: KeptTask): KeptTask => {
      if (kept.stream.run?.pull !== undefined) kept.stream.run.pull.number = foreign;
      return kept;
    };
    await changeRecords(planned, (text) => signedAgain(text, markerSecretFrom(SIGNING, ''), named));
    const event = await anApproval(planned, foreign, 'ana');
    const jobs = await playMergeWorkflow(planned, event);
    expect(foreign).not.toBe(number);
    expect(conclusions(jobs)).toEqual(NOTHING);
    expect(told(jobs)).toContain('not one that this workflow opened');
  });

  test('of another branch that a signed record names after the claim', async () => {
    const { planned, play } = await aPulledTask();
    const moved = (kept: KeptTask): KeptTask => {
      if (kept.stream.run !== undefined) kept.stream.run.branch = 'quorum/another';
      return kept;
    };
    const jobs = await play('tom', {
      before: async (job) => {
        if (job !== APPLY) return;
        await changeRecords(planned, (text) =>
          signedAgain(text, markerSecretFrom(SIGNING, ''), moved),
        );
      },
    });
    expect(told(jobs)).toContain('[intents-refused]');
    expect(await isMerged(planned)).toEqual([false]);
  });
});
