/** Small projects of three languages whose own tests run for real, each with a change that holds and one that breaks a test. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { NewTask } from '../../src/domain/plan/body/render-plan.ts';
import { withPlans, CODER_ENV, type PlanWorld } from './a-plan-story.ts';
import { aWorld, REPO } from './a-world.ts';
import { moveBranch, writeCommit, type Changes } from './commits.ts';
import { adding } from './say-task.ts';

export interface RealProject {
  title: string;
  /** Why it cannot be tested on this machine; undefined when it can. */
  missing: string | undefined;
  files: () => Changes;
  /** A file with a test of it: what the tests say then. */
  good: Readonly<Record<string, string>>;
  /** The function that a test of the base is about, and what breaks it. */
  bad: { path: string; from: string; to: string };
  /** What gate 2 says of either change. */
  says: { good: string; bad: string };
}

/** Programs of the system: those are what a sandbox sees. */
export function lacks(program: string, ...args: string[]): string | undefined {
  const { status } = spawnSync(program, args, { env: { PATH: '/usr/local/go/bin:/usr/bin:/bin' } });
  return status === 0 ? undefined : `${program} ${args.join(' ')} does not run here`;
}

/** The App, on a repository that holds these files and no others. */
export async function aProjectWorld(
  files: Changes,
  env: Record<string, string | undefined> = {},
): Promise<PlanWorld> {
  const world = await aWorld({ env: { ...CODER_ENV, ...env } });
  const sha = writeCommit(world.emulator.repository(REPO).gitDir, { changes: files });
  await moveBranch(world, 'main', { sha });
  await world.idle();
  return withPlans(world);
}

/** One attempt is enough to see where a change is stopped. */
export const ONE_ATTEMPT = 'merge:\n  mode: auto\nplans:\n  maxAttempts: 1\n';

export function goodTask(number: number, { good }: Pick<RealProject, 'good'>): NewTask {
  return aTaskOf(number, 'Say goodbye', { paths: Object.keys(good), diff: adding(good) });
}

export function badTask(number: number, { bad }: Pick<RealProject, 'bad'>): NewTask {
  return aTaskOf(number, 'Greet differently', { paths: [bad.path], diff: replacing(bad) });
}

/** What the gate of a commit's tests says. */
export async function testsAt({ emulator }: PlanWorld, sha: string): Promise<string> {
  const at = `/repos/${REPO}/commits/${sha}/check-runs`;
  const found = (await emulator.as('ana').request('GET', at)) as {
    check_runs: { name: string; output: { title: string } }[];
  };
  const tests = found.check_runs.find(({ name }) => name === 'quorum / gates');
  return tests?.output.title ?? '';
}

/** Says what to do and leaves it to the coder. */
export function wordedTask(number: number, { good }: Pick<RealProject, 'good'>): NewTask {
  const task = aTaskOf(number, 'Say goodbye', { paths: Object.keys(good), diff: '' });
  return { ...task, description: 'Say goodbye as the greeting is said, with a test.' };
}

function aTaskOf(
  number: number,
  title: string,
  { paths, diff }: { paths: string[]; diff: string },
): NewTask {
  return {
    number,
    title,
    dependencies: [],
    estimate: '2-5 min',
    files: paths.map((each) => ({ path: each, note: '' })),
    description: `${title}.\n\n\`\`\`diff\n${diff}\n\`\`\``,
  };
}

