/** An emulator and the App on it, for one test. Both are closed at its end; every exchange is checked against GitHub's description. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { openWorld, type World, type WorldOptions } from '../../src/demo/open-world.ts';
import { TIDY_FILES } from './tidy-project.ts';
import { withOpenApiCheck, type OpenApiWatch } from '../emulator/github/openapi.ts';

export { READY_ISSUE } from './tidy-project.ts';

export const REPO = 'acme/tidy';

export interface Told {
  number: number;
  title: string;
  state: string;
  stateReason: string | null;
  labels: string[];
  reactions: string[];
  /** Bodies of the App's comments. */
  comments: string[];
  /** Everybody's comments, as `login: body`. */
  all: { login: string; body: string }[];
}

export interface TestWorld extends World {
  openApi: OpenApiWatch;
  /** Opens an issue as `tom`, who has no role, and labels it as `ana`, who is admin. */
  ask(issue: { title: string; body: string }, label?: string): Promise<number>;
  /** Waits until nothing is to be done: no delivery under way, no event or effect waiting but timers. */
  idle(): Promise<void>;
  tell(number: number): Promise<Told>;
}

/** Whether a request changed something. A POST for a token or for what GraphQL tells does not. */
export function isWrite({ method, path }: { method: string; path: string }): boolean {
  return method !== 'GET' && !/\/(?:access_tokens|graphql)$/.test(path);
}

export async function aWorld(
  over: Partial<WorldOptions> & { files?: Record<string, string> } = {},
): Promise<TestWorld> {
  const { files, ...options } = over;
  const world = await openWorld({
    env: {},
    clock: systemClock,
    random: systemRandom,
    log: createLog({ level: 'silent', format: 'json' }),
    owner: 'acme',
    ...options,
    app: { budgets: 'off', reconcileEveryMs: 0, ...options.app },
  });
  onTestFinished(() => world.close());
  const { emulator } = world;
  const openApi = withOpenApiCheck(emulator);
  for (const login of ['ana', 'tom', 'eve']) emulator.createUser(login);
  await emulator.createRepository({
    owner: 'acme',
    name: 'tidy',
    history: [{ message: 'feat: first steps', author: 'ana', files: { ...TIDY_FILES, ...files } }],
  });
  emulator.addCollaborator(REPO, 'ana', 'admin');
  // The class-free world is spread by hand: its app and store change when the App restarts.
  return Object.assign(Object.create(world) as World, {
    openApi,
    ask: (issue: { title: string; body: string }, label = 'deliberate') => ask(world, issue, label),
    idle: () => idle(world),
    tell: (number: number) => tell(world, number),
  });
}

async function ask(
  { emulator }: World,
  issue: { title: string; body: string },
  label: string,
): Promise<number> {
  const { number } = await emulator.as('tom').openIssue(REPO, issue);
  await emulator.as('ana').label(REPO, number, [label]);
  return number;
}

/** A guard against hangs only, shorter than the limit of a test: a busy machine may take a hundred times as long. */
const IDLE_MS = 400_000;

/** Nothing waiting three times in a row; timers that are not due do not count. */
export async function idle(world: World): Promise<void> {
  const end = Date.now() + IDLE_MS;
  for (let quiet = 0; quiet < 3;) {
    await world.emulator.settled();
    const { events, effects } = await world.store.records.counts();
    const timers = (await world.store.records.events({ status: 'pending', limit: 1000 })).filter(
      (event) => event.data.kind === 'timer',
    ).length;
    quiet = events.pending - timers === 0 && effects.pending === 0 ? quiet + 1 : 0;
    if (quiet === 0 && Date.now() > end) expect(await describePending(world)).toBe('nothing');
    await wait(25);
  }
}

/** What an idle App would not have: for the message of a test that waited for it in vain. */
async function describePending({ store: { records } }: World): Promise<string> {
  const pending = { status: 'pending', limit: 20 } as const;
  const [events, effects] = await Promise.all([records.events(pending), records.effects(pending)]);
  return [...events, ...effects]
    .map(({ id, data, reason }) => `${data.kind} ${id}: ${reason ?? 'no reason'}`)
    .join('\n');
}

async function tell({ emulator }: World, number: number): Promise<Told> {
  const ana = emulator.as('ana');
  const base = `/repos/${REPO}/issues/${number}`;
  const issue = (await ana.request('GET', base)) as {
    title: string;
    state: string;
    state_reason: string | null;
    labels: { name: string }[];
  };
  const comments = (await ana.request('GET', `${base}/comments?per_page=100`)) as {
    body: string;
    user: { login: string };
  }[];
  const reactions = (await ana.request('GET', `${base}/reactions`)) as {
    content: string;
    user: { login: string };
  }[];
  const all = comments.map((comment) => ({ login: comment.user.login, body: comment.body }));
  const ours = (login: string): boolean => login.endsWith('[bot]');
  return {
    number,
    title: issue.title,
    state: issue.state,
    stateReason: issue.state_reason,
    labels: issue.labels.map((label) => label.name),
    reactions: reactions.filter((each) => ours(each.user.login)).map((each) => each.content),
    comments: all.filter((comment) => ours(comment.login)).map((comment) => comment.body),
    all,
  };
}
