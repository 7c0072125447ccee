/** The memory loop of the sweep: what repeats is proposed as a pull request onto the memory branch, once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderMarker } from '../../src/domain/github/marker.ts';
import { parseActionsState, triesOf } from '../../src/domain/actions/actions-state.ts';
import { spentLastDay } from '../../src/domain/actions/spending/book-spending.ts';
import type { SweepDone } from '../../src/hosts/action/sweep/sweep-ticket.ts';
import { aModel } from '../helpers/a-model.ts';
import {
  applySweep,
  askSweep,
  changedSince,
  claimSweep,
  finishSweep,
  giveAway,
  moveBack,
  moveSeenBack,
  readSweepState,
  STATE_FILE,
  sweepOnce,
} from '../helpers/a-sweep.ts';
import {
  anActionsWorld,
  buildForTests,
  dropBuild,
  type ActionsWorld,
  type Job,
} from '../helpers/a-workflow-run.ts';
import { REPO } from '../helpers/a-world.ts';
import { anotherApp } from '../helpers/another-app.ts';
import { moveBranch, tipOf, writeCommit } from '../helpers/commits.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { verifies } from '../verifies.ts';

beforeAll(() => buildForTests(['sweep']));
afterAll(dropBuild);

const BRANCH = 'quorum/memory';
const MEMORY = { inputs: { loops: 'memory' } };
const section = (date: string, text: string): string =>
  `## ${date} [PATTERN]\n\n- [PATTERN] ${text}\n\n`;
const REPEATED = [
  section('2026-01-03', 'The importer must close its database cursor after each batch'),
  section('2026-01-10', 'A database cursor of the importer leaks when a batch fails'),
  section('2026-01-17', 'Close the database cursor of the importer when a batch ends'),
].join('');
const MORE = section(
  '2026-01-24',
  'The importer keeps a database cursor open for one batch longer',
);

/** A person writes files of the memory branch. */
async function remember(world: ActionsWorld, changes: Record<string, string>): Promise<void> {
  const parent = await tipOf(world, BRANCH).catch(() => undefined);
  const { gitDir } = world.emulator.repository(REPO);
  const sha = writeCommit(gitDir, { changes, ...(parent !== undefined && { parent }) });
  await moveBranch(world, BRANCH, { sha });
}

async function aWorldThatRepeats(
  handles: readonly string[] = ['maya'],
  files: Record<string, string> = {},
): Promise<ActionsWorld> {
  const world = await anActionsWorld(files);
  const texts = handles.map((handle) => [`personas/${handle}/working.md`, REPEATED]);
  await remember(world, Object.fromEntries(texts) as Record<string, string>);
  return world;
}

interface Pull {
  number: number;
  title: string;
  body: string;
  head: { ref: string };
}

async function proposalsIn(world: ActionsWorld, state = 'open'): Promise<Pull[]> {
  const address = `/repos/${REPO}/pulls?state=${state}&base=${encodeURIComponent(BRANCH)}`;
  return (await world.emulator.as('ana').request('GET', address)) as Pull[];
}

async function spentIn(world: ActionsWorld): Promise<number> {
  const state = parseActionsState((await readSweepState(world)).text);
  return state === undefined ? Number.NaN : spentLastDay(state, Date.now());
}

/** A model that words what is consolidated. */
const aWordingModel = (line: string) =>
  aModel({ consolidation: () => ({ json: { lines: [line] } }) });

function toldBy(done: Job | undefined): NonNullable<SweepDone['memory']> {
  const { memory } = JSON.parse(done?.outputs['digest'] ?? '{}') as SweepDone;
  if (memory === undefined) throw new Error('nothing was asked about the memory');
  return memory;
}

const WORDS = 'Close database cursors of the importer after each batch';

