/** `quorum init`, `upgrade` and `uninstall` in a working tree, as a person types them. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readRoleDefaults } from '../../../src/adapters/files/role-defaults.ts';
import { isOpenToOthers } from '../../helpers/open-to-others.ts';
import { quorum } from './fake-io.ts';
import { emptyGitFolder, gitFolder } from './git-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const CLI = path.resolve(import.meta.dirname, '../../../src/hosts/cli.ts');
const NOBODY = 65_534;
const CONFIG = '.github/quorum.yml';
const WORKFLOW = '.github/workflows/quorum.yml';
const CODE = '.github/workflows/quorum-code.yml';
const ALL = [
  CONFIG,
  WORKFLOW,
  '.github/ISSUE_TEMPLATE/quorum-plan.yml',
  '.github/ISSUE_TEMPLATE/quorum-deliberate.yml',
];

const PM = 'memory/pm.md';
const ARTIST = 'memory/artist.md';
const MEMORY = [PM, ARTIST];
const SHIPPED = await readRoleDefaults();

const init = (dir: string, ...args: string[]) =>
  quorum(['init', '--dir', dir, '--source', 'acme/quorum', '--ref', 'v1', ...args]);
const read = (dir: string, file: string): string => readFileSync(path.join(dir, file), 'utf8');

/** Paths and texts of everything that git does not ignore, to compare before and after. */
function everything(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('.git/'));
  return Object.fromEntries(files.map((file) => [file, read(dir, file)]));
}

const PROJECTS: Readonly<Record<string, { files: Record<string, string>; found: RegExp }>> = {
  empty: { files: {}, found: /Project: no code yet/ },
  Node: {
    files: { 'package.json': '{"scripts":{"test":"vitest"}}', 'package-lock.json': '{}' },
    found: /Project: Node\.js\n {2}Tests: npm test/,
  },
  Python: {
    files: { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'tests/test_a.py': '' },
    found: /Project: Python\n {2}Tests: \S+ -m pytest/,
  },
  Go: {
    files: { 'go.mod': 'module x\n', 'main.go': '' },
    found: /Project: Go\n {2}Tests: go test/,
  },
  monorepo: {
    files: {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json': '{}',
      'packages/b/package.json': '{}',
    },
    found: /Project: monorepo, Node\.js, 2 packages: packages\/a, packages\/b/,
  },
};

test('the workflow that writes code for an App is the one of the example, with the keys of models alone', async () => {
  const { dir } = emptyGitFolder({});
  const { out } = await init(dir, '--with', 'code', '--keys', 'anthropic,openai');
  const text = read(dir, CODE);
  expect(text.match(/secrets\.\w+/g)).toEqual([
    'secrets.ANTHROPIC_API_KEY',
    'secrets.OPENAI_API_KEY',
  ]);
  const example = readFileSync(`examples/app/${CODE}`, 'utf8');
  const bare = (yaml: string): object => {
    const { jobs, ...rest } = parse(yaml) as { jobs: { code: { permissions: object } } };
    return { ...rest, permissions: jobs.code.permissions };
  };
  expect(bare(text)).toEqual(bare(example));
  // The id is not known: the file says where it goes, and so does the command.
  expect(text).toContain('replace-this-with-the-id-that-quorum-doctor-shows');
  expect(out).toContain(`write the id that quorum doctor shows after app: in ${CODE}`);
});

test('an account of an App is its number, and no name', async () => {
  const { dir } = emptyGitFolder({});
  const refused = await init(dir, '--with', 'code', '--app-id', 'quorum[bot]');
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--app-id is')]);
  expect(existsSync(path.join(dir, CONFIG))).toBe(false);
});

test('quorum init names the workflow that was probably meant', async () => {
  const { dir } = emptyGitFolder({});
  const refused = await init(dir, '--with', 'sweep');
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('Did you mean sweeps?')]);
  expect(existsSync(path.join(dir, CONFIG))).toBe(false);
});

