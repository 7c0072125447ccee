/** Reads against scripted answers: retries, pages, sharing, forgetting. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createBudget } from '../../../src/adapters/github/client/budget.ts';
import { tokenCredentials } from '../../../src/adapters/github/client/credentials.ts';
import { createLine } from '../../../src/adapters/github/client/line.ts';
import { type InstallationClient } from '../../../src/adapters/github/installation-client.ts';
import { GET_REPOSITORY, operation } from '../../../src/adapters/github/rest-operations.ts';
import { createReadCache } from '../../../src/adapters/github/cache/read-cache.ts';
import { createWire } from '../../../src/adapters/github/client/wire.ts';
import { ConfigError, RefusedError, TransientError } from '../../../src/domain/event/errors.ts';
import type { CallCounts } from '../../../src/domain/run/ledger.ts';
import { verifies } from '../../verifies.ts';
import {
  createTestClock,
  inQueue,
  makePrivateKey,
  openGitHub,
  openStage,
  type Stage,
  REF,
  steady,
  THREAD,
  WIRE_REPOSITORY,
  WIRE_SELF,
  wireComment,
  wireIssue,
  type Reply,
  type Seen,
} from './stage.ts';

const ISSUES = 'GET /repos/{owner}/{repo}/issues';

function lineTo({ url }: { url: string }, token: () => string = () => 't'): InstallationClient {
  const clock = createTestClock();
  return createLine({
    installationId: 7,
    wire: createWire({ baseUrl: url, timeoutMs: 5000 }),
    credentials: { ...tokenCredentials(''), authorization: () => Promise.resolve(token()) },
    budget: createBudget({ budgets: 'off', clock, random: steady }),
    cache: createReadCache(),
    clock,
    random: steady,
  });
}

const PLACE = { repositoryId: 42, owner: 'acme', repo: 'widgets' };

/** Answers one after the other, the last one from then on. */
function inTurn(...replies: Reply[]): () => Reply {
  let next = 0;
  return () => replies[Math.min(next++, replies.length - 1)] ?? {};
}

const page = (seen: Seen): number =>
  Number(new URL(seen.path, 'http://x').searchParams.get('page') ?? 1);

