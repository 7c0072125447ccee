/** The path of somebody who reviews a branch before anybody sees it: found, corrected, clean. */
import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { CLI } from '../helpers/an-app-process.ts';
import { gitFolder } from '../hosts/cli/git-folder.ts';
import { printTimes } from './print-times.ts';

const GOOD = 'export function parseAmount(text: string): number {\n  return Number(text);\n}\n';
const BAD = GOOD.replace('Number(text)', 'eval(text)');

test('a branch with a problem is found out; the corrected one is clean', async () => {
  const times = printTimes('review my branch');
  const { dir, git, write, commit } = gitFolder({ 'src/amount.ts': GOOD });
  git('switch', '-q', '-c', 'amounts');
  write('src/amount.ts', BAD);
  commit('read amounts');
  const found = await review(dir);
  times.ended('review with a finding');
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(/^Changes needed: .*1 high/m);
  expect(found.stdout).toMatch(/high {2}Text is run as code\.[^]*> 2 │ {3}return eval\(text\);/);
  expect(found.stdout).toContain('nothing was posted');

  write('src/amount.ts', `${GOOD}\nexport const ZERO = 0;\n`);
  write('test/amount.test.ts', "import { ZERO } from '../src/amount.ts';\nexpect(ZERO).toBe(0);\n");
  commit('read amounts without eval');
  const clean = await review(dir);
  times.ended('review without one');
  expect([clean.code, clean.stdout]).toEqual([
    0,
    expect.stringContaining('Looks good: no open findings'),
  ]);
});

function review(dir: string): Promise<{ code: number; stdout: string }> {
  const options = { cwd: dir, env: { PATH: process.env['PATH'] ?? '' } };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, 'review'], options, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
  });
}
