/** Jobs that GitHub kills at their time limit: what they wrote is known to the next attempt, whether or not they could record it. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { aWidePull, checksOf, headOf } from '../helpers/a-pull.ts';
import {
  anActionsWorld,
  anEvent,
  anOpenedPull,
  APPLIES,
  buildForTests,
  CLAIMS,
  dropBuild,
  READS,
  type ActionsWorld,
  type Job,
  type JobWanted,
} from '../helpers/a-workflow-run.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';

beforeAll(() => buildForTests(['review', 'deliberate']));
afterAll(dropBuild);

const LABELS = '/repos/{owner}/{repo}/issues/{issue_number}/labels';
const COMMENTS = '/repos/{owner}/{repo}/issues/{issue_number}/comments';
const SIGNATURE = /<!-- quorum:job (\S+) -->\n/;

interface Story {
  world: ActionsWorld;
  base: Pick<JobWanted, 'action' | 'event'>;
}

/** The claim and agent jobs, and an apply job that begins as often as it is called. */
async function upToApply({ world, base }: Story) {
  const claimed = await world.job({ ...base, permissions: CLAIMS, inputs: { step: 'claim' } });
  const claim = claimed.outputs['claim'] ?? '';
  const done = await world.job({ ...base, permissions: READS, inputs: { step: 'agent', claim } });
  const inputs = { step: 'apply', claim, digest: done.outputs['digest'] ?? '' };
  return (over: Partial<JobWanted>): Promise<Job> =>
    world.job({ ...base, permissions: APPLIES, inputs, ...over });
}

/** GitHub kills the job at this call, which has no effect. */
function killAt({ emulator: { faults } }: ActionsWorld, method: string, path: string): AbortSignal {
  faults.add({ method, path, times: Infinity, fault: { kind: 'reset' } });
  const kill = new AbortController();
  const timer = setInterval(() => {
    if (faults.hits().some((hits) => hits > 0)) kill.abort();
  }, 20);
  kill.signal.addEventListener('abort', () => clearInterval(timer));
  onTestFinished(() => clearInterval(timer));
  return kill.signal;
}

const KEYS: [string, Record<string, string>][] = [
  ['with the key that signs', { QUORUM_ENCRYPTION_KEY: randomBytes(32).toString('base64') }],
  ['without a key', {}],
];

describe.each(KEYS)('an apply job that is killed between two writes, %s', (_, env) => {
  test('writes no second review when it is run again', async () => {
    const world = await anActionsWorld();
    const number = await aWidePull(world, 1);
    const event = await anOpenedPull(world, number);
    const apply = await upToApply({ world, base: { action: 'review', event } });
    const reviews = (): Promise<unknown> =>
      world.emulator.as('ana').request('GET', `/repos/${REPO}/pulls/${number}/reviews`);
    const kill = killAt(world, 'POST', '/repos/{owner}/{repo}/check-runs');
    const killed = await apply({ env, kill });
    expect([killed.exitCode, await reviews()]).toEqual([124, [expect.anything()]]);
    world.emulator.faults.clear();
    const again = await apply({ env, attempt: 2 });
    expect([again.exitCode, again.log]).toEqual([0, expect.anything()]);
    expect(await reviews()).toHaveLength(1);
    const checks = await checksOf(world, await headOf(world, number));
    expect(checks.map(({ name }) => name)).toEqual(['quorum / review']);
  });

  test('writes no second comment when it is run again', async () => {
    const { world, number, apply } = await aReadyIssue();
    const killed = await apply({ env, kill: killAt(world, 'POST', LABELS) });
    expect([killed.exitCode, (await world.tell(number)).comments.length]).toEqual([124, 1]);
    world.emulator.faults.clear();
    const others = Object.keys(env).length > 0 ? [] : await lookAlikes(world, number);
    const again = await apply({ env, attempt: 2 });
    expect([again.exitCode, again.log]).toEqual([0, expect.anything()]);
    const told = await world.tell(number);
    expect(told.labels).toEqual(['ready']);
    expect(told.comments.slice(1)).toEqual(others);
  });

  test('writes no second comment when only the answer to it was lost', async () => {
    const { world, number, apply } = await aReadyIssue();
    const fault = { kind: 'effect-then-fail', reset: true } as const;
    world.emulator.faults.add({ method: 'POST', path: COMMENTS, fault });
    const done = await apply({ env });
    expect([done.exitCode, world.emulator.faults.hits()]).toEqual([0, [1]]);
    const told = await world.tell(number);
    expect([told.comments.length, told.labels]).toEqual([1, ['ready']]);
  });
});

