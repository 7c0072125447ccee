/**
 * `quorum simulate` on histories made for it: which commits count, what is reported of each, and what one failure
 * spoils.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { quorum } from './fake-io.ts';
import { emptyGitFolder, gitFolder, type GitFolder } from './git-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SHELL = `import { exec } from 'node:child_process';

export function run(name: string): void {
  exec(\`ls \${name}\`);
}
`;

interface Told {
  number: number | null;
  title: string;
  changedLines: number;
  verdict?: string;
  findings?: { ruleId: string; path: string; line: number }[];
  modelCalls: number;
  seconds: number;
  estimatedUsd: number;
  atMostUsd: number;
  error?: { code: string };
}

/** A merged, a squashed and a pushed change, in this order. */
function history(): GitFolder {
  const folder = gitFolder({ 'src/a.ts': 'export const a = 1;\n', 'README.md': '# Shop\n' });
  folder.git('checkout', '-q', '-b', 'shell');
  folder.write('src/run.ts', SHELL);
  folder.commit('wip');
  folder.git('checkout', '-q', 'main');
  const words =
    'Merge pull request #3 from ana/shell\n\nRun what people ask for\n\nIt lists files.';
  folder.git('merge', '-q', '--no-ff', '-m', words, 'shell');
  folder.write('README.md', '# Shop\n\nSells things.\n');
  folder.commit('Say what it sells (#4)');
  folder.write('README.md', '# Shop\n\nSells more things.\n');
  folder.commit('straight to main');
  return folder;
}

async function simulated(dir: string, ...more: string[]): Promise<{ code: number; pulls: Told[] }> {
  const { code, json } = await quorum(['simulate', '--repo', dir, '--json', ...more]);
  return { code, pulls: json()['pulls'] as Told[] };
}

test('merge and squash commits are pull requests, newest first; pushed commits are not', async () => {
  const { dir } = history();
  const { code, pulls } = await simulated(dir);
  expect(code).toBe(0);
  expect(pulls.map(({ number, title }) => [number, title])).toEqual([
    [4, 'Say what it sells'],
    [3, 'Run what people ask for'],
  ]);
  const [documents, shell] = pulls;
  expect(documents).toMatchObject({ verdict: 'APPROVE', findings: [], changedLines: 2 });
  expect(shell).toMatchObject({ verdict: 'CHANGES', changedLines: 5 });
  expect(shell?.findings?.[0]).toMatchObject({
    ruleId: 'js-shell-command',
    path: 'src/run.ts',
    line: 4,
  });
});

test('each says what it would have cost: likely, and at most', async () => {
  const { dir } = history();
  const { pulls } = await simulated(dir);
  for (const { modelCalls, estimatedUsd, atMostUsd, seconds } of pulls) {
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(modelCalls).toBeGreaterThan(1);
    expect(estimatedUsd).toBeGreaterThan(0);
    expect(atMostUsd).toBeGreaterThan(estimatedUsd);
  }
});

test('people read each with its findings, then the sum and whose prices count', async () => {
  const { dir } = history();
  const { out, err } = await quorum(['simulate', '--repo', dir]);
  expect(out).toMatch(/^\n#4 {2}Say what it sells\n {2}Looks good · no findings · 2 changed/);
  expect(out).toMatch(/\n#3 {2}Run what people ask for\n {2}Changes needed · 1 high/);
  expect(out).toMatch(/\n {4}high {2}src\/run\.ts:4 {2}.* js-shell-command\n/);
  expect(out.replaceAll('\n', ' ')).toMatch(
    /2 pull requests of main · \d+ findings? · about \$\d\.\d\d and at most \$\d\.\d\d with Claude .* · offline rules, no model was asked, nothing was written/,
  );
  expect(err).toBe(
    '1 of 2 pull requests: #4 Say what it sells\n2 of 2 pull requests: #3 Run what people ask for\n',
  );
});

test('a price that is not known makes the sum unknown, never zero', async () => {
  const { dir } = history();
  const models = temporaryFolder({
    'models.yml':
      'own: { provider: openai-compatible, model: m, baseUrl: "http://127.0.0.1:9/v1" }\nstandard: own\nstrong: own\n',
  });
  const env = { QUORUM_MODELS: path.join(models, 'models.yml') };
  const { json } = await quorum(['simulate', '--repo', dir, '--json'], { env });
  expect(json()).toMatchObject({ estimatedUsd: null, atMostUsd: null });
});

test('--every-commit counts each, the first one aside, and --last bounds how many', async () => {
  const { dir } = history();
  const all = await simulated(dir, '--every-commit');
  expect(all.pulls.map(({ number }) => number)).toEqual([null, 4, 3]);
  const one = await simulated(dir, '--every-commit', '--last', '1');
  expect(one.pulls.map(({ title }) => title)).toEqual(['straight to main']);
  expect((await quorum(['simulate', '--repo', dir, '--last', 'many'])).code).toBe(2);
});

test('reports a change that cannot be read, and still simulates the others', async () => {
  const folder = history();
  // As in a clone that was fetched in part.
  loseObject(folder, folder.git('rev-parse', 'main:src/run.ts'));
  const { code, pulls } = await simulated(folder.dir);
  expect(code).toBe(1);
  expect(pulls[0]).toMatchObject({ number: 4, verdict: 'APPROVE' });
  expect(pulls[1]).toMatchObject({ number: 3, error: { code: 'git-failed' } });
  const { out } = await quorum(['simulate', '--repo', folder.dir]);
  expect(out).toMatch(
    /#3 {2}Run what people ask for\n {2}could not be reviewed: .* \[git-failed\]/,
  );
});

test('nothing is written: neither files nor refs nor objects', async () => {
  const { dir } = history();
  const before = contentsOf(dir);
  await quorum(['simulate', '--repo', dir]);
  expect(contentsOf(dir)).toEqual(before);
});

test('reports a folder without commits, or without pull requests', async () => {
  const none = await quorum(['simulate', '--repo', gitFolder({ 'a.md': 'x\n' }).dir]);
  expect(none).toMatchObject({ code: 0 });
  expect(none.out).toContain('No commit of main names a pull request.');
  const empty = await quorum(['simulate', '--repo', emptyGitFolder().dir]);
  expect(empty.err).toContain('[no-repository]');
  const nowhere = await quorum(['simulate', '--repo', '/nowhere/at/all']);
  expect(nowhere).toMatchObject({ code: 2 });
  expect(nowhere.err).toContain('[folder-missing]');
});

function loseObject({ dir }: GitFolder, sha: string): void {
  rmSync(path.join(dir, '.git', 'objects', sha.slice(0, 2), sha.slice(2)));
}

function contentsOf(dir: string): Map<string, string> {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(names.map((name) => [name, readFileSync(name, 'latin1')]));
}
