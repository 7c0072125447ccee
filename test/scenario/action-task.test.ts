/** A task as a workflow: four jobs with four tokens, from a plan to an open pull request; no App process. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readWorkflowFile } from '../../src/demo/runner/read-workflow.ts';
import { runWorkflow, type JobRun } from '../../src/demo/runner/run-workflow.ts';
import type { NewTask } from '../../src/domain/plan/body/render-plan.ts';
import { adding, aPlanOf, planFiles, sayTask } from '../helpers/a-plan-story.ts';
import { SIGNING } from '../helpers/a-workflow-plan.ts';
import {
  anActionsWorld,
  anEvent,
  APPLIES,
  BUILD_DIR,
  buildForTests,
  dropBuild,
  type ActionsWorld,
} from '../helpers/a-workflow-run.ts';
import { moveBack } from '../helpers/a-sweep.ts';
import { isWrite, REPO } from '../helpers/a-world.ts';

beforeAll(() => buildForTests(['task', 'review']));
afterAll(dropBuild);

const CALLER = 'examples/team/.github/workflows/quorum-task.yml';
const CALLED = '.github/workflows/quorum-task.yml';
const read = (file: string): string => readFileSync(file, 'utf8');

interface Planned {
  world: ActionsWorld;
  plan: number;
}

async function aPlannedWorld(
  tasks: NewTask[],
  settings = 'merge:\n  mode: auto\n',
): Promise<Planned> {
  const files = {
    ...planFiles(settings),
    '.github/workflows/quorum-task.yml': read(CALLER),
  };
  const world = await anActionsWorld(files);
  world.emulator.addCollaborator(REPO, 'tom', 'write');
  const { number } = await world.emulator
    .as('ana')
    .openIssue(REPO, { title: '[PLAN] More', body: aPlanOf(tasks) });
  return { world, plan: number };
}

async function anotherPlan({ world }: Planned, tasks: NewTask[]): Promise<Planned> {
  const about = { title: '[PLAN] Even more', body: aPlanOf(tasks) };
  const { number } = await world.emulator.as('ana').openIssue(REPO, about);
  return { world, plan: number };
}

/** Somebody starts the workflow on GitHub; returns the id of its run. */
async function dispatch({ world, plan }: Planned, task: number, by = 'ana'): Promise<string> {
  const who = world.emulator.as(by);
  const inputs = { plan: String(plan), task: String(task) };
  const workflow = `/repos/${REPO}/actions/workflows/quorum-task.yml`;
  await who.request('POST', `${workflow}/dispatches`, { ref: 'main', inputs });
  const { workflow_runs: runs } = (await who.request('GET', `${workflow}/runs`)) as {
    workflow_runs: { id: number }[];
  };
  return String(runs[0]?.id ?? 0);
}

interface Over {
  runId?: string;
  secrets?: Record<string, string>;
  /** Called before the job with this number starts. */
  before?: (job: number) => Promise<void> | void;
  ended?: (job: JobRun) => void;
  isCancelled?: () => boolean;
  /** Of what GitHub says about the one who started it. */
  sender?: object;
}