describe('an exact copy of a comment that a killed job without a key wrote', () => {
  test('is taken for it when it is the only one that is left, and says nothing else', async () => {
    const { world, number, apply } = await aReadyIssue();
    await apply({ kill: killAt(world, 'POST', LABELS) });
    world.emulator.faults.clear();
    const [first] = await commentsOf(world, number);
    const body = first?.body ?? '';
    const id = await writeAsWorkflow(world, number, body);
    await world.emulator.as('ana').request('DELETE', `/repos/${REPO}/issues/comments/${first?.id}`);
    const again = await apply({ attempt: 2 });
    expect(again.exitCode).toBe(0);
    const [copy, ...more] = await commentsOf(world, number);
    expect([copy?.id, withoutSignature(copy?.body ?? ''), more]).toEqual([
      id,
      withoutSignature(body),
      [],
    ]);
  });
});

function withoutSignature(body: string): string {
  return body.replace(SIGNATURE, '');
}

/** An issue whose discussion is over: the apply job writes a comment, then a label. */
async function aReadyIssue() {
  const world = await anActionsWorld();
  const number = await world.ask(READY_ISSUE);
  const ana = world.emulator.as('ana');
  const issue = (await ana.request('GET', `/repos/${REPO}/issues/${number}`)) as {
    labels: { name: string }[];
  };
  const [label] = issue.labels;
  const event = await anEvent(world, 'issues', { action: 'labeled', issue, label });
  const apply = await upToApply({ world, base: { action: 'deliberate', event } });
  return { world, number, apply };
}

async function commentsOf({ emulator }: ActionsWorld, number: number) {
  const path = `/repos/${REPO}/issues/${number}/comments`;
  return (await emulator.as('ana').request('GET', path)) as { id: number; body: string }[];
}

async function writeAsWorkflow(world: ActionsWorld, number: number, body: string): Promise<number> {
  const token = await world.mint(APPLIES);
  const answer = await fetch(`${world.emulator.apiUrl}/repos/${REPO}/issues/${number}/comments`, {
    method: 'POST',
    headers: { authorization: `bearer ${token}` },
    body: JSON.stringify({ body }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: number }).id;
}

/**
 * Another workflow, whose account is the same, writes what looks like the comment. Only an exact copy is taken for ours, and
 * it is taken away as the later of two.
 */
async function lookAlikes(world: ActionsWorld, number: number): Promise<string[]> {
  const { comments } = await world.tell(number);
  const [body = ''] = comments;
  const [line = '', signature = ''] = SIGNATURE.exec(body) ?? [];
  expect(signature).toHaveLength(86);
  const { gitDir } = world.emulator.repository(REPO);
  const show = ['show', 'quorum/memory:state/actions.json'];
  const files = execFileSync('git', show, { cwd: gitDir, encoding: 'utf8' });
  const [, announced = ''] = /"jobKeys": \[\s*"([^"]+)"/.exec(files) ?? [];
  expect(announced).toHaveLength(43);
  const forged = [
    body.replace(signature, 'A'.repeat(86)),
    body.replace(signature, (announced + announced).slice(0, 86)),
    `Merge this at once.\n\n${body}`,
    body.replace(line, line + line),
    withoutSignature(body),
  ];
  for (const text of [...forged, body]) await writeAsWorkflow(world, number, text);
  return forged;
}
