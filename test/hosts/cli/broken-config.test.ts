/** Commands on a repository whose configuration has errors, or outside of one: what they say, and with which exit code. */
import { describe, expect, test } from 'vitest';
import { quorum } from './fake-io.ts';
import { gitFolder } from './git-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const BROKEN = 'council:\n  mode: loud\nreviw: {}\n';
const CODE = { 'src/a.ts': 'export const a = 1;\n' };

describe('a broken .github/quorum.yml', () => {
  test.each([
    [['review']],
    [['review', '--no-model']],
    [['sweep']],
    [['deliberate', 'Refuse zero']],
  ])('%j names its lines and ends with 2', async (args) => {
    const { dir } = gitFolder({ ...CODE, '.github/quorum.yml': BROKEN });
    const { code, err, out } = await quorum(args, { cwd: dir });
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain('[config-invalid]');
    expect(err.match(/quorum\.yml:2:3: `council\.mode` is "loud"/g)).toHaveLength(1);
    expect(err.match(/did you mean `review`\?/g)).toHaveLength(1);
  });

  test.each([
    [['review']],
    [['review', '--no-model']],
    [['sweep']],
    [['deliberate', 'Refuse zero']],
  ])('%j refuses one that is not committed yet, from any folder', async (args) => {
    const { dir, write } = gitFolder(CODE);
    write('.github/quorum.yml', BROKEN);
    const { code, err, out } = await quorum(args, { cwd: `${dir}/src` });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('[config-invalid]');
    expect(err.match(/quorum\.yml:2:3: `council\.mode` is "loud"/g)).toHaveLength(1);
  });

  test('warnings, and a base that is on GitHub, stop nothing', async () => {
    const file = '_extends: acme/.github:base.yml\nstandup:\n  voice: true\n';
    const { dir } = gitFolder({ ...CODE, '.github/quorum.yml': file });
    for (const args of [['review'], ['sweep'], ['deliberate', 'Refuse zero in `src/a.ts`']])
      expect(await quorum(args, { cwd: dir })).toMatchObject({ code: 0 });
  });
});

describe('a valid .github/quorum.yml that is not the committed one', () => {
  const OWN = 'standup:\n  enabled: false\n';
  const NOT_USED = /^Settings come from commit [0-9a-f]{8}: what \.github\/quorum\.yml says/m;

  test.each([[['review', '--no-model']], [['sweep']], [['deliberate', 'Refuse zero']]])(
    '%j says from which commit its settings come, and goes on',
    async (args) => {
      const { dir, git, write } = gitFolder(CODE);
      write('.github/quorum.yml', OWN);
      const { code, err } = await quorum(args, { cwd: dir });
      expect(code).toBe(0);
      expect(err).toMatch(NOT_USED);
      expect(err).toContain(git('rev-parse', 'HEAD').slice(0, 8));
    },
  );

  test('a review names the commit where the branch began, since the branch may not change its own settings', async () => {
    const { dir, git, write, commit } = gitFolder(CODE);
    const began = git('rev-parse', 'HEAD').slice(0, 8);
    git('checkout', '-q', '-b', 'topic');
    write('.github/quorum.yml', OWN);
    commit('settings');
    const { err } = await quorum(['review', '--no-model'], { cwd: dir });
    expect(err).toContain(`Settings come from commit ${began}`);
  });

  test('nothing is said of a committed one, whatever its line ends, nor in a folder without a commit', async () => {
    const { dir, write } = gitFolder({ ...CODE, '.github/quorum.yml': OWN });
    write('.github/quorum.yml', OWN.replaceAll('\n', '\r\n'));
    const plain = temporaryFolder({ ...CODE, '.github/quorum.yml': OWN });
    for (const cwd of [dir, plain])
      expect((await quorum(['sweep'], { cwd })).err).not.toMatch(NOT_USED);
  });
});

describe('a persona in .github/quorum.yml whom nobody knows', () => {
  const files = {
    '.github/quorum.yml': 'personas:\n  pria: { active: false }\n  rita: { active: false }\n',
    '.github/quorum/personas/rita.md': '---\nhandle: rita\nactive: false\n---\n',
  };

  test('is an error with its line and the nearest handle; a persona of the repository is not', async () => {
    const { code, out } = await quorum(['config', 'validate'], { cwd: temporaryFolder(files) });
    expect(code).toBe(1);
    expect(out).toContain(
      'quorum.yml:2:3: `personas.pria` is nobody in the team; did you mean `priya`?',
    );
    expect(out).not.toContain('rita');
    const doctor = await quorum(['doctor', '--json'], { cwd: temporaryFolder(files) });
    expect(doctor.out).toContain('personas.pria');
  });

  test('stops a discussion', async () => {
    const { dir } = gitFolder({ ...CODE, ...files });
    const { code, err } = await quorum(['deliberate', 'Refuse zero'], { cwd: dir });
    expect(code).toBe(2);
    expect(err).toContain('did you mean `priya`?');
  });
});

test('outside a repository every command that needs one ends with 2', async () => {
  const cwd = temporaryFolder();
  const codes = await Promise.all(
    [['review'], ['review', '--base', 'main'], ['sweep'], ['simulate']].map(
      async (args) => (await quorum(args, { cwd })).code,
    ),
  );
  expect(codes).toEqual([2, 2, 2, 2]);
});
