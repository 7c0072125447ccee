/** What the PM may look at: one commit, in pieces, and no secrets. */
import { describe, expect, test } from 'vitest';
import { pmTools } from '../../src/act/pm-tools.ts';
import { createBaseReader } from '../../src/adapters/git/base-reader.ts';
import { gitFolder } from '../hosts/cli/git-folder.ts';
import { verifies } from '../verifies.ts';

const LINES = Array.from({ length: 600 }, (_, n) => `line ${n + 1}`).join('\n');

function look() {
  const { dir, git } = gitFolder({ 'src/a.txt': LINES, '.env': 'KEY=1 line 7\n', 'b.txt': 'b\n' });
  const base = createBaseReader(`${dir}/.git`, git('rev-parse', 'HEAD').trim());
  const tools = pmTools(base);
  return async (name: string, args: object) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool.run(args, undefined);
  };
}

describe('the PM', () => {
  verifies(
    'CB-7',
    'reads files, finds lines, lists files and commits, each within its limit',
    async () => {
      const use = look();
      const { text } = await use('read_file', { path: 'src/a.txt' });
      expect(text.split('\n')).toHaveLength(500);
      expect((await use('read_file', { path: 'src/a.txt', offset: 600 })).text).toBe(
        '600\tline 600',
      );
      const found = (await use('grep', { text: 'line 7' })).text.split('\n');
      expect(found[0]).toBe('src/a.txt:7:line 7');
      expect((await use('grep', { text: 'line' })).text).toContain('more lines)');
      expect((await use('list_files', {})).text.trim().split('\n')).toEqual(['b.txt', 'src/a.txt']);
      expect((await use('git_log', {})).text).toContain('first');
    },
  );

  test.each(['/etc/passwd', '../x', 'a/../../x', '.git/config', '.env', 'a/.env.local'])(
    'is not shown %s',
    async (path) => {
      const use = look();
      for (const [name, more] of [
        ['read_file', {}],
        ['grep', { text: 'x' }],
        ['list_files', {}],
        ['git_log', {}],
        ['git_diff', { ref: 'HEAD' }],
      ] as const)
        expect((await use(name, { path, ...more })).isError).toBe(true);
    },
  );

  test('gives git no option for a commit', async () => {
    const use = look();
    expect((await use('git_diff', { ref: '--output=x' })).isError).toBe(true);
  });
});
