/** The approval gate as a job of a workflow: from its bundle, with a token that reads. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checksOf, headOf } from '../helpers/a-pull.ts';
import { openPullOf, tipOf } from '../helpers/commits.ts';
import {
  anActionsWorld,
  anEvent,
  buildForTests,
  dropBuild,
  READS,
  type ActionsWorld,
  type Job,
} from '../helpers/a-workflow-run.ts';
import { isWrite, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

beforeAll(() => buildForTests(['approval-gate']));
afterAll(dropBuild);

/** A world in which `ana` and `tom` may write and `eve` may only read. */
async function aGatedWorld(): Promise<ActionsWorld> {
  const world = await anActionsWorld();
  world.emulator.addCollaborator(REPO, 'tom', 'write');
  return world;
}

/** A pull request that a workflow opens, as the apply job of a task does. */
async function anAgentsPull(world: ActionsWorld, branch: string, task: string): Promise<number> {
  const ana = world.emulator.as('ana');
  const sha = await tipOf(world);
  await ana.request('POST', `/repos/${REPO}/git/refs`, { ref: `refs/heads/${branch}`, sha });
  await ana.request('PUT', `/repos/${REPO}/contents/src/${branch}.ts`, {
    message: `Add a part\n\nQuorum-Task: ${task}\nQuorum-Run: r1`,
    branch,
    content: Buffer.from('export const part = 1;\n').toString('base64'),
  });
  const token = await world.mint({ contents: 'read', pull_requests: 'write' });
  return openWith(world, token, branch);
}

async function openWith(world: ActionsWorld, token: string, head: string): Promise<number> {
  const answer = await fetch(`${world.emulator.apiUrl}/repos/${REPO}/pulls`, {
    method: 'POST',
    headers: { authorization: `bearer ${token}` },
    body: JSON.stringify({ title: 'Add a part', head, base: 'main', body: 'As planned.' }),
  });
  return ((await answer.json()) as { number: number }).number;
}

const approve = (world: ActionsWorld, number: number, login: string): Promise<unknown> =>
  world.emulator
    .as(login)
    .request('POST', `/repos/${REPO}/pulls/${number}/reviews`, { event: 'APPROVE' });

async function gate(
  world: ActionsWorld,
  number: number,
  inputs: Record<string, string> = {},
): Promise<Job> {
  const pull = await world.emulator.as('ana').request('GET', `/repos/${REPO}/pulls/${number}`);
  const event = await anEvent(world, 'pull_request_target', {
    action: 'edited',
    pull_request: pull,
  });
  return world.job({ action: 'approval-gate', permissions: READS, event, inputs });
}

