/** How the jobs of a task end where GitHub or the runner ends them, what they leave, and the inputs that no job takes. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseActionsState } from '../../src/domain/actions/actions-state.ts';
import { parseKeptTasks } from '../../src/domain/actions/kept/kept-tasks.ts';
import { sayTask } from '../helpers/a-plan-story.ts';
import {
  aPlannedWorld,
  bodyOf,
  conclusions,
  dispatch,
  playTaskWorkflow,
  pullsOf,
  SIGNING,
  told,
  type Planned,
} from '../helpers/a-workflow-plan.ts';
import {
  anActionsWorld,
  anEvent,
  APPLIES,
  buildForTests,
  CLAIMS,
  dropBuild,
  type Job,
} from '../helpers/a-workflow-run.ts';
import { REPO } from '../helpers/a-world.ts';

beforeAll(() => buildForTests(['task', 'merge', 'review', 'deliberate', 'standup']));
afterAll(dropBuild);

const MEMORY = 'quorum/memory';

/** Commits of the memory branch with these words in their title, each with the files that it changes. */
function commitsOf({ world }: Planned, words: string): { sha: string; files: string[] }[] {
  const { gitDir } = world.emulator.repository(REPO);
  const git = (...args: string[]): string =>
    execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8' }).trim();
  const shas = git('log', '--format=%H', '--fixed-strings', `--grep=${words}`, MEMORY).split('\n');
  return shas
    .filter((sha) => sha !== '')
    .map((sha) => {
      const files = git('diff-tree', '--no-commit-id', '--name-only', '-r', sha).split('\n');
      return { sha, files: files.toSorted() };
    });
}

/** What is on record at a commit: whether the claim of the task is done, and its tasks. */
function recordedAt({ world }: Planned, at: string) {
  const { gitDir } = world.emulator.repository(REPO);
  const show = (file: string): string | undefined => {
    const listed = ['--git-dir', gitDir, 'ls-tree', '--name-only', at, file];
    if (execFileSync('git', listed, { encoding: 'utf8' }).trim() === '') return undefined;
    return execFileSync('git', ['--git-dir', gitDir, 'show', `${at}:${file}`], {
      encoding: 'utf8',
    });
  };
  const claims = Object.entries(parseActionsState(show('state/actions.json'))?.claims ?? {});
  const [own] = claims.filter(([key]) => key.startsWith('task '));
  const tasks = Object.keys(parseKeptTasks(show('state/tasks.json'))?.tasks ?? {});
  return { isClaimDone: own?.[1].doneAt !== undefined, tasks };
}

test('the end of a claim and the record of its task are in the tree of one commit, and neither in its parent', async () => {
  const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
  const jobs = await playTaskWorkflow(planned, 1);
  expect([(await pullsOf(planned)).length, told(jobs)]).toEqual([1, expect.anything()]);
  const { plan } = planned;
  const commits = commitsOf(planned, `quorum: record task 1 of #${plan}`);
  expect(commits.map(({ files }) => files)).toEqual([['state/actions.json', 'state/tasks.json']]);
  const [{ sha } = { sha: '' }] = commits;
  expect(recordedAt(planned, sha)).toEqual({ isClaimDone: true, tasks: [`${plan}-1`] });
  expect(recordedAt(planned, `${sha}^`)).toEqual({ isClaimDone: false, tasks: [] });
});

