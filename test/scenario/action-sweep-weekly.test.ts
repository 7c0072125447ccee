/** The weekly loop of the sweep: one status issue tells of a week with work, once. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STATUS_TITLE } from '../../src/domain/digest/weekly-digest.ts';
import { keepPlan, type KeptPlans } from '../../src/domain/actions/kept/kept-plans.ts';
import { renderRecords } from '../../src/domain/actions/signed-record.ts';
import { renderMarker } from '../../src/domain/github/marker.ts';
import { markerSecretFrom } from '../../src/hosts/environment/host-settings.ts';
import { claimSweep, finishSweep, moveBack, sweepOnce } from '../helpers/a-sweep.ts';
import { changeRecords } from '../helpers/a-plan-approved.ts';
import { statusIssue, statusIssues } from '../helpers/a-week.ts';
import {
  anActionsWorld,
  buildForTests,
  dropBuild,
  type ActionsWorld,
} from '../helpers/a-workflow-run.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { anotherApp } from '../helpers/another-app.ts';
import { moveBranch, tipOf, writeCommit } from '../helpers/commits.ts';
import { verifies } from '../verifies.ts';

beforeAll(() => buildForTests(['sweep']));
afterAll(dropBuild);

const secrets = { QUORUM_ENCRYPTION_KEY: randomBytes(32).toString('base64') };
const WEEKLY = { inputs: { loops: 'weekly' }, secrets };
const DAY_MS = 24 * 3_600_000;

/** A week of work has ended: the first pass was two weeks ago, and the work was done and paid for in the last one. */
async function aBusyWeek(world: ActionsWorld): Promise<void> {
  await claimSweep(world, { inputs: { loops: 'weekly' } });
  await world.ask(READY_ISSUE);
  await sweepOnce(world, { inputs: { loops: 'reconcile' }, run: '70' });
  const at = Date.now() - 14 * DAY_MS;
  await changeRecords({ world }, 'state/actions.json', (text) => {
    const state = JSON.parse(text) as {
      cursors: Record<string, string>;
      spentUsd: Record<string, number>;
    };
    state.cursors['weekly'] = new Date(at).toISOString();
    state.spentUsd[new Date(at + 5 * DAY_MS).toISOString().slice(0, 10)] = 1.25;
    return JSON.stringify(state);
  });
}

verifies(
  ['ACT-2'],
  'the sweep writes the status issue of a week with work, and a second pass changes nothing',
  async () => {
    const world = await anActionsWorld();
    await aBusyWeek(world);
    const first = await sweepOnce(world, WEEKLY);
    expect([first.done?.exitCode, first.applied?.exitCode]).toEqual([0, 0]);
    const shown = await statusIssue(world);
    expect(first.applied?.summary).toContain(`The weekly status is in #${shown.number}.`);
    expect(shown.body).toContain('$1.25 spent');
    expect(
      first.done?.calls.filter((call) => /^(?:POST|PATCH|PUT|DELETE) \/repos/.test(call)),
    ).toEqual([]);
    const tip = await tipOf(world, 'quorum/memory');
    const second = await sweepOnce(world, { ...WEEKLY, run: '78' });
    expect(second.claimed.outputs).toEqual({ proceed: 'false' });
    expect(await tipOf(world, 'quorum/memory')).toBe(tip);
    expect((await statusIssue(world)).body).toBe(shown.body);
    expect(world.openApi.violations).toEqual([]);
  },
);

