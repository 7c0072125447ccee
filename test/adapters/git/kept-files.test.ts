/** What is on the disk for one repository is found and erased, and nothing of another one. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createKeptFiles } from '../../../src/adapters/git/kept-files.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { openIn } from '../../contract/git.ts';
import { emulatedGitForTest } from './world.ts';

test('mirror, worktrees and installed dependencies of a repository are erased, those of others stay', async () => {
  const world = await emulatedGitForTest();
  const { repositoryId } = world.ref;
  const worktree = await openIn(world);
  const mirror = join(world.folder, 'mirrors', `${repositoryId}.git`);
  const installed = join(world.folder, 'installed', String(repositoryId));
  const owner = join(world.folder, 'owners', String(repositoryId));
  const others = [
    join(world.folder, 'worktrees', 'of-another'),
    join(world.folder, 'installed', '999'),
    join(world.folder, 'mirrors', '999.git'),
  ];
  for (const folder of [installed, ...others]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(installed, 'package'), 'text');

  const files = createKeptFiles({ folder: world.folder, clock: systemClock });
  const ascending = (a: number, b: number): number => a - b;
  const kept = (await files.repositories()).toSorted(ascending);
  expect(kept).toEqual([repositoryId, 999].toSorted(ascending));
  const found = (await files.of(repositoryId)).map(({ path }) => path);
  expect(found).toEqual([worktree.folder, installed, owner, mirror]);
  expect(await files.erase(repositoryId)).toBe(4);
  expect([worktree.folder, installed, owner, mirror].filter((each) => existsSync(each))).toEqual(
    [],
  );
  expect(others.filter((each) => existsSync(each))).toEqual(others);
  expect(await files.erase(repositoryId)).toBe(0);
  // It is fetched again where it is needed again.
  expect(await (await world.git.read(world.ref, world.baseSha)).file('README.md')).toBe(
    '# Widgets\n',
  );
});