describe.each(Object.entries(PROJECTS))(
  'quorum init in a repository: %s',
  (_, { files, found }) => {
    test('says what it found, writes valid files, and the second time nothing', async () => {
      const { dir } = emptyGitFolder(files);
      const first = await init(dir);
      expect([first.code, first.err]).toEqual([0, '']);
      expect(first.out).toMatch(found);
      for (const file of ALL) {
        expect(first.out).toContain(`added    ${file}\n`);
        expect(parse(read(dir, file))).toBeTypeOf('object');
      }
      for (const file of MEMORY) expect(first.out).toContain(`added    ${file}\n`);
      expect([read(dir, PM), read(dir, ARTIST)]).toEqual([SHIPPED.pm, SHIPPED.artist]);
      const checked = await quorum(['config', 'validate'], { cwd: dir });
      expect([checked.code, checked.out]).toEqual([0, `${CONFIG}: 0 errors, 0 warnings\n`]);
      const before = everything(dir);
      const second = await init(dir);
      expect([second.code, second.out]).toEqual([0, expect.stringContaining('Nothing to do')]);
      expect(everything(dir)).toEqual(before);
    });

    test('writes more workflows where it is asked, upgrades them and takes them back', async () => {
      const { dir } = emptyGitFolder(files);
      const before = everything(dir);
      const names = ['task', 'merge', 'sweep', 'code'];
      const more = names.map((name) => `.github/workflows/quorum-${name}.yml`);
      const wanted = ['--with', 'sweeps,tasks,code', '--app-id', '900'];
      await init(dir);
      for (const file of more) expect(existsSync(path.join(dir, file))).toBe(false);
      expect((await init(dir, ...wanted)).code).toBe(0);
      for (const file of more) {
        expect(parse(read(dir, file))).toBeTypeOf('object');
        expect(read(dir, file)).toContain(`acme/quorum/${file}@v1\n`);
      }
      expect(read(dir, more[3] ?? '')).toContain("with: { app: '900' }");
      const again = await init(dir, ...wanted);
      expect(again.out).toContain('Nothing to do');
      expect((await quorum(['upgrade', '--dir', dir, '--ref', 'v2'])).code).toBe(0);
      for (const file of more) expect(read(dir, file)).toContain(`acme/quorum/${file}@v2\n`);
      expect((await quorum(['uninstall', '--dir', dir, '--yes'])).code).toBe(0);
      expect(everything(dir)).toEqual(before);
    });

    test('is taken back by uninstall to the last byte', async () => {
      const { dir } = emptyGitFolder(files);
      const before = everything(dir);
      await init(dir);
      const { code, out } = await quorum(['uninstall', '--dir', dir, '--yes']);
      expect([code, out]).toEqual([0, expect.stringContaining('quorum/memory')]);
      expect(everything(dir)).toEqual(before);
      for (const folder of ['.github', 'memory'])
        expect(existsSync(path.join(dir, folder))).toBe(false);
    });
  },
);

describe('quorum init', () => {
  test('shows a diff with --dry-run and writes nothing', async () => {
    const { dir } = emptyGitFolder();
    const { code, out } = await init(dir, '--dry-run');
    expect([code, everything(dir)]).toEqual([0, {}]);
    expect(out).toContain(`--- /dev/null\n+++ b/${WORKFLOW}`);
    expect(out).toContain('+    uses: acme/quorum/.github/workflows/quorum.yml@v1');
    expect(out).toContain('Dry run: nothing was changed.');
  });

  test('takes every choice from flags', async () => {
    const { dir } = emptyGitFolder();
    await init(dir, '--keys', 'openai', '--daily-usd', '2.5', '--no-templates');
    expect(Object.keys(everything(dir)).toSorted()).toEqual([CONFIG, WORKFLOW, ARTIST, PM]);
    expect(parse(read(dir, CONFIG))).toMatchObject({ budget: { council: { perDayUsd: 2.5 } } });
    const workflow = parse(read(dir, WORKFLOW)) as { jobs: { quorum: { secrets: object } } };
    expect(workflow.jobs.quorum.secrets).toEqual({
      OPENAI_API_KEY: '${{ secrets.OPENAI_API_KEY }}',
      QUORUM_ENCRYPTION_KEY: '${{ secrets.QUORUM_ENCRYPTION_KEY }}',
    });
  });

  test('writes at the top of the repository when it is started in a folder below', async () => {
    const { dir } = emptyGitFolder({ 'src/deep/a.ts': '' });
    await init(path.join(dir, 'src/deep'));
    expect(ALL.every((file) => existsSync(path.join(dir, file)))).toBe(true);
  });

  test('tells machines each step, its diff, and what was found', async () => {
    const { dir } = emptyGitFolder({ 'go.mod': 'module x' });
    const { json } = await init(dir, '--json');
    expect(json()).toMatchObject({
      ok: true,
      did: 'written',
      detected: { project: { types: ['go'] } },
      source: { repository: 'acme/quorum', ref: 'v1', certainty: 'known' },
      files: [...ALL, ...MEMORY].map((file) => ({
        path: file,
        step: 'create',
        diff: expect.stringContaining('+'),
      })),
    });
  });

  test('keeps a file that a person changed, says so, and replaces it with --force', async () => {
    const { dir, commit, write } = emptyGitFolder();
    await init(dir);
    write(CONFIG, 'version: 1\nenabled: false\n');
    commit('mine');
    const { out } = await init(dir);
    expect(out).toContain(`${CONFIG} (is not as init made it; --force replaces it)`);
    expect(read(dir, CONFIG)).toBe('version: 1\nenabled: false\n');
    await init(dir, '--force');
    expect(read(dir, CONFIG)).toContain('Made by quorum init');
  });

  test('names a repository of the same owner where Quorum is from is not known', async () => {
    const { dir, git } = emptyGitFolder();
    git('remote', 'add', 'origin', 'git@github.com:corp/shop.git');
    const { out } = await quorum(['init', '--dir', dir]);
    expect(out).toContain('check that corp/quorum is your copy of Quorum');
    expect(read(dir, WORKFLOW)).toContain('uses: corp/quorum/.github/workflows/quorum.yml@v0');
  });

  test('names an owner that cannot exist where there is no remote, and says to replace it', async () => {
    const { dir } = emptyGitFolder();
    const { out } = await quorum(['init', '--dir', dir]);
    expect(out).toContain('name your copy of Quorum');
    const owner = /uses: ([^/]+)\//.exec(read(dir, WORKFLOW))?.[1] ?? '';
    expect(owner.length).toBeGreaterThan(39);
  });
});

