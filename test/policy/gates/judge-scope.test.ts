/** Gate S on changes that are within their bounds, and on those that are not. */
import { describe, expect, test } from 'vitest';
import {
  judgeScope,
  manifestsIn,
  type ScopeWanted,
} from '../../../src/policy/gates/judge-scope.ts';
import { findSecrets } from '../../../src/domain/secrets/secret-text.ts';
import type { ChangedFile, Patch } from '../../../src/domain/task/patch.ts';
import { approvedPaths as filterApproved } from '../../../src/domain/gates/protected-paths.ts';
import { aChangedFile } from '../../helpers/a-changed-file.ts';
import { verifies } from '../../verifies.ts';

const wanted: ScopeWanted = {
  planned: ['src/parse/date.ts', 'README.md'],
  paths: { protected: ['infra/**'] },
  approvedPaths: [],
  maxChangedLines: 100,
  maxBinaryKb: 5,
  manifests: [],
};
const textOf = (path: string, lines: readonly string[]): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -10,0 +11,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
const file = aChangedFile;
const patch = (files: ChangedFile[], over: Partial<Patch> = {}): Patch => ({
  text: files.map(({ path }) => textOf(path, ['const x = 1;'])).join(''),
  isTooLarge: false,
  files,
  ...over,
});
const judge = (given: Patch, over: Partial<ScopeWanted> = {}) =>
  judgeScope(given, { ...wanted, ...over }, (text) => Promise.resolve(findSecrets(text)));

test('passes the task’s files and whatever is in their folders', async () => {
  const given = patch([
    file('src/parse/date.ts'),
    file('src/parse/deep/new.ts'),
    file('README.md'),
  ]);
  expect(await judge(given)).toMatchObject({ gate: 'S', result: 'passed', flags: [] });
});

test('flags what is outside, of a rename both ends, and passes all the same', async () => {
  const given = patch([
    file('src/other.ts'),
    file('package.json'),
    file('src/parse/x.ts', { from: 'lib/x.ts', change: 'renamed' }),
  ]);
  expect(await judge(given)).toMatchObject({
    result: 'passed',
    flags: [
      "`src/other.ts` is outside of the task's files",
      "`package.json` is outside of the task's files",
      "`lib/x.ts` is outside of the task's files",
    ],
  });
  expect((await judge(given, { planned: [] })).flags).toEqual([]);
});