describe('a read', () => {
  test.each<[string, Reply]>([
    ['a server error', { status: 502 }],
    ['a lost connection', { cut: 'all' }],
    ['a truncated body', { body: [wireIssue(1)], cut: 'body' }],
  ])('is repeated twice after %s', async (_title, bad) => {
    const stage = await openStage(inTurn(bad, bad, { body: [wireIssue(1)] }));
    const at = openGitHub(stage, createTestClock()).at(REF);
    expect(await at.read.pastIssues(REF, 5)).toHaveLength(1);
    expect(at.counts).toEqual({ [ISSUES]: 3 });
  });

  test('gives up after three attempts with an error that may be retried', async () => {
    const stage = await openStage(() => ({ status: 503 }));
    const work = openGitHub(stage, createTestClock()).at(REF).read.pastIssues(REF, 5);
    await expect(work).rejects.toMatchObject({ code: 'github-unavailable', retryable: true });
    expect(stage.seen).toHaveLength(3);
  });

  test('that GitHub calls invalid is retried, and the third such answer is believed', async () => {
    const invalid = { status: 422, body: { message: 'Validation Failed' } };
    const passing = await openStage(inTurn(invalid, invalid, { body: WIRE_REPOSITORY }));
    const counts: CallCounts = {};
    await lineTo(passing).calls(counts).get(GET_REPOSITORY, PLACE);
    expect(counts).toEqual({ [GET_REPOSITORY.route]: 3 });
    const lasting = await openStage(() => invalid);
    const read = lineTo(lasting).calls({}).get(GET_REPOSITORY, PLACE);
    await expect(read).rejects.toMatchObject({
      code: 'github-invalid',
      isEventuallyConsistent: true,
    });
    expect(lasting.seen).toHaveLength(3);
  });

  test.each([400, 403, 404])('that is answered %i is believed by the adapter', async (status) => {
    const stage = await openStage(() => ({ status, body: { message: 'No' } }));
    const read = lineTo(stage).calls({}).get(GET_REPOSITORY, PLACE);
    await expect(read).rejects.toBeInstanceOf(RefusedError);
    expect(stage.seen).toHaveLength(1);
  });

  test('of text, and a write, are not asked again after a 422', async () => {
    const stage = await openStage(() => ({ status: 422, body: { message: 'Too large' } }));
    const calls = lineTo(stage).calls({});
    const diff = { ...operation('GET /diff', z.string()), accept: 'application/vnd.github.diff' };
    await expect(calls.get(diff, {})).rejects.toMatchObject({ code: 'github-invalid' });
    const write = operation('POST /write', z.unknown());
    await expect(calls.send(write, {})).rejects.toMatchObject({ code: 'github-invalid' });
    await expect(calls.mint(write, {})).rejects.toMatchObject({ code: 'github-invalid' });
    expect(stage.seen).toHaveLength(3);
  });

  test('that is never answered ends by its time limit', async () => {
    const stage = await openStage(() => ({ hang: true }));
    const work = openGitHub(stage, createTestClock(), { timeoutMs: 30 })
      .at(REF)
      .read.pastIssues(REF, 5);
    await expect(work).rejects.toMatchObject({ code: 'github-unreachable' });
  });

  test('of another form than documented is an error that may be retried, not a crash', async () => {
    const stage = await openStage(() => ({ body: [{ hello: 'captive portal' }] }));
    const work = openGitHub(stage, createTestClock()).at(REF).read.pastIssues(REF, 5);
    await expect(work).rejects.toMatchObject({ code: 'unexpected-answer', retryable: true });
  });

  verifies('LIM-03', 'under a limit is not repeated here: the error carries the wait', async () => {
    const stage = await openStage(() => ({ status: 429, headers: { 'retry-after': '90' } }));
    const github = openGitHub(stage, createTestClock());
    const error = await github
      .at(REF)
      .read.pastIssues(REF, 5)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TransientError);
    expect((error as TransientError).retryAfterMs).toBeGreaterThanOrEqual(90_000);
    await expect(github.at(REF).read.repository(REF)).rejects.toMatchObject({
      code: 'github-rate-limited',
    });
    expect(stage.seen).toHaveLength(1);
  });

  test('asked for twice at once is sent once, and one caller giving up does not stop the other', async () => {
    const stage = await openStage(() => ({ body: [wireIssue(1)] }));
    const github = openGitHub(stage, createTestClock());
    const stop = new AbortController();
    const first = github.at(REF, stop.signal).read.pastIssues(REF, 5);
    const second = github.at(REF).read.pastIssues(REF, 5);
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(await second).toHaveLength(1);
    expect(stage.seen).toHaveLength(1);
  });

  verifies('LIM-05', 'sends the ETag and takes what it has after a 304', async () => {
    const stage = await openStage((seen) =>
      seen.headers['if-none-match'] === '"v1"'
        ? { status: 304 }
        : { body: [wireIssue(1)], headers: { etag: '"v1"' } },
    );
    const github = openGitHub(stage, createTestClock());
    await github.at(REF).read.pastIssues(REF, 5);
    const again = github.at(REF);
    expect(await again.read.pastIssues(REF, 5)).toHaveLength(1);
    expect(again.counts).toEqual({ [`304 ${ISSUES}`]: 1 });
  });
});

describe('a new token', () => {
  verifies(
    'LIM-05',
    'gets no ETag from an older token; answers that never change are kept',
    async () => {
      const stage = await openStage(({ path }) => ({
        body: path === '/blob' ? {} : [],
        headers: { etag: '"v1"' },
      }));
      let token = 'one';
      const line = lineTo(stage, () => token);
      const list = operation('GET /list', z.array(z.unknown()));
      const blob = operation('GET /blob', z.object({}));
      const read = async (): Promise<void> => {
        await line.calls({}).get(list, {});
        await line.calls({}).get(blob, {}, { isImmutable: true });
      };
      await read();
      await read();
      token = 'two';
      await read();
      await read();
      expect(
        stage.seen.map(({ path, headers }) => [
          path,
          headers.authorization,
          headers['if-none-match'],
        ]),
      ).toEqual([
        ['/list', 'one', undefined],
        ['/blob', 'one', undefined],
        ['/list', 'one', '"v1"'],
        ['/list', 'two', undefined],
        ['/list', 'two', '"v1"'],
      ]);
    },
  );
});

