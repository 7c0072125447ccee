/** What work on plans costs: calls and time of one task, leases of many at once, and reading a large plan. */
import { takeLease } from '../../src/act/task/lease/take-lease.ts';
import { createGitHub } from '../../src/adapters/github/create-github.ts';
import {
  systemClock as clock,
  systemRandom as random,
} from '../../src/adapters/system/system-clock.ts';
import { claimable } from '../../src/policy/claimable.ts';
import { parsePlan } from '../../src/domain/plan/body/parse-plan.ts';
import { taskDigest } from '../../src/domain/plan/plan-digest.ts';
import type { NewTask } from '../../src/domain/plan/body/render-plan.ts';
import { openWorld, type World } from '../../src/demo/open-world.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import type { StoredEffect } from '../../src/ports/store.ts';
import { aPlanOf, PROJECT, sayTask } from '../helpers/say-task.ts';
import { watchChildren } from './child-times.ts';
import { describeLoad, median, wait, watchForeignLoad } from './machine.ts';
import type { Row, Section } from './report.ts';

const REPO = 'acme/tidy';
const PARSES = 9;
const PARALLEL = 50;
const LIMIT_MS = 120_000;

export const tasks: Section = {
  name: 'tasks',
  title: 'Work on plans',
  method:
    "A plan of one task that carries its own change, on the emulator, from its label to the merge; nobody is waited for: `/pm approve` follows the pull request at once, and no model is asked. Calls are all requests of the task's own effects until it is merged, 304 included; the plan's comment, a person's command and git's transfer are not counted, the review of the pull request is apart. The overhead of a task is the time from its claim to its opened pull request, less that in which a fenced program (the project's tests) or git's transfer (fetch, push, ls-remote) ran; git's work on this machine is in it. 50 leases are taken at once on as many tasks of one plan that was just parsed. Plans are parsed from text; medians.",
  run: async () => {
    const loadOf = watchForeignLoad([]);
    const world = await aWorld();
    try {
      const rows = [...(await oneTask(world)), await manyLeases(world), ...parses()];
      return rows.map((row) => ({ ...row, load: describeLoad(loadOf()) }));
    } finally {
      await world.close();
    }
  },
};

type Measured = Omit<Row, 'load'>;

async function aWorld(): Promise<World> {
  const world = await openWorld({
    env: { QUORUM_CODER: 'local' },
    clock,
    random,
    log: createLog({ level: 'error', format: 'json' }),
    owner: 'acme',
    app: { budgets: 'off', reconcileEveryMs: 0 },
  });
  const { emulator } = world;
  for (const login of ['ana', 'tom']) emulator.createUser(login);
  const files = { ...PROJECT, '.github/quorum.yml': 'merge:\n  mode: auto\n' };
  const history = [{ message: 'feat: first steps', author: 'ana', files }];
  await emulator.createRepository({ owner: 'acme', name: 'tidy', history });
  emulator.addCollaborator(REPO, 'ana', 'admin');
  emulator.addCollaborator(REPO, 'tom', 'write');
  return world;
}

/** The project's own tests, and git's transfer. */
function isApart([program = '', ...args]: readonly string[]): boolean {
  if (/(?:^|\/)bwrap$/.test(program)) return true;
  return /(?:^|\/)git$/.test(program) && args.some((arg) => TRANSFER.has(arg));
}

const TRANSFER: ReadonlySet<string> = new Set(['fetch', 'push', 'ls-remote']);
const OF_A_REVIEW: ReadonlySet<string> = new Set(['look-pull', 'review', 'review-check', 'fold']);

async function oneTask(world: World): Promise<Measured[]> {
  const apart = watchChildren(isApart);
  const ana = world.emulator.as('ana');
  const body = aPlanOf([sayTask(1, 'goodbye')]);
  const { number } = await ana.openIssue(REPO, { title: '[PLAN] More', body });
  await ana.label(REPO, number, ['plan']);
  await until(world, 'publish');
  const pulls = (await ana.request('GET', `/repos/${REPO}/pulls?state=all`)) as {
    number: number;
  }[];
  await world.emulator.as('tom').comment(REPO, pulls[0]!.number, '/pm approve');
  const done = await until(world, 'merge');
  const claim = calls(done.filter(({ data }) => data.kind === 'claim'));
  const all = calls(done);
  apart.stop();
  const review = calls(await effectsOf(world, ({ data }) => OF_A_REVIEW.has(data.kind)));
  const from = Date.parse(done.find(({ data }) => data.kind === 'claim')?.createdAt ?? '');
  const to = Date.parse(done.find(({ data }) => data.kind === 'publish')?.settledAt ?? '');
  const elsewhere = apart.within(from, to);
  const ms = to - from - elsewhere;
  return [
    { what: 'claim: calls', reach: '≤ 7', measured: String(claim), isReached: claim <= 7 },
    { what: 'task: calls', reach: '≤ 30', measured: String(all), isReached: all <= 30 },
    {
      what: 'its review: calls',
      reach: '≤ 8',
      measured: String(review),
      isReached: review <= 8,
    },
    {
      what: 'task: from its claim to its pull request, without tests and git’s transfer',
      reach: '≤ 5 s',
      measured: `${(ms / 1000).toFixed(2)} s; these took ${(elsewhere / 1000).toFixed(2)} s`,
      isReached: ms <= 5000,
    },
  ];
}

