/** What the PM may look at: one commit, in pieces, and no secrets. */
import { describe, expect, test } from 'vitest';
import { pmTools } from '../../../src/act/model/pm-tools.ts';
import { createBaseReader } from '../../../src/adapters/git/base-reader.ts';
import { gitFolder } from '../../hosts/cli/git-folder.ts';
import { verifies } from '../../verifies.ts';

const DELIMITER = 'b7d2f8a1c3e4f5a6b7c8';
const LINES = Array.from({ length: 600 }, (_, n) => `line ${n + 1}`).join('\n');

function look() {
  const { dir, git } = gitFolder({ 'src/a.txt': LINES, '.env': 'KEY=1 line 7\n', 'b.txt': 'b\n' });
  const base = createBaseReader(`${dir}/.git`, git('rev-parse', 'HEAD').trim());
  const tools = pmTools(base, DELIMITER);
  return async (name: string, args: object) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const { text, isError } = await tool.run(args, undefined);
    // The text that was read is between the marks of its block.
    const [, body = text] = /^<<<data [^\n]+\n(.*)\n<<<end [^\n]+>>>$/s.exec(text) ?? [];
    return { text: body, isError, isBlock: body !== text };
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

  verifies(
    [
      'INJ-04: file of the repository or a dependency',
      'INJ-04: commit message',
      'INJ-04: file name',
    ],
    'reads files, names and commits without what nobody sees, as data of a block',
    async () => {
      const { dir, git } = gitFolder({ 'a\u202eb.txt': 'one\u{e0041}two\u200b\n' });
      git('commit', '--allow-empty', '-m', 'fix: \u2066all\u{e0100}');
      const base = createBaseReader(`${dir}/.git`, git('rev-parse', 'HEAD').trim());
      const uses: [string, object][] = [
        ['read_file', { path: 'a\u202eb.txt' }],
        ['grep', { text: 'one' }],
        ['list_files', {}],
        ['git_log', {}],
        ['git_diff', { ref: 'HEAD~1' }],
      ];
      for (const [name, args] of uses) {
        const tool = pmTools(base, DELIMITER).find((each) => each.name === name);
        const { text = '' } = (await tool?.run(args, undefined)) ?? {};
        expect(text).toContain(`<<<data ${DELIMITER}`);
        expect(text).not.toMatch(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u);
      }
    },
  );

  test('gives git no option for a commit', async () => {
    const use = look();
    expect((await use('git_diff', { ref: '--output=x' })).isError).toBe(true);
  });
});
