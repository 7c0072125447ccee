/** Lists that grow past a full page: the page is the same, so GitHub answers 304, and its `Link` header is not in that. */
import { describe, expect, test } from 'vitest';
import { createLine } from '../../../src/adapters/github/client/line.ts';
import { type Calls } from '../../../src/adapters/github/installation-client.ts';
import { tokenCredentials } from '../../../src/adapters/github/client/credentials.ts';
import { createBudget } from '../../../src/adapters/github/client/budget.ts';
import { createReadCache } from '../../../src/adapters/github/cache/read-cache.ts';
import { createWire } from '../../../src/adapters/github/client/wire.ts';
import { operation } from '../../../src/adapters/github/rest-operations.ts';
import { eachPage, everyPage, newestPages } from '../../../src/adapters/github/client/pages.ts';
import { z } from 'zod';
import { verifies } from '../../verifies.ts';
import { createTestClock, openStage, steady, type Reply, type Seen } from './stage.ts';
import { NAME, openPull, openWorld, type WorkWorld } from './work-world.ts';

async function say(world: WorkWorld, number: number, bodies: string[]): Promise<void> {
  for (const body of bodies) await world.emulator.as('bob').comment(NAME, number, body);
}

const words = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `word ${from + n}`);

describe.each([
  ['on github.com', {}],
  ['on a server whose 304 carries the link header', { hidesLinkIn304: false }],
])('%s', (_title, behaviour) => {
  verifies(
    'LIM-05',
    'the comment after a full page is found, and so is the one after two of them',
    async () => {
      const world = await openWorld({ behaviour });
      const { number } = await world.emulator.as('alice').openIssue(NAME, { title: 'Busy' });
      const session = world.open();
      const newest = async (): Promise<string[]> => {
        const comments = await session.read.comments(world.thread(number), 120);
        return [String(comments.length), comments.at(-1)?.body ?? ''];
      };
      await say(world, number, words(1, 100));
      expect(await newest()).toEqual(['100', 'word 100']);
      await say(world, number, words(101, 101));
      expect(await newest()).toEqual(['101', 'word 101']);
      await say(world, number, words(102, 200));
      expect(await newest()).toEqual(['120', 'word 200']);
      await say(world, number, words(201, 201));
      expect(await newest()).toEqual(['120', 'word 201']);
    },
  );

  test('one of Quorum’s comments after a full page is not written again', async () => {
    const world = await openWorld({ behaviour });
    const { number } = await world.emulator.as('alice').openIssue(NAME, { title: 'Busy' });
    const ref = world.thread(number);
    const session = world.open();
    await say(world, number, words(1, 100));
    await session.read.comments(ref, 10);
    const wanted = { marker: { kind: 'run', run: 'r1', key: 'live' }, body: 'Ours.' } as const;
    // Written by another process, whose memory this one does not have.
    await world.open().write.ensureComment(ref, wanted);
    await session.write.ensureComment(ref, wanted);
    const comments = world.emulator.repository(NAME).threads.get(number)?.comments ?? [];
    expect(comments).toHaveLength(101);
  });

  test('the label put on after a full page of events is by whom it was', async () => {
    const world = await openWorld({ behaviour });
    const { number } = await world.emulator.as('alice').openIssue(NAME, { title: 'Busy' });
    const { app } = world.github();
    const labelledBy = async () => {
      const [found] = await app.labelled(world.repository, ['deliberate']);
      return found?.labelledBy?.login;
    };
    const events = () => world.emulator.repository(NAME).threads.get(number)?.timeline ?? [];
    const toggle = async (login: string): Promise<void> => {
      const path = `/repos/${NAME}/issues/${number}/labels`;
      await world.emulator.as(login).request('DELETE', `${path}/deliberate`, {});
      await world.emulator.as(login).label(NAME, number, ['deliberate']);
    };
    await world.emulator.as('alice').label(NAME, number, ['other', 'deliberate']);
    for (let n = 0; n < 100 && events().length < 100; n += 1) await toggle('alice');
    expect([events().length, await labelledBy()]).toEqual([100, 'alice']);
    await toggle('bob');
    expect(await labelledBy()).toBe('bob');
  });

  test('a review after a full page of reviews counts for the merge', async () => {
    const world = await openWorld({ behaviour });
    const { ref, number } = await openPull(world);
    world.emulator.faults.add({
      path: /graphql/,
      times: Infinity,
      fault: { kind: 'status', status: 404 },
    });
    const review = (login: string, event: string): Promise<unknown> =>
      world.emulator
        .as(login)
        .request('POST', `/repos/${NAME}/pulls/${number}/reviews`, { event, body: 'so' });
    for (let n = 0; n < 100; n += 1) await review('alice', 'COMMENT');
    const { tasks } = world.open();
    const states = async () => (await tasks.mergeFacts(ref)).reviews.map(({ state }) => state);
    expect(await states()).toEqual(['commented']);
    await review('bob', 'REQUEST_CHANGES');
    expect(await states()).toEqual(['commented', 'changes-requested']);
  });
});

