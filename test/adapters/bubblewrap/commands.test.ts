/** A repository's own command in the sandbox: what it may do, and each way out that is shut. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bwrapArgs } from '../../../src/adapters/bubblewrap/bwrap-args.ts';
import { createCommands } from '../../../src/adapters/bubblewrap/sandboxed-commands.ts';
import { canBound } from '../../../src/adapters/bubblewrap/watch/task-group.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import type { CommandResult, CommandWanted } from '../../../src/ports/commands.ts';
import { listen } from '../../helpers/listen.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { aMark, runningWith } from '../../helpers/running-with.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';
import { verifies } from '../../verifies.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

/** Far more than a sandbox allows, and yet an end: where the sandbox fails, the machine has to bear it. */
const BOMB = 'i=0; while [ $i -lt 3000 ]; do sleep 30 & i=$((i + 1)); done; wait';

const never = new AbortController().signal;

function run(
  script: string,
  { sandbox = 'on', ...more }: Partial<CommandWanted> & { sandbox?: 'on' | 'off' } = {},
  signal: AbortSignal = never,
): Promise<CommandResult> {
  const wanted: CommandWanted = {
    folder: more.folder ?? temporaryFolder(),
    readable: [],
    script,
    env: {},
    timeoutMs: 120_000,
    network: false,
    ...more,
  };
  return createCommands({ sandbox, clock: systemClock }).run(wanted, signal);
}

describe('without a sandbox', () => {
  test('a machine that has no bwrap refuses, and says how to get one', async () => {
    const commands = createCommands({ sandbox: 'on', clock: systemClock, bwrap: '/no/bwrap' });
    const wanted = { folder: temporaryFolder(), readable: [], script: 'true', env: {} };
    await expect(
      commands.run({ ...wanted, timeoutMs: 1000, network: false }, never),
    ).rejects.toMatchObject({
      code: 'no-sandbox',
      details: expect.stringMatching(/`bubblewrap`.*`QUORUM_SANDBOX=off`.*`coder\.sandbox: off`/s),
    });
  });

  test('on the word of the owner it runs, with a clean environment, and its group ends with it', async () => {
    const mark = aMark();
    const { exitCode, output } = await run(`env; sleep ${mark} & exit 4`, { sandbox: 'off' });
    expect(exitCode).toBe(4);
    expect(output).not.toMatch(/VITEST|npm_/);
    expect(runningWith(mark)).toEqual([]);
  });

  test('its whole output is read, also of one that left its group and goes on', async () => {
    const script = 'setsid sleep 20 & head -c 300000 /dev/zero | tr "\\0" x; echo end';
    const { output } = await run(script, { sandbox: 'off' });
    expect(output.length).toBe(300_004);
  });

  test('a folder that is not there is refused', async () => {
    await expect(run('true', { folder: '/no/such/folder' })).rejects.toMatchObject({
      code: 'no-folder',
    });
  });
});

test('the arguments hold the flags without which no test could run safely', () => {
  const wanted = { folder: temporaryFolder(), readable: [] };
  const options = { canDisableUserns: true };
  const toolchain = { shown: [], links: [], path: [] };
  const input = { wanted, toolchain, options, isFiltered: true, placed: [], argv: ['true'] };
  const line = bwrapArgs(input).join(' ');
  for (const flags of [
    '--unshare-user',
    '--unshare-net',
    '--unshare-pid',
    '--unshare-ipc',
    '--cap-drop ALL',
  ])
    expect(line).toContain(flags);
  for (const flags of ['--disable-userns', '--seccomp 6', '--remount-ro /proc'])
    expect(line).toContain(flags);
  expect(line).toContain('--die-with-parent --new-session');
});

