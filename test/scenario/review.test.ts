import { describe, expect, test } from 'vitest';
import { aModel, isReflection } from '../helpers/a-model.ts';
import { push } from '../helpers/a-pull.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };

interface Review {
  body: string;
  user: { login: string };
  state: string;
}

async function aPull(
  world: TestWorld,
  files: Record<string, string>,
  draft = false,
): Promise<number> {
  const ana = world.emulator.as('ana');
  const main = (await ana.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  await ana.request('POST', `/repos/${REPO}/git/refs`, {
    ref: 'refs/heads/change',
    sha: main.object.sha,
  });
  await push(world, files);
  const pull = await ana.openPull(REPO, {
    title: 'Change the command',
    head: 'change',
    body: 'As agreed.',
    draft,
  });
  return pull.number;
}

async function told(world: TestWorld, number: number) {
  const ana = world.emulator.as('ana');
  const reviews = (await ana.request('GET', `/repos/${REPO}/pulls/${number}/reviews`)) as Review[];
  const comments = (await ana.request('GET', `/repos/${REPO}/pulls/${number}/comments`)) as {
    path: string;
    line: number;
    body: string;
  }[];
  const pull = (await ana.request('GET', `/repos/${REPO}/pulls/${number}`)) as {
    head: { sha: string };
  };
  const { check_runs: checks } = (await ana.request(
    'GET',
    `/repos/${REPO}/commits/${pull.head.sha}/check-runs`,
  )) as { check_runs: { name: string; conclusion: string; output: { title: string } }[] };
  return { reviews, comments, checks };
}

describe('a pull request', () => {
  test('with something wrong gets one review with comments on its lines, and a check', async () => {
    const world = await aWorld({ files: QUICK });
    const number = await aPull(world, {
      'src/run.ts': [
        "import { exec } from 'node:child_process';",
        '',
        'export function run(name: string): void {',
        '  exec(`ls ${name}`);',
        "  eval('1 + ' + name);",
        '}',
        '',
      ].join('\n'),
    });
    await world.idle();
    const { reviews, comments, checks } = await told(world, number);
    expect(checks.map((check) => check.conclusion)).toEqual(['action_required']);
    expect(reviews).toHaveLength(1);
    expect(comments.length).toBeGreaterThan(0);
    expect(world.openApi.violations).toEqual([]);
  });
});

describe('from push to push', () => {
  const BAD = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

  test('a clean pull request gets the check and no comment', async () => {
    const world = await aWorld({ files: QUICK });
    const number = await aPull(world, { 'docs/notes.md': '# Notes\n\nOne line.\n' });
    await world.idle();
    const { reviews, checks } = await told(world, number);
    expect(reviews).toEqual([]);
    expect(checks.map((check) => [check.name, check.conclusion])).toEqual([
      ['quorum / review', 'success'],
    ]);
  });

  test('what was found is not said again; what is new is; what is gone is fixed', async () => {
    const world = await aWorld({ files: QUICK });
    const number = await aPull(world, { 'src/run.ts': BAD });
    await world.idle();
    expect((await told(world, number)).comments).toHaveLength(1);
    // Moved down by a line above it, and something new elsewhere.
    await push(world, {
      'src/run.ts': `// A note.\n${BAD}`,
      'src/more.ts': BAD.replace('run', 'more'),
    });
    await world.idle();
    const second = await told(world, number);
    expect(second.reviews).toHaveLength(2);
    expect(second.comments.map((comment) => comment.path)).toEqual(['src/run.ts', 'src/more.ts']);
    await push(world, { 'src/run.ts': 'export {};\n', 'src/more.ts': 'export {};\n' });
    await world.idle();
    const third = await told(world, number);
    expect(third.reviews).toHaveLength(2);
    expect(third.checks.at(-1)?.conclusion).toBe('success');
  });

  test('a finding that a maintainer declined is never raised again', async () => {
    const world = await aWorld({ files: QUICK });
    const number = await aPull(world, { 'src/run.ts': BAD });
    await world.idle();
    const ana = world.emulator.as('ana');
    const [comment] = (await ana.request('GET', `/repos/${REPO}/pulls/${number}/comments`)) as {
      id: number;
    }[];
    await ana.request(
      'POST',
      `/repos/${REPO}/pulls/${number}/comments/${comment?.id ?? 0}/replies`,
      {
        body: 'Won’t fix'.replace('’', "'") + ': the text is our own.',
      },
    );
    await push(world, { 'src/run.ts': `// Another note.\n${BAD}` });
    await world.idle();
    const after = await told(world, number);
    expect(after.reviews.filter((review) => review.user.login.endsWith('[bot]'))).toHaveLength(1);
    expect(after.checks.at(-1)?.conclusion).toBe('success');
  });

  test('a draft is left alone until it is ready', async () => {
    const world = await aWorld({ files: QUICK });
    const number = await aPull(world, { 'src/run.ts': BAD }, true);
    await world.idle();
    expect(await told(world, number)).toMatchObject({ reviews: [], checks: [] });
  });
});

test('personas add what rules do not see, one finding for each thing, with their names', async () => {
  const finding = {
    severity: 'high',
    title: 'The name is used before it is checked',
    evidence: 'run() takes any text.',
    place: { path: 'src/run.ts', line: 1 },
  };
  const { server, env } = await aModel({
    position: (_, handle) => ({
      json: aPosition({
        vote: 'CHANGES',
        findings: handle === 'carlos' ? [] : [finding],
        reasons: handle,
      } as never),
    }),
    verdict: () => ({
      json: aVerdict({ verdict: 'CHANGES', headline: 'one check first' } as never),
    }),
  });
  const world = await aWorld({ env, files: QUICK });
  const number = await aPull(world, {
    'src/run.ts': 'export const run = (name: string): string => name;\n',
  });
  await world.idle();
  const { comments, reviews } = await told(world, number);
  expect(reviews[0]?.body).toMatch(/^### Changes needed: one check first/);
  expect(comments.map((comment) => comment.body).join()).toContain(
    'The name is used before it is checked',
  );
  const said = comments.filter((comment) => comment.body.includes('used before it is checked'));
  expect(said).toHaveLength(1);
  expect(said[0]?.body).toMatch(/Dev.*Maya|Maya.*Dev|Priya/);
  // All voices, both rounds and the lead: one prefix, paid for once by each model.
  const prompts = server.calls.filter((call) => !isReflection(call));
  expect(
    new Set(prompts.map((call) => JSON.stringify((call.body['system'] as unknown[])[0]))).size,
  ).toBe(1);
});
