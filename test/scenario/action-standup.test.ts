/** The standup of a plan by workflows: its participants look back, a person ticks a box, and no App process runs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobRun } from '../../src/demo/runner/run-workflow.ts';
import { leavingTodo, sayTask } from '../helpers/a-plan-story.ts';
import {
  anApproval,
  aPlannedWorld,
  conclusions,
  playMergeWorkflow,
  playTaskWorkflow,
  SIGNING,
  told,
  type Planned,
} from '../helpers/a-workflow-plan.ts';
import {
  anEvent,
  APPLIES,
  buildForTests,
  CLAIMS,
  dropBuild,
  READS,
} from '../helpers/a-workflow-run.ts';
import { isWrite, REPO } from '../helpers/a-world.ts';
import { giveAway, readSweepState } from '../helpers/a-sweep.ts';
import { commentAsApp } from '../helpers/another-app.ts';
import { verifies } from '../verifies.ts';

beforeAll(() => buildForTests(['task', 'review', 'merge', 'standup', 'command']));
afterAll(dropBuild);

const HELD = [
  'claim: success',
  'verify: skipped',
  'apply: success',
  'standup: success',
  'tell: success',
];

interface Shown {
  id: number;
  body: string;
  updated_at: string;
  user: { login: string };
}

async function standups({ world, plan }: Planned): Promise<Shown[]> {
  const path = `/repos/${REPO}/issues/${plan}/comments?per_page=100`;
  const all = (await world.emulator.as('ana').request('GET', path)) as Shown[];
  return all.filter(({ body }) => body.startsWith('### Standup'));
}

async function aMerged(task = leavingTodo()): Promise<{ planned: Planned; jobs: JobRun[] }> {
  const planned = await aPlannedWorld([task]);
  const begun = await playTaskWorkflow(planned, 1);
  const number = Number(begun.find(({ name }) => name === 'apply')?.outputs['pr']);
  const event = await anApproval(planned, number);
  const jobs = await playMergeWorkflow(planned, event, { isWhole: true });
  return { planned, jobs };
}

/** Somebody starts the action for the plan once more, by hand. */
async function again({ world, plan }: Planned, inputs: Record<string, string>) {
  const event = await anEvent(world, 'workflow_dispatch', { inputs: {}, ref: 'refs/heads/main' });
  const claimed = await world.job({
    action: 'standup',
    permissions: CLAIMS,
    event,
    inputs: { step: 'claim', plan: String(plan), ...inputs },
    run: '6000',
    env: SIGNING,
  });
  return { event, claimed };
}

verifies(
  ['ACT-7'],
  'is held once after the last merge of a plan; the job with the models writes nothing',
  async () => {
    const { planned, jobs } = await aMerged();
    expect({ jobs: conclusions(jobs), told: told(jobs) }).toMatchObject({ jobs: HELD });
    const [shown, ...others] = await standups(planned);
    expect(others).toEqual([]);
    expect(shown?.body).toContain('src/goodbye.js');
    expect(shown?.body).toContain('TODO');
    const asking = jobs.find(({ name }) => name === 'standup');
    expect(new Set(Object.values(asking?.permissions ?? {}))).toEqual(new Set(['read']));
    const { claimed } = await again(planned, {});
    expect(claimed.outputs['proceed']).toBe('false');
    expect(claimed.summary).toContain('was held already');
    expect(planned.world.openApi.violations).toEqual([]);
  },
);

/** A person edits the comment on GitHub, and the workflow for comments runs. */
async function tick(
  { world, plan }: Planned,
  shown: Shown,
  { by, run }: { by: string; run: string },
) {
  const person = world.emulator.as(by);
  const body = shown.body.replace('- [ ] Make', '- [x] Make');
  const path = `/repos/${REPO}/issues/comments/${shown.id}`;
  const comment = (await person.request('PATCH', path, { body })) as Shown;
  const issue = await person.request('GET', `/repos/${REPO}/issues/${plan}`);
  const event = await anEvent(world, 'issue_comment', { action: 'edited', issue, comment, by });
  const job = (step: string, permissions: typeof READS, inputs: Record<string, string>) =>
    world.job({
      action: 'command',
      permissions,
      event,
      run,
      inputs: { step, ...inputs },
      env: step === 'apply' ? SIGNING : {},
    });
  const { outputs } = await job('claim', CLAIMS, {});
  const claim = outputs['claim'] ?? '';
  const before = world.emulator.requests.length;
  const { outputs: done } = await job('agent', READS, { claim });
  const writes = world.emulator.requests.slice(before).filter(isWrite);
  const applied = await job('apply', APPLIES, { claim, digest: done['digest'] ?? '' });
  return { applied, writes };
}

