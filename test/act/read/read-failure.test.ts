/** What is read of a failed build: which jobs and logs, the files that errors name, and the commits that changed them. */
import { describe, expect, test } from 'vitest';
import type { ActPorts } from '../../../src/act/ports.ts';
import { readFailure, type FailureAt } from '../../../src/act/read/read-failure.ts';
import type {
  BuildJob,
  BuildRun,
  CommitRange,
  RangeCommit,
} from '../../../src/domain/build/build.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';
import type { BuildSession } from '../../../src/ports/github/builds.ts';

const REF = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const RUN: BuildRun = {
  id: 5,
  source: { kind: 'workflow', id: 9 },
  attempt: 1,
  number: 3,
  name: 'CI',
  path: '.github/workflows/ci.yml',
  event: 'push',
  branch: 'main',
  headSha: 'head',
  conclusion: 'failure',
  url: 'runs/5',
  endedAt: '2026-03-02T09:00:00Z',
};
const aJob = (over: Partial<BuildJob> = {}): BuildJob => ({
  id: 1,
  name: 'test',
  conclusion: 'failure',
  url: 'jobs/1',
  steps: [{ name: 'npm test', from: '', to: '' }],
  text: undefined,
  ...over,
});
const aCommit = (sha: string): RangeCommit => ({
  sha,
  title: sha,
  author: 'ana',
  isByBot: false,
  at: '',
});
const ERROR = 'src/a.ts(30,2): error TS2322: Type string is not assignable to type number.';
const forbidden = new RefusedError({ code: 'github-forbidden', message: 'no' });

interface Build {
  jobs: BuildJob[];
  runs: BuildRun[];
  log: (id: number) => Promise<object | undefined>;
  notes: { path: string; line: number; message: string }[];
  paths: string[];
  texts: Record<string, string>;
  range: () => Promise<CommitRange>;
  /** Commits that changed a path. */
  history: Record<string, string[]>;
  baseSha: string | undefined;
  sighted: { line: number; kind: string }[];
}

const cut = (text: string, over: object = {}) => ({
  text,
  lines: 9,
  leftOut: 2,
  secrets: 0,
  hidden: 0,
  ...over,
});

async function read(build: Partial<Build> = {}) {
  const {
    jobs = [aJob()],
    runs = [RUN],
    log = async () => cut(ERROR),
    notes = [],
    paths = ['src/a.ts', 'src/b.ts'],
    texts = {},
    range = async () => ({ commits: [], total: 0, files: [] }),
    history = {},
    baseSha,
    sighted,
  } = build;
  const calls: string[] = [];
  const session = {
    builds: {
      failedJobs: async () => jobs,
      log: async (_: object, { id, maxChars }: { id: number; maxChars: number }) => {
        calls.push(`log ${id} ${maxChars}`);
        return log(id);
      },
      notes: async (_: object, id: number) => {
        calls.push(`notes ${id}`);
        return notes;
      },
      range: async (
        _: object,
        { baseSha: from, headSha: to }: { baseSha: string; headSha: string },
      ) => {
        calls.push(`range ${from} ${to}`);
        return range();
      },
    },
    read: {
      paths: async () => ({ paths, isCut: false }),
      files: async (_: object, sha: string, wanted: { paths: string[] }) => {
        calls.push(`files ${sha} ${wanted.paths.join(' ')}`);
        return wanted.paths.flatMap((path) =>
          path in texts ? [{ path, text: texts[path] ?? '', isCut: false }] : [],
        );
      },
    },
    history: {
      commits: async (_: object, { path, sha }: { path: string; sha: string }) => {
        calls.push(`history ${path} ${sha}`);
        return { commits: (history[path] ?? []).map((one) => ({ sha: one })) };
      },
    },
  } as unknown as BuildSession;
  const ports = {
    ...(sighted && { detectSecrets: async () => sighted }),
  } as unknown as ActPorts;
  const at: FailureAt = { runs, headSha: 'head', baseSha };
  return { reading: await readFailure(REF, at, { ports, session }), calls };
}

