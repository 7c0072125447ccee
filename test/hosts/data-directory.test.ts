/** Where the embedded store is when the environment does not say. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { readHostSettings } from '../../src/hosts/environment/host-settings.ts';
import { openStore } from '../../src/hosts/open-store.ts';
import { temporaryFolder } from './cli/temporary-folder.ts';

/** Goes into a folder with these files until the test has ended. */
function enter(...files: readonly string[]): string {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  const dir = realpathSync(temporaryFolder(Object.fromEntries(files.map((file) => [file, '']))));
  process.chdir(dir);
  return dir;
}

test.each([
  ['a new installation', [], '.quorum-data'],
  ['a repository with a journal', ['.quorum/journal/12.md'], '.quorum-data'],
  ['a store of an older version', ['.quorum/quorum.db'], '.quorum'],
  ['an older store whose database was lost', ['.quorum/lock.db'], '.quorum'],
  ['stores at both places', ['.quorum/quorum.db', '.quorum-data/quorum.db'], '.quorum-data'],
])('finds the data directory of %s', (_, files, name) => {
  const dir = enter(...files);
  expect(readHostSettings({})).toMatchObject({
    dataDir: path.join(dir, name),
    isOldDataDir: name === '.quorum',
  });
});

test('uses the directory that QUORUM_DATA names, also beside an older store', () => {
  const dir = enter('.quorum/quorum.db');
  expect(readHostSettings({ QUORUM_DATA: 'mine' })).toMatchObject({
    dataDir: path.join(dir, 'mine'),
    isOldDataDir: false,
  });
});

test.each([true, false])(
  'says once whether the old directory is used: %s',
  async (isOldDataDir) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = createLog({ level: 'info', format: 'json', destination });
    const settings = { ...readHostSettings({}), dataDir: temporaryFolder(), isOldDataDir };
    const store = await openStore(settings, { clock: systemClock, log });
    await store.close();
    expect(lines.filter((line) => line.includes('data directory .quorum is used'))).toHaveLength(
      isOldDataDir ? 1 : 0,
    );
  },
);
