/** The actions and the reusable workflow as GitHub's own parser reads them, and what a job may hold. */
import { allowJsonImports } from '../helpers/json-imports.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderDefinition } from '../../action/write-definitions.ts';
import { ACTIONS } from '../../src/hosts/action/job/action-specs.ts';
import { REVIEW_LASTS_MS } from '../../src/hosts/action/task/reserve-review.ts';
import { DISPATCH_EVENT, runTitle } from '../../src/domain/dispatch/code-order.ts';
import { evaluateCondition, interpolate } from '../../src/demo/runner/evaluate.ts';
import { readWorkflowFile, type WorkflowJob } from '../../src/demo/runner/read-workflow.ts';
import { verifies } from '../verifies.ts';

allowJsonImports();

const WORKFLOW = '.github/workflows/quorum.yml';
const read = (file: string): string => readFileSync(file, 'utf8');
const { jobs } = readWorkflowFile(read(WORKFLOW));

/** What GitHub's own parser says of a workflow, and the jobs that it finds. */
async function parseAsGitHub(file: string): Promise<{ errors: string[]; jobs: string[] }> {
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
    await import('@actions/workflow-parser');
  const trace = new NoOperationTraceWriter();
  const { context, value } = parseWorkflow({ name: file, content: read(file) }, trace);
  const template = value && (await convertWorkflowTemplate(context, value));
  const parsed = context.errors.getErrors().map(({ message }) => message);
  const converted = (template?.errors ?? []).map(({ Message }) => Message);
  return {
    errors: [...parsed, ...converted],
    jobs: template?.jobs.map(({ id }) => id.value) ?? [],
  };
}

/** Job, action, and variables of each step that has any of its own. */
function stepsWithEnv(all: Readonly<Record<string, WorkflowJob>>): [string, string, string[]][] {
  return Object.entries(all).flatMap(([job, { steps }]) =>
    steps.flatMap(({ uses, env }): [string, string, string[]][] => {
      const names = Object.keys(env);
      const action = /\/action\/([a-z]+)@/.exec(uses ?? '')?.[1];
      return names.length === 0 ? [] : [[job, action ?? 'another step', names]];
    }),
  );
}

describe.each(Object.entries(ACTIONS))('action/%s', (name, spec) => {
  const file = `action/${name}/action.yml`;

  test('is what the code takes and brings', () => {
    expect(read(file)).toBe(renderDefinition(spec));
  });

  test("has no error for GitHub's own parser", async () => {
    const { parseAction } = await import('@actions/workflow-parser/actions/action-parser');
    const { NoOperationTraceWriter } = await import('@actions/workflow-parser');
    const { context } = parseAction(
      { name: file, content: read(file) },
      new NoOperationTraceWriter(),
    );
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  });
});

describe('the reusable workflow', () => {
  test("has no error for GitHub's own parser, which finds three jobs", async () => {
    const told = await parseAsGitHub(WORKFLOW);
    expect(told).toEqual({ errors: [], jobs: ['claim', 'agent', 'apply'] });
  });

  test('gives the job with the models a token that only reads, and no signing secret', () => {
    expect(Object.values(jobs['agent']?.permissions ?? {})).toEqual([
      'read',
      'read',
      'read',
      'read',
    ]);
    expect(Object.keys(jobs['agent']?.env ?? {})).toEqual(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']);
  });

  test('gives the jobs that write no key of a model, and no job a token for other clouds', () => {
    expect(Object.keys(jobs['claim']?.env ?? {})).toEqual([]);
    expect(Object.keys(jobs['apply']?.env ?? {})).toEqual(['QUORUM_ENCRYPTION_KEY']);
    for (const job of Object.values(jobs)) expect(job.permissions).not.toHaveProperty('id-token');
  });

  test('runs no script, checks nothing out, and is not for pull_request_target', () => {
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    expect(steps.length).toBe(9);
    expect(steps.filter(({ run }) => run !== undefined)).toEqual([]);
    expect(steps.filter(({ uses }) => !/\/quorum\/action\/\w+@v0$/.test(uses ?? ''))).toEqual([]);
    expect(read(WORKFLOW)).not.toContain('pull_request_target');
  });

  test('gives up nothing by default: each job names its permissions and its time limit', () => {
    const { permissions } = parse(read(WORKFLOW)) as { permissions: object };
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) {
      expect(job.permissions).toBeDefined();
      expect(Number(job['timeout-minutes'])).toBeLessThanOrEqual(25);
    }
  });
});

