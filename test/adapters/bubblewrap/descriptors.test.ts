/** A sandboxed program has three descriptors, whatever the App was started with. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { limited } from '../../../src/adapters/bubblewrap/watch/process-limits.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';

/** Descriptors below and above 9, and one beyond those that Node itself keeps from its children. */
const INHERITED = [5, 9, 12, 40, 200];

/** Starts a program with a secret's file open at each of them. */
async function withDescriptors(
  program: string,
  args: readonly string[],
): Promise<{ code: number | null; errors: string }> {
  const secret = openSync(path.join(temporaryFolder({ secret: 'canary' }), 'secret'), 'r');
  const top = Math.max(...INHERITED);
  const stdio = Array.from({ length: top + 1 }, (_, fd) =>
    INHERITED.includes(fd) ? secret : fd === 2 ? 'pipe' : 'ignore',
  );
  const child = spawn(program, args, { stdio });
  let errors = '';
  child.stderr?.on('data', (piece: Buffer) => (errors += piece.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  closeSync(secret);
  return { code, errors };
}

/** `ls` shows what it got, and the folder that it reads. */
const LOOK = 'exec ls -l /proc/self/fd > seen';

function openIn(seen: string): string[] {
  const lines = [...seen.matchAll(/(\d+) -> (.*)/g)];
  return lines
    .filter(([, fd, to = '']) => Number(fd) > 2 && !/^\/proc\/\d+\/fd$/.test(to))
    .map(([line]) => line);
}

describe.skipIf(noBwrap !== undefined)('in the sandbox (skipped where there is no bwrap)', () => {
  test('nothing that the App inherited is open, and nothing of bwrap’s', async () => {
    const folder = temporaryFolder();
    const child = path.join(import.meta.dirname, 'command-child.ts');
    expect(await withDescriptors(process.execPath, [child, folder, LOOK])).toMatchObject({
      code: 0,
    });
    const seen = readFileSync(path.join(folder, 'seen'), 'utf8');
    expect(seen).toContain('0 -> ');
    expect(openIn(seen)).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')(
  'without one (skipped where there is no /proc)',
  () => {
    test('the shell in front of a program closes them for itself', async () => {
      const folder = temporaryFolder();
      const [program = '', ...args] = limited(['/bin/sh', '-c', `cd ${folder}; ${LOOK}`], {
        isAlone: false,
      });
      await withDescriptors(program, args);
      expect(openIn(readFileSync(path.join(folder, 'seen'), 'utf8'))).toEqual([]);
    });
  },
);