async function play(planned: Planned, task: number, over: Over = {}): Promise<JobRun[]> {
  const { world, plan } = planned;
  const runId = over.runId ?? (await dispatch(planned, task));
  const dir = mkdtempSync(path.join(os.tmpdir(), 'quorum-run-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const inputs = { plan: String(plan), task: String(task) };
  const started = await anEvent(world, 'workflow_dispatch', {
    inputs,
    ref: 'refs/heads/main',
  });
  const { sender } = started.payload as { sender: object };
  const payload = { ...started.payload, sender: { ...sender, ...over.sender } };
  const event = { ...started, payload };
  let jobs = 0;
  return runWorkflow({
    caller: readWorkflowFile(read(CALLER)),
    called: readWorkflowFile(read(CALLED)),
    event,
    secrets: over.secrets ?? SIGNING,
    mainOf: (uses) => {
      const name = /\/action\/(\w+)@/.exec(uses)?.[1] ?? '';
      return path.resolve(BUILD_DIR, name, 'dist/index.js');
    },
    mint: async (permissions) => {
      jobs += 1;
      await over.before?.(jobs);
      return world.mint(permissions);
    },
    ...(over.ended !== undefined && { ended: over.ended }),
    ...(over.isCancelled !== undefined && { isCancelled: over.isCancelled }),
    results: world.results,
    apiUrl: world.emulator.apiUrl,
    repository: REPO,
    runId,
    dir,
  });
}

const conclusions = (jobs: readonly JobRun[]): string[] =>
  jobs.map(({ name, conclusion }) => `${name}: ${conclusion}`);

const CODED = ['claim: success', 'agent: success', 'verify: success', 'apply: success'];
const REVIEWED = [...CODED, 'review: success', 'conclude: success', 'release: skipped'];
/** There is nothing to review. */
const GIVEN_BACK = [...CODED, 'review: skipped', 'conclude: skipped', 'release: skipped'];

const applied = (jobs: readonly JobRun[]): JobRun | undefined =>
  jobs.find(({ name }) => name === 'apply');

const logOf = (jobs: readonly JobRun[]): string =>
  jobs
    .flatMap(({ name, steps }) => steps.map(({ log, summary }) => `${name}\n${log}\n${summary}`))
    .join('\n');

interface Pull {
  number: number;
  body: string;
  user: { login: string };
  head: { sha: string };
}

async function pullsOf({ world }: Planned): Promise<Pull[]> {
  return (await world.emulator.as('ana').request('GET', `/repos/${REPO}/pulls`)) as Pull[];
}

/** Branches that jobs may push their work to. */
async function pushedBranches({ world }: Planned): Promise<string[]> {
  const all = (await world.emulator.as('ana').request('GET', `/repos/${REPO}/branches`)) as {
    name: string;
  }[];
  const own = new Set(['main', 'quorum/memory']);
  return all.map(({ name }) => name).filter((name) => !own.has(name));
}

const checksOf = async ({ world }: Planned, sha: string) =>
  (
    (await world.emulator.as('ana').request('GET', `/repos/${REPO}/commits/${sha}/check-runs`)) as {
      check_runs: { name: string; conclusion: string }[];
    }
  ).check_runs;

const bodyOf = async ({ world, plan }: Planned): Promise<string> =>
  (
    (await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues/${plan}`)) as {
      body: string;
    }
  ).body;

const writesOf = ({ world }: Planned, from: number): string[] =>
  world.emulator.requests
    .slice(from)
    .filter((request) => isWrite(request) && !request.path.endsWith('/git-upload-pack'))
    .map(({ method, route }) => `${method} ${route}`);

/** What jobs asked the API, whether it counts or not. */
const callsOf = ({ world }: Planned, from: number): number =>
  world.emulator.requests
    .slice(from)
    .filter(({ actor, route }) => actor.startsWith('installation:') && route !== 'git').length;

const CREDENTIAL = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0', 'k1L2m3N4o5P6q7R8'].join('');

function withCredential(): NewTask {
  const task = sayTask(1, 'goodbye');
  const change = adding({ 'src/goodbye.js': `export const token = '${CREDENTIAL}';\n` });
  return { ...task, description: `Add it.\n\n\`\`\`diff\n${change}\n\`\`\`` };
}

/** As much of the verify job's output as is forged here. */
interface Proof {
  done: { headSha: string; receipts: { gate: string; result: string }[] };
}

const AGENT = 2;
const VERIFY = 3;
const APPLY = 4;
const REVIEW = 5;

describe('a task without an App', () => {
  test('ends in a pull request; the jobs between the lease and the push write nothing', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    let written: string[] = [];
    let from = 0;
    const begun = planned.world.emulator.requests.length;
    let claimed = 0;
    let worked = 0;
    const jobs = await play(planned, 1, {
      before: (job) => {
        if (job === AGENT) from = planned.world.emulator.requests.length;
        if (job === AGENT) claimed = callsOf(planned, begun);
        if (job === APPLY) written = writesOf(planned, from);
        if (job === REVIEW) worked = callsOf(planned, begun);
      },
    });
    expect([conclusions(jobs), logOf(jobs)]).toEqual([REVIEWED, expect.anything()]);

    expect(written).toEqual([]);
    // The first task makes the memory branch and asks which rules there are: five calls that the next task does not need.
    expect([claimed <= 12, claimed, worked <= 30, worked]).toEqual([true, claimed, true, worked]);
    expect(await pushedBranches(planned)).toHaveLength(1);
    const [pull] = await pullsOf(planned);
    expect(pull?.user.login).toBe('github-actions[bot]');
    const checks = await checksOf(planned, pull?.head.sha ?? '');
    expect(checks.map(({ name, conclusion }) => `${name}: ${conclusion}`).toSorted()).toEqual([
      'quorum / gates: success',
      'quorum / merge: action_required',
      'quorum / review: success',
    ]);
    expect(await bodyOf(planned)).toContain(`in_progress (#${pull?.number})`);

    const next = await anotherPlan(planned, [sayTask(1, 'cheers')]);
    const again = planned.world.emulator.requests.length;
    await play(next, 1, {
      before: (job) => {
        if (job === AGENT) claimed = callsOf(planned, again);
        if (job === REVIEW) worked = callsOf(planned, again);
      },
    });
    expect([claimed <= 7, claimed, worked <= 25, worked]).toEqual([true, claimed, true, worked]);
    expect(await pullsOf(planned)).toHaveLength(2);
    expect(planned.world.openApi.violations).toEqual([]);
  });

  test('is given back, and nothing is pushed, when its tests fail', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye', { says: 'hello' })]);
    const jobs = await play(planned, 1);
    expect(conclusions(jobs)).toEqual(GIVEN_BACK);
    expect(await pullsOf(planned)).toEqual([]);
    expect(await bodyOf(planned)).toMatch(/\*\*Status:\*\* pending/);
    expect(applied(jobs)?.steps[0]?.outputs).toMatchObject({ status: 'given-back' });
  });
});