describe('the approval gate', () => {
  verifies(
    ['ACT-1'],
    'fails until somebody with write access has approved the head, and writes nothing',
    async () => {
      const world = await aGatedWorld();
      const number = await anAgentsPull(world, 'one', '5/1');
      await approve(world, number, 'eve');
      const before = world.emulator.requests.length;
      const waiting = await gate(world, number);
      expect(world.emulator.requests.slice(before).filter(isWrite)).toEqual([]);
      expect([waiting.exitCode, waiting.outputs]).toEqual([1, { passed: 'false', approvals: '0' }]);
      expect(waiting.summary).toContain('waits for approvals');
      await approve(world, number, 'tom');
      const passed = await gate(world, number);
      expect([passed.exitCode, passed.outputs]).toEqual([0, { passed: 'true', approvals: '1' }]);
      expect(passed.summary).toContain('Approved this head: `tom`.');
      expect(world.openApi.violations).toEqual([]);
    },
  );

  test('forgets approvals when somebody pushes, and for another base branch', async () => {
    const world = await aGatedWorld();
    const number = await anAgentsPull(world, 'one', '5/1');
    await approve(world, number, 'tom');
    const ana = world.emulator.as('ana');
    await ana.request('PUT', `/repos/${REPO}/contents/src/two.ts`, {
      message: 'More',
      branch: 'one',
      content: Buffer.from('export const two = 2;\n').toString('base64'),
    });
    expect((await gate(world, number)).exitCode).toBe(1);
    await approve(world, number, 'tom');
    expect((await gate(world, number)).exitCode).toBe(0);
    const sha = await tipOf(world);
    await ana.request('POST', `/repos/${REPO}/git/refs`, { ref: 'refs/heads/release', sha });
    world.emulator.setClockOffset(5_000);
    await ana.request('PATCH', `/repos/${REPO}/pulls/${number}`, { base: 'release' });
    expect((await gate(world, number)).exitCode).toBe(1);
  });

  test('counts the approvals of another task of the plan, and of no other plan', async () => {
    const world = await aGatedWorld();
    const [one, sibling, other] = [
      await anAgentsPull(world, 'one', '5/1'),
      await anAgentsPull(world, 'two', '5/2'),
      await anAgentsPull(world, 'three', '6/1'),
    ];
    await approve(world, one, 'ana');
    await approve(world, other, 'tom');
    const inputs = { approvals: '2' };
    expect((await gate(world, one, inputs)).exitCode).toBe(1);
    await approve(world, sibling, 'tom');
    const passed = await gate(world, one, inputs);
    expect(passed.summary).toContain('Approved other tasks of the plan: `tom`.');
    expect(passed.exitCode).toBe(0);
    expect((await gate(world, one, { ...inputs, siblings: 'apart' })).exitCode).toBe(1);
  });

  verifies(
    ['ACT-1', 'GIT-05'],
    'fails while another open pull request has the same head',
    async () => {
      const world = await aGatedWorld();
      const number = await anAgentsPull(world, 'one', '5/1');
      await approve(world, number, 'tom');
      const ana = world.emulator.as('ana');
      const sha = await headOf(world, number);
      await ana.request('POST', `/repos/${REPO}/git/refs`, { ref: 'refs/heads/twin', sha });
      const twin = await ana.openPull(REPO, { title: 'Twin', head: 'twin', body: 'The same.' });
      const failed = await gate(world, number);
      expect([failed.exitCode, failed.summary.includes(`#${twin.number}`)]).toEqual([1, true]);
    },
  );

  test('lets the pull request of a person pass', async () => {
    const world = await aGatedWorld();
    const number = await openPullOf(world, { 'src/more.ts': 'export const more = 1;\n' });
    const passed = await gate(world, number, { approvals: '3' });
    expect([passed.exitCode, passed.outputs['passed']]).toEqual([0, 'true']);
  });

  test('writes its answer as a check run after a review, where the job is attached to no head', async () => {
    const world = await aGatedWorld();
    const number = await anAgentsPull(world, 'one', '5/1');
    const sha = await headOf(world, number);
    const run = { event: 'pull_request_review', head_sha: sha, head_branch: 'one' };
    const event = await anEvent(world, 'workflow_run', { action: 'completed', workflow_run: run });
    const permissions = { ...READS, checks: 'write' } as const;
    const report = (): Promise<Job> =>
      world.job({ action: 'approval-gate', permissions, event, inputs: { report: 'check' } });
    expect((await report()).exitCode).toBe(0);
    await approve(world, number, 'tom');
    expect((await report()).exitCode).toBe(0);
    const checks = await checksOf(world, sha);
    expect(checks.map(({ name, conclusion }) => `${name}: ${conclusion}`)).toEqual([
      'quorum / approval: success',
    ]);
    expect(world.openApi.violations).toEqual([]);
  });

  test.each<[string, Record<string, string>, string]>([
    ['a misspelt name', { approval: '2' }, 'Did you mean `approvals`?'],
    ['no approval', { approvals: '0' }, 'from 1 to 10'],
    ['two lines', { approvals: '1\n2' }, 'from 1 to 10'],
    ['a misspelt choice', { siblings: 'appart' }, 'Did you mean `apart`?'],
    ['an expression', { agents: 'bot, ${{ github.token }}' }, 'which it cannot'],
    ['65,535 characters', { agents: 'x'.repeat(65_535) }, 'which it cannot'],
    ['another pull request', { pr: '999' }, 'not #999'],
  ])('refuses an input with %s before it asks GitHub', async (_, inputs, told) => {
    const world = await aGatedWorld();
    const number = await anAgentsPull(world, 'one', '5/1');
    const failed = await gate(world, number, inputs);
    expect([failed.exitCode, failed.calls]).toEqual([1, []]);
    expect(failed.log).toContain(told);
  });
});
