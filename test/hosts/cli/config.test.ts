/** `quorum config`: validate and show. */
import { expect, test } from 'vitest';
import { quorum } from './fake-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = (text: string, name = '.github/quorum.yml') => temporaryFolder({ [name]: text });

test('a sound file is exit code 0', async () => {
  const cwd = folder('council:\n  mode: single\n');
  const { code, out } = await quorum(['config', 'validate'], { cwd });
  expect(code).toBe(0);
  expect(out).toBe('.github/quorum.yml: 0 errors, 0 warnings\n');
});

test('an unknown key is exit code 1 with line and nearest key', async () => {
  const cwd = folder('council:\n  mod: single\n', 'mine.yml');
  const { code, out } = await quorum(['config', 'validate', 'mine.yml'], { cwd });
  expect(code).toBe(1);
  expect(out).toMatch(/^error mine\.yml:2:3: `council\.mod` .*did you mean `mode`/);
});

test('a file with a NUL byte is refused as GitHub’s would be', async () => {
  const cwd = folder('# \0\nenabled: false\n');
  const { code, out } = await quorum(['config', 'validate'], { cwd });
  expect(code).toBe(1);
  expect(out).toMatch(/^error \.github\/quorum\.yml:1:1: has a NUL byte/);
});

test('a file that is not there is exit code 2, and no file at all is fine', async () => {
  const cwd = temporaryFolder();
  expect(await quorum(['config', 'validate', 'mine.yml'], { cwd })).toMatchObject({ code: 2 });
  const none = await quorum(['config', 'validate'], { cwd });
  expect(none.code).toBe(0);
  expect(none.out).toContain('the defaults hold');
});

test('both extensions are refused by name', async () => {
  const cwd = temporaryFolder({ '.github/quorum.yml': '', '.github/quorum.yaml': '' });
  const { code, err } = await quorum(['config', 'validate'], { cwd });
  expect(code).toBe(2);
  expect(err).toContain('[ambiguous-config]');
});

test('show says where each value is from', async () => {
  const cwd = folder('council:\n  mode: single\n');
  const { code, out } = await quorum(['config', 'show'], { cwd });
  expect(code).toBe(0);
  expect(out).toMatch(/^council\.mode +\.github\/quorum\.yml +single$/m);
  expect(out).toMatch(/^council\.style +default +live$/m);
  const changed = (await quorum(['config', 'show', '--changed', '--json'], { cwd })).json();
  expect(changed['values']).toEqual([
    { key: 'council.mode', value: 'single', source: '.github/quorum.yml', hasEffect: true },
  ]);
});

test('show leaves out what has no effect yet, unless it is set or all is wanted', async () => {
  const cwd = folder('standup:\n  voice: false\n');
  const { out, err } = await quorum(['config', 'show'], { cwd });
  expect(out).toMatch(/^standup\.voice +\.github\/quorum\.yml +false \(no effect yet\)$/m);
  expect(out).not.toContain('plans.synthesise');
  expect(err).toContain('`standup.voice` has no effect yet');
  const all = (await quorum(['config', 'show', '--all'], { cwd })).out;
  expect(all).toMatch(/^plans\.synthesise +default +false \(no effect yet\)$/m);
});
