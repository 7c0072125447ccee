/** `quorum sweep`: what the code watch says of a working tree, how it ends, and what it does with bad input. */
import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { quorum } from './fake-io.ts';
import { gitFolder } from './git-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const LATE = '// TODO: remove after 2024-06-30\nlegacy();\n';
const WATCH = ['sweep', '--loops', 'code-watch'];

describe('a working tree', () => {
  test('is searched as it is on disk: what is worth an issue first, and nothing is opened', async () => {
    const { dir, write } = gitFolder({ 'src/late.ts': LATE });
    write('src/run.ts', EVAL);
    const { code, out } = await quorum(WATCH, { cwd: dir });
    expect(code).toBe(1);
    expect(out).toMatch(/^\nWorth an issue\n\n {2}high {2}Text is run as code\n {4}src\/run\.ts:2/);
    expect(out).toContain('Smallest step: parse the text');
    expect(out).toContain('\nJudged, and not worth one\n\n  low  A note’s own date has passed');
    expect(out).toContain(
      '2 candidates judged in 2 files · offline rules, no model · $0.00 · nothing was opened',
    );
  });

  test('ends with 0 and one line where nothing is found, git or no git', async () => {
    const files = { 'src/a.ts': 'export const a = 1;\n' };
    for (const cwd of [gitFolder(files).dir, temporaryFolder(files)]) {
      const { code, out } = await quorum(WATCH, { cwd });
      expect(code).toBe(0);
      expect(out).toMatch(/^\nNothing worth raising\.\n\n0 candidates judged in 1 file · /);
    }
  });

  test('lists every place and the verdict with --json', async () => {
    const { dir } = gitFolder({ 'src/run.ts': EVAL, 'src/more.ts': EVAL });
    const { code, json } = await quorum([...WATCH, '--json', '--dry-run'], { cwd: dir });
    expect(code).toBe(1);
    expect(json()).toMatchObject({
      ok: true,
      loop: 'code-watch',
      files: 2,
      opened: 0,
      model: 'offline',
      costUsd: 0,
      candidates: [
        {
          ruleId: 'js-eval',
          severity: 'high',
          verdict: 'APPROVE',
          places: [{ path: 'src/more.ts', line: 2, evidence: 'return eval(text);' }],
        },
        { places: [{ path: 'src/run.ts', line: 2 }] },
      ],
    });
  });

  test('may be one folder or file of it', async () => {
    const { dir } = gitFolder({ 'src/a/run.ts': EVAL, 'src/b/run.ts': EVAL });
    for (const path of ['src/b', 'src/b/run.ts', './src/b/']) {
      const { json } = await quorum([...WATCH, '--path', path, '--json'], { cwd: dir });
      expect(json()).toMatchObject({ candidates: [{ places: [{ path: 'src/b/run.ts' }] }] });
    }
  });

  test('tells of credentials here, and shows none', async () => {
    const token = ['ghp', 'a1B2'.repeat(9)].join('_');
    const { dir } = gitFolder({ 'src/a.ts': `export const key = '${token}';\n` });
    const { code, out } = await quorum(WATCH, { cwd: dir });
    expect(code).toBe(1);
    expect(out).toContain('src/a.ts:1');
    expect(out).not.toContain(token);
  });
});

test('needs no switch that has one value, takes those of scripts, and does not offer them', async () => {
  const { dir } = gitFolder({ 'src/run.ts': EVAL });
  const [plain, scripted] = await Promise.all([
    quorum(['sweep', '--json'], { cwd: dir }),
    quorum([...WATCH, '--dry-run', '--json'], { cwd: dir }),
  ]);
  expect(plain.code).toBe(1);
  expect(plain.json()['candidates']).toEqual(scripted.json()['candidates']);
  const { out } = await quorum(['sweep', '--help']);
  expect(out).not.toMatch(/--(?:once|dry-run|loops)/);
});

test('--once, which changes nothing, is accepted for one release, and says so beside the answer', async () => {
  const { dir } = gitFolder({ 'src/run.ts': EVAL });
  const [plain, once] = await Promise.all([
    quorum(['sweep', '--json'], { cwd: dir }),
    quorum(['sweep', '--json', '--once'], { cwd: dir }),
  ]);
  expect([once.code, once.json()['candidates']]).toEqual([plain.code, plain.json()['candidates']]);
  const notice =
    'quorum: `--once` changes nothing, because a sweep is always one pass. Leave it out: the next release refuses it.\n';
  expect(once.err).toContain(notice);
  expect(plain.err).not.toContain(notice);
});

describe('a command line that is wrong', () => {
  test.each([
    [['sweep', '--loops', 'codewatch'], 'loop-unknown', 'There is: code-watch.'],
    [['sweep', '--loops', 'code-watch,awareness'], 'loop-unknown', '"awareness"'],
    [['sweep', '--path', 'nowhere'], 'path-unknown', 'nowhere'],
    [['sweep', '--path', '../..'], 'path-unknown', '../..'],
    [['sweep', '--dir', 'nowhere'], 'folder-missing', 'nowhere'],
    [['sweep', '--dir', 'empty'], 'path-unknown', 'There is no file in'],
  ])('%j ends with 2 and says %s', async (args, code, words) => {
    const cwd = temporaryFolder({ 'a.ts': '' });
    mkdirSync(`${cwd}/empty`);
    const said = await quorum(args, { cwd });
    expect(said.code).toBe(2);
    expect(said.err).toContain(`[${code}]`);
    expect(said.err).toContain(words);
    expect(said.out).toBe('');
  });
});
