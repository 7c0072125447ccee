/** A whole repository's texts: many in one query, within bounds, one by one where there is no GraphQL. */
import { describe, expect, test } from 'vitest';
import { createTestClock, openGitHub, openStage, REF, type Reply, type Script } from '../stage.ts';

const SHA = 'c'.repeat(40);
const shaOf = (at: number): string => at.toString(16).padStart(40, '0');

interface Entry {
  path: string;
  size: number;
}

function treeOf(entries: readonly Entry[]): Reply {
  const tree = entries.map(({ path, size }, at) => ({
    path,
    mode: '100644',
    type: 'blob',
    sha: shaOf(at),
    size,
  }));
  return { body: { sha: SHA, tree, truncated: false } };
}

/** Answers each `pN: file(path: $pN)` of a query with the object at its path. */
function answerQuery(body: unknown, blobOf: (path: string) => object | null): Reply {
  const { variables } = body as { variables: Record<string, string> };
  const asked = Object.entries(variables).filter(([name]) => /^p\d+$/.test(name));
  const files = asked.map(([field, path]) => {
    const object = blobOf(path);
    return [field, object && { path, mode: 0o100644, object }] as const;
  });
  const object = Object.fromEntries(files);
  return { body: { data: { repository: { databaseId: REF.repositoryId, object } } } };
}

const text = (words: string): object => ({ byteSize: 10, isTruncated: false, text: words });

async function open(entries: readonly Entry[], graphql: (body: unknown) => Reply | undefined) {
  const script: Script = ({ method, path, body }) => {
    if (path.includes('/git/trees/')) return treeOf(entries);
    if (path === '/graphql') return graphql(body);
    const [, sha = ''] = /\/git\/blobs\/(\w+)/.exec(path) ?? [];
    const content = Buffer.from(`blob ${Number.parseInt(sha, 16)}`.padEnd(10)).toString('base64');
    return method === 'GET' ? { body: { sha, content, encoding: 'base64', size: 10 } } : undefined;
  };
  const stage = await openStage(script);
  return { stage, session: openGitHub(stage, createTestClock()).at(REF) };
}

const LIMITS = { maxBytes: 1_000, totalBytes: 1_000_000 };

describe('with GraphQL', () => {
  test('a hundred texts are one call, and four million bytes are', async () => {
    const small = Array.from({ length: 250 }, (_, at) => ({ path: `src/f${at}.ts`, size: 10 }));
    const { stage, session } = await open(small, (body) => answerQuery(body, () => text('x\n')));
    const paths = small.map(({ path }) => path);
    const files = await session.code.texts(REF, SHA, { paths, ...LIMITS });
    expect(files.map(({ path }) => path)).toEqual(paths);
    expect([stage.count('POST /graphql'), stage.count('GET')]).toEqual([3, 1]);
    const large = Array.from({ length: 10 }, (_, at) => ({ path: `l${at}.ts`, size: 600_000 }));
    const other = await open(large, (body) => answerQuery(body, () => text('x\n')));
    const wanted = { paths: large.map(({ path }) => path), maxBytes: 9, totalBytes: 5_000_000 };
    expect(await other.session.code.texts(REF, SHA, wanted)).toHaveLength(8);
    expect(other.stage.count('POST /graphql')).toBe(2);
  });

  test('what is binary, gone or not in the tree is left out, and what is long is cut at a line', async () => {
    const texts: Record<string, object | null> = {
      'a.ts': text('a();\n'),
      'logo.png': { byteSize: 10, isTruncated: false, text: null },
      'gone.ts': null,
      'long.ts': text(`${'x'.repeat(600)}\n${'y'.repeat(600)}\n`),
      'huge.ts': { byteSize: 10, isTruncated: true, text: 'beginning\n' },
    };
    const entries = Object.keys(texts).map((path) => ({ path, size: 10 }));
    const { session } = await open(entries, (body) =>
      answerQuery(body, (path) => texts[path] ?? null),
    );
    const paths = [...entries.map(({ path }) => path), 'nowhere.ts'];
    expect(await session.code.texts(REF, SHA, { paths, ...LIMITS })).toEqual([
      { path: 'a.ts', text: 'a();\n', isCut: false },
      { path: 'long.ts', text: `${'x'.repeat(600)}\n`, isCut: true },
      { path: 'huge.ts', text: 'beginning\n', isCut: true },
    ]);
  });
});

describe('without GraphQL', () => {
  const three = ['a.ts', 'b.ts', 'c.ts'].map((path) => ({ path, size: 10 }));
  const paths = three.map(({ path }) => path);

  test.each<[string, (body: unknown) => Reply | undefined]>([
    ['is not there', () => undefined],
    ['is forbidden', () => ({ status: 403, body: { message: 'Resource not accessible' } })],
    ['knows no such field', () => ({ body: { errors: [{ message: 'no' }] } })],
    [
      'does not know the commit',
      () => ({ body: { data: { repository: { databaseId: REF.repositoryId, object: null } } } }),
    ],
  ])('because it %s, texts are read one by one', async (_why, graphql) => {
    const { stage, session } = await open(three, graphql);
    const files = await session.code.texts(REF, SHA, { paths, ...LIMITS });
    expect(files.map((file) => file.text)).toEqual(['blob 0    ', 'blob 1    ', 'blob 2    ']);
    expect(stage.count('GET /repos/acme/widgets/git/blobs')).toBe(3);
  });

  test('no more are read one by one than a call each is worth', async () => {
    const many = Array.from({ length: 400 }, (_, at) => ({ path: `src/f${at}.ts`, size: 10 }));
    const { session } = await open(many, () => undefined);
    const wanted = { paths: many.map(({ path }) => path), ...LIMITS };
    expect(await session.code.texts(REF, SHA, wanted)).toHaveLength(150);
  });
});
