/** One job of a workflow that a test writes, run as the demonstration runs jobs. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/adapters/bubblewrap/create-sandbox.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { readWorkflowFile } from '../../../src/demo/runner/read-workflow.ts';
import {
  runWorkflow,
  type JobRun,
  type WorkflowRunOptions,
} from '../../../src/demo/runner/run-workflow.ts';
import { startResultsService } from '../../../src/emulator/actions/results-service.ts';

const CALLER = `on: { workflow_dispatch: {} }
jobs:
  call: { uses: acme/quorum/.github/workflows/called.yml@v0, secrets: inherit }
`;

/** The jobs of a called workflow, each with a token that names its permissions. */
export async function playJobs(
  called: string,
  over: Partial<WorkflowRunOptions> = {},
): Promise<JobRun[]> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'quorum-jobs-'));
  const results = await startResultsService();
  onTestFinished(async () => {
    await results.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return runWorkflow({
    caller: readWorkflowFile(CALLER),
    called: readWorkflowFile(called),
    event: { name: 'workflow_dispatch', payload: { title: 'A "quoted" title' } },
    secrets: {},
    sandbox: createSandbox({ sandbox: 'on', clock: systemClock }),
    mainOf: (uses) => path.resolve('test/fixtures', uses),
    mint: (permissions) => Promise.resolve(`token-${JSON.stringify(permissions)}`),
    results,
    apiUrl: 'http://127.0.0.1:1',
    repository: 'acme/widgets',
    runId: '1',
    dir,
    ...over,
  });
}

/** Steps as a job of a called workflow. */
export function aCalled(steps: string, job = ''): string {
  return `on: { workflow_call: {} }
jobs:
  only:
    runs-on: ubuntu-24.04
${job}
    steps:
${steps}
`;
}