describe('quorum init refuses', () => {
  const refused = async (dir: string, ...args: string[]) => {
    const before = everything(dir);
    const { code, err } = await init(dir, ...args);
    expect(everything(dir)).toEqual(before);
    return { code, err };
  };

  test('a folder that is in no git repository', async () => {
    const { code, err } = await refused(temporaryFolder());
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/Run git init first.*\[not-a-repository\]/),
    ]);
  });

  test('a folder that is not there', async () => {
    const { code, err } = await init(path.join(temporaryFolder(), 'gone'));
    expect([code, err]).toEqual([2, expect.stringContaining('[folder-missing]')]);
  });

  test('a configuration with errors, with the line', async () => {
    const { dir } = gitFolder({ [CONFIG]: 'version: 1\nconcil: {}\n' });
    const { code, err } = await refused(dir);
    expect([code, err]).toEqual([2, expect.stringContaining('[config-invalid]')]);
    expect(err).toMatch(/quorum\.yml:2.*council/);
  });

  test('two configurations', async () => {
    const { dir } = gitFolder({ [CONFIG]: '', '.github/quorum.yaml': '' });
    const { code, err } = await refused(dir);
    expect([code, err]).toEqual([2, expect.stringContaining('[ambiguous-config]')]);
  });

  test.each([
    ['a link at a target', CONFIG, /is not a plain file/],
    ['a link in place of a folder', '.github', /is a symbolic link/],
    ['a link in place of a folder below', '.github/workflows', /is a symbolic link/],
  ])('%s, which could lead out of the repository', async (_, at, why) => {
    const { dir } = emptyGitFolder();
    const outside = temporaryFolder({ 'quorum.yml': 'version: 1\n' });
    mkdirSync(path.dirname(path.join(dir, at)), { recursive: true });
    const target = at.endsWith('.yml') ? path.join(outside, 'quorum.yml') : outside;
    symlinkSync(target, path.join(dir, at));
    for (const more of [[], ['--force']]) {
      const { code, err } = await refused(dir, ...more);
      expect([code, err]).toEqual([1, expect.stringContaining('[path-refused]')]);
      expect(err).toMatch(why);
    }
    expect(everything(outside)).toEqual({ 'quorum.yml': 'version: 1\n' });
  });

  test('a file in place of a folder', async () => {
    const { dir } = gitFolder({ '.github': 'a file' });
    const { code, err } = await refused(dir);
    expect([code, err]).toEqual([1, expect.stringMatching(/is not a folder.*\[path-refused\]/)]);
  });

  test('a target that is there but ignored by git', async () => {
    const { dir } = gitFolder({ '.gitignore': 'quorum.yml\n', [CONFIG]: 'version: 1\n' });
    const { code, err } = await refused(dir);
    expect([code, err]).toEqual([1, expect.stringContaining('git ignores it')]);
  });

  // Root may write everywhere, so another user has to run it.
  const isRoot = process.getuid?.() === 0;
  const canRun = !isRoot || isOpenToOthers(CLI);

  test.skipIf(!canRun)('a folder that takes no files, and leaves none of the others', async () => {
    const { dir } = emptyGitFolder();
    const locked = path.join(dir, '.github/ISSUE_TEMPLATE');
    mkdirSync(locked, { recursive: true });
    chmodSync(locked, 0o555);
    execFileSync('chmod', ['755', dir]);
    if (isRoot) execFileSync('chown', ['-R', `${NOBODY}`, dir]);
    const { status, stderr } = spawnSync(
      process.execPath,
      [CLI, 'init', '--dir', dir, '--source', 'acme/quorum'],
      {
        cwd: '/',
        env: { PATH: process.env['PATH'] },
        encoding: 'utf8',
        ...(isRoot && { uid: NOBODY, gid: NOBODY }),
      },
    );
    expect([status, stderr]).toEqual([1, expect.stringMatching(/EACCES.*\[system\]/)]);
    expect(everything(dir)).toEqual({});
  });

  test('to replace edits that no commit has, --force or not', async () => {
    const { dir, commit } = emptyGitFolder();
    await init(dir);
    commit('set up');
    writeFileSync(path.join(dir, CONFIG), 'version: 1\n');
    const { code, err } = await refused(dir, '--force');
    expect([code, err]).toEqual([1, expect.stringMatching(/Commit or stash/)]);
  });

  test.each([
    ['--keys', 'gemini', 'choice-invalid'],
    ['--daily-usd', 'much', 'choice-invalid'],
    ['--daily-usd', '-1', 'choice-invalid'],
    ['--source', 'acme/quorum\n- run: x', 'source-invalid'],
    ['--ref', 'v1 # x', 'source-invalid'],
  ])('%s %j', async (flag, value, code) => {
    const { dir } = emptyGitFolder();
    const answer = await refused(dir, `${flag}=${value}`);
    expect([answer.code, answer.err]).toEqual([2, expect.stringContaining(`[${code}]`)]);
  });
});

