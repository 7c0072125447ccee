/** `GET /api/v1/standups` on a real server and store: its guard, filters, pages and problems. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeValue } from '../../../src/act/standup/change-value.ts';
import { rejectTension, raiseTension } from '../../../src/domain/tension/move-tension.ts';
import { openDoor, type Door } from '../../adapters/http/door.ts';
import { anInsight, aStandup } from '../../helpers/a-kept-standup.ts';
import { verifies } from '../../verifies.ts';

const TOKEN = ['a', 'dashboard', 'token', 'of', 'tests'].join('-');
const AT = '2026-11-20T10:00:00.000Z';

let door: Door;
beforeAll(async () => {
  door = await openDoor({ dashboardToken: TOKEN });
  const texts = [
    'The retry in the queue has no upper limit',
    'Retry of the queue: no upper limit anywhere',
    'Queue retry still without an upper limit',
  ];
  for (const [n, message] of texts.entries()) {
    const run = `run-${n}`;
    const insights = [
      anInsight(message, { run, refs: [{ path: 'src/queue.ts', line: 3 }] }),
      anInsight('', { run, from: 'priya' }),
    ];
    await door.store.standups.save(aStandup({ run, insights, at: `2026-11-2${n}T10:00:00.000Z` }));
  }
  await changeValue(door.store.standups, { repository: 1, name: 'tensions' }, (book) => {
    const said = anInsight(texts[0] ?? '', { run: 'run-0' });
    const raised = raiseTension(book, said, { at: AT, viewed: {} });
    const moved = rejectTension(raised.book, 1, { by: 'ana', at: AT, why: 'It is wanted' });
    return moved.isMoved ? moved.book : book;
  });
});
afterAll(() => door.stop());

async function get(query: string, headers: Record<string, string> = {}, list = 'standups') {
  const response = await fetch(`${door.url}/api/v1/${list}${query}`, {
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
  });
  const type = response.headers.get('content-type');
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, type, body };
}

function cursorOf(text: string): string {
  return Buffer.from(text).toString('base64url');
}

describe('the guard', () => {
  test.each([
    ['no token', { authorization: '' }],
    ['another token', { authorization: 'Bearer something-else' }],
    ['the token as a password', { authorization: `Basic ${TOKEN}` }],
  ])('refuses %s with a problem, on this machine too', async (_, headers) => {
    for (const [path, list] of [
      ['', 'standups'],
      ['/trends?repo=1', 'standups'],
      ['?repo=1', 'tensions'],
    ] as const)
      expect(await get(path, headers, list)).toMatchObject({
        status: 401,
        type: 'application/problem+json',
        body: { code: 'token-required' },
      });
  });

  test('refuses everybody where no token is set', async () => {
    const closed = await openDoor();
    const response = await fetch(`${closed.url}/api/v1/standups`, {
      headers: { authorization: 'Bearer ' },
    });
    expect(response.status).toBe(401);
    await closed.stop();
  });

  test('refuses to be written to', async () => {
    const response = await fetch(`${door.url}/api/v1/standups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the list', () => {
  verifies(
    'LS-7: API',
    'has the pinned fields, the state of tensions and both counts',
    async () => {
      const { status, body } = await get('?run=run-0');
      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 2, noTensionCount: 1, nextCursor: null });
      expect(body['insights']).toEqual([
        {
          id: anInsight('The retry in the queue has no upper limit', { run: 'run-0' }).id,
          run: 'run-0',
          from: 'maya',
          role: 'Security Reviewer',
          to: null,
          type: 'risk',
          message: 'The retry in the queue has no upper limit',
          refs: [{ path: 'src/queue.ts', line: 3 }],
          actionable: true,
          state: 'rejected',
          seen: 1,
          at: AT,
          model: 'offline',
          costUsd: 0.002,
          tokens: 120,
          ms: 40,
        },
        expect.objectContaining({ from: 'priya', type: 'none', state: 'open' }),
      ]);
    },
  );

  test('filters by the name of the repository, in any case, and by type', async () => {
    expect((await get('?repo=octo/repo&type=risk')).body).toMatchObject({ total: 3 });
    expect((await get('?repo=1&type=none')).body).toMatchObject({ total: 3, noTensionCount: 3 });
    expect((await get('?repo=octo/other')).body).toMatchObject({ total: 0, insights: [] });
  });

  test('goes on where the cursor says', async () => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await get(`?type=risk&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...(body['insights'] as { run: string }[]).map(({ run }) => run));
      const next = body['nextCursor'];
      if (typeof next !== 'string') break;
      cursor = next;
    }
    expect(seen).toEqual(['run-2', 'run-1', 'run-0']);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=201', 'limit'],
    ['?type=praise', 'type'],
    ['?cursor=zzz', 'cursor'],
    ['?repo=a/b/c', 'repo'],
    ['?repo=1&repo=2', 'repo'],
    ['?repos=1', 'repos'],
    ['/trends', 'repo'],
    ['/trends?repo=1&resolved=maybe', 'resolved'],
    ['/trends?repo=1&cursor=WzFd', 'cursor'],
    [`?cursor=${cursorOf('["tensions",1]')}`, 'cursor'],
    [`?cursor=${cursorOf('["insights",-1]')}`, 'cursor'],
    [`?cursor=${cursorOf('["insights"]')}`, 'cursor'],
  ])('refuses %s and names the parameter', async (query, name) => {
    const { status, type, body } = await get(query);
    expect([status, type, body['code']]).toEqual([
      400,
      'application/problem+json',
      'query-invalid',
    ]);
    expect(body['title']).toContain(name);
  });
});

describe('trends', () => {
  verifies('LS-7: trends', 'has the theme of three runs, and can leave open ones out', async () => {
    const { body } = await get('/trends?repo=octo/repo');
    expect(body['themes']).toMatchObject([{ count: 3, isRaised: true, paths: ['src/queue.ts'] }]);
    expect(body['health']).toMatchObject({
      runs: 3,
      answers: 6,
      noTensionRate: 0.5,
      invented: 3,
      total: { raised: 1, accepted: 0, rejected: 1, closed: 0 },
      byPersona: { maya: { raised: 1 } },
    });
    expect((await get('/trends?repo=1&resolved=true')).body).toMatchObject({
      themes: [],
      total: 0,
    });
    expect((await get('/trends?repo=99')).body).toMatchObject({ themes: [], total: 0 });
  });
});

test('themes come in pages, also while an earlier page changes', async () => {
  const say = (run: string, ...messages: string[]) =>
    door.store.standups.save(
      aStandup({
        repository: 5,
        name: 'octo/five',
        run,
        at: '2026-11-20T10:00:00.000Z',
        insights: messages.map((message) => anInsight(message, { run })),
      }),
    );
  const texts = ['Empty baskets break', 'Daylight saving is ignored', 'Passwords are logged'];
  await say('t1', ...texts);
  const page = async (cursor: string) =>
    (await get(`/trends?repo=5&limit=2&cursor=${cursor}`.replace(/&cursor=$/, ''))).body;
  const labels = (body: Record<string, unknown>) =>
    (body['themes'] as { label: string }[]).map(({ label }) => label);
  const first = await page('');
  expect([labels(first).length, first['total']]).toEqual([2, 3]);
  await say('t2', 'Ports are guessed twice', texts[0] ?? '');
  const rest = await page(String(first['nextCursor']));
  expect(rest['nextCursor']).toBeNull();
  expect(new Set([...labels(first), ...labels(rest)]).size).toBeGreaterThanOrEqual(3);
  expect(labels(rest).filter((label) => labels(first).includes(label))).toEqual([]);
}, 20_000);

describe('tensions', () => {
  const tensions = (query: string) => get(query, {}, 'tensions');

  test('have the pinned fields, all of them always', async () => {
    const { status, body } = await tensions('?repo=octo/repo');
    expect(status).toBe(200);
    expect(body).toEqual({
      tensions: [
        {
          number: 1,
          state: 'rejected',
          from: 'maya',
          role: 'Security Reviewer',
          to: null,
          type: 'risk',
          message: 'The retry in the queue has no upper limit',
          refs: [],
          actionable: true,
          seen: 1,
          firstSeen: AT,
          lastSeen: AT,
          by: 'ana',
          why: 'It is wanted',
          issue: null,
          closedBy: null,
        },
      ],
      total: 1,
      nextCursor: null,
    });
  });

  test('are filtered by state, and none where nothing is kept', async () => {
    expect((await tensions('?repo=1&state=open')).body).toMatchObject({ tensions: [], total: 0 });
    expect((await tensions('?repo=1&state=rejected')).body).toMatchObject({ total: 1 });
    expect((await tensions('?repo=octo/other')).body).toMatchObject({ tensions: [], total: 0 });
  });

  const raise = (...messages: string[]) =>
    changeValue(door.store.standups, { repository: 2, name: 'tensions' }, (before) =>
      messages.reduce((book, message) => {
        const said = anInsight(`Thing ${message}`, { run: message });
        return raiseTension(book, said, { at: AT, viewed: {} }).book;
      }, before),
    );

  test('come in pages, the newest first, also while others are raised', async () => {
    await raise('one leaks a', 'two waits b', 'three blocks c');
    const first = (await tensions('?repo=2&limit=2')).body;
    const numbers = (body: typeof first) =>
      (body['tensions'] as { number: number }[]).map(({ number }) => number);
    expect([numbers(first), first['total']]).toEqual([[3, 2], 3]);
    await raise('four drifts d', 'five sleeps e');
    const last = (await tensions(`?repo=2&limit=2&cursor=${String(first['nextCursor'])}`)).body;
    expect([numbers(last), last['nextCursor']]).toEqual([[1], null]);
  });

  test.each([
    ['', 'repo'],
    ['?repo=a/b/c', 'repo'],
    ['?repo=1&state=gone', 'state'],
    ['?repo=1&limit=0', 'limit'],
    ['?repo=1&type=risk', 'type'],
    ['?repo=1&cursor=zzz', 'cursor'],
    ['?repo=1&cursor=', 'cursor'],
    [`?repo=1&cursor=${cursorOf('["insights",2]')}`, 'cursor'],
    [`?repo=1&cursor=${cursorOf('["tensions","2"]')}`, 'cursor'],
  ])('refuse %s and name the parameter', async (query, name) => {
    const { status, type, body } = await tensions(query);
    expect([status, type, body['code']]).toEqual([
      400,
      'application/problem+json',
      'query-invalid',
    ]);
    expect(body['title']).toContain(name);
  });
});
