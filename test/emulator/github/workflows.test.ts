/** Workflow runs of the embedded GitHub: what tests make fail, and what the actions API tells of it. */
import { expect, test } from 'vitest';
import { octokitOf, NAME, refusal, REPO, start } from './start.ts';

const LOG = '2026-11-20T09:00:00.1234567Z ##[error]Process completed with exit code 1.\n';

test('a run that ends sends a webhook, is listed with its jobs and steps, and has its log at its own address', async () => {
  const { github, octokit, openApi, received, installationId } = await start();
  github.setPermissions(installationId, { actions: 'read' }, ['workflow_run']);
  const jobs = [
    { name: 'test', log: LOG, steps: { 'Run actions/checkout@v5': 'success', Test: 'failure' } },
    { name: 'lint', conclusion: 'success' },
  ];
  const { id } = await github.endRun(NAME, { conclusion: 'failure', jobs });
  await github.settled();
  expect(received.at(-1)).toMatchObject({
    event: 'workflow_run',
    payload: {
      action: 'completed',
      workflow_run: { id, run_attempt: 1, conclusion: 'failure', head_branch: 'main', name: 'ci' },
    },
  });
  const { actions } = octokit.rest;
  const { data: run } = await actions.getWorkflowRun({ ...REPO, run_id: id });
  const listed = await actions.listWorkflowRuns({
    ...REPO,
    workflow_id: run.workflow_id,
    branch: 'main',
    status: 'completed',
  });
  expect(listed.data.workflow_runs.map((one) => one.id)).toEqual([id]);
  const { data } = await actions.listJobsForWorkflowRunAttempt({
    ...REPO,
    run_id: id,
    attempt_number: 1,
  });
  expect(data.jobs.map((job) => [job.name, job.conclusion])).toEqual([
    ['test', 'failure'],
    ['lint', 'success'],
  ]);
  expect(data.jobs[0]?.steps?.map((step) => step.conclusion)).toEqual(['success', 'failure']);
  const log = await actions.downloadJobLogsForWorkflowRun({
    ...REPO,
    job_id: data.jobs[0]?.id ?? 0,
  });
  expect(log.data).toBe(LOG);
  expect(openApi.violations).toEqual([]);
});

test('a run that is run again is a new attempt with jobs of its own', async () => {
  const { github, octokit, openApi } = await start();
  const { id } = await github.endRun(NAME, { conclusion: 'failure' });
  await github.endRun(NAME, { conclusion: 'success', again: id });
  const { actions } = octokit.rest;
  const { data: run } = await actions.getWorkflowRun({ ...REPO, run_id: id });
  expect([run.run_attempt, run.conclusion]).toEqual([2, 'success']);
  const ask = async (attempt_number: number) =>
    (await actions.listJobsForWorkflowRunAttempt({ ...REPO, run_id: id, attempt_number })).data
      .jobs[0]?.conclusion;
  expect([await ask(1), await ask(2)]).toEqual(['failure', 'success']);
  expect(openApi.violations).toEqual([]);
});

test('logs that are gone are gone, and without the permission nobody can read logs', async () => {
  const { github, octokit, app, installationId } = await start({}, false);
  const { id } = await github.endRun(NAME, {
    conclusion: 'failure',
    jobs: [{ log: null }, { log: LOG }],
  });
  const { actions } = octokit.rest;
  const { data } = await actions.listJobsForWorkflowRun({ ...REPO, run_id: id });
  const ask = (octo: typeof octokit, index: number) =>
    refusal(
      octo.rest.actions.downloadJobLogsForWorkflowRun({
        ...REPO,
        job_id: data.jobs[index]?.id ?? 0,
      }),
    );
  expect((await ask(octokit, 0)).status).toBe(410);
  github.setPermissions(installationId, { metadata: 'read' });
  const less = octokitOf({
    baseUrl: github.apiUrl,
    auth: {
      appId: app.appId,
      privateKey: app.privateKey,
      installationId,
      timeDifference: Math.floor((Date.parse('2026-11-20T09:00:00Z') - Date.now()) / 1000),
    },
  });
  expect((await ask(less, 1)).status).toBe(403);
});

test('the address of a log is good for a minute', async () => {
  const { github, octokit, clock } = await start();
  const { id } = await github.endRun(NAME, { conclusion: 'failure', jobs: [{ log: LOG }] });
  const { data } = await octokit.rest.actions.listJobsForWorkflowRun({ ...REPO, run_id: id });
  const answer = await octokit.request('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', {
    ...REPO,
    job_id: data.jobs[0]?.id ?? 0,
    request: { redirect: 'manual' },
  });
  const address = String(answer.headers.location);
  expect(await (await fetch(address)).text()).toBe(LOG);
  clock.advance(61_000);
  expect((await fetch(address)).status).toBe(403);
});

test('a fork’s run names the fork and no pull request of the repository', async () => {
  const { github, received, installationId } = await start();
  await github.createFork(NAME, 'stranger');
  github.setPermissions(installationId, { actions: 'read' }, ['workflow_run']);
  await github.endRun(NAME, {
    conclusion: 'failure',
    from: 'stranger/widgets',
    event: 'pull_request',
  });
  await github.settled();
  expect(received.at(-1)?.payload).toMatchObject({
    workflow_run: { head_repository: { full_name: 'stranger/widgets' }, pull_requests: [] },
  });
});
