/** OpenID Connect tokens of jobs: only a job with `id-token: write` gets one, and no job of Quorum's own reusable workflows has that. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  readWorkflowFile,
  type WorkflowFile,
  type WorkflowJob,
} from '../../../src/demo/runner/read-workflow.ts';
import type { JobRun } from '../../../src/demo/runner/run-workflow.ts';
import { verifies } from '../../verifies.ts';
import { playJobs } from './a-job.ts';

const FOLDER = '.github/workflows';
const FILES = readdirSync(FOLDER).filter((file) => file.startsWith('quorum'));
const NO_CALLED = 'on: { workflow_call: {} }\njobs: {}';

/** Gives a called workflow whatever its jobs ask for. */
const GENEROUS = readWorkflowFile(`on: { workflow_dispatch: {} }
permissions:
  { actions: write, checks: write, contents: write, id-token: write, issues: write, pull-requests: write, statuses: write }
jobs:
  call: { uses: acme/quorum/.github/workflows/called.yml@v0 }
`);

/** Every job of the file runs, and asks in place of what it does. */
function asking(file: WorkflowFile, by = ''): WorkflowFile {
  const jobs = Object.entries(file.jobs).map(([name, job]): [string, WorkflowJob] => {
    const step = { uses: 'ask', with: { by }, env: {}, 'continue-on-error': false };
    return [name, { ...job, if: 'always()', needs: [], outputs: {}, steps: [step] }];
  });
  return { ...file, jobs: Object.fromEntries(jobs) };
}

async function ask(file: WorkflowFile, by = ''): Promise<JobRun[]> {
  return playJobs(NO_CALLED, {
    caller: GENEROUS,
    called: asking(file, by),
    mainOf: () => path.join(import.meta.dirname, 'ask-id-token.ts'),
  });
}

const outputsOf = (jobs: readonly JobRun[]): Record<string, string>[] =>
  jobs.flatMap(({ steps }) => steps.map(({ outputs }) => outputs));

function aJob(permissions: string): WorkflowFile {
  return readWorkflowFile(
    `on: { workflow_call: {} }\njobs: { only: { permissions: ${permissions} } }`,
  );
}

const NOT_OFFERED = 'Error: Error message: Unable to get ACTIONS_ID_TOKEN_REQUEST_URL env variable';

describe('an identity token is refused', () => {
  verifies(
    'SEC-07: no identity token',
    "to every job of Quorum's own reusable workflows, whatever their caller gives",
    async () => {
      expect(FILES.length).toBeGreaterThanOrEqual(6);
      for (const name of FILES) {
        const file = readWorkflowFile(readFileSync(`${FOLDER}/${name}`, 'utf8'));
        const jobs = await ask(file);
        expect(jobs.map((job) => job.name).toSorted()).toEqual(Object.keys(file.jobs).toSorted());
        const refused = Object.keys(file.jobs).map(() => ({ refused: NOT_OFFERED }));
        expect({ name, outputs: outputsOf(jobs) }).toEqual({ name, outputs: refused });
      }
    },
  );

  test.each(['{ contents: write }', '{ id-token: none }', '{ id-token: read }'])(
    'to a job with the permissions %s',
    async (permissions) => {
      expect(outputsOf(await ask(aJob(permissions)))).toEqual([{ refused: NOT_OFFERED }]);
    },
  );

  test('to a job that asks with its token of another service', async () => {
    const jobs = await ask(aJob('{ contents: write }'), 'the token of another service');
    const [{ refused = '' } = {}] = outputsOf(jobs);
    expect(refused).toContain('Error Code : 401');
  });
});

test('a job with `id-token: write` gets a token that names its repository and who it is for', async () => {
  const [{ token = '' } = {}] = outputsOf(await ask(aJob('{ id-token: write }')));
  const claims = JSON.parse(
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
  ) as object;
  expect(claims).toMatchObject({
    aud: 'a-cloud',
    sub: 'repo:acme/widgets:ref:refs/heads/main',
    run_id: '1',
  });
});

test('a called workflow that asks for more than its caller gives does not run', async () => {
  const caller = readWorkflowFile(`on: { workflow_dispatch: {} }
permissions: { contents: write }
jobs:
  call: { uses: acme/quorum/.github/workflows/called.yml@v0 }
`);
  const called = asking(aJob('{ id-token: write }'));
  await expect(playJobs(NO_CALLED, { caller, called })).rejects.toThrow('asks for id-token: write');
});