describe('a job that GitHub ends at its time limit', () => {
  test.each(['agent', 'verify'])(
    '%s: nothing is pushed and the task is given back',
    async (name) => {
      const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
      const jobs = await playTaskWorkflow(planned, 1, { minutes: { [name]: 0.001 } });
      expect([conclusions(jobs), told(jobs)]).toEqual([
        expect.arrayContaining([`${name}: failure`, 'apply: success', 'review: skipped']),
        expect.anything(),
      ]);
      const apply = jobs.find((job) => job.name === 'apply');
      expect(apply?.steps[0]?.outputs).toMatchObject({ status: 'given-back' });
      expect(await pullsOf(planned)).toEqual([]);
      expect(await bodyOf(planned)).toContain('**Status:** pending');
    },
  );

  test('apply, after its push: run again, it opens the one pull request', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const { world, plan } = planned;
    const inputs = { plan: String(plan), task: '1' };
    const runId = await dispatch(planned, 'quorum-task.yml', inputs);
    const handed: Record<string, string> = {};
    const stopped = playTaskWorkflow(planned, 1, {
      runId,
      ended: ({ name, outputs }) => {
        Object.assign(handed, outputs);
        if (name === 'verify') throw new Error('stopped here');
      },
    });
    await expect(stopped).rejects.toThrow('stopped here');
    const { claim = '', digest = '', proof = '' } = handed;
    const event = await anEvent(world, 'workflow_dispatch', {});
    const apply = (over: { attempt?: number; timeoutMs?: number }): Promise<Job> =>
      world.job({
        action: 'task',
        run: runId,
        permissions: APPLIES,
        event,
        inputs: { step: 'apply', claim, digest, proof },
        env: SIGNING,
        ...over,
      });
    const fault = { kind: 'latency', ms: 40_000 } as const;
    const path = '/repos/{owner}/{repo}/pulls';
    // The client gives up after 15 seconds and tries again, which must wait as well.
    world.emulator.faults.add({ method: 'POST', path, times: Infinity, fault });
    const killed = await apply({ timeoutMs: 20_000 });
    expect([killed.exitCode, await pullsOf(planned)]).toEqual([124, []]);
    world.emulator.faults.clear();
    const again = await apply({ attempt: 2 });
    expect([again.exitCode, again.outputs['status'], again.log]).toEqual([
      0,
      'in-review',
      expect.anything(),
    ]);
    const [pull, ...others] = await pullsOf(planned);
    expect([pull?.number, others]).toEqual([Number(again.outputs['pr']), []]);
  });
});

/** As if all of them had expired. */
function freeLeases({ world }: Planned): void {
  const { gitDir } = world.emulator.repository(REPO);
  const git = (...args: string[]): string =>
    execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8' }).trim();
  for (const ref of git('for-each-ref', '--format=%(refname)', 'refs/quorum').split('\n'))
    git('update-ref', '-d', ref);
}

test('a text that a person wrote stays where a start was held and a later one works', async () => {
  const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
  const { world, plan } = planned;
  await playTaskWorkflow(planned, 1);
  const [pull] = await pullsOf(planned);
  const ana = world.emulator.as('ana');
  const marker = pull?.body.split('\n').at(-1) ?? '';
  const text = 'The text of a person.';
  await ana.request('PATCH', `/repos/${REPO}/pulls/${pull?.number ?? 0}`, {
    body: `${text}\n\n${marker}`,
  });
  const pending = (await bodyOf(planned)).replace(/(\*\*Status:\*\*) .*/, '$1 pending');
  await ana.request('PATCH', `/repos/${REPO}/issues/${plan}`, { body: pending });
  const held = await playTaskWorkflow(planned, 1);
  expect(told(held)).toContain('was not claimed: held');
  freeLeases(planned);
  const jobs = await playTaskWorkflow(planned, 1);
  const [again, ...others] = await pullsOf(planned);
  expect([again?.number, others, told(jobs)]).toEqual([pull?.number, [], expect.anything()]);
  expect(again?.head.sha).not.toBe(pull?.head.sha);
  expect(again?.body).toContain(text);
});

const ALLOW =
  'Select "Allow GitHub Actions to create and approve pull requests" under Settings, Actions, General, Workflow permissions, and try again. If it cannot be selected, the organisation forbids it: ask an owner of the organisation.\n';