describe('pages', () => {
  const many =
    (count: number) =>
    (seen: Seen): Reply => {
      const now = page(seen);
      const host = `http://${seen.headers.host}`;
      const link = `<${host}/repos/acme/widgets/issues?page=${now + 1}>; rel="next"`;
      return { body: [wireIssue(now)], headers: now < count ? { link } : {} };
    };

  verifies('LIM-06', 'are followed until enough is read, and never more than fifty', async () => {
    const some = await openStage(many(5));
    const at = openGitHub(some, createTestClock()).at(REF);
    expect((await at.read.pastIssues(REF, 3)).map((one) => one.number)).toEqual([1, 2, 3]);
    expect(some.seen).toHaveLength(3);
    const endless = await openStage(many(Infinity));
    await openGitHub(endless, createTestClock(), { budgets: 'off' })
      .at(REF)
      .read.pastIssues(REF, 1e6);
    expect(endless.seen).toHaveLength(50);
  });

  verifies(
    'LIM-06',
    'of another host are asked of our own, so that it never sees the token',
    async () => {
      const thief = await openStage(() => ({ body: [] }));
      const stage = await openStage((seen) => {
        const headers = page(seen) === 1 ? { link: `<${thief.url}/steal?page=2>; rel="next"` } : {};
        return { body: [wireIssue(page(seen))], headers };
      });
      const past = await openGitHub(stage, createTestClock()).at(REF).read.pastIssues(REF, 10);
      expect(past.map((one) => one.number)).toEqual([1, 2]);
      expect(thief.seen).toEqual([]);
    },
  );
});

describe('an issue', () => {
  const at = (path: string, name = 'widgets'): Record<string, Reply> => ({
    'GET /repos/acme/widgets/issues/5': { status: 301, headers: { location: path } },
    [`GET ${path}`]: {
      body: wireIssue(5, { user: WIRE_SELF, repository_url: `http://x/repos/acme/${name}` }),
    },
    'GET /repos/acme/widgets': { body: { ...WIRE_REPOSITORY, name, full_name: `acme/${name}` } },
  });
  const readThere = async (answers: (stage: Stage) => Record<string, Reply>) => {
    const stage: Stage = await openStage(
      (seen) =>
        answers(stage)[`${seen.method} ${seen.asked}`] ??
        answers(stage)[`${seen.method} ${seen.path}`],
    );
    const issue = openGitHub(stage, createTestClock()).at(REF).read.issue(THREAD);
    return { stage, issue };
  };

  verifies(
    'ING-12',
    'that was transferred is not read where it went, whatever that is called',
    async () => {
      const elsewhere = '/repositories/77/issues/5';
      const { stage, issue } = await readThere((own) => {
        const { [`GET ${elsewhere}`]: reply = {}, ...rest } = at(elsewhere);
        const moved = { status: 301, headers: { location: `${own.url}${elsewhere}` } };
        return { ...rest, [`GET ${elsewhere}`]: reply, 'GET /repos/acme/widgets/issues/5': moved };
      });
      await expect(issue).rejects.toMatchObject({ code: 'github-moved' });
      expect(stage.count(`GET ${elsewhere}`)).toBe(0);
    },
  );

  verifies('ING-12', 'in a renamed repository is read', async () => {
    const { issue } = await readThere(() => {
      const { 'GET /repos/acme/widgets/issues/5': _, ...rest } = at(
        '/repositories/42/issues/5',
        'renamed',
      );
      return rest;
    });
    expect(await issue).toMatchObject({ number: 5 });
  });

  test('is read where the same repository has it now', async () => {
    const within = '/repositories/42/issues/5?again';
    const { issue } = await readThere((own) => ({
      ...at(within),
      'GET /repositories/42/issues/5': {
        status: 301,
        headers: { location: `${own.url}${within}` },
      },
    }));
    expect(await issue).toMatchObject({ number: 5 });
  });

  test('of a deleted account appears as the ghost’s, without permission', async () => {
    const stage = await openStage((seen) =>
      seen.path.endsWith('/issues/5')
        ? { body: wireIssue(5, { user: null, body: null }) }
        : undefined,
    );
    const clock = createTestClock();
    const { read } = openGitHub(stage, clock).at(REF);
    const { found } = await inQueue(clock, () => read.issue(THREAD));
    expect(found).toMatchObject({ body: '', author: { login: 'ghost' }, authorPermission: 'none' });
  });
});