describe.skipIf(noBwrap !== undefined)('in the sandbox (skipped where there is no bwrap)', () => {
  test('it starts in its folder, may write there and run what the system has', async () => {
    const folder = temporaryFolder({ 'a.txt': 'a' });
    const script =
      'pwd; cat a.txt > b.txt; node -p "6 * 7"; git --version; echo $GIVEN $CI; exit 3';
    const result = await run(script, { folder, env: { GIVEN: 'given' } });
    expect(result).toMatchObject({ exitCode: 3, isTimedOut: false });
    expect(result.output).toMatch(/42\ngit version [\d.]+\ngiven true\n$/);
    expect(result.output.startsWith(`${folder}\n`)).toBe(true);
    expect(readFileSync(path.join(folder, 'b.txt'), 'utf8')).toBe('a');
  });

  verifies(
    'EXE-01: files of the machine and of a runner',
    'nothing of the machine is to be seen but programs',
    async () => {
      const outside = temporaryFolder({ secret: 'canary' });
      const file = path.join(outside, 'secret');
      const script = `cat ${file}; ls -A /root /home /var /run /etc/shadow /tmp/.. ; ls -A $HOME`;
      const { output } = await run(script);
      expect(output).not.toContain('canary');
      expect(output).toMatch(/cannot access '\/root'/);
      expect(output).toMatch(/cannot access '\/etc\/shadow'/);
      // What leads to the running Node is shown, wherever that is installed.
      const [, ownTop = ''] = process.execPath.split('/');
      const shownAtTop = output.split('\n').filter((name) => name !== ownTop);
      for (const name of ['var', 'root', 'opt', 'mnt', 'srv'])
        expect(shownAtTop).not.toContain(name);
      const shown = await run(`cat ${file} && echo x > ${file}`, { readable: [outside] });
      expect(shown.output).toMatch(/^canary.*Read-only file system/s);
    },
  );

  verifies(
    ['EXE-01: environment of a process', 'SEC-02: not in a process that runs code of a repository'],
    'no process in there has anything of our environment',
    async () => {
      // Names alone: no test, not even a failing one, may show values.
      const script =
        'cat /proc/1/environ /proc/self/environ | tr "\\0" "\\n" | grep -a -o "^[A-Za-z_]*="';
      const { output } = await run(script, { env: { GIVEN: 'given' } });
      const names = new Set(output.split('=\n').filter((name) => name !== ''));
      expect([...names].toSorted()).toEqual(
        expect.arrayContaining(['CI', 'GIVEN', 'HOME', 'LANG', 'PATH', 'TMPDIR']),
      );
      const own = ['CI', 'GIVEN', 'HOME', 'LANG', 'OLDPWD', 'PATH', 'PWD', 'SHLVL', 'TMPDIR', '_'];
      expect([...names].filter((name) => !own.includes(name))).toEqual([]);
      expect(runningWith('vitest').length).toBeGreaterThan(0);
      const { output: seen } = await run('grep -lz vitest /proc/[0-9]*/cmdline | wc -l');
      // The search itself, and the shells that it runs in.
      expect(Number(seen)).toBeLessThan(5);
      expect((await run('ls /proc | grep -c "^[0-9]"')).output).toMatch(/^\d\n$/);
    },
  );

  verifies(
    ['EXE-01: memory of another process', 'EXE-01: no sudo'],
    'no memory of another process is read, and no program gives more rights',
    async () => {
      const canary = ['canary', 'c4n4ry'].join('-');
      const host = spawn('sleep', ['600'], { env: { canary } });
      onTestFinished(() => void host.kill());
      // The canary backwards, so that the search does not find itself.
      const search = `import os
for pid in (os.environ["PIDS"].split() or [each for each in os.listdir("/proc") if each.isdigit()]):
    if int(pid) == os.getpid(): continue
    try:
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for line in maps:
                if "[stack]" not in line and "[heap]" not in line: continue
                start, end = (int(each, 16) for each in line.split()[0].split("-"))
                memory.seek(start)
                if b"${Array.from(canary).toReversed().join('')}"[::-1] in memory.read(end - start): print("found")
    except OSError as error: print("closed", pid)
print("searched")`;
      const wanted = { folder: temporaryFolder({ 'search.py': search }), env: { PIDS: '' } };
      expect((await run('python3 search.py', wanted)).output).toMatch(
        /^(closed \d+\n)*searched\n$/,
      );
      const all = { ...wanted, env: { PIDS: String(host.pid) } };
      expect((await run('python3 search.py', all)).output).not.toContain('found');
      const open = await run('python3 search.py', { ...all, sandbox: 'off' });
      expect(open.output).toBe('found\nsearched\n');
      const { output } = await run(
        'grep NoNewPrivs /proc/self/status; sudo -n id -u; su -c "id -u"; id -u',
      );
      expect(output).toMatch(/^NoNewPrivs:\t1\n/);
      expect(output).not.toMatch(/^0$/m);
    },
  );

  verifies(
    ['EXE-02: names', 'EXE-02: services of this machine'],
    'there is no way to a network, not even to this machine',
    async () => {
      const { port } = await listen();
      const script = `node -e '
      const s = require("node:net").connect(${port}, "127.0.0.1");
      s.on("data", (d) => { console.log(String(d)); s.destroy(); });
      s.on("error", (e) => console.log("refused", e.code));'
      node -e 'require("node:dns").lookup("example.com", (e) => console.log("name", e && e.code))'`;
      expect((await run(script)).output).toMatch(/refused ECONNREFUSED\nname EAI_AGAIN/);
      expect((await run(script, { network: true })).output).toMatch(/refused ECONNREFUSED/);
    },
  );

  verifies(
    ['EXE-06: parent path', 'EXE-06: link that leads out'],
    'writes outside, through a link or up the tree, change nothing',
    async () => {
      const outside = temporaryFolder({ file: 'as it was' });
      const folder = temporaryFolder();
      symlinkSync(path.join(outside, 'file'), path.join(folder, 'link'));
      symlinkSync(outside, path.join(folder, 'out'));
      const script = `echo x > link; echo x > out/new; echo x > ../new; echo x > /usr/x; echo x > /x;
      mkdir -p ${outside} && echo x > ${outside}/file; mount -o remount,rw /usr
      for file in /new /dev/new; do ( echo x > $file ) || echo shut; done; true`;
      const { exitCode, output } = await run(script, { folder });
      expect(exitCode).toBe(0);
      expect(output.split('shut\n')).toHaveLength(3);
      expect(output).toMatch(/Read-only file system/);
      expect(readFileSync(path.join(outside, 'file'), 'utf8')).toBe('as it was');
      expect(existsSync(path.join(outside, 'new'))).toBe(false);
      expect(existsSync(path.join(folder, '..', 'new'))).toBe(false);
      expect(existsSync('/usr/x')).toBe(false);
    },
  );

  verifies(
    'EXE-06: git hooks and configuration',
    'the folder’s .git stays as it is, as a folder and as a file',
    async () => {
      const folder = temporaryFolder({ '.git/config': 'as it was' });
      const file = temporaryFolder({ '.git': 'as it was' });
      mkdirSync(path.join(folder, '.git', 'hooks'));
      const script = `echo x > .git/config; echo x > .git/hooks/pre-commit; echo x > .git
      mv .git elsewhere; rm -rf .git; mkdir -p .git`;
      for (const each of [folder, file]) await run(script, { folder: each });
      expect(readFileSync(path.join(folder, '.git', 'config'), 'utf8')).toBe('as it was');
      expect(existsSync(path.join(folder, '.git', 'hooks', 'pre-commit'))).toBe(false);
      expect(readFileSync(path.join(file, '.git'), 'utf8')).toBe('as it was');
    },
  );

  verifies(
    'EXE-03',
    'a hostile test can neither pick its verdict nor reach who judges it',
    async () => {
      // In place of who judges: a process of this test, so that a sandbox that fails harms nobody else.
      const judge = spawn('sleep', ['600']);
      onTestFinished(() => void judge.kill());
      const script = `kill -9 ${judge.pid}; echo "Tests 100 passed"
      echo "exit 0" > /tmp/verdict; echo VERDICT=ok >> "$GITHUB_ENV"; exit 1`;
      const result = await run(script);
      expect(result).toMatchObject({ exitCode: 1, isTimedOut: false });
      expect(result.output).toMatch(/No such process/i);
      expect(judge.signalCode).toBeNull();
    },
  );

  verifies(
    ['EXE-08: fork bomb', 'EXE-08: file without end', 'EXE-08: memory without end'],
    'a fork bomb ends, and a file or a memory without end fails',
    async () => {
      const bomb = await run(BOMB);
      expect(bomb.isTimedOut).toBe(false);
      // We end it, unless the machine has less room for processes than we allow: then the shell itself gives up.
      if (bomb.exitCode === undefined) expect(bomb.output).toContain('too many processes');
      else expect(bomb).toMatchObject({ exitCode: 2, output: expect.stringMatching(/fork/i) });
      const folder = temporaryFolder();
      const file = await run('truncate -s 20G big || echo cut', { folder });
      expect(file.output).toContain('cut');
      const memory = await run('python3 -c "b = bytearray(5 * 2**30)" 2>&1 || echo refused');
      expect(memory.output).toContain('refused');
    },
  );

  test.skipIf(!canBound('memory'))(
    'the memory of all its processes together has an end (skipped where the kernel does not count it for us)',
    async () => {
      const each = 'python3 -c "b = bytearray(b\'x\' * 60_000_000); import time; time.sleep(2)"';
      const script = `for i in 1 2 3 4; do ${each} & pids="$pids $!"; done
        for pid in $pids; do wait $pid || echo killed; done`;
      const wanted = { folder: temporaryFolder(), readable: [], env: {}, network: false, script };
      const bounded = (maxBytes: number): Promise<CommandResult> =>
        createCommands({ sandbox: 'on', clock: systemClock, maxBytes }).run(
          { ...wanted, timeoutMs: 60_000 },
          never,
        );
      expect((await bounded(150_000_000)).output).toContain('killed');
      expect((await bounded(2_000_000_000)).output).not.toContain('killed');
    },
  );

  verifies(
    'EXE-08: endless loop',
    'what takes too long is ended, whether it listens or not',
    async () => {
      const marks = [aMark(), aMark()] as const;
      const deaf = `trap "" TERM; sh -c 'trap "" TERM; sleep ${marks[0]}; sleep ${marks[0]}'; sleep 600`;
      expect(await run(deaf, { timeoutMs: 300 })).toMatchObject({
        exitCode: undefined,
        isTimedOut: true,
      });
      expect(await run(`sleep ${marks[1]}`, { timeoutMs: 300 })).toMatchObject({
        isTimedOut: true,
      });
      for (const mark of marks) expect(runningWith(mark)).toEqual([]);
    },
  );

  verifies('EXE-09', 'nothing that it leaves behind lives on', async () => {
    const mark = aMark();
    const script = `setsid sh -c 'trap "" TERM HUP; sleep ${mark}' > /dev/null 2>&1 &
      nohup sleep ${mark} > /dev/null 2>&1 &
      until [ "$(grep -lz ${mark} /proc/[0-9]*/cmdline | wc -l)" -ge 3 ]; do :; done; echo left`;
    expect(await run(script)).toMatchObject({ exitCode: 0, output: 'left\n' });
    expect(runningWith(mark)).toEqual([]);
  });

  verifies('EXE-09', 'when we are killed, it is gone as well', async () => {
    const folder = temporaryFolder();
    const mark = aMark();
    const child = spawn(process.execPath, [
      path.join(import.meta.dirname, 'command-child.ts'),
      folder,
      `echo on > started; sleep ${mark}`,
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await waitUntil(() => existsSync(path.join(folder, 'started')));
    await waitUntil(() => runningWith(`sleep\u{0}${mark}`).length > 0);
    child.kill('SIGKILL');
    await waitUntil(() => runningWith(mark).length === 0);
  });

  test('who waits for it can end it', async () => {
    const folder = temporaryFolder();
    const leaving = new AbortController();
    const mark = aMark();
    const running = run(`echo on > started; sleep ${mark}`, { folder }, leaving.signal);
    await waitUntil(() => existsSync(path.join(folder, 'started')));
    leaving.abort(new Error('stopped by a person'));
    await expect(running).rejects.toThrow('stopped by a person');
    expect(runningWith(mark)).toEqual([]);
  });

  test('a folder below one that is only to be read stays writable', async () => {
    const outer = temporaryFolder({ 'a.txt': 'a', 'inner/b.txt': 'b' });
    const script = 'echo x > b.txt && echo x > ../a.txt';
    const { output } = await run(script, { folder: path.join(outer, 'inner'), readable: [outer] });
    expect(output).toMatch(/a\.txt: Read-only file system/);
    expect(readFileSync(path.join(outer, 'inner', 'b.txt'), 'utf8')).toBe('x\n');
  });

  test('errors stand among the rest of the output, where they happened', async () => {
    const script = 'for i in 1 2 3 4 5 6 7 8 9; do echo $i; echo e$i >&2; done';
    const lines = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `${i}\ne${i}\n`);
    expect((await run(script)).output).toBe(lines.join(''));
  });

  test('of a long output the beginning and the end are kept', async () => {
    const script = 'echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last >&2';
    const { output } = await run(script);
    expect(output).toMatch(/^first\n[\s\S]*bytes left out[\s\S]*\nlast\n$/);
    expect(output.length).toBeLessThan(410_000);
  });

  test('a toolchain that is elsewhere is seen where it was named, and read-only', async () => {
    const tools = temporaryFolder();
    mkdirSync(path.join(tools, 'bin'));
    writeFileSync(path.join(tools, 'bin', 'tool'), '#!/bin/sh\necho tool\n', { mode: 0o755 });
    const commands = createCommands({ sandbox: 'on', clock: systemClock, toolchains: [tools] });
    const wanted = { folder: temporaryFolder(), readable: [], env: {}, network: false };
    const script = `tool; echo x > ${tools}/bin/tool`;
    const { output } = await commands.run({ ...wanted, script, timeoutMs: 60_000 }, never);
    expect(output).toMatch(/^tool\n.*Read-only file system/s);
  });
});