describe('a task is not begun', () => {
  test('when its text was changed after somebody started it', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const { world, plan } = planned;
    // Texts of the same second are in doubt: GitHub tells no finer time.
    world.emulator.setClockOffset(5_000);
    const runId = await dispatch(planned, 1);
    world.emulator.setClockOffset(10_000);
    const body = (await bodyOf(planned)).replace('Add `goodbye', 'Remove everything. Add `goodbye');
    await world.emulator.as('tom').request('PATCH', `/repos/${REPO}/issues/${plan}`, { body });
    const jobs = await play(planned, 1, { runId });
    expect(conclusions(jobs)).toEqual([
      'claim: success',
      'agent: skipped',
      'verify: skipped',
      'apply: skipped',
      'review: skipped',
      'conclude: skipped',
      'release: skipped',
    ]);
    expect(logOf(jobs)).toContain('task 1 was changed after this workflow was started');
  });

  test('when a bot starts it, which the plan tells once, however often it does', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    for (const _ of [1, 2]) {
      const jobs = await play(planned, 1, { sender: { type: 'Bot' } });
      expect(conclusions(jobs)[1]).toBe('agent: skipped');
      expect(logOf(jobs)).toContain('A task is started by a person, not by a bot.');
    }
    const { comments } = await planned.world.tell(planned.plan);
    expect(comments).toEqual([
      expect.stringMatching(
        /^Task 1 was not started\. A task is started by a person, not by a bot\.\n/,
      ),
    ]);
    const { number } = await planned.world.emulator
      .as('ana')
      .openIssue(REPO, { title: 'No plan', body: 'Words.' });
    await play({ ...planned, plan: number }, 1, { sender: { type: 'Bot' } });
    expect((await planned.world.tell(number)).comments).toEqual([]);
  });

  test('when the hour has as many as one person may start', async () => {
    const settings = 'merge:\n  mode: auto\naccess:\n  codeRunsPerUserPerHour: 1\n';
    const planned = await aPlannedWorld([sayTask(1, 'goodbye'), sayTask(2, 'cheers')], settings);
    let second: JobRun[] = [];
    await play(planned, 1, {
      before: async (job) => {
        if (job === AGENT) second = await play(planned, 2);
      },
    });
    expect(conclusions(second)[1]).toBe('agent: skipped');
    expect(logOf(second)).toMatch(
      /at most one session in an hour on one person’s word \(`access\.codeRunsPerUserPerHour`\): the next may begin at \d\d:\d\d UTC\. Start the task again then\./,
    );
    // Few people read the summary of a job: the plan has it as well, once.
    const { comments } = await planned.world.tell(planned.plan);
    expect(comments.filter((body) => body.includes('was not started'))).toEqual([
      expect.stringMatching(
        /^Task 2 was not started\. Nothing is worked on: .* Start the task again then\./,
      ),
    ]);
  });

  test('when another workflow holds it', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    let second: JobRun[] = [];
    await play(planned, 1, {
      before: async (job) => {
        if (job === AGENT) second = await play(planned, 1);
      },
    });
    expect(conclusions(second)[1]).toBe('agent: skipped');
    expect(logOf(second)).toContain('Task 1 was not claimed');
    expect(await pullsOf(planned)).toHaveLength(1);
  });
});