describe('quorum upgrade', () => {
  test('shows with --dry-run what moves, then moves it and nothing else', async () => {
    const { dir } = emptyGitFolder();
    await init(dir);
    const before = everything(dir);
    const dry = await quorum(['upgrade', '--dir', dir, '--ref', 'v2', '--dry-run']);
    expect(dry.out).toContain('-    uses: acme/quorum/.github/workflows/quorum.yml@v1');
    expect(dry.out).toContain('+    uses: acme/quorum/.github/workflows/quorum.yml@v2');
    expect(everything(dir)).toEqual(before);
    const done = await quorum(['upgrade', '--dir', dir, '--ref', 'v2', '--json']);
    expect(done.json()).toMatchObject({ did: 'written', from: 'v1', to: 'v2' });
    expect(read(dir, CONFIG)).toContain('/v2/schema/config.json');
    const again = await quorum(['upgrade', '--dir', dir, '--ref', 'v2']);
    expect(again.out).toContain('Nothing to do: everything is at v2.');
    const gone = await quorum(['uninstall', '--dir', dir, '--yes']);
    expect([gone.code, everything(dir)]).toEqual([0, {}]);
  });

  test('says to run init where nothing names a version', async () => {
    const { dir } = emptyGitFolder();
    const { code, err } = await quorum(['upgrade', '--dir', dir]);
    expect([code, err]).toEqual([2, expect.stringContaining('[not-set-up]')]);
  });
});

describe('quorum uninstall', () => {
  test('lists what it would do without a terminal and without --yes', async () => {
    const { dir } = emptyGitFolder();
    await init(dir);
    const before = everything(dir);
    const { code, out } = await quorum(['uninstall', '--dir', dir]);
    expect([code, out]).toEqual([0, expect.stringContaining('Add --yes to do it.')]);
    expect(everything(dir)).toEqual(before);
  });

  test('leaves what was edited or is of somebody else, and says why', async () => {
    const { dir, write } = emptyGitFolder({ [CONFIG]: 'version: 1\n' });
    await init(dir);
    write(WORKFLOW, `${read(dir, WORKFLOW)}# mine\n`);
    const { out } = await quorum(['uninstall', '--dir', dir, '--yes']);
    expect(out).toContain(`${CONFIG} (was not made by quorum init)`);
    expect(out).toContain(`${WORKFLOW} (was changed; --force removes it)`);
    expect(Object.keys(everything(dir))).toEqual([CONFIG, WORKFLOW]);
  });
});

test('the guide names every flag of init, and no other', async () => {
  const { out } = await quorum(['init', '--help']);
  const flagsIn = (text: string): string[] =>
    [...new Set([...text.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag))].toSorted();
  const guide = readFileSync(
    path.resolve(import.meta.dirname, '../../../docs/onboarding.md'),
    'utf8',
  );
  const table = guide.split('\n').filter((line) => line.startsWith('| `--'));
  const options = out.split('\n').filter((line) => /^ {2}(?:-h, )?--/.test(line));
  const known = flagsIn(options.map((line) => line.slice(0, 32)).join('\n'));
  expect([...flagsIn(table.join('\n')), '--dir', '--help'].toSorted()).toEqual(known);
});
