/** What people do while the App is killed, and how much of each effect they must see at the end: neither less nor more. */
import { aPlanOf, sayTask } from '../helpers/say-task.ts';
import { pushTo, REPO, type ChaosWorld } from './world.ts';
import { waitUntil } from '../helpers/wait-until.ts';

export interface Seen {
  effect: string;
  where: string;
  wanted: number;
  found: number;
}

export interface Story {
  title: string;
  act: (world: ChaosWorld) => Promise<unknown>;
  see: (world: ChaosWorld) => Promise<Seen[]>;
}

interface Authored {
  user: { login: string } | null;
}
interface Comment extends Authored {
  id: number;
  body: string;
}
interface Issue extends Authored {
  number: number;
  title: string;
  state: string;
  labels: { name: string }[];
}

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

async function list<T>(world: ChaosWorld, path: string): Promise<T[]> {
  const query = path.includes('?') ? '&' : '?';
  const url = `/repos/${REPO}/${path}${query}per_page=100`;
  return (await world.emulator.as('ana').request('GET', url)) as T[];
}

function ours<T extends Authored>(all: readonly T[]): T[] {
  return all.filter(({ user }) => user?.login.endsWith('[bot]') === true);
}

/** An issue of its own, so that no discussion takes it for a copy of another. */
export function deliberation(n: number): Story {
  let number = 0;
  const option = `--option-${n}${'abcdefgh'[n % 8]}`;
  return {
    title: `a deliberation about ${option}`,
    act: async ({ emulator }) => {
      const body = [
        `Running \`greet ${n}\` has no ${option}, from \`greet\` in \`src/greet.js\`.`,
        '',
        `Expected: with \`${option}\` the word number ${n * 17} is printed.`,
        '',
        'Acceptance:',
        `- \`greet ${option}\` prints ${n * 17} and exits 0`,
        '- a case in `test/greet.test.js`',
      ].join('\n');
      const issue = { title: `Add ${option} to greet number ${n}`, body };
      ({ number } = await emulator.as('tom').openIssue(REPO, issue));
      await emulator.as('ana').label(REPO, number, ['deliberate']);
    },
    see: async (world) => {
      const where = `#${number}`;
      const comments = ours(await list<Comment>(world, `issues/${number}/comments`));
      const reactions = ours(await list<Authored>(world, `issues/${number}/reactions`));
      const [issue] = (await list<Issue>(world, 'issues?state=all')).filter(
        (one) => one.number === number,
      );
      const isOpen = issue?.labels.some(({ name }) => name === 'deliberate') === true;
      return [
        { effect: 'comment', where, wanted: 1, found: comments.length },
        { effect: 'reaction', where, wanted: 1, found: reactions.length },
        { effect: 'labels', where, wanted: 1, found: isOpen ? 0 : 1 },
      ];
    },
  };
}

export function command(n: number): Story {
  let number = 0;
  let id = 0;
  return {
    title: `a command ${n}`,
    act: async ({ emulator }) => {
      const issue = { title: `A place to ask ${n}`, body: 'Nothing to do.' };
      ({ number } = await emulator.as('tom').openIssue(REPO, issue));
      ({ id } = await emulator.as('ana').comment(REPO, number, '/pm status'));
    },
    see: async (world) => {
      const where = `#${number}`;
      const answers = ours(await list<Comment>(world, `issues/${number}/comments`));
      const reactions = ours(await list<Authored>(world, `issues/comments/${id}/reactions`));
      return [
        { effect: 'answer', where, wanted: 1, found: answers.length },
        { effect: 'reaction', where, wanted: 1, found: reactions.length },
      ];
    },
  };
}

