/** An App that is root: what it sandboxes is not, and what is handed over for that reaches nothing else. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
} from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCommands } from '../../../src/adapters/bubblewrap/sandboxed-commands.ts';
import { handOver } from '../../../src/adapters/bubblewrap/view/hand-over.ts';
import {
  asUser,
  SANDBOX_USER,
  sandboxUser,
} from '../../../src/adapters/bubblewrap/sandbox-user.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import type { CommandResult, CommandWanted } from '../../../src/ports/commands.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { aMark, runningWith } from '../../helpers/running-with.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const CHILD = path.join(import.meta.dirname, 'command-child.ts');
const { uid: USER } = SANDBOX_USER;
const isRoot = process.getuid?.() === 0;

test('root becomes the user of the sandbox, and anybody else stays who they are', () => {
  expect(sandboxUser(0)).toEqual(SANDBOX_USER);
  expect(sandboxUser(1000)).toBeUndefined();
  const command = asUser(SANDBOX_USER, { setpriv: '/setpriv', bwrap: '/bwrap', args: ['true'] });
  expect(command.join(' ')).toBe(
    `/setpriv --reuid=${USER} --regid=${USER} --clear-groups --inh-caps=-all -- /bwrap true`,
  );
});

function run(script: string, more: Partial<CommandWanted>): Promise<CommandResult> {
  return createCommands({ sandbox: 'on', clock: systemClock }).run(
    {
      folder: temporaryFolder(),
      readable: [],
      script,
      env: {},
      timeoutMs: 120_000,
      network: false,
      ...more,
    },
    new AbortController().signal,
  );
}

describe.skipIf(!isRoot)('handed over (skipped where nobody is root)', () => {
  test('links lead nowhere: neither what they name nor a file with a second name changes hands', async () => {
    const outside = temporaryFolder({ secret: 'canary', named: 'twice', 'below/file': 'x' });
    const folder = temporaryFolder({ 'a/file': 'a', '.git/config': 'c' });
    symlinkSync(path.join(outside, 'secret'), path.join(folder, 'link'));
    symlinkSync(path.join(outside, 'below'), path.join(folder, 'a', 'out'));
    linkSync(path.join(outside, 'named'), path.join(folder, 'second'));
    const takeBack = await handOver({ folder, readable: [] }, SANDBOX_USER);
    const owners = ['.', 'a', 'a/file', 'link'].map(
      (each) => lstatSync(path.join(folder, each)).uid,
    );
    expect(owners).toEqual([USER, USER, USER, USER]);
    expect(lstatSync(path.join(folder, '.git', 'config')).uid).toBe(0);
    const ownersOutside = (): number[] =>
      ['.', 'secret', 'named', 'below', 'below/file'].map(
        (each) => statSync(path.join(outside, each)).uid,
      );
    // Also meanwhile: what was given and is taken back would look the same afterwards.
    expect(ownersOutside()).toEqual([0, 0, 0, 0, 0]);
    await takeBack();
    expect(ownersOutside()).toEqual([0, 0, 0, 0, 0]);
    for (const each of ['.', 'a', 'a/file', 'link'])
      expect(lstatSync(path.join(folder, each)).uid).toBe(0);
  });

  test('a link in place of a folder, put there meanwhile, is not gone through on the way back', async () => {
    const outside = temporaryFolder({ 'theirs/file': 'x' });
    chownSync(path.join(outside, 'theirs', 'file'), USER, USER);
    const folder = temporaryFolder({ 'a/file': 'a' });
    const takeBack = await handOver({ folder, readable: [] }, SANDBOX_USER);
    symlinkSync(path.join(outside, 'theirs'), path.join(folder, 'swapped'));
    await takeBack();
    expect(statSync(path.join(outside, 'theirs', 'file')).uid).toBe(USER);
  });

  test('two runs in one folder share it: the last one gives it back, to whom it belonged', async () => {
    const folder = temporaryFolder({ file: 'a' });
    chownSync(folder, 1234, 1234);
    chownSync(path.join(folder, 'file'), 1234, 1234);
    const first = await handOver({ folder, readable: [] }, SANDBOX_USER);
    const second = await handOver({ folder, readable: [] }, SANDBOX_USER);
    await first();
    expect(statSync(path.join(folder, 'file')).uid).toBe(USER);
    await second();
    expect([statSync(folder).uid, statSync(path.join(folder, 'file')).uid]).toEqual([1234, 1234]);
  });

  test('a socket can be talked to, and a folder of root’s that is shown can be read', async () => {
    const folder = temporaryFolder();
    const shown = temporaryFolder({ file: 'x' });
    const takeBack = await handOver({ folder, readable: [shown] }, SANDBOX_USER);
    await takeBack();
    expect(statSync(shown)).toMatchObject({ uid: 0, gid: SANDBOX_USER.gid });
    expect(statSync(shown).mode & 0o7777).toBe(0o750);
  });
});

describe.skipIf(!isRoot || noBwrap !== undefined)(
  'sandboxed by root (skipped where nobody is root, or without bwrap)',
  () => {
    test('the kernel sees an unprivileged user without groups, in all that runs', async () => {
      const folder = temporaryFolder();
      const mark = aMark();
      const running = run(`echo on > started; sleep ${mark}`, { folder, timeoutMs: 5_000 });
      await waitUntil(() => runningWith(`sleep\u{0}${mark}`).length > 0);
      const told = runningWith(mark).map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'));
      const inside = told.filter((status) => /^NSpid:\t\d+\t/m.test(status));
      expect(inside.length).toBeGreaterThan(1);
      for (const status of inside) {
        expect(status).toMatch(new RegExp(`^Uid:(\\t${USER}){4}$`, 'm'));
        expect(status).toMatch(new RegExp(`^Gid:(\\t${USER}){4}$`, 'm'));
        expect(status).toMatch(/^Groups:\s*$/m);
        expect(status).toMatch(/^Seccomp:\t2$/m);
      }
      await running;
    });

    test('it works in folders and with files that only root may reach', async () => {
      const closed = temporaryFolder({ 'data/in/file': 'a', 'data/shown/file': 'b' });
      chmodSync(closed, 0o700);
      const [folder, shown] = [path.join(closed, 'data/in'), path.join(closed, 'data/shown')];
      const script = `cat file ${shown}/file; echo x > new; ls -A ${closed} ${closed}/data; git --version`;
      const { exitCode, output } = await run(script, { folder, readable: [shown] });
      expect(output).toMatch(/^ab/);
      expect(exitCode).toBe(0);
      expect(statSync(path.join(folder, 'new')).uid).toBe(0);
      expect(statSync(closed).mode & 0o777).toBe(0o700);
    });

    test('it ends when we are killed, also below a folder that only root may enter', async () => {
      const closed = temporaryFolder({ 'in/file': 'a' });
      chmodSync(closed, 0o700);
      const mark = aMark();
      const args = [CHILD, path.join(closed, 'in'), `sleep ${mark}`];
      const child = spawn(process.execPath, args);
      onTestFinished(() => void child.kill('SIGKILL'));
      await waitUntil(() => runningWith(`sleep\u{0}${mark}`).length > 0);
      child.kill('SIGKILL');
      await waitUntil(() => runningWith(mark).length === 0);
      expect(runningWith(mark)).toEqual([]);
    });

    test('no program that is left behind runs as root, and no .git is trusted', async () => {
      const folder = temporaryFolder();
      const script = `cp /bin/true set; chmod 6755 set; mkdir -p .git sub/.git; echo x > sub/.git/config
        ln -s /etc/passwd link; ln set second`;
      await run(script, { folder });
      for (const name of ['set', 'second']) {
        const { uid, mode } = lstatSync(path.join(folder, name));
        expect([uid, mode & 0o6000]).toEqual([0, 0]);
      }
      for (const name of ['.git', 'sub/.git', 'sub/.git/config'])
        expect(lstatSync(path.join(folder, name)).uid).toBe(USER);
      expect(statSync('/etc/passwd').uid).toBe(0);
    });

    test('git reads a repository of root’s in there', async () => {
      const folder = temporaryFolder({ file: 'a' });
      await run('git init -q . && git add -A', { folder });
      mkdirSync(path.join(folder, 'more'));
      writeFileSync(path.join(folder, 'more', 'file'), 'b');
      const { output } = await run('git status --short', { folder });
      expect(output).toContain('?? more/');
      expect(readdirSync(folder)).toContain('.git');
    });
  },
);
