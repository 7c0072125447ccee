/** Reading pull requests where GitHub answers in its harder ways: too large, in pages, moving, without GraphQL. */
import { describe, expect, test } from 'vitest';
import { parseDiff } from '../../../../src/domain/diff/parse-diff.ts';
import type { PullReader } from '../../../../src/ports/github/pulls.ts';
import {
  createTestClock,
  openGitHub,
  openStage,
  THREAD,
  WIRE_REPOSITORY,
  WIRE_SELF,
  type Reply,
  type Script,
} from '../stage.ts';

const HEAD = 'a'.repeat(40);
const BASE = 'b'.repeat(40);
const OTHER = 'c'.repeat(40);
const RANGE = { baseSha: BASE, headSha: HEAD };
const AT = '2026-11-05T10:00:00Z';

function wirePull(more: Record<string, unknown> = {}) {
  return {
    number: 5,
    title: 'Change',
    body: null,
    state: 'open',
    user: null,
    labels: [],
    locked: false,
    merged: false,
    changed_files: 1,
    additions: 1,
    deletions: 1,
    mergeable: true,
    mergeable_state: 'clean',
    head: { ref: 'x', sha: HEAD, repo: { id: 42 } },
    base: { ref: 'main', sha: BASE, repo: { id: 42 } },
    html_url: 'http://x/5',
    created_at: AT,
    updated_at: AT,
    ...more,
  };
}

function wireFile(path: string, more: Record<string, unknown> = {}) {
  return {
    filename: path,
    status: 'modified',
    additions: 1,
    deletions: 1,
    patch: '@@ -1 +1 @@\n-a\n+b',
    contents_url: `http://x/contents/${path}?ref=${HEAD}`,
    ...more,
  };
}

const TOO_LARGE: Reply = {
  status: 406,
  body: { message: 'Sorry', errors: [{ code: 'too_large' }] },
};

interface Setup {
  pulls: PullReader;
  counts: Record<string, number>;
  count: (start: string) => number;
}

async function open(script: Script): Promise<Setup> {
  const stage = await openStage(script);
  const session = openGitHub(stage, createTestClock()).at(THREAD);
  return { pulls: session.pulls, counts: session.counts, count: stage.count };
}

/** A pull request of so many files whose diff GitHub does not write; `refOf` names the head of a page. */
function largePull(count: number, refOf: (page: number) => string = () => HEAD): Script {
  return ({ path }) => {
    const url = new URL(path, 'http://x');
    if (url.pathname.includes('/compare/')) return TOO_LARGE;
    if (url.pathname.endsWith('/pulls/5')) return { body: wirePull({ changed_files: count }) };
    if (!url.pathname.endsWith('/files')) return undefined;
    const page = Number(url.searchParams.get('page') ?? 1);
    const last = Math.min(Math.ceil(count / 100), 30);
    const next = new URL(url);
    next.searchParams.set('page', String(page + 1));
    const size = Math.min(100, count - (page - 1) * 100);
    const body = Array.from({ length: size }, (_, index) => {
      const name = `src/f${(page - 1) * 100 + index}.ts`;
      return wireFile(name, { contents_url: `http://x/contents/${name}?ref=${refOf(page)}` });
    });
    return { body, headers: page < last ? { link: `<${next.href}>; rel="next"` } : {} };
  };
}