describe('what a persona learned three times', () => {
  verifies(
    ['ACT-2'],
    'is proposed for core.md by the job without a model, in the words of the job that only reads',
    async () => {
      const { env } = await aWordingModel(WORDS);
      const world = await aWorldThatRepeats();
      const { claimed, done, applied } = await sweepOnce(world, { ...MEMORY, models: env });
      expect(claimed.summary).toContain('`maya`: lessons that repeat are put to a model.');
      expect([done?.exitCode, applied?.exitCode]).toEqual([0, 0]);
      expect(done?.calls.filter((call) => /^(?:POST|PATCH|PUT|DELETE) \/repos/.test(call))).toEqual(
        [],
      );
      const [pull, ...others] = await proposalsIn(world);
      expect([pull?.title, others]).toEqual(['Memory of maya: keep a lesson for good', []]);
      expect(pull?.head.ref).toMatch(/^quorum\/consolidate-maya-[0-9a-f]{10}$/);
      expect(pull?.body).toContain(WORDS);
      expect(applied?.summary).toContain(`\`maya\`: the proposal is #${pull?.number}.`);
      expect(await memoryOf(world)).not.toHaveProperty(['personas/maya/core.md']);
      const { usd } = toldBy(done);
      expect(usd).toBeGreaterThan(0);
      expect(await spentIn(world)).toBeCloseTo(usd, 6);
      expect(world.openApi.violations).toEqual([]);
    },
  );

  verifies(
    ['ACT-2'],
    'is proposed once: later passes ask no model and change nothing',
    async () => {
      const world = await aWorldThatRepeats();
      await sweepOnce(world, MEMORY);
      const second = await claimSweep(world, { ...MEMORY, run: '78' });
      const tip = await tipOf(world, BRANCH);
      const third = await claimSweep(world, { ...MEMORY, run: '79' });
      expect(third.summary).toContain('#### memory\n\nNothing to do.');
      for (const { outputs } of [second, third]) expect(outputs).toEqual({ proceed: 'false' });
      expect(await tipOf(world, BRANCH)).toBe(tip);
      expect(await proposalsIn(world, 'all')).toHaveLength(1);
    },
  );

  test('is there once a person merges the proposal, and nothing is left to propose', async () => {
    const world = await aWorldThatRepeats();
    await sweepOnce(world, MEMORY);
    const [pull] = await proposalsIn(world);
    const ana = world.emulator.as('ana');
    await ana.request('PUT', `/repos/${REPO}/pulls/${pull?.number}/merge`, {});
    expect((await memoryOf(world))?.['personas/maya/core.md']).toContain('when a batch ends');
    const next = await claimSweep(world, { ...MEMORY, run: '78' });
    expect(next.outputs).toEqual({ proceed: 'false' });
  });

  test('is not proposed again after a person closed the proposal, until there is more', async () => {
    const world = await aWorldThatRepeats();
    await sweepOnce(world, MEMORY);
    const [pull] = await proposalsIn(world);
    const ana = world.emulator.as('ana');
    await ana.request('PATCH', `/repos/${REPO}/pulls/${pull?.number}`, { state: 'closed' });
    const refused = await claimSweep(world, { ...MEMORY, run: '78' });
    expect(refused.summary).toContain('`maya`: people were asked about it before.');
    await remember(world, { 'personas/maya/working.md': `${MORE}${REPEATED}` });
    await sweepOnce(world, { ...MEMORY, run: '79' });
    expect(await proposalsIn(world)).toHaveLength(1);
  });

  test('of two personas is proposed one after the other, a persona a pass', async () => {
    const world = await aWorldThatRepeats(['maya', 'sasha']);
    const first = await sweepOnce(world, MEMORY);
    expect(first.claimed.summary).toContain('A later pass looks at `sasha`.');
    expect(await proposalsIn(world)).toHaveLength(1);
    await sweepOnce(world, { ...MEMORY, run: '78' });
    const heads = (await proposalsIn(world)).map(({ head }) => head.ref.split('-')[1]);
    expect(new Set(heads)).toEqual(new Set(['maya', 'sasha']));
  });

  test('is only told in a dry run, and not looked at where the settings say so', async () => {
    const world = await aWorldThatRepeats();
    const tip = await tipOf(world, BRANCH);
    const dry = await claimSweep(world, { inputs: { loops: 'memory', 'dry-run': 'true' } });
    expect(dry.summary).toContain('`maya`: lessons that repeat would be put to a model.');
    expect([dry.outputs, await tipOf(world, BRANCH)]).toEqual([{ proceed: 'false' }, tip]);
    const settings = { '.github/quorum.yml': 'version: 1\nmemory: { proposals: false }\n' };
    const off = await claimSweep(await aWorldThatRepeats(['maya'], settings), MEMORY);
    expect(off.summary).toContain('Switched off in the settings of this repository.');
    expect(off.outputs).toEqual({ proceed: 'false' });
  });

  test('is reserved by one of two schedules that come at once', async () => {
    const world = await aWorldThatRepeats();
    const both = await Promise.all(
      ['77', '78'].map((run) => claimSweep(world, { ...MEMORY, run })),
    );
    expect(both.filter(({ outputs }) => outputs['proceed'] === 'true')).toHaveLength(1);
  });

  test('is left to the next pass at the limit of a pass, and costs nothing then', async () => {
    const world = await aWorldThatRepeats();
    const left = await sweepOnce(world, { inputs: { ...MEMORY.inputs, 'max-usd': '0' } });
    expect(left.done?.summary).toContain('Left to the next pass');
    expect([await spentIn(world), await proposalsIn(world)]).toEqual([0, []]);
    await sweepOnce(world, { ...MEMORY, run: '78' });
    expect(await proposalsIn(world)).toHaveLength(1);
  });

  test('counts in full while nobody knows what its job spent, and is tried three times', async () => {
    const world = await aWorldThatRepeats();
    for (const run of ['77', '78', '79']) {
      const { outputs } = await claimSweep(world, { ...MEMORY, run });
      expect(outputs['proceed']).toBe('true');
      await moveBack(world, 'until');
    }
    expect(await spentIn(world)).toBe(1.5);
    const last = await claimSweep(world, { ...MEMORY, run: '80' });
    expect(last.summary).toContain('`maya`: three sweeps took this and none of them finished it.');
    expect(last.outputs['proceed']).toBe('false');
  });
});

