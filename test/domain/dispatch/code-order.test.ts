/** The order of a session, its run and its artifact: which of them are believed. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readWork, WORK_FILES } from '../../../src/domain/actions/read-work.ts';
import { MAX_TASK_PATCH_BYTES } from '../../../src/domain/actions/task-work.ts';
import { chooseRun, type DispatchedRun } from '../../../src/domain/dispatch/choose-run.ts';
import {
  blobId,
  DISPATCH_WORKFLOW,
  DispatchPayload,
  dispatchKey,
  parseOrder,
  renderOrder,
  type CodeOrder,
} from '../../../src/domain/dispatch/code-order.ts';
import { judgeArtifacts, type RunArtifact } from '../../../src/domain/dispatch/judge-artifact.ts';

const REPOSITORY = 7;
const KEY = dispatchKey(REPOSITORY, 'run-1/3-code');
const THREAD = { installationId: 1, repositoryId: REPOSITORY, owner: 'acme', repo: 'a', number: 4 };

const order = (over: Partial<CodeOrder> = {}): CodeOrder => ({
  version: 1,
  key: KEY,
  repositoryId: REPOSITORY,
  run: 'run-1',
  at: '2026-11-28T10:00:00.000Z',
  data: { kind: 'code', thread: THREAD } as CodeOrder['data'],
  limits: { usd: 1 },
  ...over,
});

const payloadOf = (text: string): DispatchPayload => ({
  version: 1,
  key: KEY,
  order: blobId(text),
});

describe('an order', () => {
  const text = renderOrder(order());

  test('is read where the dispatch names its git id, its key and its repository', () => {
    expect(parseOrder(text, payloadOf(text), REPOSITORY)).toEqual(order());
  });

  test('has the id that git gives to its text', () => {
    expect(blobId('hello\n')).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
  });

  test.each([
    ['was changed after the dispatch', text.replace('"usd":1', '"usd":9'), payloadOf(text)],
    ['has another key', text, { ...payloadOf(text), key: dispatchKey(REPOSITORY, 'other') }],
    ['is no JSON', '{', payloadOf('{')],
    ['lacks what it needs', '{"version":1}', payloadOf('{"version":1}')],
  ])('is refused when it %s', (_, given, payload) => {
    expect(parseOrder(given, payload, REPOSITORY)).toBeUndefined();
  });

  test.each([
    ['itself', order({ repositoryId: 8 })],
    [
      'its task',
      order({
        data: { kind: 'code', thread: { ...THREAD, repositoryId: 8 } } as CodeOrder['data'],
      }),
    ],
  ])('is refused when %s is of another repository', (_, one) => {
    const given = renderOrder(one);
    expect(parseOrder(given, payloadOf(given), REPOSITORY)).toBeUndefined();
  });

  test('has the same key in each attempt, and another one for each effect and repository', () => {
    expect(KEY).toMatch(/^[0-9a-f]{32}$/);
    expect(dispatchKey(REPOSITORY, 'run-1/3-code')).toBe(KEY);
    expect(dispatchKey(REPOSITORY, 'run-1/4-code')).not.toBe(KEY);
    expect(dispatchKey(8, 'run-1/3-code')).not.toBe(KEY);
  });

  test('is not named by a payload with a path or an expression in it', () => {
    for (const id of ['../../secrets', '${{ secrets.X }}', `${'a'.repeat(40)}\n`])
      expect(DispatchPayload.safeParse({ version: 1, key: KEY, order: id }).success).toBe(false);
  });
});

const BOT = 900;
const RUN: DispatchedRun = {
  id: 5,
  title: `quorum-code ${KEY}`,
  event: 'repository_dispatch',
  path: DISPATCH_WORKFLOW,
  actorId: BOT,
  headRepositoryId: REPOSITORY,
  conclusion: undefined,
  createdAt: '2026-11-28T10:00:00Z',
  url: 'https://github.test/runs/5',
};

describe('the run of a dispatch', () => {
  const wanted = { key: KEY, actorId: BOT, repositoryId: REPOSITORY };

  test('is the first of those with its title', () => {
    expect(chooseRun([{ ...RUN, id: 6 }, RUN], wanted)?.id).toBe(5);
  });

  test.each([
    ['another title', { title: `quorum-code ${dispatchKey(REPOSITORY, 'other')}` }],
    ['another event', { event: 'workflow_dispatch' }],
    ['another workflow', { path: '.github/workflows/ci.yml' }],
    ['somebody else as its sender', { actorId: 1 }],
    ['no sender', { actorId: undefined }],
    ['its commit in a fork', { headRepositoryId: 8 }],
  ])('is not one with %s', (_, over) => {
    expect(chooseRun([{ ...RUN, ...over }], wanted)).toBeUndefined();
  });
});

const ARTIFACT: RunArtifact = {
  id: 3,
  name: 'quorum-code',
  bytes: 1_000,
  isExpired: false,
  runId: 5,
  repositoryId: REPOSITORY,
  headRepositoryId: REPOSITORY,
};

describe('the artifact of a run', () => {
  const judge = (...artifacts: RunArtifact[]) =>
    judgeArtifacts(artifacts, { runId: 5, repositoryId: REPOSITORY });

  test('is the one with the name, beside others', () => {
    expect(judge({ ...ARTIFACT, id: 2, name: 'logs' }, ARTIFACT)).toEqual({ id: 3 });
  });

  test.each([
    ['none has that name', [{ ...ARTIFACT, name: 'renamed' }], 'left no artifact'],
    ['two have the name', [ARTIFACT, { ...ARTIFACT, id: 4 }], 'left 2 artifacts of one name'],
    ['it is gone', [{ ...ARTIFACT, isExpired: true }], 'is gone'],
    ['it is of another run', [{ ...ARTIFACT, runId: 6 }], 'of another run'],
    ['it names no run', [{ ...ARTIFACT, runId: undefined }], 'of another run'],
    ['it is of another repository', [{ ...ARTIFACT, repositoryId: 8 }], 'of another repository'],
    ['it comes from a fork', [{ ...ARTIFACT, headRepositoryId: 8 }], 'of another repository'],
    ['it has 100 MB', [{ ...ARTIFACT, bytes: 100_000_000 }], 'has 100000000 bytes'],
  ])('is refused when %s', (_, artifacts, why) => {
    expect(judge(...artifacts)).toEqual({ refused: expect.stringContaining(why) });
  });
});

describe('what the artifact holds', () => {
  const PATCH = 'diff --git a/a b/a\n';
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
  const report = { sessionId: 's', turns: 1, durationMs: 5, calls: [], notes: [] };
  const done = { ...report, outcome: 'done', summary: 'Done.', decisions: [] };
  const coded = { coder: 'claude', report: done, isTooLarge: false, files: [], exchanges: [] };
  const WORK = { version: 1, claim: KEY, workflowRun: '5', patch: digest(PATCH), done: { coded } };
  const read = (work: object | string, patch = PATCH) => {
    const text = typeof work === 'string' ? work : JSON.stringify(work);
    const files = { work: Buffer.from(text), patch: Buffer.from(patch) };
    return readWork(files, { claim: KEY, workflowRun: '5' });
  };

  test('is a result with the patch that it names', () => {
    expect(read(WORK)).toMatchObject({ result: { patch: PATCH, report: { summary: 'Done.' } } });
  });

  test('is a failure where the job says so', () => {
    const failed = { code: 'coder-unavailable', message: 'No model key.' };
    expect(read({ ...WORK, done: { failed } })).toEqual({ failed });
  });

  test.each([
    ['it is cut off', JSON.stringify(WORK).slice(0, -20), PATCH, 'the form of a change'],
    ['it has a key more', { ...WORK, extra: 1 }, PATCH, 'the form of a change'],
    ['it is of another session', { ...WORK, claim: 'other' }, PATCH, 'another claim'],
    ['it is of another run', { ...WORK, workflowRun: '6' }, PATCH, 'another run'],
    ['its patch was changed', WORK, `${PATCH} `, 'not the one that it names'],
  ])('is refused when %s', (...[, work, patch, why]) => {
    expect(read(work, patch)).toEqual({ refused: expect.stringContaining(why) });
  });

  test('is two files, of which the patch has the cap that the App has for its own coder', () => {
    expect([...WORK_FILES.keys()]).toEqual(['intents.json', 'change.patch']);
    expect(WORK_FILES.get('change.patch')).toBe(MAX_TASK_PATCH_BYTES);
  });
});