/** The task's own effects up to this one, once it is done. */
async function until(world: World, kind: string): Promise<StoredEffect[]> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const own = await effectsOf(world, ({ key }) => key.startsWith('task:'));
    const at = own.findIndex(({ data, status }) => data.kind === kind && status === 'done');
    if (at !== -1) return own.slice(0, at + 1);
    await wait(20);
  }
  throw new Error(`the task came to no ${kind}`);
}

function calls(effects: readonly StoredEffect[]): number {
  const counts = effects.flatMap(({ githubCalls }) => Object.values(githubCalls));
  return counts.reduce<number>((sum, count) => sum + count, 0);
}

async function effectsOf(
  { store }: World,
  which: (effect: StoredEffect) => boolean,
): Promise<StoredEffect[]> {
  return (await store.records.effects({ limit: 500 })).filter(which);
}

async function manyLeases({ emulator, appId, appEnv, installationId }: World): Promise<Measured> {
  const { id: repositoryId } = emulator.repository(REPO);
  const repository = { installationId, repositoryId, owner: 'acme', repo: 'tidy' };
  const session = createGitHub({
    auth: { kind: 'app', appId, privateKey: appEnv['PRIVATE_KEY'] ?? '' },
    baseUrl: emulator.apiUrl,
    markerSecret: 'a benchmark',
    clock,
    random,
    budgets: 'off',
  }).at(repository);
  const { headSha: baseSha } = await session.read.repository(repository);
  const startedAt = performance.now();
  const plan = parsePlan(aPlanOf(Array.from({ length: PARALLEL }, (_, at) => aTask(at + 1, 200))));
  const taken = await Promise.all(
    claimable(plan).map((task) => {
      const place = { repository, ref: `refs/quorum/leases/999-${task.number}`, baseSha };
      const about = { issue: 999, task: task.number, digest: taskDigest(task) };
      const wanted = { ...about, holder: `here/${task.number}`, lastsMs: 60_000 };
      return takeLease({ leases: session.leases, clock }, place, wanted);
    }),
  );
  const ms = performance.now() - startedAt;
  const count = taken.filter(({ outcome }) => outcome === 'taken').length;
  return {
    what: `${PARALLEL} tasks parsed, found ready and leased at once`,
    reach: `${PARALLEL} leased`,
    measured: `${count} in ${ms.toFixed(0)} ms`,
    isReached: count === PARALLEL,
  };
}

function parses(): Measured[] {
  const [small, large] = [250, 1000].map((count) => {
    const text = aPlanOf(Array.from({ length: count }, (_, at) => aTask(at + 1, 880)));
    const times = Array.from({ length: PARSES }, () => {
      const startedAt = performance.now();
      if (parsePlan(text).tasks.length !== count) throw new Error('tasks were lost');
      return performance.now() - startedAt;
    });
    return { bytes: text.length, ms: median(times) };
  });
  const ratio = large!.ms / (4 * small!.ms);
  return [
    {
      what: `plan of 1,000 tasks, ${(large!.bytes / 1e6).toFixed(2)} MB: parsed`,
      reach: '≤ 100 ms',
      measured: `${large!.ms.toFixed(0)} ms`,
      isReached: large!.ms <= 100,
    },
    {
      what: 'a quarter of it: parsed',
      reach: 'linear: ≤ 1.5×',
      measured: `${small!.ms.toFixed(0)} ms`,
      ratio: `${ratio.toFixed(2)}×`,
      isReached: ratio <= 1.5,
    },
  ];
}

/** One whose text is about so many characters long. */
function aTask(number: number, size: number): NewTask {
  const description = 'Say what has to be done, and how one can tell. '.repeat(
    Math.ceil(size / 47),
  );
  return {
    number,
    title: `Part ${number}`,
    dependencies: [],
    files: [{ path: `src/part-${number}.ts`, note: 'new' }],
    description,
  };
}
