/** The gates in their order: each is asked, the first that does not pass is the last, and another machine's tests count for one head. */
import { describe, expect, test } from 'vitest';
import { commandsOf, prove, type Proving } from '../../../src/act/task/gates.ts';
import type { TestedHead } from '../../../src/act/task/coder/coding-runtime.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import type { Judgement } from '../../../src/domain/gates/receipt.ts';
import type { BranchFacts } from '../../../src/domain/task/patch.ts';
import type { CommandWanted } from '../../../src/ports/commands.ts';
import type { Git } from '../../../src/ports/git.ts';
import { aChangedFile } from '../../helpers/a-changed-file.ts';

const REPOSITORY = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const BASE = 'b'.repeat(40);
const HEAD = 'a'.repeat(40);
const PASSED = '# tests 3\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n';

interface Changed {
  facts?: Partial<BranchFacts>;
  path?: string;
  tested?: TestedHead;
  detects?: boolean;
  scripts?: { before: string; after: string };
  files?: Proving['patch']['files'];
}

function aProving({ facts, path = 'src/a.ts', tested, detects = true, scripts, files }: Changed) {
  const ran: CommandWanted[] = [];
  const read: string[] = [];
  const config = defaultConfig();
  const text = (of: string) => JSON.stringify({ scripts: { test: of } });
  const worktree = {
    folder: '/work',
    base: { file: () => Promise.resolve(text(scripts?.before ?? '')) },
    facts: (): Promise<BranchFacts> =>
      Promise.resolve({
        branch: 'quorum/task-7-1-parse',
        headSha: HEAD,
        baseSha: BASE,
        isDescended: true,
        commits: [
          {
            sha: HEAD,
            parents: [BASE],
            authorName: 'Maya',
            authorEmail: 'maya@agents.example',
            message: 'task(1): Parse dates\n\nQuorum-Task: acme/widgets#7/1\n',
          },
        ],
        files: [aChangedFile(path)],
        isDirty: false,
        ...facts,
      }),
  };
  const proving = {
    repository: REPOSITORY,
    worktree,
    fill: () => Promise.resolve({ readable: ['/modules'], env: { CI: '1' } }),
    patch: { text: '', isTooLarge: false, files: files ?? [aChangedFile(path)] },
    commands: {
      run: (wanted: CommandWanted) => {
        ran.push(wanted);
        return Promise.resolve({ exitCode: 0, isTimedOut: false, durationMs: 5, output: PASSED });
      },
    },
    found: { type: 'node', install: undefined, test: 'node --test' },
    config,
    wanted: {
      branch: 'quorum/task-7-1-parse',
      baseSha: BASE,
      author: { name: 'Maya', email: 'maya@agents.example' },
      task: { number: 1, title: 'Parse dates' },
      taskTrailer: 'acme/widgets#7/1',
      coAuthors: [],
    },
    scope: [],
    accepted: undefined,
    signal: new AbortController().signal,
  } as unknown as Proving;
  const head = {
    file: (name: string) => {
      read.push(name);
      return Promise.resolve(text(scripts?.after ?? ''));
    },
  };
  const ports = {
    ...(detects && { detectSecrets: () => Promise.resolve([]) }),
    codingRuntime: {
      git: { read: () => Promise.resolve(head) },
      ...(tested && { known: { tested } }),
    },
  } as unknown as ActPorts;
  return { run: () => prove(proving, ports), ran, read };
}

const results = async (changed: Changed): Promise<[string, string][]> =>
  (await aProving(changed).run()).map(({ gate, result }) => [gate, result]);