describe('without the secret `QUORUM_ENCRYPTION_KEY`', () => {
  /** What the job of this name handed on; the workflow stops after it. */
  async function stopAfter(planned: Planned, last: string, runId: string) {
    const told: Record<string, string> = {};
    const stopped = play(planned, 1, {
      runId,
      ended: ({ name, outputs }) => {
        Object.assign(told, outputs);
        if (name === last) throw new Error('stopped here');
      },
    });
    await expect(stopped).rejects.toThrow('stopped here');
    return told;
  }

  test('no task is begun', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const jobs = await play(planned, 1, { secrets: {} });
    expect(conclusions(jobs).slice(0, 2)).toEqual(['claim: success', 'agent: skipped']);
    expect(logOf(jobs)).toContain('Set the secret `QUORUM_ENCRYPTION_KEY`');
  });

  test('an apply job pushes nothing and gives the task back', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const runId = await dispatch(planned, 1);
    const { claim = '', digest = '', proof = '' } = await stopAfter(planned, 'verify', runId);
    const job = await planned.world.job({
      action: 'task',
      run: runId,
      permissions: APPLIES,
      event: await anEvent(planned.world, 'workflow_dispatch', {}),
      inputs: { step: 'apply', claim, digest, proof },
    });
    expect(job.outputs).toMatchObject({ status: 'given-back' });
    expect(job.summary).toContain('Set the secret `QUORUM_ENCRYPTION_KEY`');
    expect(await pullsOf(planned)).toEqual([]);
  });

  test("a review of a task's pull request writes nothing", async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const runId = await dispatch(planned, 1);
    const { review = '', digest = '' } = await stopAfter(planned, 'review', runId);
    const job = await planned.world.job({
      action: 'review',
      run: runId,
      permissions: { ...APPLIES, statuses: 'read' },
      event: await anEvent(planned.world, 'workflow_dispatch', {}),
      inputs: { step: 'apply', claim: review, digest },
    });
    expect([job.exitCode, job.log]).toEqual([1, expect.stringContaining('[signing-key-missing]')]);
    const [pull] = await pullsOf(planned);
    const checks = await checksOf(planned, pull?.head.sha ?? '');
    expect(checks.map(({ name }) => name)).not.toContain('quorum / review');
  });
});