async function issuesAfter({ world, plan }: Planned): Promise<{ number: number; title: string }[]> {
  const path = `/repos/${REPO}/issues?state=all&per_page=100`;
  const all = (await world.emulator.as('ana').request('GET', path)) as {
    number: number;
    title: string;
    pull_request?: unknown;
  }[];
  return all.filter((each) => each.pull_request === undefined && each.number > plan);
}

test('a ticked box opens one follow-up issue that the comment links, and the job before it writes nothing', async () => {
  const { planned } = await aMerged();
  const [shown] = await standups(planned);
  if (shown === undefined) throw new Error('there is no standup');
  const { applied, writes } = await tick(planned, shown, { by: 'tom', run: '6101' });
  expect({ exit: applied.exitCode, log: applied.log }).toMatchObject({ exit: 0 });
  expect(writes.filter(({ route }) => !/graphql|access_tokens/.test(route ?? ''))).toEqual([]);
  const [issue] = await issuesAfter(planned);
  const [linked] = await standups(planned);
  expect(linked?.body).toContain(`- Follow-up: #${issue?.number}`);
  await tick(planned, shown, { by: 'tom', run: '6102' });
  expect(await issuesAfter(planned)).toHaveLength(1);
});

describe('nothing is shown', () => {
  test('before the plan has ended, unless a person asks for it', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const early = await again(planned, {});
    expect(early.claimed.outputs['proceed']).toBe('false');
    expect(early.claimed.summary).toContain('has not ended yet');
    const asked = await again(planned, { when: 'now' });
    expect(asked.claimed.outputs['proceed']).toBe('true');
  });

  test.each<[string, (claim: string, digest: string) => Record<string, string>, string]>([
    ['of another digest', (claim) => ({ claim, digest: 'f'.repeat(64) }), '[intents-invalid]'],
    [
      'of another claim',
      (claim, digest) => ({ claim: claim.replace('run 6000', 'run 6001'), digest }),
      '[intents-invalid]',
    ],
    [
      'under a claim that another run has taken',
      (claim, digest) => ({ claim, digest }),
      '[claim-lost]',
    ],
  ])('for answers %s', async (_, change, why) => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const { event, claimed } = await again(planned, { when: 'now' });
    const claim = claimed.outputs['claim'] ?? '';
    const { world } = planned;
    const job = { action: 'standup', event, run: '6000' };
    const asked = await world.job({
      ...job,
      permissions: READS,
      inputs: { step: 'agent', claim },
    });
    if (why === '[claim-lost]') await giveAway(world);
    const applied = await world.job({
      ...job,
      permissions: APPLIES,
      inputs: { step: 'apply', ...change(claim, asked.outputs['digest'] ?? '') },
      env: SIGNING,
    });
    expect(applied.exitCode).toBe(1);
    expect(applied.log).toContain(why);
    expect(await standups(planned)).toEqual([]);
  });

  test('where the App was installed since the claim, and the claim ends', async () => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const { event, claimed } = await again(planned, { when: 'now' });
    const claim = claimed.outputs['claim'] ?? '';
    const { world, plan } = planned;
    const job = { action: 'standup', event, run: '6000' };
    const asked = await world.job({
      ...job,
      permissions: READS,
      inputs: { step: 'agent', claim },
    });
    await commentAsApp(world, plan);
    const digest = asked.outputs['digest'] ?? '';
    const applied = await world.job({
      ...job,
      permissions: APPLIES,
      inputs: { step: 'apply', claim, digest },
      env: SIGNING,
    });
    expect(applied.exitCode).toBe(0);
    expect(applied.summary).toContain('Nothing was written. The Quorum App is installed');
    expect(await standups(planned)).toEqual([]);
    const { claims } = JSON.parse((await readSweepState(world)).text) as {
      claims: Record<string, { doneAt?: string }>;
    };
    const own = Object.entries(claims).filter(([key]) => key.startsWith('standup '));
    expect(own.map(([, { doneAt }]) => typeof doneAt)).toEqual(['string']);
  });

  test.each<[string, Record<string, string>, string]>([
    ['a missing plan', { plan: '' }, 'The input `plan` is missing'],
    ['a plan that is not there', { plan: '4711' }, 'There is no issue #4711'],
    ['two lines', { plan: '1\n2' }, 'Use a whole number'],
    ['a misspelt moment', { when: 'nov' }, 'Did you mean `now`?'],
    ['a misspelt name', { plans: '1' }, 'Did you mean `plan`?'],
  ])('with %s', async (_, inputs, why) => {
    const planned = await aPlannedWorld([sayTask(1, 'goodbye')]);
    const { claimed } = await again(planned, inputs);
    expect([claimed.exitCode, claimed.outputs['proceed']]).toEqual([1, undefined]);
    expect(claimed.log).toContain(why);
  });
});