describe('a permission', () => {
  const ask = async (reply: Reply) => {
    const stage = await openStage(() => reply);
    const clock = createTestClock();
    const { read } = openGitHub(stage, clock).at(REF);
    const { found } = await inQueue(clock, () => read.permission(REF, { id: 11, login: 'alice' }));
    expect(clock.naps).toEqual([]);
    return found;
  };

  test.each<[string, Reply, string]>([
    [
      'a custom role counts as the built-in one under it',
      { body: { permission: 'write', role_name: 'releaser', user: { id: 11, login: 'alice' } } },
      'write',
    ],
    [
      'a role is told finer than the permission',
      { body: { permission: 'write', role_name: 'maintain', user: { id: 11, login: 'alice' } } },
      'maintain',
    ],
    [
      'a login that is another account now has none',
      { body: { permission: 'admin', role_name: 'admin', user: { id: 12, login: 'alice' } } },
      'none',
    ],
    [
      'no account in the answer is none',
      { body: { permission: 'admin', role_name: 'admin', user: null } },
      'none',
    ],
    [
      'an unknown permission is none',
      { body: { permission: 'god', user: { id: 11, login: 'alice' } } },
      'none',
    ],
    ['404 is none', { status: 404 }, 'none'],
    ['403 is none', { status: 403 }, 'none'],
    ['401 is none', { status: 401 }, 'none'],
  ])('%s', async (_title, reply, expected) => {
    expect(await ask(reply)).toBe(expected);
  });

  test('that cannot be asked for now is no answer at all', async () => {
    await expect(ask({ status: 503 })).rejects.toBeInstanceOf(TransientError);
  });
});

describe('the paths of a commit', () => {
  const entry = (path: string, mode: string, type = 'blob') => ({ path, mode, type, sha: 'abc' });
  const tree = [
    entry('a.ts', '100644'),
    entry('run.sh', '100755'),
    entry('link', '120000'),
    entry('module', '160000', 'commit'),
    entry('src', '040000', 'tree'),
  ];

  test('are plain files only, and asked for once', async () => {
    const stage = await openStage(() => ({ body: { tree, truncated: true } }));
    const { read } = openGitHub(stage, createTestClock()).at(REF);
    const expected = { paths: ['a.ts', 'run.sh'], isCut: true };
    expect(await read.paths(REF, 'abc', 10)).toEqual(expected);
    expect(await read.paths(REF, 'abc', 10)).toEqual(expected);
    expect(stage.seen).toHaveLength(1);
  });

  test.each([404, 409])('are empty in a repository without commits (%s)', async (status) => {
    const stage = await openStage((seen) =>
      seen.path === '/repos/acme/widgets' ? { body: WIRE_REPOSITORY } : { status },
    );
    const { read } = openGitHub(stage, createTestClock()).at(REF);
    expect(await read.repository(REF)).toMatchObject({ headSha: '' });
    expect(await read.paths(REF, '', 10)).toEqual({ paths: [], isCut: false });
    expect(await read.paths(REF, 'abc', 10)).toEqual({ paths: [], isCut: false });
  });
});

