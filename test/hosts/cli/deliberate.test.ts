/** `quorum deliberate`: the council on a directory, and on an issue of a GitHub that nothing is written to. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { parseSubject } from '../../../src/hosts/cli/deliberate/parse-subject.ts';
import { quorum } from './fake-io.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { isWrite } from '../../helpers/a-world.ts';

const PARSE = `export function parseAmount(text: string): number {
  return Number(text);
}
`;
const IDEA = `Refuse amounts that are no number
\`parseAmount\` in src/amount.ts returns NaN for \`12,50\`.

- [ ] it throws a RangeError that quotes the text
- [ ] test/amount.test.ts covers it
`;
const FILES = { 'src/amount.ts': PARSE, 'test/amount.test.ts': 'export {};\n' };

test('discusses a text on the files of a directory and posts nothing', async () => {
  const { code, out, err } = await quorum(['deliberate', IDEA], { cwd: temporaryFolder(FILES) });
  expect(code).toBe(0);
  expect(out).toMatch(/^\nReady: /);
  expect(out).toContain('src/amount.ts');
  expect(out).toContain('Nothing was posted. On GitHub the team would add the label ready.');
  expect(err).toMatch(/^ {2}\w+: ready \d/m);
});

test('the README’s idea of one line is title and body, and gets what the README prints', async () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const [, idea = ''] = /deliberate "(.+?)" --dir/.exec(readme) ?? [];
  const [, printed = ''] = /```text\n(Ready: .+?)```/s.exec(readme) ?? [];
  const source = 'export function parseAmount(text) {\n  return Number(text);\n}\n';
  const cwd = temporaryFolder({ 'README.md': '# Orders\n', 'src/amount.js': source });
  const { code, out } = await quorum(['deliberate', idea], { cwd });
  expect(code).toBe(0);
  expect(printed).toContain('First step:');
  expect(out.trimStart().slice(0, printed.length)).toBe(printed);
});

test('reads standard input, and --json is one object with voices and verdict', async () => {
  const given = { cwd: temporaryFolder(FILES), readStdin: () => Promise.resolve(IDEA) };
  const { code, out, json } = await quorum(['deliberate', '-', '--json'], given);
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toHaveLength(1);
  expect(json()).toMatchObject({ ok: true, verdict: 'READY', model: 'offline', costUsd: 0 });
  expect(json()['voices']).not.toEqual([]);
});

test('--mode outranks the configuration of the repository', async () => {
  const cwd = temporaryFolder({ ...FILES, '.github/quorum.yml': 'council:\n  mode: blind\n' });
  const single = await quorum(['deliberate', IDEA, '--mode', 'single', '--json'], { cwd });
  expect(single.json()['voices']).toEqual([]);
  const blind = await quorum(['deliberate', IDEA, '--json'], { cwd });
  expect(blind.json()['voices']).not.toEqual([]);
  expect((await quorum(['deliberate', IDEA, '--mode', 'loud'], { cwd })).code).toBe(2);
});

test('a number without a token, nothing at all, and a folder that is not there are exit code 2', async () => {
  const cwd = temporaryFolder();
  expect((await quorum(['deliberate', '12'], { cwd })).err).toContain('[token-missing]');
  expect((await quorum(['deliberate', ' '], { cwd })).err).toContain('[subject-empty]');
  const nowhere = await quorum(['deliberate', 'x', '--dir', 'nowhere'], { cwd });
  expect(nowhere.code).toBe(2);
  expect(nowhere.err).toContain('[folder-missing]');
});

test('reads an issue on GitHub with a token and writes nothing there', async () => {
  const emulator = await createGitHubEmulator({ dir: temporaryFolder(), clock: systemClock });
  onTestFinished(() => emulator.close());
  emulator.createUser('ana');
  emulator.createUser('reader');
  await emulator.createRepository({ owner: 'ana', name: 'shop', files: FILES });
  const [title = '', ...body] = IDEA.split('\n');
  const issue = await emulator.as('ana').openIssue('ana/shop', { title, body: body.join('\n') });
  const env = {
    GITHUB_TOKEN: emulator.createUserToken('reader'),
    GHE_HOST: emulator.host,
    GHE_PROTOCOL: 'http',
  };
  const cwd = temporaryFolder();
  for (const args of [['1', '--repo', 'ana/shop'], [issue.html_url]]) {
    const { code, json, err } = await quorum(['deliberate', ...args, '--json'], { cwd, env });
    expect(err).toContain('ana/shop#1');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ verdict: 'READY', wouldDo: ['add the label ready'] });
  }
  expect(emulator.requests.length).toBeGreaterThan(5);
  expect(emulator.requests.filter(isWrite)).toEqual([]);
});

test('a token is never sent to another GitHub than the configured one', async () => {
  const env = { GITHUB_TOKEN: 'not-for-strangers' };
  const url = 'http://127.0.0.1:9/ana/shop/issues/1';
  const { code, err } = await quorum(['deliberate', url], { cwd: temporaryFolder(), env });
  expect(code).toBe(2);
  expect(err).toContain('[host-unknown]');
});

test('one line is title and body, so it is not called an issue without a description', async () => {
  const line = 'Rename --legacy to --compat and keep the old name for one release';
  expect(parseSubject(line)).toEqual({ kind: 'text', title: line, body: line });
  const { code, out } = await quorum(['deliberate', line], { cwd: temporaryFolder(FILES) });
  expect(code).toBe(0);
  expect(out).not.toContain('no body');
  expect(out).not.toContain('two or three sentences');
  expect(out).toMatch(/^\nNeeds you: --legacy would change/);
  const cli = readFileSync(new URL('../../../src/hosts/cli/program.ts', import.meta.url), 'utf8');
  expect(cli, 'the example of --help').toContain(`quorum deliberate "${line}"`);
});

test('tells issues from words', () => {
  expect(parseSubject('#12')).toMatchObject({ kind: 'issue', number: 12 });
  expect(parseSubject('https://github.com/acme/shop/issues/7#issuecomment-1')).toEqual({
    kind: 'issue',
    number: 7,
    repository: 'acme/shop',
    apiUrl: 'https://api.github.com',
  });
  expect(parseSubject('# Title\n\nBody')).toEqual({ kind: 'text', title: 'Title', body: 'Body' });
  const long = 'word '.repeat(100);
  expect(parseSubject(long)).toMatchObject({ kind: 'text', body: long.trim() });
});
