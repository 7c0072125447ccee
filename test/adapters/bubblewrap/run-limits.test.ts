/** Limits of a run that is under way: what fills the disk or the memory is stopped with the reason, an ordinary run is not. */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommands } from '../../../src/adapters/bubblewrap/sandboxed-commands.ts';
import { findBwrap } from '../../../src/adapters/bubblewrap/launch.ts';
import { canBound } from '../../../src/adapters/bubblewrap/watch/task-group.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { CommandResult, CommandWanted } from '../../../src/ports/commands.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';
import { verifies } from '../../verifies.ts';

const MB = 1_000_000;

interface Running extends Partial<CommandWanted> {
  sandbox?: 'on' | 'off';
  memoryGroup?: 'on' | 'off';
  bwrap?: string;
  clock?: Clock;
}

/** At most 60 MB of disk and 250 MB of memory. Memory is left to the watch, unless a test says otherwise. */
function run(script: string, more: Running = {}): Promise<CommandResult> {
  const { sandbox = 'on', memoryGroup = 'off', clock = systemClock, bwrap, ...wanted } = more;
  const limits = { maxDiskBytes: 60 * MB, maxBytes: 250 * MB };
  const options = { sandbox, clock, memoryGroup, ...limits };
  return createCommands(bwrap === undefined ? options : { ...options, bwrap }).run(
    {
      folder: temporaryFolder(),
      readable: [],
      env: {},
      timeoutMs: 120_000,
      network: false,
      script,
      ...wanted,
    },
    new AbortController().signal,
  );
}

const overDisk = {
  exitCode: undefined,
  isTimedOut: false,
  output: expect.stringMatching(/The command was stopped\. .*60 MB.*\[disk-limit\]/),
};
const overMemory = {
  exitCode: undefined,
  isTimedOut: false,
  output: expect.stringMatching(/The command was stopped\. .*250 MB.*\[memory-limit\]/),
};

/** Adds 20 MB at a time, up to 400 MB, and then waits: a sandbox that fails leaves the machine alone. */
function filling(file: string): string {
  return `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    head -c 20000000 /dev/zero >> ${file}; done; sleep 30`;
}

/** bwrap that reports its process a second before that process leaves the host's files, as on a busy machine. */
function slowBwrap(): string {
  const file = path.join(temporaryFolder(), 'bwrap');
  chmodSync(path.dirname(file), 0o755);
  const report = `case "$*" in *--json-status-fd*) printf '{ "child-pid": %d }\\n' $$ >&3; sleep 1;; esac`;
  writeFileSync(file, `#!/bin/sh\n${report}\nexec ${findBwrap(undefined)} "$@"\n`, { mode: 0o755 });
  return file;
}

function python(code: string): string {
  return `python3 -c '\n${code}'`;
}

describe.skipIf(noBwrap !== undefined)('a sandboxed run (skipped without bubblewrap)', () => {
  test('that has not left the host yet is not charged with the memory of the host', async () => {
    const { exitCode, output } = await run('echo done', { bwrap: slowBwrap() });
    expect([exitCode, output]).toEqual([0, 'done\n']);
  });

  verifies('EXE-08: disk without end', 'that fills its folder is stopped', async () => {
    expect(await run(filling('big'))).toMatchObject(overDisk);
  });

  verifies(
    'EXE-08: disk without end',
    'that fills another folder that it may write to is stopped',
    async () => {
      const cache = temporaryFolder();
      const wanted = { writable: [cache] };
      expect(await run(filling(`${cache}/$i`), wanted)).toMatchObject(overDisk);
    },
  );

  verifies(
    'EXE-08: disk without end',
    'that fills a file which is deleted and still open is stopped',
    async () => {
      const script = python(
        'import os, time\nf = open("hidden", "wb")\nos.unlink("hidden")\nfor i in range(20):\n    f.write(bytes(20_000_000))\nf.flush()\ntime.sleep(30)\n',
      );
      expect(await run(script)).toMatchObject(overDisk);
    },
  );

  test('without a sandbox the disk has a limit too', async () => {
    expect(await run(filling('big'), { sandbox: 'off' })).toMatchObject(overDisk);
  });

  verifies(
    'EXE-08: memory without end',
    'that takes too much memory in one process is stopped',
    async () => {
      const script = python('b = bytearray(b"x" * 400_000_000)\nimport time\ntime.sleep(30)\n');
      expect(await run(script)).toMatchObject(overMemory);
    },
  );

  verifies(
    'EXE-08: memory without end',
    'that takes too much memory in many processes is stopped',
    async () => {
      const one = python('b = bytearray(b"x" * 60_000_000)\nimport time\ntime.sleep(30)\n');
      expect(await run(`for i in 1 2 3 4 5 6; do ${one} & done; wait`)).toMatchObject(overMemory);
    },
  );

  verifies(
    'EXE-08: memory without end',
    'that fills a file system that is memory is stopped',
    async () => {
      expect(await run(filling('/dev/shm/big'))).toMatchObject(overMemory);
    },
  );

  verifies(
    'EXE-08: memory without end',
    'that fills a memory file which no folder has is stopped',
    async () => {
      const script = python(
        'import os, time\nf = os.memfd_create("x")\nfor i in range(20):\n    os.write(f, bytes(20_000_000))\ntime.sleep(30)\n',
      );
      expect(await run(script)).toMatchObject(overMemory);
    },
  );

  test.skipIf(!canBound('memory'))(
    'the reason is reported too where the kernel is faster than the watch (skipped where it does not count for us)',
    async () => {
      const script = python('b = bytearray(b"x" * 400_000_000)\n');
      expect((await run(script, { memoryGroup: 'on' })).output).toContain('[memory-limit]');
    },
  );

  test.skipIf(!canBound('pids'))(
    'that starts too many processes is stopped where no look comes in time (skipped where the kernel does not count for us)',
    async () => {
      const sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(ms * 300, signal);
      // They live on until the last has begun, also where a busy machine starts few in a second.
      const script = 'i=0; while [ $i -lt 3000 ]; do sleep 300 & i=$((i + 1)); done; wait';
      const { output } = await run(script, { clock: { ...systemClock, sleep } });
      expect(output).toMatch(/The command was stopped\. It started too many processes\./);
    },
  );

  test('memory that processes share counts once', async () => {
    const script = python(
      'import os, time\nb = bytearray(b"x" * 100_000_000)\nfor i in range(5):\n    if os.fork() == 0:\n        time.sleep(2)\n        os._exit(0)\nfor i in range(5):\n    os.wait()\nprint("done")\n',
    );
    expect(await run(script)).toMatchObject({ exitCode: 0, output: 'done\n' });
  });

  test('what is written and deleted again does not add up', async () => {
    const script = 'for i in 1 2 3 4 5 6; do head -c 30000000 /dev/zero > a; rm a; sleep 0.3; done';
    expect(await run(script)).toMatchObject({ exitCode: 0, output: '' });
  });

  test('what others write to the same disk does not count', async () => {
    const other = path.join(temporaryFolder(), 'big');
    const running = run('sleep 2; echo done');
    for (let i = 0; i < 5; i += 1) {
      await systemClock.sleep(100);
      writeFileSync(other, Buffer.alloc(30 * MB), { flag: 'a' });
    }
    expect(await running).toMatchObject({ exitCode: 0, output: 'done\n' });
  });

  test('what a folder held before does not count', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'big'), Buffer.alloc(100 * MB));
    expect(await run('sleep 1.5; echo done', { folder })).toMatchObject({ exitCode: 0 });
  });
});
