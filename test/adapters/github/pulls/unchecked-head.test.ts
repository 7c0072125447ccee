/** A commit on which a job has just found no check run of a review, and what the same request as the state tells of others. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createGitHub } from '../../../../src/adapters/github/create-github.ts';
import type { Trace } from '../../../../src/ports/github/github-writer.ts';
import type { GitHubMemory } from '../../../../src/ports/github/memory-branch.ts';
import type { ReviewCheck } from '../../../../src/ports/github/pulls.ts';
import { AFTER, checkOf } from '../../../contract/pulls-world.ts';
import { createTestClock, SECRET, steady } from '../stage.ts';
import { openEmulatedPulls, type EmulatedPulls } from './world.ts';

const NAME = 'quorum / review';
const LIST = /\/commits\/[^/]+\/check-runs$/;
const ALL = { checks: 'write', contents: 'write' } as const;

let world: EmulatedPulls;
let headSha: string;

beforeEach(async () => {
  world = await openEmulatedPulls();
  onTestFinished(() => world.close());
  const { number } = await world.openPull({ 'src/a.ts': AFTER });
  const pull = world.emulator.repository('acme/widgets').threads.get(number)?.pull;
  headSha = pull?.headSha ?? '';
});

/** An App of its own, which asks as a job does. */
async function openJob(
  name: string,
  permissions: Readonly<Record<string, 'read' | 'write'>> = ALL,
  uncheckedHead?: string,
) {
  const { emulator } = world;
  const app = await emulator.createApp({ name, permissions });
  const installationId = emulator.installApp(app.appId, 'acme');
  const repository = { ...world.repository, installationId };
  const github = createGitHub({
    auth: { kind: 'app', appId: app.appId, privateKey: app.privateKey },
    baseUrl: emulator.apiUrl,
    markerSecret: SECRET,
    clock: createTestClock(),
    random: steady,
    isJobToken: true,
    ...(uncheckedHead !== undefined && { uncheckedHead }),
  });
  const { reviews } = github.at(repository);
  const { memory } = (github as GitHubMemory).at(repository);
  const write = (over: Partial<ReviewCheck>) =>
    reviews.ensureReviewCheck(repository, checkOf(headSha, { isNew: true, ...over }));
  const at = { repository, branch: 'main' };
  const read = (sha = headSha) => memory.read(at, { paths: ['a'], checksOn: { sha, name: NAME } });
  return { write, read };
}

const inDoubt = (): Promise<Trace> => Promise.resolve({ isDoubtful: true });
const lists = (): number => world.emulator.requests.filter(({ path }) => LIST.test(path)).length;

test('the first check run of a review is created there without another look', async () => {
  const { write } = await openJob('actions', ALL, headSha);
  expect(await write({})).toMatchObject({ outcome: 'created' });
  expect([lists(), world.checks(headSha).length]).toEqual([0, 1]);
});

test.each([
  ['on another commit', { headSha: 'of-another' }],
  ['of another name', { name: `${NAME} / security` }],
  ['that may have been begun before', { isNew: false }],
  ['of which an earlier attempt is in doubt', { trace: inDoubt }],
  ['beside that of another run', { hasOlder: true }],
] satisfies [string, Partial<ReviewCheck>][])(
  'a check run %s is looked for first',
  async (_, over) => {
    const unchecked = 'headSha' in over ? 'f'.repeat(40) : headSha;
    const { write } = await openJob('actions', ALL, unchecked);
    await write({ ...over, headSha });
    expect(lists()).toBeGreaterThan(0);
  },
);

test('the second one there is looked for, and ends the first where that was left in progress', async () => {
  const { write } = await openJob('actions', ALL, headSha);
  await write({ run: 'run-1', isNew: false, conclusion: undefined });
  const before = lists();
  await write({ run: 'run-2' });
  const seen = world.checks(headSha).map(({ status }) => status);
  expect([seen, lists() - before]).toEqual([['completed', 'completed'], 1]);
});

test('the read of a branch tells whose check runs of a review are on a commit', async () => {
  const job = await openJob('actions');
  expect((await job.read()).checks).toEqual([]);
  await job.write({});
  const other = await openJob('other');
  await other.write({ conclusion: undefined, run: 'run-9' });
  await other.write({ name: 'quorum / scope', run: 'run-9' });
  const before = world.emulator.requests.length;
  expect((await job.read()).checks).toEqual([{ app: 'actions' }, { app: 'other' }]);
  const asked = world.emulator.requests.slice(before).map(({ path }) => path);
  expect(asked.filter((one) => !one.endsWith('/access_tokens'))).toEqual(['/graphql']);
});

test('suites of other Apps without a check run of a review do not matter, however many there are', async () => {
  const job = await openJob('actions');
  await job.write({});
  const { checkSuites } = world.emulator.repository('acme/widgets');
  const [own] = checkSuites;
  if (own === undefined) throw new Error('there is no suite');
  for (let id = 1; id <= 101; id += 1) checkSuites.unshift({ ...own, id: 1_000_000 + id });
  expect((await job.read()).checks).toEqual([{ app: 'actions' }]);
});

test.each([
  ['the token may not read checks', { contents: 'read' }, undefined],
  ['there is no such commit', ALL, 'f'.repeat(40)],
] as const)('it tells none where %s, and the branch all the same', async (_, permissions, sha) => {
  const { read } = await openJob('actions', permissions);
  const { checks, head } = await read(sha);
  expect([checks, head]).toEqual([undefined, expect.stringMatching(/^[\da-f]{40}$/)]);
});