describe('a diff that is too large', () => {
  test('is read from the list of files, one call for every hundred', async () => {
    const context = await open(largePull(250));
    const changes = await context.pulls.changes(THREAD, RANGE);
    expect(changes).toMatchObject({ isCut: false, leftOut: [], unnamedFiles: 0 });
    const { files, problems } = parseDiff(changes.diff);
    expect([files.length, problems]).toEqual([250, []]);
    expect(Object.values(context.counts).reduce((sum, one) => sum + one, 0)).toBe(5);
  });

  test('of 3,500 files is cut where GitHub’s list ends, and says how much is missing', async () => {
    const context = await open(largePull(3500));
    const changes = await context.pulls.changes(THREAD, RANGE);
    expect(changes).toMatchObject({ isCut: true, leftOut: [], unnamedFiles: 500 });
    expect(parseDiff(changes.diff).files.length).toBe(3000);
    expect(context.count('GET /repos/acme/widgets/pulls/5/files')).toBe(30);
  });

  test('is refused when the head moves between two pages', async () => {
    const context = await open(largePull(250, (page) => (page < 3 ? HEAD : OTHER)));
    const read = context.pulls.changes(THREAD, RANGE);
    await expect(read).rejects.toMatchObject({ code: 'head-moved' });
  });

  test('that GitHub fails over each time is read from the list as well', async () => {
    const large = largePull(3);
    const context = await open((seen) =>
      seen.path.includes('/compare/')
        ? { status: 500, body: { errors: [{ code: 'not_available' }] } }
        : large(seen),
    );
    const changes = await context.pulls.changes(THREAD, RANGE);
    expect(parseDiff(changes.diff).files.length).toBe(3);
  });

  test('of a later range is the comparison’s 300 files, and says that there may be more', async () => {
    const files = Array.from({ length: 300 }, (_, index) => wireFile(`f${index}`));
    const context = await open(({ path, headers }) => {
      if (path.includes('/pulls/5')) return { body: wirePull({ changed_files: 400 }) };
      return headers.accept?.includes('diff') === true ? TOO_LARGE : { body: { files } };
    });
    const changes = await context.pulls.changes(THREAD, { ...RANGE, baseSha: OTHER });
    expect(changes).toMatchObject({ isCut: true, unnamedFiles: 1 });
    expect(parseDiff(changes.diff).files.length).toBe(300);
  });

  test('keeps renames, new and deleted files, odd names, and names what has no text', async () => {
    const files = [
      wireFile('new "q".ts', { status: 'added', deletions: 0, patch: '@@ -0,0 +1 @@\n+b' }),
      wireFile('old.ts', { status: 'removed', additions: 0, patch: '@@ -1 +0,0 @@\n-a' }),
      wireFile('to.ts', {
        status: 'renamed',
        previous_filename: 'from.ts',
        additions: 0,
        deletions: 0,
        patch: undefined,
      }),
      wireFile('logo.bin', { additions: 0, deletions: 0, patch: undefined }),
      wireFile('huge.json', { additions: 90_000, patch: undefined }),
    ];
    const context = await open(({ path }) => {
      if (path.includes('/compare/')) return TOO_LARGE;
      return { body: path.includes('/files') ? files : wirePull({ changed_files: 5 }) };
    });
    const changes = await context.pulls.changes(THREAD, RANGE);
    expect([changes.isCut, changes.leftOut]).toEqual([true, ['huge.json']]);
    const read = parseDiff(changes.diff).files.map(({ path, oldPath, status }) => [
      path,
      oldPath,
      status,
    ]);
    expect(read.slice(0, 3)).toEqual([
      ['new "q".ts', undefined, 'added'],
      ['old.ts', 'old.ts', 'deleted'],
      ['to.ts', 'from.ts', 'renamed'],
    ]);
  });
});

describe('a diff in one call', () => {
  const TEXT = `diff --git a/ö.ts b/ö.ts\n--- a/ö.ts\n+++ b/ö.ts\n@@ -1 +1 @@\n-a\n+${'ü'.repeat(5000)}\n`;
  const DIFF = { 'content-type': 'application/vnd.github.v3.diff; charset=utf-8' };

  test('comes as it is, and is not asked for again: commits do not change', async () => {
    const context = await open(() => ({ raw: TEXT, headers: DIFF }));
    const first = await context.pulls.changes(THREAD, RANGE);
    const second = await context.pulls.changes(THREAD, RANGE);
    expect([first.diff, second.diff]).toEqual([TEXT, TEXT]);
    expect(context.counts['GET /repos/{owner}/{repo}/compare/{basehead}']).toBe(1);
  });

  test('that is cut on the way is no diff: it is asked for again', async () => {
    let asked = 0;
    const context = await open(() => {
      asked += 1;
      return { raw: TEXT, headers: DIFF, ...(asked === 1 && { cut: 'body' as const }) };
    });
    const { diff } = await context.pulls.changes(THREAD, RANGE);
    expect([diff, asked]).toEqual([TEXT, 2]);
  });
});

