/** A commit that is read through GitHub's API, where there is no git: files, lines and paths. */
import { describe, expect, test } from 'vitest';
import { apiReader } from '../../../src/act/model/api-reader.ts';
import type { GitHubSession } from '../../../src/ports/github/github.ts';
import type { TextsWanted } from '../../../src/ports/github/github-code.ts';
import { THREAD } from '../../helpers/play.ts';

const FILES: Readonly<Record<string, string>> = {
  'README.md': 'tidy words\n',
  'src/cli.ts': 'import tidy\nrun(tidy);\n',
  'src/deep/tidy.ts': 'export const tidy = 1;\n',
  'srcs/other.ts': 'tidy too\n',
  'docs/guide.md': 'nothing here\n',
};

function createReader({ unread = [] as string[] } = {}) {
  const calls: unknown[] = [];
  const found = (paths: string[]) =>
    paths.flatMap((path) => {
      const text = FILES[path];
      return text === undefined || unread.includes(path) ? [] : [{ path, text, isCut: false }];
    });
  const session = {
    read: {
      paths: async (...asked: unknown[]) => {
        calls.push(['paths', ...asked]);
        return { paths: Object.keys(FILES), isCut: false };
      },
      files: async (ref: unknown, sha: string, want: { paths: string[] }) => {
        calls.push(['files', ref, sha, want]);
        return found(want.paths);
      },
    },
    code: {
      texts: async (ref: unknown, sha: string, want: TextsWanted) => {
        calls.push(['texts', ref, sha, want]);
        return found(want.paths);
      },
    },
  } as unknown as GitHubSession;
  return { calls, reader: apiReader(session, THREAD, 'abc') };
}

describe('a commit', () => {
  test('has files, and an empty text for a missing file', async () => {
    const { reader, calls } = createReader();
    expect(await reader.file('src/cli.ts')).toBe(FILES['src/cli.ts']);
    expect(await reader.file('gone.ts')).toBe('');
    const wanted = (path: string) => ['files', THREAD, 'abc', { paths: [path], maxBytes: 500_000 }];
    expect(calls).toEqual([wanted('src/cli.ts'), wanted('gone.ts')]);
    expect(reader).not.toHaveProperty('history');
  });

  test.each([
    ['', Object.keys(FILES)],
    ['/', Object.keys(FILES)],
    ['src', ['src/cli.ts', 'src/deep/tidy.ts']],
    ['src/', ['src/cli.ts', 'src/deep/tidy.ts']],
    ['src//', ['src/cli.ts', 'src/deep/tidy.ts']],
    ['src/cli.ts', ['src/cli.ts']],
    ['sr', []],
  ])('has paths below "%s"', async (path, paths) => {
    const { reader } = createReader();
    expect(await reader.paths(path)).toBe(paths.join('\n'));
  });

  test('is listed once, whatever is asked of it', async () => {
    const { reader, calls } = createReader();
    await reader.paths('');
    await reader.paths('src');
    await reader.grep('tidy', 'docs');
    expect(calls.filter((call) => (call as unknown[])[0] === 'paths')).toEqual([
      ['paths', THREAD, 'abc', 20_000],
    ]);
  });

  test('is searched line by line, its sources first', async () => {
    const { reader, calls } = createReader();
    expect(await reader.grep('tidy', '')).toBe(
      [
        'src/cli.ts:1:import tidy',
        'src/cli.ts:2:run(tidy);',
        'src/deep/tidy.ts:1:export const tidy = 1;',
        'srcs/other.ts:1:tidy too',
        'README.md:1:tidy words',
      ].join('\n'),
    );
    expect(calls.at(-1)).toEqual([
      'texts',
      THREAD,
      'abc',
      {
        paths: ['src/cli.ts', 'src/deep/tidy.ts', 'srcs/other.ts', 'README.md', 'docs/guide.md'],
        maxBytes: 500_000,
        totalBytes: 4_000_000,
      },
    ]);
  });

  test('says how many of its files were not searched', async () => {
    const { reader } = createReader({ unread: ['src/cli.ts', 'README.md'] });
    expect(await reader.grep('no such words', '')).toBe(
      '(2 files were not searched: too large, or no text)',
    );
    expect(await createReader().reader.grep('no such words', 'src')).toBe('');
  });
});