describe('protected paths', () => {
  test('are for people alone, or wait for a person who names them: the reason says which', async () => {
    const reasonOf = async (path: string) => (await judge(patch([file(path)]))).sentence;
    expect(await reasonOf('.github/workflows/ci.yml')).toBe(
      '`.github/workflows/ci.yml` is protected: only people change it.',
    );
    expect(await reasonOf('infra/main.tf')).toContain(
      '`infra/main.tf` is protected: a person has to approve a change of it',
    );
  });

  verifies(
    'EXE-05',
    'are for people: workflows, personas, owners and what was configured, however they are written',
    async () => {
      for (const path of [
        '.github/workflows/ci.yml',
        '.GitHub/x',
        'personas/maya.md',
        'CODEOWNERS',
        'docs/codeowners',
        'CLAUDE.md',
        'docs/Agents.md',
        '.claude/settings.json',
        '.mcp.json',
        'infra/main.tf',
      ])
        expect(await judge(patch([file(path)]))).toMatchObject({
          result: 'failed',
          sentence: expect.stringContaining(`\`${path}\` is protected: `) as string,
        });
      expect(
        (await judge(patch([file('src/parse/ci.yml', { from: '.github/workflows/ci.yml' })])))
          .result,
      ).toBe('failed');
    },
  );

  verifies('EXE-05', 'are matched as git matches, with braces, of a rename both ends', async () => {
    const paths = { protected: ['infra/[ab].tf', '{deploy,ops}/**', 'secrets.*'] };
    const resultOf = async (path: string, from?: string) =>
      (
        await judge(patch([file(path, from === undefined ? {} : { from, change: 'renamed' })]), {
          paths,
        })
      ).result;
    for (const path of [
      'infra/a.tf',
      'INFRA/B.tf',
      'deploy/x.sh',
      'ops/a/b.sh',
      'src/secrets.ts',
    ]) {
      expect([path, await resultOf(path)]).toEqual([path, 'failed']);
      expect([path, await resultOf('src/parse/x.ts', path)]).toEqual([path, 'failed']);
      expect([path, await resultOf(path, 'src/parse/x.ts')]).toEqual([path, 'failed']);
    }
    for (const path of ['infra/c.tf', 'deploy.sh', 'src/deploy/x.sh'])
      expect([path, await resultOf(path)]).toEqual([path, 'passed']);
  });

  test('protect everything while a pattern cannot be used', async () => {
    const paths = { protected: ['{infra,deploy/**'] };
    const { result, sentence } = await judge(patch([file('src/parse/x.ts')]), { paths });
    expect({ result, sentence }).toMatchObject({
      result: 'failed',
      sentence: expect.stringContaining('`src/parse/x.ts` is protected') as string,
    });
  });

  verifies(
    'CFG-01: never by a task',
    'that hold the settings, the team and what GitHub runs are for people, whatever was approved',
    async () => {
      const own = [
        '.github/quorum.yml',
        '.github/quorum.yaml',
        '.github/quorum/personas/maya.md',
        'personas/maya.md',
        '.github/workflows/ci.yml',
      ];
      for (const path of own) {
        const approved = { approvedPaths: filterApproved(own), planned: own };
        const { result } = await judge(patch([file(path)]), approved);
        expect([path, result]).toEqual([path, 'failed']);
      }
    },
  );

  test('pass when a person approved this one', async () => {
    const approvedPaths = ['infra/main.tf'];
    expect((await judge(patch([file('infra/main.tf')]), { approvedPaths })).result).toBe('passed');
    expect((await judge(patch([file('infra/other.tf')]), { approvedPaths })).result).toBe('failed');
  });
});

describe('what proves a change', () => {
  const path = 'package.json';
  const scripts = (of: Record<string, string>) => JSON.stringify({ scripts: of });
  const before = scripts({ test: 'node --test', build: 'tsc' });
  const given = patch([file(path)]);

  verifies('TG-5', 'is not changed or taken away by a task that does not name it', async () => {
    for (const after of [
      scripts({ test: 'true', build: 'tsc' }),
      scripts({ test: 'node --test' }),
      '{}',
      '',
      'not json',
    ])
      expect(await judge(given, { manifests: [{ path, before, after }] })).toMatchObject({
        result: 'failed',
        sentence:
          "`package.json` says what proves a change (`scripts`): name it in the task's Files.",
      });
    const planned: string[] = [];
    const manifests = [{ path, before, after: '' }];
    expect((await judge(given, { manifests, planned })).result).toBe('failed');
  });

  test('may be added to, left alone, or changed where the task names it', async () => {
    const after = scripts({ lint: 'eslint', build: 'tsc', test: 'node --test' });
    const manifests = [{ path, before, after }];
    expect((await judge(given, { manifests })).result).toBe('passed');
    const planned = [path];
    const changed = [{ path, before, after: scripts({ test: 'vitest' }) }];
    expect((await judge(given, { manifests: changed, planned })).result).toBe('passed');
    const inFolder = [{ path: 'a/package.json', before, after: '' }];
    expect((await judge(given, { manifests: inFolder, planned })).result).toBe('failed');
  });

  test('is looked for in every folder, and at both ends of a rename', () => {
    const files = [
      file('a/package.json'),
      file('old.json', { from: 'package.json', change: 'renamed' }),
      file('my-package.json'),
    ];
    expect(manifestsIn(patch(files))).toEqual(['a/package.json', 'package.json']);
  });
});