describe('feedback', () => {
  const repository = (threads: object) => ({
    databaseId: 42,
    pullRequest: {
      reviews: { pageInfo: { hasPreviousPage: false }, nodes: [] },
      reviewThreads: threads,
    },
  });
  const thread = (id: string) => ({
    id,
    path: 'a.ts',
    diffSide: 'RIGHT',
    line: 1,
    originalLine: 1,
    isOutdated: false,
    isResolved: true,
    // An account that is gone.
    resolvedBy: null,
    comments: { pageInfo: { hasNextPage: false }, nodes: [null] },
  });

  test('goes from page to page and stops after ten', async () => {
    let page = 0;
    const context = await open(({ path }) => {
      if (path !== '/graphql') return { body: WIRE_SELF };
      page += 1;
      const pageInfo = { hasNextPage: true, endCursor: `c${page}` };
      return {
        body: { data: { repository: repository({ pageInfo, nodes: [thread(`t${page}`)] }) } },
      };
    });
    const { threads, isCut } = await context.pulls.feedback(THREAD);
    expect([threads.map((one) => one.id).join(' '), isCut]).toEqual([
      't1 t2 t3 t4 t5 t6 t7 t8 t9 t10',
      true,
    ]);
    expect(threads[0]).toMatchObject({ isResolved: true, resolvedBy: undefined, comments: [] });
  });

  test.each([
    ['a limit of its own', { body: { errors: [{ type: 'RATE_LIMITED', message: 'x' }] } }],
    ['a field it does not know', { body: { errors: [{ message: "Field 'x' doesn't exist" }] } }],
    ['no permission', { body: { data: { repository: null }, errors: [{ type: 'FORBIDDEN' }] } }],
    ['403', { status: 403, body: { message: 'no' } }],
    ['something that is no answer', { body: ['welcome'] }],
  ])('is asked of REST where GraphQL answers with %s', async (_, reply: Reply) => {
    const comment = {
      id: 9,
      user: WIRE_SELF,
      body: 'text',
      html_url: 'http://x/9',
      path: 'a.ts',
      line: null,
      original_line: 4,
      position: null,
      created_at: AT,
      updated_at: AT,
    };
    const context = await open(({ path }) => {
      if (path === '/graphql') return reply;
      if (path === '/user') return { body: WIRE_SELF };
      if (path === '/repos/acme/widgets') return { body: WIRE_REPOSITORY };
      return {
        body: path.includes('/comments')
          ? [comment, { ...comment, id: 10, in_reply_to_id: 9 }]
          : [],
      };
    });
    const { threads } = await context.pulls.feedback(THREAD);
    expect(threads).toMatchObject([
      { line: undefined, originalLine: 4, isOutdated: true, isResolved: undefined },
    ]);
    expect(threads[0]?.comments.map((one) => [one.id, one.isOurs])).toEqual([
      [9, true],
      [10, true],
    ]);
  });

  test('is asked of a server’s own GraphQL address beside its REST', async () => {
    const stage = await openStage(({ path }) =>
      path === '/api/graphql'
        ? {
            body: {
              data: { repository: repository({ pageInfo: { hasNextPage: false }, nodes: [] }) },
            },
          }
        : { body: WIRE_SELF },
    );
    const github = openGitHub({ url: `${stage.url}/api/v3` }, createTestClock());
    const feedback = await github.at(THREAD).pulls.feedback(THREAD);
    expect(feedback).toEqual({ reviews: [], threads: [], isCut: false });
    expect(stage.seen.map((one) => one.path)).toEqual(['/api/graphql']);
  });
});

describe('a pull request', () => {
  test('whose fork and author are gone is read all the same', async () => {
    const context = await open(() => ({
      body: wirePull({ head: { ref: 'x', sha: HEAD, repo: null }, state: 'closed', merged: true }),
    }));
    expect(await context.pulls.pull(THREAD)).toMatchObject({
      author: { id: 10_137, login: 'ghost' },
      body: '',
      isFork: true,
      headRepositoryId: undefined,
      state: 'closed',
      isMerged: true,
    });
  });
});
