/** `quorum review` on working trees and diffs: what it prints, how it ends, and what it does with bad input. */
import { createHash } from 'node:crypto';
import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../src/hosts/cli/review/source.ts';
import { aModel, type ModelScript } from '../../helpers/a-model.ts';
import { aPosition, aVerdict } from '../../helpers/an-issue.ts';
import { quorum } from './fake-io.ts';
import { emptyGitFolder, gitFolder, type GitFolder } from './git-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const RUN = `import { exec } from 'node:child_process';

export function run(name: string): void {
  exec(\`ls \${name}\`);
}
`;
const FILES = { 'src/a.ts': 'export const a = 1;\n', 'README.md': '# Shop\n' };

interface Found {
  ruleId: string;
  severity: string;
  path: string;
  line: number;
  personas: string[];
  fingerprint: string;
}

function findingsOf(json: Record<string, unknown>): Found[] {
  return json['findings'] as Found[];
}

/** A repository with a change that nobody should merge. */
function badChange(): GitFolder {
  const folder = gitFolder(FILES);
  folder.write('src/run.ts', RUN);
  return folder;
}

function diffOf(text: string): Partial<Parameters<typeof quorum>[1]> {
  return { readStdin: () => Promise.resolve(text) };
}

function newFile(path: string, lines: readonly string[]): string {
  const added = lines.map((line) => `+${line}\n`).join('');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${added}`;
}

describe('a working tree', () => {
  test('is reviewed against its base, files that git does not know included, and ends with 1', async () => {
    const { dir } = badChange();
    const { code, json } = await quorum(['review', '--json'], { cwd: dir });
    expect(code).toBe(1);
    expect(json()).toMatchObject({ verdict: 'CHANGES', model: 'offline', costUsd: 0 });
    const [worst] = findingsOf(json());
    expect(worst).toMatchObject({ ruleId: 'js-shell-command', path: 'src/run.ts', line: 4 });
    expect(worst?.personas).toContain('maya');
  });

  test('the JSON has exactly the pinned keys', async () => {
    const { dir } = badChange();
    const { json } = await quorum(['review', '--format', 'json', '--no-model'], { cwd: dir });
    expect(Object.keys(json())).toEqual(['verdict', 'model', 'findings', 'notRead', 'costUsd']);
    const [worst = {}] = findingsOf(json());
    expect(Object.keys(worst)).toEqual(
      expect.arrayContaining([
        'ruleId',
        'severity',
        'path',
        'line',
        'personas',
        'title',
        'evidence',
        'fingerprint',
      ]),
    );
    expect(json()['model']).toBe('none');
  });

  test('people get the verdict first, then findings by file with their lines, then what it cost', async () => {
    const { dir } = badChange();
    const { out, err } = await quorum(['review'], { cwd: dir });
    expect(out).toMatch(/^\nChanges needed: 1 high\n/);
    expect(out).toContain('\nsrc/run.ts\n  high  ');
    expect(out).toContain('> 4 │   exec(`ls ${name}`);');
    expect(out).toMatch(/Maya.* · js-shell-command/);
    expect(out).toMatch(
      /of the working tree since \w{8} · offline rules, no model · \$0\.00 · nothing was posted\n$/,
    );
    // Who is thinking is shown when there is time to see it; who said what always is.
    expect(err).toMatch(/Dev: changes/);
  });

  test('is coloured on a terminal only', async () => {
    const { dir } = badChange();
    const chunks: string[] = [];
    const terminal = { cwd: dir, out: (text: string) => void chunks.push(text) };
    await quorum(['review', '--no-model'], { ...terminal, isTty: true });
    expect(chunks.join('')).toContain('\u001B[31m');
    chunks.length = 0;
    await quorum(['review', '--no-model'], { ...terminal, isTty: true, env: { NO_COLOR: '1' } });
    expect(chunks.join('')).not.toContain('\u001B');
  });

  test('--fail-on decides from which severity on the exit code is 1', async () => {
    const { dir } = badChange();
    const end = async (...args: string[]) =>
      (await quorum(['review', '--no-model', ...args], { cwd: dir })).code;
    expect(await end('--fail-on', 'critical')).toBe(0);
    expect(await end('--fail-on', 'medium')).toBe(1);
    expect(await end('--fail-on', 'never')).toBe(0);
    expect(await end('--fail-on', 'loud')).toBe(2);
  });

  test('--personas limits who contributes and what is reported; an unknown name is an error', async () => {
    const { dir } = badChange();
    const reviewOf = (names: string) =>
      quorum(['review', '--json', '--personas', names], { cwd: dir });
    expect(findingsOf((await reviewOf('maya')).json())[0]?.ruleId).toBe('js-shell-command');
    const other = await reviewOf('priya');
    expect(other.code).toBe(0);
    expect(findingsOf(other.json()).map(({ ruleId }) => ruleId)).not.toContain('js-shell-command');
    expect(other.err).not.toContain('Maya');
    expect(other.json()['verdict']).toBe('APPROVE');
    const text = await quorum(['review', '--personas', 'maya'], { cwd: dir });
    expect(text.out).toContain('Maya, Dev · js-shell-command');
    const { code, err } = await reviewOf('mya');
    expect(code).toBe(2);
    expect(err).toContain('Did you mean maya?');
  });

  test('a second run finds the same under the same names', async () => {
    const { dir, git } = badChange();
    const names = async () =>
      findingsOf((await quorum(['review', '--json', '--no-model'], { cwd: dir })).json()).map(
        ({ fingerprint }) => fingerprint,
      );
    const first = await names();
    git('add', '-A');
    expect(await names()).toEqual(first);
  });

  test('a branch is compared with where it left main, or with --base', async () => {
    const folder = gitFolder(FILES);
    folder.git('checkout', '-q', '-b', 'feature');
    folder.write('src/run.ts', RUN);
    folder.commit('add run');
    folder.write('README.md', '# Shop\n\nMore.\n');
    const whole = await quorum(['review', '--json', '--no-model'], { cwd: folder.dir });
    expect(findingsOf(whole.json())).not.toEqual([]);
    const args = ['review', '--json', '--no-model', '--base', 'HEAD'];
    const since = await quorum(args, { cwd: folder.dir });
    expect(since.json()).toMatchObject({ verdict: 'APPROVE', findings: [] });
    expect(since.code).toBe(0);
  });

  test('the settings are those of the base, not those that the change brings', async () => {
    const folder = badChange();
    folder.write('.github/quorum.yml', 'paths:\n  ignored: [src/run.ts]\n');
    const before = await quorum(['review', '--json', '--no-model'], { cwd: folder.dir });
    expect(findingsOf(before.json()).map(({ path }) => path)).toContain('src/run.ts');
    folder.git('add', '.github');
    folder.git('commit', '-q', '-m', 'settings');
    const after = await quorum(['review', '--json', '--no-model'], { cwd: folder.dir });
    expect(after.json()['findings']).toEqual([]);
  });

  test('no change, no commit yet, no repository, and a base that is not there', async () => {
    const clean = await quorum(['review'], { cwd: gitFolder(FILES).dir });
    expect(clean.out).toMatch(/^Nothing changed in the working tree since \w+: there is nothing/);
    expect(clean.code).toBe(0);
    const young = emptyGitFolder({ 'src/run.ts': RUN });
    expect((await quorum(['review', '--json', '--no-model'], { cwd: young.dir })).code).toBe(1);
    const nowhere = await quorum(['review'], { cwd: temporaryFolder(FILES) });
    expect(nowhere.code).toBe(2);
    expect(nowhere.err).toMatch(/git diff \| quorum review --diff -.*\[no-repository\]/);
    const unknown = await quorum(['review', '--base', 'nope'], { cwd: gitFolder(FILES).dir });
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('[no-ref]');
    expect((await quorum(['review', '--dir', 'nope'], { cwd: young.dir })).code).toBe(2);
  });

  test('control characters of a change do not reach the terminal, and links do not lead out of the repository', async () => {
    const folder = gitFolder(FILES);
    folder.write('src/run.ts', RUN.replace('ls', 'ls \u001B[2J\u202E'));
    symlinkSync('/etc', `${folder.dir}/etc`);
    const { out, code } = await quorum(['review', '--no-model'], { cwd: folder.dir });
    expect(code).toBe(1);
    expect(out).toContain('ls �[2J�');
    expect(out).toContain('etc: symbolic link');
  });
});

test('a credential is not shown beside another finding either, but its line can be recognized', async () => {
  const { dir, write } = gitFolder(FILES);
  const value = ['zx9Q', 'kL2m', 'Pp7'].join('');
  write('src/run.ts', `const db = { password: '${value}' };\neval(db.text);\n`);
  const { out } = await quorum(['review', '--no-model'], { cwd: dir });
  expect(out).toContain('hard-coded-password');
  expect(out).toContain('js-eval');
  expect(out).toMatch(/> 1 │ const db = \{ password: '.*…?.*' \};/);
  expect(out).not.toContain(value);
});

describe('a diff', () => {
  test('is read from standard input and needs no repository', async () => {
    const diff = newFile('src/run.ts', RUN.trimEnd().split('\n'));
    const cwd = temporaryFolder();
    const { code, json } = await quorum(['review', '--diff', '-', '--format', 'json'], {
      ...diffOf(diff),
      cwd,
    });
    expect(code).toBe(1);
    expect(findingsOf(json())[0]).toMatchObject({ ruleId: 'js-shell-command', line: 4 });
  });

  test('is read from a file, and the repository around it is used when there is one', async () => {
    const folder = gitFolder({ 'src/a.ts': 'import { b } from "./b.ts";\nb();\n', 'src/b.ts': '' });
    const diff =
      '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,3 @@\n import { b } from "./b.ts";\n+import { c } from "./gone.ts";\n b();\n';
    folder.write('../change.diff', diff);
    const args = ['review', '--json', '--no-model', '--diff'];
    const inside = await quorum([...args, '../change.diff'], { cwd: folder.dir });
    expect(findingsOf(inside.json()).map(({ ruleId }) => ruleId)).toContain(
      'import-of-missing-file',
    );
    const outside = await quorum([...args, '-'], { ...diffOf(diff), cwd: temporaryFolder() });
    expect(findingsOf(outside.json())).toEqual([]);
  });

  test('of another repository is not judged by the one around it', async () => {
    const diff =
      '--- a/lib/x.ts\n+++ b/lib/x.ts\n@@ -1,2 +1,3 @@\n first();\n+import { y } from "./y.ts";\n last();\n';
    const { json } = await quorum(['review', '--json', '--no-model', '--diff', '-'], {
      ...diffOf(diff),
      cwd: gitFolder(FILES).dir,
    });
    expect(findingsOf(json())).toEqual([]);
  });

  test.each([
    { what: 'words', diff: 'Hello\nthere\n', message: 'line 1: no file header' },
    {
      what: 'a combined diff',
      diff: 'diff --cc a.ts\n@@@ -1 -1 +1 @@@\n',
      message: 'line 1: this is',
    },
    {
      what: 'a bad hunk',
      diff: '--- a/x\n+++ b/x\n@@ what @@\n',
      message: 'line 3: a hunk begins',
    },
    {
      what: 'a cut hunk',
      diff: '--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n',
      message: 'the hunk above',
    },
    { what: 'a lone hunk', diff: '@@ -1 +1 @@\n-a\n+b\n', message: 'line 1: no `--- old`' },
  ])('$what is refused with its line', async ({ diff, message }) => {
    const said = await quorum(['review', '--diff', '-'], {
      ...diffOf(diff),
      cwd: temporaryFolder(),
    });
    expect(said.err).toContain(message);
    expect(said.err).toContain('[diff-malformed]');
    expect(said.code).toBe(2);
  });

  test('with nothing in it is nothing to review', async () => {
    const said = await quorum(['review', '--diff', '-'], { ...diffOf(''), cwd: temporaryFolder() });
    expect(said.out).toBe('Nothing changed in the diff: there is nothing to review.\n');
    expect(said.code).toBe(0);
  });

  test('what no rule reads is named: binary, submodule, LFS, mode and rename alone', async () => {
    const parts = [
      'diff --git a/logo.png b/logo.png\nnew file mode 100644\nindex 0000000..1111111\nBinary files /dev/null and b/logo.png differ\n',
      'diff --git a/lib b/lib\nindex 1111111..2222222 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1111111111111111111111111111111111111111\n+Subproject commit 2222222222222222222222222222222222222222\n',
      `diff --git a/big.bin b/big.bin\nnew file mode 100644\n--- /dev/null\n+++ b/big.bin\n@@ -0,0 +1,3 @@\n+version https://git-lfs.github.com/spec/v1\n+oid sha256:${createHash('sha256').digest('hex')}\n+size 9\n`,
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
      'diff --git a/one.ts b/two.ts\nsimilarity index 100%\nrename from one.ts\nrename to two.ts\n',
    ];
    const { code, json } = await quorum(['review', '--diff', '-', '--json'], {
      ...diffOf(parts.join('')),
      cwd: temporaryFolder(),
    });
    expect(code).toBe(0);
    expect(json()).toMatchObject({ verdict: 'APPROVE', findings: [] });
    expect(json()['notRead']).toEqual([
      'logo.png: binary',
      'lib: submodule',
      'big.bin: stored by LFS',
    ]);
  });

  test('carriage returns and a missing last newline change nothing about what is found', async () => {
    const plain = newFile('src/run.ts', RUN.trimEnd().split('\n'));
    const crlf = plain.replaceAll(/^(\+(?!\+).*)$/gm, '$1\r');
    const lines = async (diff: string) =>
      findingsOf(
        (
          await quorum(['review', '--diff', '-', '--json', '--no-model'], {
            ...diffOf(diff),
            cwd: temporaryFolder(),
          })
        ).json(),
      ).map(({ ruleId, line }) => [ruleId, line]);
    const expected = await lines(plain);
    expect(expected).toContainEqual(['js-shell-command', 4]);
    expect(await lines(crlf)).toEqual(expected);
    expect(await lines(`${plain}\\ No newline at end of file\n`)).toEqual(expected);
  });

  test('far more than memory should hold: what fits is reviewed, the rest is named', async () => {
    const line = `+${'x = compute(value, other); '.repeat(4)}\n`;
    const block = Buffer.from(line.repeat(1000));
    const blocks = 240;
    const isRead: number[] = [];
    async function* stream(): AsyncIterable<Uint8Array | string> {
      yield newFile('src/run.ts', RUN.trimEnd().split('\n'));
      yield `diff --git a/src/huge.ts b/src/huge.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/huge.ts\n@@ -0,0 +1,${blocks * 1000} @@\n`;
      for (let at = 0; at < blocks; at += 1) {
        isRead.push(block.length);
        yield block;
      }
    }
    const { code, json } = await quorum(['review', '--diff', '-', '--json', '--no-model'], {
      streamStdin: stream,
      cwd: temporaryFolder(),
    });
    expect(isRead).toHaveLength(blocks);
    expect(code).toBe(1);
    expect(findingsOf(json()).map(({ path }) => path)).toEqual(['src/run.ts']);
    expect(json()['notRead']).toEqual(['src/huge.ts: too large to be read']);
  });

  test('a file that is not there and two sources at once are exit code 2', async () => {
    const cwd = temporaryFolder();
    const missing = await quorum(['review', '--diff', 'nope.diff', '--json'], { cwd });
    expect(missing.code).toBe(2);
    expect(missing.json()).toMatchObject({ ok: false, error: { code: 'diff-missing' } });
    expect((await quorum(['review', '--diff', '-', '--base', 'x'], { cwd })).code).toBe(2);
    expect((await quorum(['review', '--diff', '-', '--pr', '1'], { cwd })).code).toBe(2);
  });

  test('a credential in it is found and printed nowhere', async () => {
    const key = ['AK', 'IA', 'QWERTYUIOPASDFGH'].join('');
    const diff = newFile('src/key.ts', [`export const key = '${key}';`]);
    for (const format of ['text', 'json', 'sarif']) {
      const { out, code } = await quorum(['review', '--diff', '-', '--format', format], {
        ...diffOf(diff),
        cwd: temporaryFolder(),
      });
      expect(code).toBe(1);
      expect(out).toContain('secret-in-code');
      expect(out).not.toContain(key);
    }
  });
});

