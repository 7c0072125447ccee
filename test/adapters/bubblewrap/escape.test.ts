/**
 * The escape suite: tries from inside the sandbox, as the product starts it, run by root and by an ordinary user. It prints
 * what it tried and what held; `npm run escape` runs it alone.
 */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { callFilter } from '../../../src/adapters/bubblewrap/call-filter/call-filter.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { isOpenToOthers } from '../../helpers/open-to-others.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';

const CHILD = path.join(import.meta.dirname, 'command-child.ts');
const TRIES = path.join(import.meta.dirname, 'escape-tries.py');
/** Any that is not the sandbox's own. */
const ORDINARY = 65_526;
const isRoot = process.getuid?.() === 0;

/** Lines of the tries, run by an App of that user. */
async function triesAs(uid: number | undefined): Promise<string[]> {
  const folder = temporaryFolder();
  copyFileSync(TRIES, path.join(folder, 'tries.py'));
  chmodSync(folder, 0o755);
  if (uid !== undefined) chownSync(folder, uid, uid);
  const ids = uid === undefined ? {} : { uid, gid: uid };
  const args = [CHILD, folder, 'python3 tries.py > told 2>&1'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], ...ids });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  const told = readFileSync(path.join(folder, 'told'), 'utf8');
  const whom = uid === undefined && isRoot ? 'root' : 'an ordinary user';
  process.stdout.write(`\nStarted by ${whom}, a sandboxed program tried to\n${told}`);
  return told.trimEnd().split('\n');
}

function expectHeld(lines: readonly string[]): void {
  expect(lines.filter((line) => !line.startsWith('held\t'))).toEqual([]);
  expect(lines.length).toBeGreaterThan(15);
  const [, files] = /below \/proc for writing \((\d+) files\)/.exec(lines[0] ?? '') ?? [];
  expect(Number(files)).toBeGreaterThan(100);
}

describe.skipIf(noBwrap !== undefined || callFilter() === undefined)(
  'the escape suite (skipped without bwrap or a filter)',
  () => {
    test('as the user that runs the tests, no try gets out', async () => {
      expectHeld(await triesAs(undefined));
    });

    test.skipIf(!isRoot || !isOpenToOthers(CHILD))(
      'as an ordinary user neither (skipped where only root can be another)',
      async () => {
        expectHeld(await triesAs(ORDINARY));
      },
    );
  },
);