describe('the gates', () => {
  test('are asked in order, and the tests run last, in the folder, with what the project needs', async () => {
    const { run, ran } = aProving({});
    expect((await run()).map(({ gate, result }) => [gate, result])).toEqual([
      ['P', 'passed'],
      ['S', 'passed'],
      ['1', 'passed'],
      ['2', 'passed'],
    ]);
    expect(ran).toMatchObject([
      {
        folder: '/work',
        script: 'node --test',
        timeoutMs: defaultConfig().gates.testTimeoutSeconds * 1000,
        network: false,
        readable: ['/modules'],
        env: { CI: '1' },
      },
    ]);
  });

  test('end with the first that does not pass: nothing of the branch runs after it', async () => {
    const branch = aProving({ facts: { branch: 'main' } });
    expect((await branch.run()).map(({ gate, result }) => [gate, result])).toEqual([
      ['P', 'failed'],
    ]);
    const scope = aProving({ path: '.github/workflows/ci.yml' });
    expect((await scope.run()).map(({ gate, result }) => [gate, result])).toEqual([
      ['P', 'passed'],
      ['S', 'failed'],
    ]);
    expect([...branch.ran, ...scope.ran]).toEqual([]);
    expect(await results({ facts: { commits: [] } })).not.toContainEqual(['2', 'passed']);
  });

  test('read the scripts of a manifest as they are committed, and no file where none changed', async () => {
    const changed = { path: 'package.json', scripts: { before: 'node --test', after: 'true' } };
    const { run, read } = aProving(changed);
    expect((await run()).at(-1)).toMatchObject({ gate: 'S', result: 'failed' });
    expect(read).toEqual(['package.json']);
    const same = { path: 'package.json', scripts: { before: 'node --test', after: 'node --test' } };
    expect(await results(same)).toContainEqual(['2', 'passed']);
    const none = aProving({});
    await none.run();
    expect(none.read).toEqual([]);
  });

  test('refuse to judge a change where nothing can tell a credential', async () => {
    await expect(aProving({ detects: false }).run()).rejects.toMatchObject({ code: 'no-detector' });
  });
});

describe('tests that ran on another machine', () => {
  const judgement: Judgement = { gate: '2', result: 'passed', sentence: 'as told', flags: [] };

  test('count for the head that they tested, and do not run here', async () => {
    const { run, ran } = aProving({ tested: { headSha: HEAD, judgement } });
    expect((await run()).at(-1)).toBe(judgement);
    expect(ran).toEqual([]);
  });

  test('count for no other head', async () => {
    const { run, ran } = aProving({ tested: { headSha: 'c'.repeat(40), judgement } });
    await expect(run()).rejects.toMatchObject({
      code: 'head-differs',
      message: 'The commit came out as aaaaaaaaaaaa, not as cccccccccccc, which was tested.',
    });
    expect(ran).toEqual([]);
  });
});

test('the commands of a project are read from the files of its base that can name them', async () => {
  const files = [
    'Gemfile',
    'package.json',
    'pyproject.toml',
    'requirements-dev.txt',
    'requirements.txt',
    'setup.cfg',
    'tox.ini',
  ];
  const read: string[] = [];
  const base = {
    paths: () => Promise.resolve([...files, 'src/setup.cfg', 'README.md'].join('\n')),
    file: (path: string) => {
      read.push(path);
      return Promise.resolve('');
    },
  };
  const git = { read: () => Promise.resolve(base) } as unknown as Git;
  await commandsOf(REPOSITORY, { git, baseSha: BASE, config: defaultConfig() });
  expect(read.toSorted()).toEqual(files);
});

test('the commands of a project come from files of its base, whole up to 64 kB', async () => {
  const scripts = JSON.stringify({ scripts: { test: 'node --test' } });
  const commands = (text: string) => {
    const base = {
      paths: () => Promise.resolve('package.json\nsrc/a.ts'),
      file: () => Promise.resolve(text),
    };
    const git = { read: () => Promise.resolve(base) } as unknown as Git;
    return commandsOf(REPOSITORY, { git, baseSha: BASE, config: defaultConfig() });
  };
  const padded = (chars: number): string => scripts + ' '.repeat(chars - scripts.length);
  const found = await commands(padded(64 * 1024));
  expect(found).toMatchObject({ type: 'node', test: expect.any(String) as string });
  const late = ' '.repeat(64 * 1024 - scripts.length + 1) + scripts;
  expect((await commands(late)).test).toBeUndefined();
  expect((await commands(late.slice(1))).test).toBe(found.test);
});