test('what a source is: a tree, a diff, or a pull request by number or URL', () => {
  expect(parseSource({})).toEqual({ kind: 'tree', base: undefined });
  expect(parseSource({ diff: '-' })).toEqual({ kind: 'diff', file: '-' });
  expect(parseSource({ pr: '#12' })).toMatchObject({ kind: 'pull', number: 12 });
  expect(parseSource({ pr: 'https://ghe.example.com/acme/shop/pull/7/files' })).toEqual({
    kind: 'pull',
    number: 7,
    repository: 'acme/shop',
    apiUrl: 'https://ghe.example.com/api/v3',
  });
  expect(() => parseSource({ pr: 'twelve' })).toThrow(/not a pull request/);
});

describe('a team that approves over a serious finding of a rule', () => {
  const script = (refuters: readonly string[]): ModelScript => ({
    position: ({ system, n }, handle) => {
      const block = system.split('## Findings that hold the check')[1] ?? '';
      const names = Array.from(block.matchAll(/^([0-9a-f]{20}): /gm), ([, name = '']) => name);
      const refutes = names.map((fingerprint) => ({
        fingerprint,
        why: 'names come from our own list',
        quote: 'exec(`ls ${name}`);',
      }));
      const said = { vote: 'APPROVE', line: handle, reasons: `${handle}, call ${n}.` };
      return {
        json: aPosition({ ...said, ...(refuters.includes(handle) && { refutes }) } as never),
      };
    },
    verdict: () => ({ json: aVerdict({ verdict: 'APPROVE', headline: 'well made' }) }),
  });

  test('ends with 1 and asks for a person; with 0 once two contributors refute it', async () => {
    const { dir } = badChange();
    for (const [refuters, code, verdict] of [
      [['dev'], 1, 'HUMAN'],
      [['dev', 'maya', 'carlos', 'priya'], 0, 'APPROVE'],
    ] as const) {
      const { env } = await aModel(script(refuters));
      const said = await quorum(['review', '--json'], { cwd: dir, env });
      expect([said.code, said.json()['verdict']]).toEqual([code, verdict]);
    }
  });
});