describe('the job that writes a proposal', () => {
  test('writes one when it is run again, and books its cost once', async () => {
    const { env } = await aWordingModel(WORDS);
    const world = await aWorldThatRepeats();
    const claimed = await claimSweep(world, MEMORY);
    const { done } = await finishSweep(world, claimed, { ...MEMORY, models: env });
    const spent = await spentIn(world);
    const handed = {
      claim: claimed.outputs['claim'] ?? '',
      digest: done.outputs['digest'] ?? '',
    };
    const again = await applySweep(world, handed, { attempt: 2 });
    expect([again.exitCode, await spentIn(world)]).toEqual([0, spent]);
    expect(await proposalsIn(world, 'all')).toHaveLength(1);
  });

  test('says that Actions may not open pull requests, takes no words but those of the job before, and books the cost once', async () => {
    const { env } = await aWordingModel(WORDS);
    const world = await aWorldThatRepeats();
    world.emulator.faults.add({
      method: 'POST',
      path: '/repos/{owner}/{repo}/pulls',
      times: Infinity,
      fault: {
        kind: 'status',
        status: 403,
        body: { message: 'GitHub Actions is not permitted to create or approve pull requests.' },
      },
    });
    const { claimed, done, applied } = await sweepOnce(world, { ...MEMORY, models: env });
    expect(applied?.summary).toContain('Allow GitHub Actions to create and approve pull requests');
    expect(applied?.summary).toContain('#### memory: not finished');
    expect(applied?.exitCode).not.toBe(0);
    // It is no try, and no model is paid again for what cannot be opened.
    const tries = async () =>
      Object.values(parseActionsState((await readSweepState(world)).text)?.claims ?? {}).map(
        triesOf,
      );
    expect(await tries()).toEqual([0]);
    const before = await tipOf(world, BRANCH);
    const later = await claimSweep(world, { ...MEMORY, run: '78' });
    expect(later.summary).toContain('GitHub did not let a workflow open a proposal on ');
    expect(later.outputs['proceed']).toBe('false');
    expect(await tipOf(world, BRANCH)).toBe(before);
    const handed = { claim: claimed.outputs['claim'] ?? '', digest: done?.outputs['digest'] ?? '' };
    const told = JSON.parse(handed.digest) as SweepDone;
    const spent = await spentIn(world);
    expect(spent).toBeCloseTo(toldBy(done).usd, 6);
    world.emulator.faults.clear();
    const memory = { ...told.memory, digest: 'a'.repeat(64) };
    const forged = { ...handed, digest: JSON.stringify({ ...told, memory }) };
    const refused = await applySweep(world, forged, { attempt: 2 });
    expect(refused.summary).toContain('its digest is not the one that the agent job named');
    expect(await proposalsIn(world)).toEqual([]);
    const again = await applySweep(world, handed, { attempt: 3 });
    expect([again.exitCode, await spentIn(world)]).toEqual([0, spent]);
    expect(await proposalsIn(world)).toHaveLength(1);
    expect((await readSweepState(world)).text).not.toContain('proposals-refused');
  });

  test('writes nothing under a claim that another run has taken meanwhile', async () => {
    const { env } = await aWordingModel(WORDS);
    const world = await aWorldThatRepeats();
    const claimed = await claimSweep(world, MEMORY);
    const done = await askSweep(world, claimed, { models: env });
    await giveAway(world);
    const handed = { claim: claimed.outputs['claim'] ?? '', digest: done.outputs['digest'] ?? '' };
    const applied = await applySweep(world, handed);
    expect(applied.exitCode).not.toBe(0);
    expect(applied.summary).toContain('(`claim-lost`)');
    expect(await proposalsIn(world)).toEqual([]);
    // The other run goes on, and what the models cost here counts all the same.
    const state = parseActionsState((await readSweepState(world)).text);
    const [claim] = Object.values(state?.claims ?? {});
    expect([claim?.workflowRun, claim?.doneAt]).toEqual(['4711', undefined]);
    expect(await spentIn(world)).toBeGreaterThanOrEqual(toldBy(done).usd);
  });

  test('proposes nothing of a memory that a person changed meanwhile', async () => {
    const world = await aWorldThatRepeats();
    const claimed = await claimSweep(world, MEMORY);
    await remember(world, { 'personas/maya/working.md': `${MORE}${REPEATED}` });
    const { done, applied } = await finishSweep(world, claimed, MEMORY);
    expect(done.summary).toContain('`maya`: the memory changed meanwhile.');
    expect([applied.exitCode, await proposalsIn(world), await spentIn(world)]).toEqual([0, [], 0]);
  });
});