describe('lockfiles', () => {
  test.each([
    ['package-lock.json', 'package.json'],
    ['pnpm-lock.yaml', 'packages/a/package.json'],
    ['Cargo.lock', 'crates/a/Cargo.toml'],
    ['go.sum', 'go.mod'],
    ['uv.lock', 'pyproject.toml'],
  ])('%s change with %s and never alone', async (lockfile, manifest) => {
    expect((await judge(patch([file(lockfile), file(manifest)]))).result).toBe('passed');
    expect(await judge(patch([file(lockfile), file('src/parse/date.ts')]))).toMatchObject({
      result: 'failed',
      sentence: `\`${lockfile}\` changes without the manifest that it belongs to.`,
    });
  });
});

describe('sizes', () => {
  test('lines count up to the limit, without those of lockfiles', async () => {
    expect((await judge(patch([file('README.md', { added: 60, removed: 40 })]))).result).toBe(
      'passed',
    );
    expect(await judge(patch([file('README.md', { added: 60, removed: 41 })]))).toMatchObject({
      result: 'failed',
      sentence: '101 changed lines are more than the 100 allowed.',
    });
    const locked = [file('package-lock.json', { added: 5_000 }), file('package.json')];
    expect((await judge(patch(locked))).result).toBe('passed');
  });

  verifies('GIT-12', 'huge changes, large binary files and secrets are stopped', async () => {
    expect((await judge(patch([file('README.md')], { isTooLarge: true, text: '' }))).result).toBe(
      'failed',
    );
    const binary = (bytes: number) => patch([file('src/parse/x.png', { isBinary: true, bytes })]);
    expect((await judge(binary(5_000))).result).toBe('passed');
    expect((await judge(binary(5_001))).result).toBe('failed');
    const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
    const leaked = patch([file('README.md')], {
      text: textOf('README.md', ['fine', `token: ${token}`]),
    });
    const { result, sentence } = await judge(leaked);
    expect({ result, sentence }).toEqual({
      result: 'failed',
      sentence: '`README.md` holds what looks like a GitHub token in line 12.',
    });
    const many = Array.from({ length: 101 }, (_, index) =>
      file(`src/parse/${index}.ts`, { added: 0 }),
    );
    expect((await judge(patch(many))).flags).toEqual(['101 files are changed']);
  });
});

test('conflict markers stop, rows of other signs do not', async () => {
  const withLine = (line: string) =>
    patch([file('README.md')], { text: textOf('README.md', [line]) });
  for (const line of ['<<<<<<< HEAD', '>>>>>>> theirs', '||||||| base', '<<<<<<<'])
    expect((await judge(withLine(line))).sentence).toContain('conflict marker in line 11');
  for (const line of ['=======', '<<<<<<<< eight', ' <<<<<<< quoted', '>>>>>> six'])
    expect((await judge(withLine(line))).result).toBe('passed');
});

test('a pointer of LFS and a change that cannot be read stop', async () => {
  const pointer = [
    'version https://git-lfs.github.com/spec/v1',
    `oid sha256:${'a'.repeat(64)}`,
    'size 5',
  ];
  const lfs = patch([file('README.md')], {
    text: textOf('README.md', pointer).replace('@@ -10,0 +11,3 @@', '@@ -0,0 +1,3 @@'),
  });
  expect((await judge(lfs)).sentence).toContain('LFS');
  expect((await judge(patch([file('README.md')], { text: 'nothing of a diff' }))).result).toBe(
    'failed',
  );
});

test('says that a person should look only where something is flagged', async () => {
  expect((await judge(patch([file('README.md')]))).sentence).toBe(
    'The change stays within its bounds.',
  );
  expect((await judge(patch([file('other.md')]))).sentence).toBe(
    'The change stays within its bounds. A person should look at what is flagged.',
  );
});

test('at the top of a repository the task’s file alone is in scope, not its neighbours', async () => {
  expect((await judge(patch([file('LICENSE')]))).flags).toEqual([
    "`LICENSE` is outside of the task's files",
  ]);
});
