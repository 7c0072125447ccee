/** Builds that fail and heal in a test's world, and what people then see. */
import type { RunSeed } from '../../src/emulator/github/checks/workflow-runs.ts';
import { REPO, type TestWorld, type Told } from './a-world.ts';

const STAMP = '2026-03-02T09:00:00.1234567Z';

/** A job's log as a runner writes it. */
export function jobLog(...lines: string[]): string {
  const all = ['##[group]Run npm test', '##[endgroup]', ...lines];
  return [...all, '##[error]Process completed with exit code 1.']
    .map((line) => `${STAMP} ${line}`)
    .join('\n');
}

export const TEST_FAILS = jobLog(
  ' FAIL  test/cli.test.ts > main > tells what was tidied',
  "AssertionError: expected '' to be 'tidied a'",
  ' ❯ test/cli.test.ts:1:22',
);
export const DOES_NOT_COMPILE = jobLog(
  "src/tidy.ts(2,3): error TS2322: Type 'number' is not assignable to type 'string'.",
);
export const NETWORK_IS_AWAY = jobLog(
  'npm error code ECONNRESET',
  'npm error network read ECONNRESET',
);

/** A red run whose one job wrote this; `null` for a log that is gone. */
export function red(log: string | null = TEST_FAILS, more: Partial<RunSeed> = {}): RunSeed {
  const steps = { Install: 'success', Test: 'failure' };
  return { conclusion: 'failure', actor: 'ana', jobs: [{ name: 'test', log, steps }], ...more };
}

export function green(more: Partial<RunSeed> = {}): RunSeed {
  return { conclusion: 'success', actor: 'ana', jobs: [{ name: 'test' }], ...more };
}

/** A run ends, and everything that follows from it is done. */
export async function build(world: TestWorld, run: RunSeed): Promise<number> {
  const { id } = await world.emulator.endRun(REPO, run);
  await world.idle();
  return id;
}

/** A commit of `ana` that changes one file. */
export async function commit(
  world: TestWorld,
  path: string,
  { message, branch = 'main' }: { message: string; branch?: string },
): Promise<void> {
  const ana = world.emulator.as('ana');
  const target = `/repos/${REPO}/contents/${path}`;
  const known = (await ana.request('GET', `${target}?ref=${branch}`).catch(() => undefined)) as
    { sha: string } | undefined;
  const content = Buffer.from(`// ${message}\n`).toString('base64');
  const sha = known === undefined ? {} : { sha: known.sha };
  await ana.request('PUT', target, { message, branch, content, ...sha });
}

/** A pull request on a branch of the repository; by the team itself unless somebody else is named. */
export async function aPullOf(world: TestWorld, author?: 'ana'): Promise<number> {
  const { emulator, appId } = world;
  const ana = emulator.as('ana');
  const main = (await ana.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  await ana.request('POST', `/repos/${REPO}/git/refs`, {
    ref: 'refs/heads/quorum/task-1-1-words',
    sha: main.object.sha,
  });
  await commit(world, 'src/words.ts', { message: 'feat: words', branch: 'quorum/task-1-1-words' });
  const pull = { title: 'Words', head: 'quorum/task-1-1-words', draft: true };
  const { number } = await ana.openPull(REPO, pull);
  const thread = emulator.repository(REPO).threads.get(number);
  if (author === undefined && thread !== undefined) thread.userId = emulator.app(appId).botId;
  await world.idle();
  return number;
}

/** The repository's issues, as people see them. */
export async function issues(world: TestWorld): Promise<Told[]> {
  const { threads } = world.emulator.repository(REPO);
  const open = [...threads.values()].filter((one) => one.pull === undefined);
  return Promise.all(open.map(({ number }) => world.tell(number)));
}

/** Why the last deliveries were left alone, oldest first. */
export async function reasons(world: TestWorld): Promise<string[]> {
  const events = await world.store.records.events({ status: 'ignored', limit: 1000 });
  return events.flatMap(({ reason }) => reason ?? []);
}