test('a proposal that a person closed is looked at again after six hours, and only that is written down', async () => {
  const { env } = await aWordingModel(WORDS);
  const world = await aWorldThatRepeats();
  await sweepOnce(world, { ...MEMORY, models: env });
  const [pull] = await proposalsIn(world);
  const address = `/repos/${REPO}/pulls/${pull?.number ?? 0}`;
  await world.emulator.as('ana').request('PATCH', address, { state: 'closed' });
  const first = await claimSweep(world, { ...MEMORY, run: '78' });
  expect(first.summary).toContain('`maya`: ');
  for (const [more, run, isLook] of [
    [6.2, '79', true],
    [2, '80', false],
    [4.2, '81', true],
  ] as const) {
    await moveSeenBack(world, more);
    const before = await tipOf(world, BRANCH);
    const { summary, outputs } = await claimSweep(world, { ...MEMORY, run });
    expect([summary.includes('`maya`: '), outputs['proceed']]).toEqual([isLook, 'false']);
    expect(await changedSince(world, before)).toEqual(isLook ? [STATE_FILE] : []);
  }
});

describe('where the App keeps the memory', () => {
  async function writeAsApp(world: ActionsWorld): Promise<void> {
    const headers = await anotherApp(world, { contents: 'write' });
    const address = `${world.emulator.apiUrl}/repos/${REPO}/contents/personas/sasha/working.md`;
    const content = Buffer.from('- [PATTERN] Logs are in UTC\n').toString('base64');
    const answer = await fetch(address, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ message: 'Remember what was learned', branch: BRANCH, content }),
    });
    expect(answer.status).toBe(201);
  }

  test('the workflow leaves it to the App, and asks no model', async () => {
    const world = await aWorldThatRepeats();
    await writeAsApp(world);
    const { outputs, summary } = await claimSweep(world, MEMORY);
    expect(summary).toContain(
      'A bot other than GitHub Actions wrote to the memory in the last 14 days',
    );
    expect(outputs).toEqual({ proceed: 'false' });
    const next = await claimSweep(world, { ...MEMORY, run: '78' });
    expect(next.summary).toContain('#### memory\n\nNothing to do.');
  });

  test('that was installed since the claim, no proposal is written', async () => {
    const world = await aWorldThatRepeats();
    const claimed = await claimSweep(world, MEMORY);
    await writeAsApp(world);
    const { done, applied } = await finishSweep(world, claimed, MEMORY);
    expect(applied.summary).toContain(
      'A bot other than GitHub Actions wrote to the memory in the last 14 days',
    );
    expect([applied.exitCode, await proposalsIn(world)]).toEqual([0, []]);
    // The words are paid for, and nothing is done: once the App is removed, a pass proposes it.
    const state = parseActionsState((await readSweepState(world)).text);
    const [claim] = Object.values(state?.claims ?? {});
    expect([claim?.doneAt, claim?.isUntried]).toEqual([undefined, true]);
    expect(await spentIn(world)).toBeCloseTo(toldBy(done).usd, 6);
  });

  test('and has a proposal open, the workflow opens none', async () => {
    const world = await aWorldThatRepeats();
    await moveBranch(world, 'quorum/consolidate-maya-0123456789', {
      sha: writeCommit(world.emulator.repository(REPO).gitDir, {
        changes: { 'personas/maya/core.md': '- [PATTERN] Cursors are closed\n' },
        parent: await tipOf(world, BRANCH),
      }),
    });
    const data = { kind: 'proposal', run: 'r1', key: 'consolidate-maya' } as const;
    const marker = renderMarker(data, 'the secret of the App', 'pulls:1');
    const opened = await fetch(`${world.emulator.apiUrl}/repos/${REPO}/pulls`, {
      method: 'POST',
      headers: await anotherApp(world, { pull_requests: 'write', contents: 'read' }),
      body: JSON.stringify({
        title: 'Memory of maya',
        body: `Shorter\n\n${marker}`,
        head: 'quorum/consolidate-maya-0123456789',
        base: BRANCH,
      }),
    });
    const { number } = (await opened.json()) as { number: number };
    const { outputs, summary } = await claimSweep(world, MEMORY);
    expect(summary).toContain(`The App has the proposal #${number} open.`);
    expect(outputs).toEqual({ proceed: 'false' });
  });
});