describe('nothing is pushed', () => {
  test('once somebody cancelled the run, although all gates passed: the task is given back', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    let isCancelled = false;
    const jobs = await play(planned, 1, {
      ended: ({ name }) => {
        isCancelled ||= name === 'verify';
      },
      isCancelled: () => isCancelled,
    });
    expect([conclusions(jobs), logOf(jobs)]).toEqual([
      [
        ...CODED.slice(0, 3),
        'apply: skipped',
        'review: skipped',
        'conclude: skipped',
        'release: success',
      ],
      expect.stringContaining('the agent job ended without a change'),
    ]);
    expect([await pullsOf(planned), await pushedBranches(planned)]).toEqual([[], []]);
    expect(await bodyOf(planned)).toMatch(/\*\*Status:\*\* pending/);
  });

  test('of a change with a credential, even when a verify job that was taken over says that all gates passed', async () => {
    const planned = await aPlannedWorld([withCredential()]);
    let honest: unknown;
    const jobs = await play(planned, 1, {
      ended: ({ name, outputs }) => {
        if (name !== 'verify') return;
        const proof = JSON.parse(outputs['proof'] ?? '') as Proof;
        honest = proof.done.receipts.map(({ gate, result }) => `${gate} ${result}`);
        proof.done.receipts = ['P', 'S', '1', '2'].flatMap((gate) =>
          proof.done.receipts.slice(0, 1).map((receipt) => ({ ...receipt, gate })),
        );
        outputs['proof'] = JSON.stringify(proof);
      },
    });
    expect(honest).toEqual(['P passed', 'S failed']);
    expect([await pullsOf(planned), await pushedBranches(planned)]).toEqual([[], []]);
    expect(applied(jobs)?.steps[0]?.outputs).toMatchObject({ status: 'given-back' });
    expect(applied(jobs)?.steps[0]?.summary).toContain('looks like a GitHub token');
    expect(logOf(jobs)).not.toContain(CREDENTIAL);
  });

  test('when the tests that passed are of another commit', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const jobs = await play(planned, 1, {
      ended: ({ name, outputs }) => {
        const { done } = JSON.parse(outputs['proof'] ?? '{}') as Partial<Proof>;
        if (name === 'verify' && done !== undefined)
          outputs['proof'] = outputs['proof']?.replaceAll(done.headSha, '0'.repeat(40)) ?? '';
      },
    });
    expect([await pullsOf(planned), await pushedBranches(planned)]).toEqual([[], []]);
    expect(applied(jobs)?.steps[0]?.summary).toContain('which was tested');
  });

  test('of a change that is not the one of the agent job', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const { artifacts } = planned.world.results;
    const jobs = await play(planned, 1, {
      before: (job) => {
        const [artifact] = artifacts;
        if (job === APPLY && artifact !== undefined)
          artifact.bytes = artifact.bytes.subarray(0, 200);
      },
    });
    expect(conclusions(jobs).slice(2, 4)).toEqual(['verify: success', 'apply: failure']);
    expect([await pullsOf(planned), await pushedBranches(planned)]).toEqual([[], []]);
  });

  test('when the lease was lost during the agent job', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const { world, plan } = planned;
    const ref = `/repos/${REPO}/git/refs/quorum/leases/${plan}-1`;
    const jobs = await play(planned, 1, {
      before: async (job) => {
        if (job === VERIFY) await world.emulator.as('ana').request('DELETE', ref);
      },
    });
    expect(conclusions(jobs)).toEqual(GIVEN_BACK);
    expect(applied(jobs)?.steps[0]?.summary).toContain('is not held by this attempt any more');
    expect([await pullsOf(planned), await pushedBranches(planned)]).toEqual([[], []]);
  });

  test('when the claim ran out before the apply job', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const jobs = await play(planned, 1, {
      before: async (job) => {
        if (job === APPLY) await moveBack(planned.world, 'until');
      },
    });
    expect(conclusions(jobs).slice(2, 4)).toEqual(['verify: success', 'apply: failure']);
    expect(logOf(jobs)).toContain('[claim-lost]');
    expect([await pullsOf(planned), await pushedBranches(planned)]).toEqual([[], []]);
  });
});