describe('the first job of the reusable workflow', () => {
  const repository = { id: 7 };
  const pull = (id: number): object => ({ repository, pull_request: { head: { repo: { id } } } });
  const ended = (event: string): object => ({ repository, workflow_run: { event } });

  test.each<[string, object, string[]]>([
    ['pull_request of the repository', pull(7), ['review']],
    ['pull_request of a fork, where the token cannot write', pull(8), []],
    ['workflow_run of a pull request that has ended', ended('pull_request'), ['review']],
    ['workflow_run of a push that has ended', ended('push'), []],
    ['issues', { repository, issue: { number: 7 } }, ['deliberate']],
    ['issue_comment', { repository, comment: { id: 7 } }, ['command']],
    ['push', { repository }, []],
  ])('has the step that is for the event %s', (what, event, steps) => {
    const [event_name] = what.split(' ');
    const contexts = { github: { event_name, event } };
    const before = { isFailed: false, isCancelled: false };
    const { if: condition, steps: all = [] } = jobs['claim'] ?? {};
    const starts = evaluateCondition(condition, contexts, before);
    const started = all.filter((step) => evaluateCondition(step.if, contexts, before));
    expect(starts ? started.map(({ id }) => id) : []).toEqual(steps);
  });
});

describe('the reusable workflow of a task', () => {
  const file = '.github/workflows/quorum-task.yml';
  const task = readWorkflowFile(read(file)).jobs;

  test("has no error for GitHub's own parser, which finds seven jobs", async () => {
    expect(await parseAsGitHub(file)).toEqual({
      errors: [],
      jobs: ['claim', 'agent', 'verify', 'apply', 'review', 'conclude', 'release'],
    });
  });

  test('starts no job that pushes once somebody cancelled the run, and the one that gives the task back', () => {
    const needs = { claim: { outputs: { proceed: 'true' } } };
    const starts = (name: string, before: object): boolean =>
      evaluateCondition(
        task[name]?.if,
        { needs },
        { isFailed: true, isCancelled: false, ...before },
      );
    const cancelled = { isCancelled: true };
    expect([starts('apply', {}), starts('apply', cancelled)]).toEqual([true, false]);
    expect([starts('release', {}), starts('release', cancelled)]).toEqual([false, true]);
    const [step] = task['release']?.steps ?? [];
    expect(step?.with).toEqual({ step: 'apply', claim: '${{ needs.claim.outputs.claim }}' });
  });

  test('gives the jobs that run code or ask models a token that only reads, and keys of models to no script', () => {
    for (const name of ['agent', 'verify', 'review'])
      expect(new Set(Object.values(task[name]?.permissions ?? {}))).toEqual(new Set(['read']));
    const secrets = Object.entries(task).map(([name, { env }]) => [name, Object.keys(env)]);
    expect(stepsWithEnv(task)).toEqual([
      ['agent', 'task', ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']],
    ]);
    expect(Object.fromEntries(secrets)).toEqual({
      claim: ['QUORUM_ENCRYPTION_KEY'],
      agent: [],
      verify: [],
      apply: ['QUORUM_ENCRYPTION_KEY'],
      review: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
      conclude: ['QUORUM_ENCRYPTION_KEY'],
      release: [],
    });
    for (const job of Object.values(task)) expect(job.permissions).not.toHaveProperty('id-token');
  });

  test('puts no expression into a script, and no script into a job that writes', () => {
    const scripts = Object.entries(task).flatMap(([name, { steps }]) =>
      steps.flatMap(({ run }) => (run === undefined ? [] : [{ name, run }])),
    );
    expect(scripts.map(({ name }) => name)).toEqual(['agent', 'verify']);
    expect(scripts.filter(({ run }) => run.includes('${{'))).toEqual([]);
  });
});

describe('the reusable workflow that writes code for the App', () => {
  const file = '.github/workflows/quorum-code.yml';
  const code = readWorkflowFile(read(file)).jobs;

  test("has no error for GitHub's own parser, which finds one job", async () => {
    expect(await parseAsGitHub(file)).toEqual({ errors: [], jobs: ['agent'] });
  });

  test('gives its job a token that only reads, no key of the App, and keys of models to one step alone', () => {
    expect(code['agent']?.permissions).toEqual({
      contents: 'read',
      issues: 'read',
      'pull-requests': 'read',
    });
    expect(Object.keys(code['agent']?.env ?? {})).toEqual([]);
    expect(stepsWithEnv(code)).toEqual([
      ['agent', 'code', ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']],
    ]);
    const scripts = code['agent']?.steps.filter(({ run }) => run?.includes('${{'));
    expect(scripts).toEqual([]);
  });

  test('is called on the dispatch that the App sends, under the title that it looks for', () => {
    const example = read('examples/app/.github/workflows/quorum-code.yml');
    expect([...readWorkflowFile(example).events]).toEqual([
      ['repository_dispatch', [DISPATCH_EVENT]],
    ]);
    const { 'run-name': title } = parse(example) as { 'run-name': string };
    const github = { event: { client_payload: { key: 'abc' } } };
    expect(interpolate(title, { github })).toBe(runTitle('abc'));
  });
});

describe('the reusable workflow of a sweep', () => {
  const file = '.github/workflows/quorum-sweep.yml';
  const sweep = readWorkflowFile(read(file)).jobs;

  test("has no error for GitHub's own parser, which finds three jobs", async () => {
    expect(await parseAsGitHub(file)).toEqual({ errors: [], jobs: ['claim', 'agent', 'apply'] });
  });

  test('gives the job with the models a token that only reads, and no other job a model', () => {
    expect(new Set(Object.values(sweep['agent']?.permissions ?? {}))).toEqual(new Set(['read']));
    const secrets = Object.entries(sweep).map(([name, { env }]) => [name, Object.keys(env)]);
    expect(Object.fromEntries(secrets)).toEqual({
      claim: [],
      agent: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
      apply: ['QUORUM_ENCRYPTION_KEY'],
    });
    for (const job of Object.values(sweep)) expect(job.permissions).not.toHaveProperty('id-token');
  });

  test('runs no script, names foreign actions by their commit, and lets one pass run at a time', () => {
    const steps = Object.values(sweep).flatMap((job) => job.steps);
    expect(steps.filter(({ run }) => run !== undefined)).toEqual([]);
    const foreign = steps.flatMap(({ uses }) => (uses?.startsWith('actions/') ? [uses] : []));
    expect(foreign).toEqual([expect.stringMatching(/^actions\/checkout@[0-9a-f]{40}$/)]);
    const { concurrency } = parse(read(file)) as { concurrency: object };
    expect(concurrency).toEqual({ group: 'quorum-sweep', 'cancel-in-progress': false });
  });
});

describe('the reusable workflow of a merge', () => {
  const file = '.github/workflows/quorum-merge.yml';
  const merge = readWorkflowFile(read(file)).jobs;

  test("has no error for GitHub's own parser, which finds five jobs", async () => {
    expect(await parseAsGitHub(file)).toEqual({
      errors: [],
      jobs: ['claim', 'verify', 'apply', 'standup', 'tell'],
    });
  });

  test('gives the jobs that run tests or ask models a token that only reads, and no other job a model', () => {
    for (const name of ['verify', 'standup'])
      expect(new Set(Object.values(merge[name]?.permissions ?? {}))).toEqual(new Set(['read']));
    const secrets = Object.entries(merge).map(([name, { env }]) => [name, Object.keys(env)]);
    expect(Object.fromEntries(secrets)).toEqual({
      claim: ['QUORUM_ENCRYPTION_KEY'],
      verify: [],
      apply: ['QUORUM_ENCRYPTION_KEY'],
      standup: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
      tell: ['QUORUM_ENCRYPTION_KEY'],
    });
    for (const job of Object.values(merge)) expect(job.permissions).not.toHaveProperty('id-token');
  });

  test('does not start the job that merges once somebody cancelled the run', () => {
    const starts = (before: object): boolean =>
      evaluateCondition(
        merge['apply']?.if,
        { needs: { claim: { outputs: { proceed: 'true' } } } },
        { isFailed: false, isCancelled: false, ...before },
      );
    expect([starts({}), starts({ isFailed: true }), starts({ isCancelled: true })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('stays a success where only the standup after it fails', () => {
    const steps = merge['apply']?.steps ?? [];
    const told = steps.map(({ id, 'continue-on-error': goesOn }) => [id, goesOn]);
    expect(told).toEqual([
      ['merge', false],
      ['standup', true],
    ]);
  });

  test('lets only approvals and starts by hand wait for each other', () => {
    const { concurrency } = parse(read(file)) as { concurrency: { group: string } };
    const groupOf = (event: object, event_name = 'pull_request_review'): string =>
      interpolate(concurrency.group, {
        github: { event, event_name, run_id: '77' },
        inputs: { pr: '7' },
      });
    const pull_request = { number: 7 };
    expect([
      groupOf({ pull_request, review: { state: 'approved' } }),
      groupOf({}, 'workflow_dispatch'),
      groupOf({ pull_request, review: { state: 'commented' } }),
      groupOf({ pull_request, review: { state: 'changes_requested' } }),
    ]).toEqual(['quorum-merge-7', 'quorum-merge-7', 'quorum-merge-7-77', 'quorum-merge-7-77']);
  });

  test('puts a script without an expression into the job that runs tests, and none into the others', () => {
    const scripts = Object.entries(merge).flatMap(([name, { steps }]) =>
      steps.flatMap(({ run }) => (run === undefined ? [] : [{ name, run }])),
    );
    expect(scripts.map(({ name }) => name)).toEqual(['verify']);
    expect(scripts.filter(({ run }) => run.includes('${{'))).toEqual([]);
  });
});

test('a comment on an issue replaces no waiting run of another one, and a push to a pull request does', () => {
  const { concurrency } = parse(read('.github/workflows/quorum.yml')) as {
    concurrency: { group: string };
  };
  const groupOf = (event: object, event_name: string, run_id: string): string =>
    interpolate(concurrency.group, { github: { event, event_name, run_id }, inputs: {} });
  const issue = { number: 7 };
  expect([
    groupOf({ issue, comment: { id: 1 } }, 'issue_comment', '77'),
    groupOf({ issue, comment: { id: 2 } }, 'issue_comment', '78'),
    groupOf({ issue }, 'issues', '79'),
    groupOf({ pull_request: issue }, 'pull_request', '80'),
    groupOf({ workflow_run: { id: 5 } }, 'workflow_run', '81'),
  ]).toEqual(['quorum-77', 'quorum-78', 'quorum-79', 'quorum-7', 'quorum-5']);
});

describe('the reusable workflow of a standup', () => {
  const file = '.github/workflows/quorum-standup.yml';
  const standup = readWorkflowFile(read(file)).jobs;

  test("has no error for GitHub's own parser, which finds three jobs", async () => {
    expect(await parseAsGitHub(file)).toEqual({ errors: [], jobs: ['claim', 'agent', 'apply'] });
  });

  test('gives the job with the models a token that only reads, and runs no script', () => {
    expect(new Set(Object.values(standup['agent']?.permissions ?? {}))).toEqual(new Set(['read']));
    const secrets = Object.entries(standup).map(([name, { env }]) => [name, Object.keys(env)]);
    expect(Object.fromEntries(secrets)).toEqual({
      claim: ['QUORUM_ENCRYPTION_KEY'],
      agent: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
      apply: ['QUORUM_ENCRYPTION_KEY'],
    });
    const steps = Object.values(standup).flatMap((job) => job.steps);
    expect(steps.filter(({ run }) => run !== undefined)).toEqual([]);
  });
});

/** Minutes from the start of a job to the end of the last one that works under the same claim, when each takes its time. */
function minutesFrom(all: Readonly<Record<string, WorkflowJob>>, job: string): number {
  const later = Object.keys(all).filter((name) => all[name]?.needs.includes(job));
  const rest = later.map((name) => minutesFrom(all, name));
  return Number(all[job]?.['timeout-minutes']) + Math.max(0, ...rest);
}

/** Each claim of a workflow: its action, how long it is held, and how long its jobs may take. */
function claimsOf(file: string): { action: string; held: number; mayTake: number }[] {
  const { inputs, jobs: all } = readWorkflowFile(read(file));
  const uses = /\/action\/([a-z]+)@/;
  return Object.entries(all).flatMap(([job, { steps }]) =>
    steps.flatMap(({ uses: used, with: given }) => {
      const action = uses.exec(used ?? '')?.[1] ?? '';
      const spec = Object.entries(ACTIONS).find(([name]) => name === action)?.[1];
      if (spec === undefined || given['step'] !== 'claim') return [];
      const own = Object.entries(all).filter(([, { steps: those }]) =>
        those.some((step) => uses.exec(step.uses ?? '')?.[1] === action),
      );
      const limit = given['time-limit-minutes'] ?? spec.inputs['time-limit-minutes']?.default ?? '';
      const held = Number(interpolate(limit, { inputs }));
      return [{ action, held, mayTake: minutesFrom(Object.fromEntries(own), job) }];
    }),
  );
}

test.each([
  ['quorum', { review: 45, deliberate: 45, command: 45 }],
  ['quorum-task', { task: 120 }],
  ['quorum-sweep', { sweep: 60 }],
  ['quorum-merge', { merge: 60, standup: 60 }],
  ['quorum-standup', { standup: 45 }],
])('a claim of %s is held for as long as its jobs may take', (name, minutes) => {
  const claims = claimsOf(`.github/workflows/${name}.yml`);
  expect(Object.fromEntries(claims.map(({ action, held }) => [action, held]))).toEqual(minutes);
  expect(claims.filter(({ held, mayTake }) => !(mayTake > 5 && held >= mayTake))).toEqual([]);
});

test('the review that a task reserves is held for as long as its jobs may take', () => {
  const all = readWorkflowFile(read('.github/workflows/quorum-task.yml')).jobs;
  expect(minutesFrom(all, 'review')).toBeGreaterThan(25);
  expect(REVIEW_LASTS_MS).toBeGreaterThanOrEqual(minutesFrom(all, 'review') * 60_000);
});

describe('all workflows, those of the examples too', () => {
  const files = ['.github/workflows', 'examples']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\/workflow(?:s|-templates)\/[^/]+\.yml$/.test(file));

  verifies(
    'SEC-03: secrets of a job',
    "name no secret of the App: those of a job are the models' keys or the key that signs",
    () => {
      expect(files.length).toBeGreaterThanOrEqual(9);
      const namedIn = (file: string): string[] =>
        [...read(file).matchAll(/secrets\s*(?:\.\s*|\[\s*')(\w+)/g)].map(([, name = '']) => name);
      // The release of Quorum itself runs in no other repository.
      const release = '.github/workflows/release.yml';
      const known = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'QUORUM_ENCRYPTION_KEY'];
      const others = files.filter((file) => file !== release);
      expect(new Set(others.flatMap(namedIn))).toEqual(new Set(known));
      expect(namedIn(release)).toEqual(['RELEASE_TOKEN']);
      expect(files.filter((file) => /secrets:\s*inherit/.test(read(file)))).toEqual([]);
    },
  );

  verifies('SEC-07: no identity token', 'ask for no identity token of GitHub', () => {
    expect(files.filter((file) => read(file).includes('id-token'))).toEqual([]);
  });

  verifies(
    'SEC-06: no event with the secrets of the base',
    'are not for `pull_request_target`, which would give a fork the secrets',
    () => {
      expect(files.filter((file) => read(file).includes('pull_request_target'))).toEqual([]);
    },
  );
});
