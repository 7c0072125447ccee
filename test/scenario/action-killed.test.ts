/** Jobs that GitHub kills at their time limit: what they wrote is known to the next attempt, whether or not they could record it. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const LIMIT_MS = 40_000;

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

/** GitHub takes so long for this call that the job reaches its time limit in it. */
function stall(world: ActionsWorld, method: string, route: string): void {
  const fault = { kind: 'latency', ms: 2 * LIMIT_MS } as const;
  world.emulator.faults.add({ method, path: route, times: 1, fault });
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
    stall(world, 'POST', '/repos/{owner}/{repo}/check-runs');
    const killed = await apply({ env, timeoutMs: LIMIT_MS });
    expect([killed.exitCode, await reviews()]).toEqual([124, [expect.anything()]]);
    world.emulator.faults.clear();
    const again = await apply({ env, attempt: 2 });
    expect([again.exitCode, again.log]).toEqual([0, expect.anything()]);
    expect(await reviews()).toHaveLength(1);
    const checks = await checksOf(world, await headOf(world, number));
    expect(checks.map(({ name }) => name)).toEqual(['quorum / review']);
  });

  test('writes no second comment when it is run again', async () => {
    const world = await anActionsWorld();
    const number = await world.ask(READY_ISSUE);
    const ana = world.emulator.as('ana');
    const issue = (await ana.request('GET', `/repos/${REPO}/issues/${number}`)) as {
      labels: { name: string }[];
    };
    const [label] = issue.labels;
    const event = await anEvent(world, 'issues', { action: 'labeled', issue, label });
    const apply = await upToApply({ world, base: { action: 'deliberate', event } });
    stall(world, 'POST', '/repos/{owner}/{repo}/issues/{issue_number}/labels');
    const killed = await apply({ env, timeoutMs: LIMIT_MS });
    expect([killed.exitCode, (await world.tell(number)).comments.length]).toEqual([124, 1]);
    world.emulator.faults.clear();
    const others = Object.keys(env).length > 0 ? [] : await lookAlikes(world, number);
    const again = await apply({ env, attempt: 2 });
    expect([again.exitCode, again.log]).toEqual([0, expect.anything()]);
    const told = await world.tell(number);
    expect(told.labels).toEqual(['ready']);
    expect(told.comments.slice(1)).toEqual(others);
  });
});

/**
 * Another workflow, whose account is the same, writes what looks like the comment. Only an exact copy is taken for ours, and
 * it is taken away as the later of two.
 */
async function lookAlikes(world: ActionsWorld, number: number): Promise<string[]> {
  const { comments } = await world.tell(number);
  const [body = ''] = comments;
  const [, signature = ''] = /<!-- quorum:job (\S+) -->/.exec(body) ?? [];
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
    body.replace(/<!-- quorum:job \S+ -->\n/, ''),
  ];
  const token = await world.mint(APPLIES);
  for (const text of [...forged, body]) {
    const answer = await fetch(`${world.emulator.apiUrl}/repos/${REPO}/issues/${number}/comments`, {
      method: 'POST',
      headers: { authorization: `bearer ${token}` },
      body: JSON.stringify({ body: text }),
    });
    expect(answer.status).toBe(201);
  }
  return forged;
}