test('where Actions may not open pull requests, the task is blocked, and its plan and the summary name the setting', async () => {
  const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
  const message = 'GitHub Actions is not permitted to create or approve pull requests.';
  planned.world.emulator.faults.add({
    method: 'POST',
    path: '/repos/{owner}/{repo}/pulls',
    times: Infinity,
    fault: { kind: 'status', status: 403, body: { message } },
  });
  const jobs = await playTaskWorkflow(planned, 1);
  expect([conclusions(jobs).slice(3), told(jobs)]).toEqual([
    ['apply: success', 'review: skipped', 'conclude: skipped', 'release: skipped'],
    expect.stringContaining(ALLOW),
  ]);
  expect(await bodyOf(planned)).toMatch(
    /blocked \(.*"Allow GitHub Actions to create and approve pull requests"/,
  );
});

const LONG = 'x'.repeat(65_535);
const CLAIM = 'task: claim';
const INPUTS: [string, string, Record<string, string>, string][] = [
  [CLAIM, 'two lines', { plan: '1\n2', task: '1' }, 'Use a whole number'],
  [CLAIM, 'a command', { plan: '1', task: '1\n::set-output name=proceed::true' }, 'whole number'],
  [CLAIM, 'an expression', { plan: '${{ secrets.X }}', task: '1' }, 'Use a whole number'],
  [CLAIM, '65,535 characters', { plan: LONG, task: '1' }, 'Use a whole number'],
  [CLAIM, '65,535 digits', { plan: '1', task: '1'.repeat(65_535) }, 'Use a whole number'],
  [CLAIM, 'no task', { plan: '1' }, 'The input `task` is missing'],
  [CLAIM, 'no end', { plan: '1', task: '1', 'time-limit-minutes': '361' }, 'from 1 to 360'],
  ['task: agent', 'two lines', { claim: '{}\n{}' }, 'is not the output `claim`'],
  ['task: agent', '65,535 characters', { claim: LONG }, 'is not the output `claim`'],
  ['task: apply', '65,535 characters', { claim: LONG }, 'is not the output `claim`'],
  ['merge: claim', 'two lines', { pr: '1\n2' }, 'Use a whole number'],
  ['merge: claim', 'a command', { pr: '1\n::add-mask::1' }, 'Use a whole number'],
  ['merge: claim', 'an expression', { pr: '${{ github.token }}' }, 'Use a whole number'],
  ['merge: claim', '65,535 characters', { pr: LONG }, 'Use a whole number'],
  ['merge: claim', 'no number', {}, 'The input `pr` is missing'],
  ['merge: verify', '65,535 characters', { claim: LONG }, 'is not the output `claim`'],
  ['merge: apply', 'two lines', { claim: '{}\n{}' }, 'is not the output `claim`'],
  ...(
    [
      ['review: claim', 'pr'],
      ['deliberate: claim', 'issue'],
      ['standup: claim', 'plan'],
    ] as const
  ).flatMap(([job, name]): (typeof INPUTS)[number][] => [
    [job, 'two lines', { [name]: '1\n2' }, 'Use a whole number'],
    [job, 'a command', { [name]: '1\n::set-output name=proceed::true' }, 'Use a whole number'],
    [job, 'an expression', { [name]: '${{ github.token }}' }, 'Use a whole number'],
    [job, '65,535 characters', { [name]: LONG }, 'Use a whole number'],
  ]),
  ['standup: claim', 'another end', { plan: '1', when: 'ended\nnow' }, 'Use one of ended, now'],
  ['standup: claim', 'an expression', { plan: '1', when: '${{ x }}' }, 'Use one of ended, now'],
  ['standup: claim', '65,535 characters', { plan: '1', when: LONG }, 'Use one of ended, now'],
];

test('inputs that no job takes are refused before anything is asked of GitHub', async () => {
  const world = await anActionsWorld();
  const event = await anEvent(world, 'workflow_dispatch', {});
  const wrong: unknown[] = [];
  for (const [job, has, inputs, why] of INPUTS) {
    const [action = '', step = ''] = job.split(': ');
    const about = { action, event, permissions: CLAIMS, env: SIGNING };
    const { exitCode, outputs, calls, log } = await world.job({
      ...about,
      inputs: { step, ...inputs },
    });
    const isRefused = exitCode === 1 && log.includes('[action-input-invalid]') && log.includes(why);
    const isQuiet = calls.length === 0 && outputs['proceed'] === undefined;
    // The runner carries out a command that a line begins with.
    const isHarmless = !/^::(?:set-output|add-mask::1$)/m.test(log) && log.length < 10_000;
    if (!isRefused || !isQuiet || !isHarmless) wrong.push({ job, has, exitCode, calls, log });
  }
  expect(wrong).toEqual([]);
});