test('the next week with work edits the same issue, and a job that is run again opens no second one', async () => {
  const world = await anActionsWorld();
  await aBusyWeek(world);
  const claimed = await claimSweep(world, WEEKLY);
  await finishSweep(world, claimed, WEEKLY);
  const { number } = await statusIssue(world);
  await changeRecords({ world }, 'state/actions.json', (text) => {
    const state = JSON.parse(text) as { claims: Record<string, { doneAt?: string }> };
    for (const [key, claim] of Object.entries(state.claims))
      if (key.startsWith('weekly ')) delete claim.doneAt;
    return JSON.stringify(state);
  });
  await finishSweep(world, claimed, { ...WEEKLY, attempt: 2 });
  expect((await statusIssues(world)).map((each) => each.number)).toEqual([number]);
  await changeRecords({ world }, 'state/actions.json', (text) => {
    const state = JSON.parse(text) as {
      claims: Record<string, object>;
      cursors: Record<string, string>;
      spentUsd: Record<string, number>;
    };
    for (const key of Object.keys(state.claims))
      if (key.startsWith('weekly ')) Reflect.deleteProperty(state.claims, key);
    state.cursors['weekly'] = new Date(Date.now() - 14 * DAY_MS).toISOString();
    state.spentUsd[new Date(Date.now() - 9 * DAY_MS).toISOString().slice(0, 10)] = 2.5;
    return JSON.stringify(state);
  });
  await sweepOnce(world, { ...WEEKLY, run: '79' });
  const edited = await statusIssue(world);
  expect([edited.number, edited.body.includes('$2.50 spent')]).toEqual([number, true]);
});

test('of two schedules that come at once one reserves the week', async () => {
  const world = await anActionsWorld();
  await aBusyWeek(world);
  const both = await Promise.all(['77', '78'].map((run) => claimSweep(world, { ...WEEKLY, run })));
  expect(both.filter(({ outputs }) => outputs['proceed'] === 'true')).toHaveLength(1);
});

test('a week is given up after three sweeps, and not while the third one works on it', async () => {
  const world = await anActionsWorld();
  await aBusyWeek(world);
  for (const run of ['77', '78', '79']) {
    const { outputs } = await claimSweep(world, { ...WEEKLY, run });
    expect(outputs['proceed']).toBe('true');
    if (run !== '79') await moveBack(world, 'until');
  }
  const meanwhile = await claimSweep(world, { ...WEEKLY, run: '80' });
  expect(meanwhile.summary).toContain('#### weekly\n\nNothing to do.');
  await moveBack(world, 'until');
  const last = await claimSweep(world, { ...WEEKLY, run: '81' });
  expect(last.summary).toContain('and none of them finished it. The next digest covers that week');
});

test('a dry run, a week without work and a repository that switched the digest off reserve nothing', async () => {
  const world = await anActionsWorld();
  await aBusyWeek(world);
  const dry = await claimSweep(world, { inputs: { loops: 'weekly', 'dry-run': 'true' } });
  expect(dry.summary).toContain('#### weekly\n\n- Would run. The digest for ');
  const quiet = await anActionsWorld();
  await claimSweep(quiet, WEEKLY);
  const past = new Date(Date.now() - 14 * DAY_MS).toISOString();
  await changeRecords({ world: quiet }, 'state/actions.json', (text) =>
    text.replaceAll(/"weekly": "[^"]+"/g, `"weekly": "${past}"`),
  );
  const nothing = await claimSweep(quiet, WEEKLY);
  const off = await anActionsWorld({
    '.github/quorum.yml': 'version: 1\nstandup: { digest: false }\n',
  });
  await aBusyWeek(off);
  const refused = await claimSweep(off, WEEKLY);
  expect(refused.summary).toContain('Switched off in the settings');
  for (const { outputs } of [dry, nothing, refused]) expect(outputs['proceed']).toBe('false');
});

test('without the signing key no issue is opened, and the summary says which secret to set', async () => {
  const world = await anActionsWorld();
  await aBusyWeek(world);
  const { applied } = await sweepOnce(world, { inputs: { loops: 'weekly' } });
  expect(applied?.summary).toContain('Set the secret `QUORUM_ENCRYPTION_KEY`');
  expect(applied?.summary).toContain('The next digest then covers this week too.');
  expect(await statusIssues(world)).toEqual([]);
});