describe('the texts of files', () => {
  test('that a cut tree does not show are read by their path', async () => {
    const content = Buffer.from('text\n').toString('base64');
    const stage = await openStage((seen) => {
      if (seen.path.includes('/git/trees/')) return { body: { tree: [], truncated: true } };
      if (seen.path.includes('/contents/folder')) return { body: [{ type: 'file' }] };
      if (seen.path.includes('/contents/deep'))
        return { body: { type: 'file', size: 5, encoding: 'base64', content } };
      return undefined;
    });
    const { read } = openGitHub(stage, createTestClock()).at(REF);
    const files = await read.files(REF, 'abc', {
      paths: ['deep/a.ts', 'folder', 'gone.ts'],
      maxBytes: 100,
    });
    expect(files).toEqual([{ path: 'deep/a.ts', text: 'text\n', isCut: false }]);
  });

  test('of the same blob are fetched once, whatever the commit', async () => {
    const stage = await openStage((seen) => {
      if (seen.path.includes('/git/blobs/')) return { body: { content: 'x', encoding: 'utf-8' } };
      const entry = { path: 'a.ts', mode: '100644', type: 'blob', sha: 'b10b', size: 1 };
      return { body: { tree: [entry], truncated: false } };
    });
    const { read } = openGitHub(stage, createTestClock()).at(REF);
    for (const sha of ['abc', 'def']) {
      const files = await read.files(REF, sha, { paths: ['a.ts'], maxBytes: 10 });
      expect(files.map((file) => file.text)).toEqual(['x']);
    }
    expect(stage.count('GET /repos/acme/widgets/git/blobs')).toBe(1);
  });

  test('that are huge are not fetched at all', async () => {
    const entry = { path: 'a.ts', mode: '100644', type: 'blob', sha: 'b10b', size: 2_000_000 };
    const stage = await openStage(() => ({ body: { tree: [entry], truncated: false } }));
    const { read } = openGitHub(stage, createTestClock()).at(REF);
    await read.paths(REF, 'abc', 10);
    expect(await read.files(REF, 'abc', { paths: ['a.ts'], maxBytes: 10 })).toEqual([]);
    expect(stage.seen).toHaveLength(1);
  });
});

describe('the commits of a path', () => {
  test.each([
    ['a person', { id: 1, login: 'alice', type: 'User' }, false],
    ['an App', { id: 2, login: 'x[bot]', type: 'Bot' }, true],
    ['nobody known', null, true],
    ['an empty account', {}, true],
  ])('by %s', async (_title, author, isByAgent) => {
    const stage = await openStage(() => ({ body: [{ sha: 'abc', author }] }));
    const { history } = openGitHub(stage, createTestClock()).at(REF);
    expect(await history.commits(REF, { path: 'a.yml', sha: 'abc' })).toEqual({
      commits: [{ sha: 'abc', isByAgent }],
      isCut: false,
    });
  });
});