/** A finding, a push that changes something else, and a question on a line. */
export function review(n: number, { isPushed }: { isPushed: boolean }): Story {
  let number = 0;
  const branch = `change-${n}`;
  const path = `src/run-${n}.ts`;
  return {
    title: `a review ${n}`,
    act: async (world) => {
      await pushTo(world, branch, { [path]: EVAL });
      const pull = { title: `Change ${n}`, body: 'As agreed.', head: branch };
      const ana = world.emulator.as('ana');
      ({ number } = await ana.openPull(REPO, pull));
      if (isPushed) await pushTo(world, branch, { [`docs/more-${n}.md`]: '# More\n' });
      const commit = (await ana.request('GET', `/repos/${REPO}/pulls/${number}`)) as {
        head: { sha: string };
      };
      const at = { path, line: 1, side: 'RIGHT', commit_id: commit.head.sha };
      const asked = { body: '/pm status', ...at };
      await ana.request('POST', `/repos/${REPO}/pulls/${number}/comments`, asked);
    },
    see: async (world) => {
      const where = `#${number}`;
      const reviews = ours(await list<Comment>(world, `pulls/${number}/reviews`)).filter(
        ({ body }) => body !== '' && !body.includes('posted twice'),
      );
      const comments = ours(await list<Comment>(world, `pulls/${number}/comments`));
      const findings = comments.filter(({ body }) => body.includes('eval'));
      return [
        // Each head may have a review of its own.
        { effect: 'review', where, wanted: Math.max(1, distinct(reviews)), found: reviews.length },
        { effect: 'finding', where, wanted: 1, found: findings.length },
        { effect: 'reply', where, wanted: 1, found: comments.length - findings.length },
      ].concat(await seeChecks(world, number));
    },
  };
}

/** By the marker in their last line. */
function distinct(written: readonly Comment[]): number {
  return new Set(written.map(({ body }) => body.trim().split('\n').at(-1))).size;
}

async function seeChecks(world: ChaosWorld, number: number): Promise<Seen[]> {
  const where = `#${number}`;
  const ana = world.emulator.as('ana');
  const pull = (await ana.request('GET', `/repos/${REPO}/pulls/${number}`)) as {
    head: { sha: string };
  };
  const all = world.emulator
    .repository(REPO)
    .checkRuns.filter(({ headSha }) => headSha === pull.head.sha);
  const live = all.filter(
    ({ name, output }) => name === 'quorum / review' && output.title !== 'Superseded',
  );
  const open = live.filter(({ status }) => status !== 'completed');
  return [
    { effect: 'check', where, wanted: 1, found: live.length },
    { effect: 'check left in progress', where, wanted: 0, found: open.length },
  ];
}

export function redBuild(): Story {
  return {
    title: 'a red build',
    act: ({ emulator }) =>
      emulator.endRun(REPO, {
        conclusion: 'failure',
        actor: 'ana',
        jobs: [
          { name: 'test', log: 'AssertionError: expected 1 to be 2', steps: { Test: 'failure' } },
        ],
      }),
    see: async (world) => {
      const issues = ours(await list<Issue>(world, 'issues?state=open'));
      const found = issues.filter(({ title }) => title.startsWith('ci fails')).length;
      return [{ effect: 'issue', where: 'main', wanted: 1, found }];
    },
  };
}

/**
 * Two tasks, the second after the first, up to the first one's pull request: that is merged when a person approves it. The
 * plan itself is approved before anything goes wrong.
 */
export function plan(): Story {
  let number = 0;
  const tasks = [sayTask(1, 'wave'), sayTask(2, 'nod', { dependencies: [1] })] as const;
  return {
    title: 'a plan with two tasks',
    act: async ({ emulator }) => {
      const ana = emulator.as('ana');
      const issue = { title: '[PLAN] Say more', body: aPlanOf([...tasks]) };
      ({ number } = await ana.openIssue(REPO, issue));
      await ana.label(REPO, number, ['plan']);
      await waitUntil(() => emulator.repository(REPO).threads.get(number)?.comments.length !== 0);
      await ana.comment(REPO, number, '/pm approve');
    },
    see: async (world) => {
      const [first] = tasks;
      const pulls = ours(await list<Issue>(world, 'pulls?state=all'));
      const found = pulls.filter(({ title }) => title.startsWith(first.title)).length;
      const pull = { effect: 'pull request', where: `#${number}`, wanted: 1, found };
      const comments = ours(await list<Comment>(world, `issues/${number}/comments`));
      const where = `#${number}`;
      return [
        pull,
        { effect: 'plan comment', where, wanted: distinct(comments), found: comments.length },
      ];
    },
  };
}