test('a digest that GitHub refuses is reported as not finished, and the job that runs again writes it', async () => {
  const world = await anActionsWorld();
  await aBusyWeek(world);
  const claimed = await claimSweep(world, WEEKLY);
  const { applied } = await finishSweep(world, claimed, { ...WEEKLY, lacks: { issues: 'read' } });
  expect(applied.summary).toContain('#### weekly: not finished');
  expect(applied.exitCode).not.toBe(0);
  expect(await statusIssues(world)).toEqual([]);
  const again = await finishSweep(world, claimed, { ...WEEKLY, attempt: 2 });
  expect(again.applied.summary).toContain('The weekly status is in #');
  expect((await statusIssue(world)).state).toBe('open');
});

test('where the App has an open status issue, the workflow opens none, and says which issue it is', async () => {
  const world = await anActionsWorld();
  await aBusyWeek(world);
  const data = { kind: 'notice', run: 'w1', key: 'status' } as const;
  const marker = renderMarker(data, 'the secret of the App', 'issues:1');
  const opened = await fetch(`${world.emulator.apiUrl}/repos/${REPO}/issues`, {
    method: 'POST',
    headers: await anotherApp(world, { issues: 'write' }),
    body: JSON.stringify({ title: STATUS_TITLE, body: `The week\n\n${marker}` }),
  });
  const { number } = (await opened.json()) as { number: number };
  const { applied } = await sweepOnce(world, WEEKLY);
  expect(applied?.summary).toContain(`The App writes the weekly status here, in #${number}.`);
  expect(applied?.exitCode).toBe(0);
  expect((await statusIssues(world)).map((each) => each.number)).toEqual([number]);
  const next = await claimSweep(world, { ...WEEKLY, run: '78' });
  expect(next.outputs).toEqual({ proceed: 'false' });
});

test('an issue of a person with that title does not keep the digest back', async () => {
  const world = await anActionsWorld();
  await aBusyWeek(world);
  await world.emulator.as('ana').openIssue(REPO, { title: STATUS_TITLE, body: 'Mine' });
  const { applied } = await sweepOnce(world, WEEKLY);
  expect(applied?.summary).toContain('The weekly status is in #');
  expect(await statusIssues(world)).toHaveLength(2);
});

/** Signed records of plans that wait for approval. */
async function keepPlans(world: ActionsWorld, numbers: readonly number[]): Promise<void> {
  const { id: repositoryId, gitDir } = world.emulator.repository(REPO);
  const [owner = '', repo = ''] = REPO.split('/');
  const at = new Date().toISOString();
  const none: KeptPlans = { version: 1, plans: {} };
  const plans = numbers.reduce((all, number) => {
    const thread = { installationId: 1, repositoryId, owner, repo, number };
    const shown = { digest: 'd'.repeat(40), at };
    const state = { id: `p${number}`, step: 1, thread, isWaiting: true as const, shown };
    const kept = { state, started: {}, at };
    return keepPlan(all, kept, markerSecretFrom(secrets, ''));
  }, none);
  const parent = await tipOf(world, 'quorum/memory');
  const changes = { 'state/plans.json': renderRecords(plans) };
  await moveBranch(world, 'quorum/memory', { sha: writeCommit(gitDir, { changes, parent }) });
}

test('plans whose issues were deleted, transferred or are not found are left out, and the digest tells of the others', async () => {
  const world = await anActionsWorld();
  const { emulator } = world;
  const open = (title: string) => emulator.as('ana').openIssue(REPO, { title, body: 'A plan' });
  const [here, deleted, transferred] = [await open('One'), await open('Two'), await open('Three')];
  await aBusyWeek(world);
  const missing = 4_711;
  await keepPlans(world, [here.number, deleted.number, transferred.number, missing]);
  for (const [{ number }, status] of [
    [deleted, 410],
    [transferred, 301],
  ] as const)
    emulator.faults.add({
      method: 'GET',
      path: `/repos/${REPO}/issues/${number}`,
      times: Infinity,
      fault: { kind: 'status', status },
    });
  const { applied } = await sweepOnce(world, WEEKLY);
  expect(applied?.summary).toContain('The weekly status is in #');
  expect(emulator.faults.hits()).toEqual([1, 1]);
  const { body } = await statusIssue(world);
  expect(body).toContain(`#${here.number}`);
  for (const number of [deleted.number, missing]) expect(body).not.toContain(`#${number}`);
});