describe('jobs', () => {
  test('each comes with its steps and its log, and where the log names a file, the cause is there', async () => {
    const { reading } = await read();
    expect(reading).toMatchObject({ key: '5/1', secrets: 0, notRead: [] });
    expect(reading.jobs).toEqual([
      {
        run: 'CI',
        name: 'test',
        conclusion: 'failure',
        url: 'jobs/1',
        steps: ['npm test'],
        log: ERROR,
        leftOut: 2,
        notes: [],
      },
    ]);
    expect(reading.causes[0]?.place).toMatchObject({ path: 'src/a.ts', line: 30 });
  });

  test('four logs are read and share their room; further jobs are counted', async () => {
    const jobs = [1, 2, 3, 4, 5, 6].map((id) => aJob({ id, name: `job ${id}` }));
    const { reading, calls } = await read({ jobs });
    expect(calls.filter((call) => call.startsWith('log'))).toEqual(
      [1, 2, 3, 4].map((id) => `log ${id} 7000`),
    );
    expect(reading.jobs).toHaveLength(4);
    expect(reading.notRead).toEqual(['2 more failed jobs']);
  });

  test('one has the whole room', async () => {
    expect((await read()).calls[0]).toBe('log 1 28000');
  });

  test('a run that could not start is its own job, and nothing is asked of its places', async () => {
    const run = { ...RUN, conclusion: 'startup_failure' };
    const { reading, calls } = await read({ jobs: [], runs: [run], log: async () => undefined });
    expect(reading.jobs).toMatchObject([
      { name: 'CI', conclusion: 'startup_failure', url: 'runs/5', steps: [] },
    ]);
    expect(reading.causes).toMatchObject([{ kind: 'workflow' }]);
    expect(calls.filter((call) => call.startsWith('notes'))).toEqual([]);
  });

  test('a check says itself what failed, and its places are asked for as well', async () => {
    const { reading, calls } = await read({ jobs: [aJob({ text: `${ERROR}\n` })] });
    expect(calls.slice(0, 1)).toEqual(['notes 1']);
    expect(reading.jobs[0]?.log).toContain('TS2322');
  });
});

describe('a log that is not there', () => {
  test.each([
    [
      'is gone',
      async () => undefined,
      'gone',
      'the log of "test": GitHub does not keep it any more',
    ],
    [
      'may not be read',
      () => Promise.reject(forbidden),
      'refused',
      'the log of "test": the App has no permission `actions: read`',
    ],
  ])(
    '%s: that is said, and what the job says of places is read',
    async (_, ...[log, why, notRead]) => {
      const notes = [{ path: 'src/b.ts', line: 4, message: 'broken' }];
      const { reading, calls } = await read({ log, notes });
      expect(reading.jobs).toMatchObject([{ log: '', leftOut: 0, why, notes }]);
      expect(reading.notRead).toEqual([notRead]);
      expect(calls).toContain('notes 1');
    },
  );

  test.each([
    ['GitHub is away', new TransientError({ code: 'github-unavailable', message: 'away' })],
    ['it refuses otherwise', new RefusedError({ code: 'github-invalid', message: 'no' })],
  ])('when %s, the read fails', async (_, why) => {
    await expect(read({ log: () => Promise.reject(why) })).rejects.toBe(why);
  });
});

describe('what must not be seen', () => {
  test('lines with credentials that the detector finds are masked and counted, with those of the cut', async () => {
    const log = async () => cut('one\nkey is here\nthree', { secrets: 2, hidden: 3 });
    const { reading } = await read({ log, sighted: [{ line: 2, kind: 'a key' }] });
    expect(reading.secrets).toBe(3);
    expect(reading.jobs[0]?.log).not.toContain('key is here');
    expect(reading.jobs[0]).toMatchObject({ hidden: 3 });
  });

  test('without hidden characters there is no count of them', async () => {
    expect((await read()).reading.jobs[0]).not.toHaveProperty('hidden');
  });
});

describe('paths', () => {
  test.each([
    '/home/runner/work/tidy/tidy/',
    '/__w/tidy/tidy/',
    '/github/workspace/',
    'file:///github/workspace/',
  ])('below %s are those of the repository', async (before) => {
    const { reading } = await read({ log: async () => cut(before + ERROR) });
    expect(reading.causes[0]?.place?.path).toBe('src/a.ts');
  });

  test('that the repository does not have stay as they are written, and nothing is read of them', async () => {
    const { reading, calls } = await read({ paths: ['README.md'] });
    expect(reading.causes[0]?.place?.path).toBe('src/a.ts');
    expect([reading.files, calls.filter((call) => call.startsWith('files'))]).toEqual([[], []]);
  });
});

