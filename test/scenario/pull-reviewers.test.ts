/** Whom the team asks to review a task's pull request where nobody is named: one person, who then has to say yes. */
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

const AUTO = 'merge:\n  mode: auto\n';

/** Of each pull request, in order. */
async function asked(world: PlanWorld): Promise<string[][]> {
  const all: string[][] = [];
  for (const { number } of await world.pulls()) {
    const at = `/repos/${REPO}/pulls/${number}/requested_reviewers`;
    const { users } = (await world.emulator.as('ana').request('GET', at)) as {
      users: { login: string }[];
    };
    all.push(users.map(({ login }) => login));
  }
  return all;
}

/** `quorum / merge` of each pull request's head, in order. */
async function mergeChecks(world: PlanWorld): Promise<{ output: { summary: string } }[]> {
  const all: { output: { summary: string } }[] = [];
  for (const { head } of await world.pulls()) {
    const at = `/repos/${REPO}/commits/${head.sha}/check-runs?check_name=quorum%20%2F%20merge`;
    const { check_runs: runs } = (await world.emulator.as('ana').request('GET', at)) as {
      check_runs: { output: { summary: string } }[];
    };
    all.push(...runs);
  }
  return all;
}

describe.skipIf(noBwrap !== undefined)('of a task’s pull request', () => {
  verifies(
    'TG-6',
    'one collaborator is asked, another for the next, and has to agree',
    async () => {
      const world = await aPlanWorld(AUTO);
      world.emulator.addCollaborator(REPO, 'eve', 'maintain');
      // Neither who only reads, nor who is no person.
      world.emulator.createUser('ben');
      world.emulator.addCollaborator(REPO, 'ben', 'triage');
      await world.plan([sayTask(1, 'goodbye'), sayTask(2, 'thanks')]);
      await world.idle();
      const people = await asked(world);
      expect(people.map((logins) => logins.length)).toEqual([1, 1]);
      expect(people.flat().toSorted()).toEqual(['eve', 'tom']);
      const pulls = await world.pulls();
      const isMerged = async (): Promise<boolean[]> =>
        (await world.pulls()).map(({ merged_at: at }) => at !== null);
      for (const { number } of pulls)
        await world.emulator.as('tom').comment(REPO, number, '/pm approve');
      await world.idle();
      const ofTom = people.map(([login]) => login === 'tom');
      expect(await isMerged()).toEqual(ofTom);
      const waiting = pulls[ofTom.indexOf(false)]?.number ?? 0;
      const at = `/repos/${REPO}/pulls/${waiting}/reviews`;
      await world.emulator.as('eve').request('POST', at, { event: 'APPROVE' });
      await world.idle();
      expect(await isMerged()).toEqual([true, true]);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies('TG-6', 'who was asked and is taken off the list is not waited for', async () => {
    const world = await aPlanWorld(AUTO);
    world.emulator.addCollaborator(REPO, 'eve', 'write');
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    const [[login = ''] = []] = await asked(world);
    const at = `/repos/${REPO}/pulls/2/requested_reviewers`;
    await world.emulator.as('ana').request('DELETE', at, { reviewers: [login] });
    const other = login === 'tom' ? 'eve' : 'tom';
    await world.emulator.as(other).comment(REPO, 2, '/pm approve');
    await world.idle();
    expect((await world.pulls()).map(({ merged_at: is }) => is !== null)).toEqual([true]);
  });

  const NOBODY: [what: string, settings: string][] = [
    ['the settings say so', `${AUTO}plans:\n  askCollaborator: false\n`],
    ['only who asked for the work is there', AUTO],
  ];
  for (const [what, settings] of NOBODY)
    verifies('TG-6', `nobody is asked where ${what}`, async () => {
      const world = await aPlanWorld(settings);
      if (what.startsWith('only')) world.emulator.addCollaborator(REPO, 'tom', 'read');
      await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      expect(await asked(world)).toEqual([[]]);
    });

  const TEAM = { CODEOWNERS: '* @acme/core\n' };

  verifies(
    'TG-6',
    'asks a collaborator and names the team when the App may not ask the owning team',
    async () => {
      const world = await aPlanWorld(AUTO, {}, TEAM);
      world.emulator.createTeam('acme', 'core');
      await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      expect(await asked(world)).toEqual([['tom']]);
      const [check] = await mergeChecks(world);
      expect(check?.output.summary).toContain('teams: `core`');
      expect(check?.output.summary).toContain('`members: read`');
    },
  );

  verifies(
    'TG-6',
    'waits for a team that a person asked, even where the App may not read teams',
    async () => {
      const world = await aPlanWorld(AUTO, {}, TEAM);
      world.emulator.createTeam('acme', 'core');
      await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const at = `/repos/${REPO}/pulls/2/requested_reviewers`;
      await world.emulator.as('ana').request('POST', at, { team_reviewers: ['core'] });
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
      await world.idle();
      const [pull] = await world.pulls();
      expect(pull?.merged_at).toBeNull();
      const [check] = await mergeChecks(world);
      expect(check?.output.summary).toContain('the review of `core`');
    },
  );

  verifies('TG-6', 'nobody else is asked where somebody is named', async () => {
    const named = `${AUTO}plans:\n  reviewers: [ana]\n`;
    const world = await aPlanWorld(named);
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    expect(await asked(world)).toEqual([['ana']]);
  });
});