describe('an App', () => {
  const auth = { kind: 'app', appId: 12, privateKey: makePrivateKey() } as const;
  const token = (value: string, clock: { now(): number }, lifeMs = 3_600_000): Reply => ({
    status: 201,
    body: { token: value, expires_at: new Date(clock.now() + lifeMs).toISOString() },
    headers: { date: new Date(clock.now()).toUTCString() },
  });

  test('mints one token for many calls and another before it ends', async () => {
    const clock = createTestClock();
    let minted = 0;
    const stage = await openStage((seen) =>
      seen.method === 'POST' ? token(`t${(minted += 1)}`, clock) : { body: [] },
    );
    const github = openGitHub(stage, clock, { auth });
    await Promise.all([1, 2, 3].map((limit) => github.at(REF).read.pastIssues(REF, limit)));
    await github.app.repositories(7).catch(() => undefined);
    expect(minted).toBe(1);
    clock.advance(56 * 60_000);
    await github.at(REF).read.pastIssues(REF, 1);
    expect([minted, stage.seen.at(-1)?.headers.authorization]).toEqual([2, 'token t2']);
    github.forget(7);
    await github.at(REF).read.pastIssues(REF, 1);
    expect(minted).toBe(3);
  });

  verifies(
    'SEC-04: minted again once after a refusal',
    'drops a token that is refused and asks once more with a new one',
    async () => {
      const clock = createTestClock();
      let minted = 0;
      const stage = await openStage((seen) => {
        if (seen.method === 'POST') return token(`t${(minted += 1)}`, clock);
        return seen.headers.authorization === 'token t1' && minted === 1 && used++ > 0
          ? { status: 401 }
          : { body: [] };
      });
      let used = 0;
      const github = openGitHub(stage, clock, { auth });
      await github.at(REF).read.pastIssues(REF, 1);
      clock.advance(60_000);
      expect(await github.at(REF).read.pastIssues(REF, 1)).toEqual([]);
      expect(minted).toBe(2);
    },
  );

  test('that is refused for good is an error of configuration', async () => {
    const stage = await openStage(() => ({
      status: 401,
      headers: { date: 'Thu, 05 Nov 2026 10:00:00 GMT' },
    }));
    const work = openGitHub(stage, createTestClock(), { auth }).at(REF).read.pastIssues(REF, 1);
    await expect(work).rejects.toBeInstanceOf(ConfigError);
    expect(stage.seen).toHaveLength(1);
  });

  verifies(
    'DUR-04: signing',
    'with a wrong clock signs by the clock of the server after a refusal',
    async () => {
      const clock = createTestClock();
      const real = clock.now() - 24 * 3_600_000;
      const stage = await openStage((seen) => {
        const [, claims = ''] = String(seen.headers.authorization).split('.');
        const { iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
          iat: number;
          exp: number;
        };
        const isTimely = iat * 1000 <= real && exp * 1000 > real && exp * 1000 - real <= 600_000;
        const headers = { date: new Date(real).toUTCString() };
        return isTimely ? { body: [], headers } : { status: 401, headers };
      });
      const { app } = openGitHub(stage, clock, { auth });
      expect(await app.installations()).toEqual([]);
      expect(stage.seen).toHaveLength(2);
      expect(await app.installations()).toEqual([]);
      expect(stage.seen).toHaveLength(3);
    },
  );

  verifies(
    'DUR-04: wrong date of the server',
    'with a right clock is not led astray for long by a wrong date of the server',
    async () => {
      const clock = createTestClock();
      const replies: Reply[] = [{ status: 401 }, { status: 401 }, { status: 401 }, { body: [] }];
      const wrong = { date: 'Thu, 01 Jan 1970 00:00:00 GMT' };
      const answer = inTurn(...replies.map((reply) => ({ ...reply, headers: wrong })));
      const stage = await openStage(answer);
      const { app } = openGitHub(stage, clock, { auth });
      await expect(app.installations()).rejects.toBeInstanceOf(ConfigError);
      expect(await app.installations()).toEqual([]);
      const [, claims = ''] = String(stage.seen.at(-1)?.headers.authorization).split('.');
      const { iat } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number };
      expect(iat).toBe(clock.now() / 1000 - 60);
    },
  );

  test('removed from a repository gets no token and so writes nothing', async () => {
    const stage = await openStage(() => ({ status: 404 }));
    const { write } = openGitHub(stage, createTestClock(), { auth }).at(REF);
    const work = write.ensureComment(THREAD, {
      marker: { kind: 'run', run: 'r', key: 'k' },
      body: 'x',
    });
    await expect(work).rejects.toBeInstanceOf(RefusedError);
    const asApp = /\/access_tokens$|^\/repos\/acme\/widgets\/installation$/;
    expect(stage.seen.map(({ path }) => path).filter((path) => !asApp.test(path))).toEqual([]);
  });

  test('on a server that knows no bot accounts goes by its name until it has written something', async () => {
    const clock = createTestClock();
    const comments: unknown[] = [];
    const stage = await openStage((seen) => {
      if (seen.path.endsWith('/access_tokens')) return token('t', clock);
      if (seen.path === '/app') return { body: { slug: 'quorum' } };
      if (seen.path === '/app/installations') return { body: [{ id: 7 }] };
      if (seen.path === '/repos/acme/widgets') return { body: WIRE_REPOSITORY };
      if (seen.method === 'GET' && seen.path.includes('/comments')) return { body: comments };
      if (seen.method !== 'POST') return undefined;
      comments.push(wireComment(1, (seen.body as { body: string }).body));
      return { status: 201, body: comments[0] };
    });
    const github = openGitHub(stage, clock, { auth });
    expect(await github.app.self()).toEqual({ id: 0, login: 'quorum[bot]', isBot: true });
    const marker = { kind: 'run', run: 'r', key: 'k' } as const;
    await github.at(REF).write.ensureComment(THREAD, { marker, body: 'x' });
    expect(await github.app.self()).toMatchObject({ id: 900 });
    const again = await openGitHub(stage, clock, { auth })
      .at(REF)
      .write.ensureComment(THREAD, { marker, body: 'x' });
    expect([again.outcome, comments.length]).toEqual(['unchanged', 1]);
  });

  test('with an unreadable key is an error of configuration at once', () => {
    const broken = { ...auth, privateKey: 'not a key' };
    expect(() =>
      openGitHub({ url: 'http://127.0.0.1:1' }, createTestClock(), { auth: broken }),
    ).toThrow(ConfigError);
  });
});