describe('files that errors name', () => {
  test('are read around the line, 25 before and 25 after', async () => {
    const text = Array.from({ length: 100 }, (_, n) => `line ${n + 1}`).join('\n');
    const { reading, calls } = await read({ texts: { 'src/a.ts': text } });
    expect(calls).toContain('files head src/a.ts');
    const [part] = reading.files;
    const lines = part?.text.split('\n') ?? [];
    expect([part?.path, part?.from, lines[0], lines.at(-1)]).toEqual([
      'src/a.ts',
      5,
      'line 5',
      'line 55',
    ]);
  });

  test('near the top begin at line 1, and a long part is cut', async () => {
    const text = `${'x'.repeat(5_999)}😀\n`.repeat(3);
    const log = async () => cut(ERROR.replace('30', '2'));
    const { reading } = await read({ log, texts: { 'src/a.ts': text } });
    expect(reading.files[0]?.from).toBe(1);
    expect(reading.files[0]?.text).toHaveLength(6_000);
    expect(reading.files[0]?.text.isWellFormed()).toBe(true);
  });

  test('are three at most, each once, in the order of the causes', async () => {
    const names = ['src/d.ts', 'src/b.ts', 'src/d.ts', 'src/a.ts', 'src/c.ts'];
    const text = names.map((name) => ERROR.replace('src/a.ts', name)).join('\n');
    const { calls } = await read({ log: async () => cut(text), paths: [...new Set(names)] });
    expect(calls.find((call) => call.startsWith('files'))).toBe(
      'files head src/d.ts src/b.ts src/a.ts',
    );
  });
});

describe('commits since it was well', () => {
  const range = async (): Promise<CommitRange> => ({
    commits: [aCommit('new'), aCommit('guilty'), aCommit('old')],
    total: 7,
    files: [
      { path: 'src/a.ts', patch: '@@ -1 +1 @@' },
      { path: 'src/b.ts', patch: 'of another file' },
      { path: 'src/c.ts', patch: undefined },
    ],
  });

  test('those that changed a named file come first, with the patches of named files alone', async () => {
    const { reading, calls } = await read({
      baseSha: 'base',
      range,
      history: { 'src/a.ts': ['guilty'] },
    });
    expect(reading.range).toEqual({
      commits: [aCommit('guilty'), aCommit('new'), aCommit('old')],
      suspects: 1,
      total: 7,
      patches: [{ path: 'src/a.ts', patch: '@@ -1 +1 @@' }],
    });
    expect(calls).toContain('range base head');
    expect(calls).toContain('history src/a.ts head');
  });

  test('no history is asked of a named file that did not change', async () => {
    const untouched = async (): Promise<CommitRange> => ({ ...(await range()), files: [] });
    const { reading, calls } = await read({ baseSha: 'base', range: untouched });
    expect(reading.range).toMatchObject({ suspects: 0, patches: [] });
    expect(calls.filter((call) => call.startsWith('history'))).toEqual([]);
  });

  test('there are 30 at most, and a patch is cut at 4,000 characters', async () => {
    const many = async (): Promise<CommitRange> => ({
      commits: Array.from({ length: 31 }, (_, n) => aCommit(`c${n}`)),
      total: 31,
      files: [{ path: 'src/a.ts', patch: `${'x'.repeat(3_999)}😀` }],
    });
    const { reading } = await read({ baseSha: 'base', range: many });
    expect(reading.range?.commits.at(-1)?.sha).toBe('c29');
    expect(reading.range?.patches[0]?.patch).toHaveLength(4_000);
    expect(reading.range?.patches[0]?.patch.isWellFormed()).toBe(true);
  });

  test.each([
    ['nobody knows when', undefined],
    ['it was well at this very commit', 'head'],
  ])('are not asked for where %s', async (_, baseSha) => {
    const { reading, calls } = await read({ baseSha });
    expect(reading).not.toHaveProperty('range');
    expect(calls.filter((call) => call.startsWith('range'))).toEqual([]);
  });

  test('a base that a force-push took away leaves them out; GitHub being away does not', async () => {
    const gone = () =>
      Promise.reject(new RefusedError({ code: 'github-not-found', message: 'gone' }));
    expect((await read({ baseSha: 'base', range: gone })).reading).not.toHaveProperty('range');
    const away = new TransientError({ code: 'github-unavailable', message: 'away' });
    await expect(read({ baseSha: 'base', range: () => Promise.reject(away) })).rejects.toBe(away);
  });
});
