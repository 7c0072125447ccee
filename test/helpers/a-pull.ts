/** A pull request's heads and what the App says on them. */
import { expect } from 'vitest';
import { REPO, type TestWorld } from './a-world.ts';

export interface ToldCheck {
  name: string;
  status: string;
  conclusion: string | null;
  output: { title: string; summary: string };
}

/** Changes files on the pull request's branch, one commit each. */
export async function push(world: TestWorld, files: Record<string, string>): Promise<void> {
  const ana = world.emulator.as('ana');
  for (const [path, text] of Object.entries(files)) {
    const at = `/repos/${REPO}/contents/${path}`;
    const now = (await ana.request('GET', `${at}?ref=change`).catch(() => undefined)) as
      { sha: string } | undefined;
    await ana.request('PUT', at, {
      message: `change ${path}`,
      branch: 'change',
      content: Buffer.from(text).toString('base64'),
      ...(now === undefined ? {} : { sha: now.sha }),
    });
  }
}

export async function headOf(world: TestWorld, number: number): Promise<string> {
  const pull = (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/pulls/${number}`)) as {
    head: { sha: string };
  };
  return pull.head.sha;
}

export async function checksOf(world: TestWorld, sha: string): Promise<ToldCheck[]> {
  const { check_runs: checks } = (await world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/commits/${sha}/check-runs`)) as { check_runs: ToldCheck[] };
  return checks;
}

export interface ToldReview {
  /** Of the head as it is now. */
  checks: ToldCheck[];
  reviews: string[];
  comments: { id: number; path: string; line: number | null; body: string }[];
}

/** What people see of the App's reviews of a pull request. */
export async function reviewsOf(world: TestWorld, number: number): Promise<ToldReview> {
  const ana = world.emulator.as('ana');
  const read = (what: string) => ana.request('GET', `/repos/${REPO}/pulls/${number}/${what}`);
  return {
    checks: await checksOf(world, await headOf(world, number)),
    reviews: ((await read('reviews')) as { body: string }[]).map(({ body }) => body),
    comments: (await read('comments?per_page=100')) as ToldReview['comments'],
  };
}

/** Nothing was given up, dead-lettered or left unfinished, and every exchange was as GitHub describes it. */
export async function expectAllWell(
  world: TestWorld,
  { refused = [] as string[] } = {},
): Promise<void> {
  const { records } = world.store;
  const failed = (await records.effects({ limit: 10_000 })).filter(
    ({ status }) => status === 'refused' || status === 'dead',
  );
  expect(failed.map(({ reason }) => reason?.split(':')[0])).toEqual(refused);
  const { events, effects } = await records.counts();
  expect([events.dead, events.parked, effects.pending, effects.dead]).toEqual([0, 0, 0, 0]);
  expect(world.openApi.violations).toEqual([]);
}

/** A pull request of so many changed files in one commit; every fiftieth has something wrong. Returns its number. */
export async function aWidePull(world: TestWorld, count: number): Promise<number> {
  const ana = world.emulator.as('ana');
  const base = (await ana.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  const tree = (await ana.request('POST', `/repos/${REPO}/git/trees`, {
    base_tree: base.object.sha,
    tree: Array.from({ length: count }, (_, n) => ({
      path: `src/part-${n}.ts`,
      mode: '100644',
      type: 'blob',
      content: n % 50 === 0 ? BAD : `export const part${n} = ${n};\n`,
    })),
  })) as { sha: string };
  const commit = (await ana.request('POST', `/repos/${REPO}/git/commits`, {
    message: 'change many files',
    tree: tree.sha,
    parents: [base.object.sha],
  })) as { sha: string };
  const ref = { ref: 'refs/heads/change', sha: commit.sha };
  await ana.request('POST', `/repos/${REPO}/git/refs`, ref);
  const pull = await ana.openPull(REPO, { title: 'Change', head: 'change', body: 'Many files.' });
  return pull.number;
}

const BAD = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
