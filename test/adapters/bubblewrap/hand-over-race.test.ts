/** A folder that becomes a link between the look at it and its opening: what the link names keeps its owner. */
import {
  chmodSync,
  chownSync,
  lstatSync,
  renameSync,
  statSync,
  symlinkSync,
  type PathLike,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handOver } from '../../../src/adapters/bubblewrap/view/hand-over.ts';
import { SANDBOX_USER } from '../../../src/adapters/bubblewrap/sandbox-user.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';

/** Called after each look at a path, in the moment in which a program in the sandbox would act. */
const after = vi.hoisted(() => ({ look: (_at: string): void => undefined }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<{ lstatSync: typeof lstatSync }>();
  const lookThenAct = (at: PathLike, options: { throwIfNoEntry: false }): unknown => {
    const found = fs.lstatSync(at, options);
    after.look(String(at));
    return found;
  };
  return { ...fs, lstatSync: lookThenAct };
});

/** Once, after the first look at an entry of this name. */
function swapFor(name: string, folder: string, target: string): void {
  after.look = (at) => {
    if (path.basename(at) !== name) return;
    after.look = () => undefined;
    renameSync(folder, `${folder}.away`);
    symlinkSync(target, folder);
  };
}

beforeEach(() => {
  after.look = () => undefined;
});

describe.skipIf(process.getuid?.() !== 0)('a race (skipped where nobody is root)', () => {
  const ownersIn = (outside: string): number[] =>
    ['.', 'below', 'below/file'].map((name) => statSync(path.join(outside, name)).uid);

  test('a folder that is handed over', async () => {
    const outside = temporaryFolder({ 'below/file': 'x' });
    const folder = temporaryFolder({ 'inner/file': 'a' });
    const inner = path.join(folder, 'inner');
    swapFor('inner', inner, outside);
    const takeBack = await handOver({ folder, readable: [] }, SANDBOX_USER);
    expect(lstatSync(inner).isSymbolicLink()).toBe(true);
    expect(ownersIn(outside)).toEqual([0, 0, 0]);
    await takeBack();
    expect(ownersIn(outside)).toEqual([0, 0, 0]);
  });

  test('somebody else’s folder in the place of one that is handed over', async () => {
    const folder = temporaryFolder({ 'inner/file': 'a' });
    const inner = path.join(folder, 'inner');
    const theirs = path.join(temporaryFolder({ 'theirs/file': 'x' }), 'theirs');
    chownSync(theirs, 1234, 1234);
    after.look = (at) => {
      if (path.basename(at) !== 'inner') return;
      after.look = () => undefined;
      renameSync(inner, `${inner}.away`);
      renameSync(theirs, inner);
    };
    await handOver({ folder, readable: [] }, SANDBOX_USER);
    expect(statSync(inner).uid).toBe(1234);
  });

  test('a folder around the one that is looked at', async () => {
    const outside = temporaryFolder({ 'below/file': 'x' });
    const folder = temporaryFolder({ 'inner/below/file': 'a' });
    swapFor('below', path.join(folder, 'inner'), outside);
    await handOver({ folder, readable: [] }, SANDBOX_USER);
    expect(ownersIn(outside)).toEqual([0, 0, 0]);
  });

  test('a folder that is only shown', async () => {
    const outside = temporaryFolder({ 'below/file': 'x' });
    const before = statSync(outside);
    const shown = path.join(temporaryFolder({ 'shown/file': 'x' }), 'shown');
    // Root's alone: it would have to be opened to others.
    chmodSync(shown, 0o700);
    swapFor('shown', shown, outside);
    await expect(
      handOver({ folder: temporaryFolder(), readable: [shown] }, SANDBOX_USER),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(?:ELOOP|ENOTDIR)$/) });
    expect(statSync(outside)).toMatchObject({ gid: before.gid, mode: before.mode });
  });
});