/** A diff of a whole file. */
function replacing({ path: file, from, to }: RealProject['bad']): string {
  const [old, now] = [linesOf(from), linesOf(to)];
  return [
    `diff --git a/${file} b/${file}`,
    `--- a/${file}`,
    `+++ b/${file}`,
    `@@ -1,${old.length} +1,${now.length} @@`,
    ...old.map((line) => `-${line}`),
    ...now.map((line) => `+${line}`),
  ].join('\n');
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** What `make` leaves in a folder that is gone afterwards. */
function madeIn<T>(make: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quorum-project-'));
  try {
    return make(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MANIFEST = {
  name: 'tidy',
  version: '1.0.0',
  type: 'module',
  scripts: { test: 'node --test' },
};
const NODE_GREET =
  "import { shout } from 'words';\n\nexport function greet(name) {\n  return shout(`hello ${name}`);\n}\n";

/** A dependency that npm packed, and the lockfile that npm wrote for it. */
function nodeFiles(): Changes {
  const [tarball, lockfile] = madeIn((folder) => {
    const npm = (...args: string[]): unknown =>
      execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd: folder,
      });
    mkdirSync(path.join(folder, 'words'));
    mkdirSync(path.join(folder, 'vendor'));
    const words = { name: 'words', version: '1.0.0', type: 'module', exports: './index.js' };
    writeFileSync(path.join(folder, 'words/package.json'), JSON.stringify(words));
    writeFileSync(
      path.join(folder, 'words/index.js'),
      'export const shout = (text) => `${text.toUpperCase()}!`;\n',
    );
    npm('pack', './words', '--pack-destination', 'vendor');
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(withWords()));
    npm('install', '--package-lock-only', '--ignore-scripts');
    return [
      readFileSync(path.join(folder, 'vendor/words-1.0.0.tgz')),
      readFileSync(path.join(folder, 'package-lock.json'), 'utf8'),
    ];
  });
  return {
    '.github/quorum.yml': ONE_ATTEMPT,
    'package.json': `${JSON.stringify(withWords(), undefined, 2)}\n`,
    'package-lock.json': lockfile,
    'vendor/words-1.0.0.tgz': tarball,
    'src/greet.js': NODE_GREET,
    'test/greet.test.js': nodeTest('greet', 'HELLO YOU!'),
  };
}

function withWords(): object {
  return { ...MANIFEST, dependencies: { words: 'file:vendor/words-1.0.0.tgz' } };
}

function nodeTest(name: string, wanted: string): string {
  return [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    `import { ${name} } from '../src/${name}.js';`,
    `test('${name}', () => assert.equal(${name}('you'), '${wanted}'));`,
    '',
  ].join('\n');
}

const PY_GREET = 'def greet(name):\n    return f"hello {name}"\n';
const PYTEST = {
  'conftest.py': '',
  'greetings/__init__.py': '',
  'greetings/greet.py': PY_GREET,
  'tests/test_greet.py': [
    'import pytest',
    '',
    'from greetings.greet import greet',
    '',
    '',
    '@pytest.mark.parametrize("name", ["you", "me"])',
    'def test_greet(name):',
    '    assert greet(name) == f"hello {name}"',
    '',
  ].join('\n'),
};
const UNITTEST_GREET =
  'from words import shout\n\n\ndef greet(name):\n    return shout(f"hello {name}")\n';

function unittestOf(name: string, wanted: string): string {
  return [
    'import unittest',
    '',
    `from ${name} import ${name}`,
    '',
    '',
    `class ${name.toUpperCase()}(unittest.TestCase):`,
    '    def test_says_it(self):',
    `        self.assertEqual(${name}("you"), "${wanted}")`,
    '',
  ].join('\n');
}

/** A requirement that is a wheel in the repository: what pip takes without any index. */
function unittestFiles(): Changes {
  const wheel = madeIn((folder) => {
    const script = [
      'import sys, zipfile',
      'with zipfile.ZipFile(sys.argv[1], "w") as wheel:',
      '    wheel.writestr("words.py", "def shout(text):\\n    return text.upper()\\n")',
      '    info = "words-1.0.dist-info/"',
      '    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: words\\nVersion: 1.0\\n")',
      '    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")',
      '    wheel.writestr(info + "RECORD", "")',
    ].join('\n');
    const file = path.join(folder, 'words.whl');
    execFileSync('/usr/bin/python3', ['-c', script, file]);
    return readFileSync(file);
  });
  return {
    '.github/quorum.yml': ONE_ATTEMPT,
    'requirements.txt': './vendor/words-1.0-py3-none-any.whl\n',
    'vendor/words-1.0-py3-none-any.whl': wheel,
    'greet.py': UNITTEST_GREET,
    'test_greet.py': unittestOf('greet', 'HELLO YOU'),
  };
}

const GO_GREET =
  'package greetings\n\nimport "example.com/words"\n\nfunc Greet(name string) string {\n\treturn words.Shout("hello " + name)\n}\n';

function goTest(name: string, wanted: string): string {
  return [
    'package greetings',
    '',
    'import "testing"',
    '',
    `func Test${name}(t *testing.T) {`,
    `\tif got := ${name}("you"); got != "${wanted}" {`,
    '\t\tt.Fatal(got)',
    '\t}',
    '}',
    '',
  ].join('\n');
}

export const REAL_PROJECTS: readonly RealProject[] = [
  {
    title: 'Node, with a dependency from its lockfile',
    missing: lacks('npm', '--version'),
    files: nodeFiles,
    good: {
      'src/goodbye.js': NODE_GREET.replaceAll('greet', 'goodbye').replace('hello', 'goodbye'),
      'test/goodbye.test.js': nodeTest('goodbye', 'GOODBYE YOU!'),
    },
    bad: { path: 'src/greet.js', from: NODE_GREET, to: NODE_GREET.replace('hello', 'hi') },
    says: {
      good: '`npm test` ended with 0: 2 passed, 0 failed, 0 skipped',
      bad: '`npm test` ended with 1: 0 passed, 1 failed, 0 skipped',
    },
  },
  {
    title: 'Python, with pytest',
    missing: lacks('/usr/bin/python3', '-c', 'import ensurepip, pytest'),
    files: () => ({ '.github/quorum.yml': ONE_ATTEMPT, ...PYTEST }),
    good: {
      'greetings/goodbye.py': PY_GREET.replace('greet', 'goodbye').replace('hello', 'goodbye'),
      'tests/test_goodbye.py':
        'from greetings.goodbye import goodbye\n\n\ndef test_goodbye():\n    assert goodbye("you") == "goodbye you"\n',
    },
    bad: { path: 'greetings/greet.py', from: PY_GREET, to: PY_GREET.replace('{name}', 'you') },
    says: {
      good: '`.venv/bin/python -m pytest` ended with 0: 3 passed, 0 failed, 0 skipped',
      bad: '`.venv/bin/python -m pytest` ended with 1: 1 passed, 1 failed, 0 skipped',
    },
  },
  {
    title: 'Python, with unittest and a requirement',
    missing: lacks('/usr/bin/python3', '-c', 'import ensurepip'),
    files: unittestFiles,
    good: {
      'goodbye.py': UNITTEST_GREET.replace('greet', 'goodbye').replace('hello', 'goodbye'),
      'test_goodbye.py': unittestOf('goodbye', 'GOODBYE YOU'),
    },
    bad: { path: 'greet.py', from: UNITTEST_GREET, to: UNITTEST_GREET.replace('hello', 'hi') },
    says: {
      good: '`.venv/bin/python -m unittest discover` ended with 0: 2 passed, 0 failed, 0 skipped',
      bad: '`.venv/bin/python -m unittest discover` ended with 1: 0 passed, 1 failed, 0 skipped',
    },
  },
  {
    title: 'Go, with a module beside it',
    missing: lacks('go', 'version'),
    files: () => ({
      '.github/quorum.yml': ONE_ATTEMPT,
      'go.mod':
        'module example.com/greetings\n\ngo 1.19\n\nrequire example.com/words v0.0.0\n\nreplace example.com/words => ./words\n',
      'words/go.mod': 'module example.com/words\n\ngo 1.19\n',
      'words/words.go':
        'package words\n\nimport "strings"\n\nfunc Shout(text string) string {\n\treturn strings.ToUpper(text)\n}\n',
      'greet.go': GO_GREET,
      'greet_test.go': goTest('Greet', 'HELLO YOU'),
    }),
    good: {
      'goodbye.go': GO_GREET.replace('Greet', 'Goodbye').replace('hello', 'goodbye'),
      'goodbye_test.go': goTest('Goodbye', 'GOODBYE YOU'),
    },
    bad: { path: 'greet.go', from: GO_GREET, to: GO_GREET.replace('hello', 'hi') },
    says: {
      good: '`go test -v ./...` ended with 0: 2 passed, 0 failed, 0 skipped',
      bad: '`go test -v ./...` ended with 1: 0 passed, 1 failed, 0 skipped',
    },
  },
];