const NUMBERS = operation('GET /numbers', z.array(z.number()));

/** A list of numbers, whose tag covers the body. As github.com serves it, a 304 names no pages. */
function numbersOf(list: number[], isNamedIn304: boolean): (seen: Seen) => Reply {
  return ({ path, headers }) => {
    const { searchParams, pathname } = new URL(path, 'http://x');
    const page = Number(searchParams.get('page') ?? 1);
    const body = list.slice((page - 1) * 100, page * 100);
    const etag = `"${body.join()}"`;
    const last = Math.ceil(list.length / 100);
    const to = (n: number, rel: string) =>
      `<http://${headers.host}${pathname}?per_page=100&page=${n}>; rel="${rel}"`;
    const link = page < last ? { link: `${to(page + 1, 'next')}, ${to(last, 'last')}` } : {};
    if (headers['if-none-match'] !== etag) return { body, headers: { etag, ...link } };
    return { status: 304, headers: { etag, ...(isNamedIn304 && link) } };
  };
}

async function openCalls(
  list: number[],
  isNamedIn304 = false,
): Promise<{ calls: Calls; seen: Seen[] }> {
  const { url, seen } = await openStage(numbersOf(list, isNamedIn304));
  const clock = createTestClock();
  const line = createLine({
    installationId: 7,
    wire: createWire({ baseUrl: url, timeoutMs: 5000 }),
    credentials: tokenCredentials('t'),
    budget: createBudget({ budgets: 'off', clock, random: steady }),
    cache: createReadCache(),
    clock,
    random: steady,
  });
  return { calls: line.calls({}), seen };
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, at) => at + 1);
const ALL = { eachPage, everyPage, newestPages };

test.each(['eachPage', 'everyPage', 'newestPages'] as const)(
  '%s reads all of a list after each growth',
  async (name) => {
    const list = upTo(99);
    const { calls } = await openCalls(list);
    for (const length of [99, 100, 101, 199, 200, 201, 400, 401, 600]) {
      list.splice(0, list.length, ...upTo(length));
      const found: number[] = [];
      for await (const page of ALL[name](calls, NUMBERS, { per_page: 100 })) found.push(...page);
      expect(found.toSorted((a, b) => a - b)).toEqual(list);
    }
  },
);

test('newestPages keeps its order when the list has grown by pages since the first was read', async () => {
  const list = upTo(150);
  const { calls } = await openCalls(list);
  const firsts = async (): Promise<number[]> => {
    const found: number[] = [];
    for await (const [first = 0] of newestPages(calls, NUMBERS, { per_page: 100 }))
      found.push(first);
    return found;
  };
  expect(await firsts()).toEqual([101, 1]);
  list.push(...upTo(450).slice(150));
  expect(await firsts()).toEqual([401, 301, 201, 101, 1]);
});

test('the pages that a 304 names are those of now', async () => {
  const list = upTo(150);
  const { calls, seen } = await openCalls(list, true);
  const pages = async (): Promise<number[]> => {
    const from = seen.length;
    for await (const page of newestPages(calls, NUMBERS, { per_page: 100 }))
      expect(page.length).toBeGreaterThan(0);
    return seen
      .slice(from)
      .map(({ path }) => Number(new URL(path, 'http://x').searchParams.get('page') ?? 1));
  };
  expect(await pages()).toEqual([1, 2]);
  list.push(...upTo(450).slice(150));
  expect(await pages()).toEqual([1, 5, 4, 3, 2]);
});

test('only a full page that names no next one is asked for without its tag', async () => {
  const list = upTo(100);
  const { calls, seen } = await openCalls(list);
  const tags = async (): Promise<boolean[]> => {
    const from = seen.length;
    for await (const page of eachPage(calls, NUMBERS, { per_page: 100 }))
      expect(page.length).toBeGreaterThan(0);
    return seen.slice(from).map(({ headers }) => headers['if-none-match'] !== undefined);
  };
  await tags();
  expect(await tags()).toEqual([false]);
  list.push(101);
  expect(await tags()).toEqual([false, false]);
  expect(await tags()).toEqual([true, true]);
});
