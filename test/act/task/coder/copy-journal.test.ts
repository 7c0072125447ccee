/** The copy of the journal as part of a task's change. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyJournal, type Copying } from '../../../../src/act/task/coder/copy-journal.ts';
import { createBaseReader } from '../../../../src/adapters/git/base-reader.ts';
import { openSqliteStore } from '../../../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../../../src/adapters/system/system-clock.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import { withJournalCopy, withoutJournalCopy } from '../../../../src/domain/task/journal-copy.ts';
import type { CodeResult } from '../../../../src/domain/task/task-effects.ts';
import type { BaseReader } from '../../../../src/ports/git.ts';
import { THREAD } from '../../../helpers/play.ts';

const PATH = `.quorum/journal/${THREAD.number}-1.md`;
const CHANGE = [
  'diff --git a/a.txt b/a.txt',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/a.txt',
  '@@ -0,0 +1,1 @@',
  '+a',
].join('\n');

function applied(patch: string, before: string | undefined): string {
  const dir = mkdtempSync(join(tmpdir(), 'quorum-copy-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, '.quorum/journal'), { recursive: true });
  if (before !== undefined) writeFileSync(join(dir, PATH), before);
  execFileSync('git', ['init', '--quiet'], { cwd: dir });
  execFileSync('git', ['apply', '-'], { cwd: dir, input: patch });
  expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('a\n');
  return readFileSync(join(dir, PATH), 'utf8');
}

describe('withJournalCopy', () => {
  test.each([
    ['a new one', undefined, '# Journal\n\none\n'],
    ['one that grew', '# Journal\n\none\n', '# Journal\n\none\ntwo\n'],
    ['one that lost everything', '# Journal\none\n', 'two\n'],
    ['lines that look like a patch', '-a\n+b\n', 'diff --git a/x b/x\n@@ -1 +1 @@\n-a\n'],
  ])('gives a change that git applies, with %s', (_, before, text) => {
    const patch = withJournalCopy(`${CHANGE}\n`, { path: PATH, before, text });
    expect(applied(patch, before)).toBe(text);
  });

  test('takes a change without a last line end', () => {
    const patch = withJournalCopy(CHANGE, { path: PATH, before: undefined, text: 'one\n' });
    expect(applied(patch, undefined)).toBe('one\n');
  });

  test('leaves a change as it is where the copy is the same already', () => {
    const copy = { path: PATH, before: 'one\n', text: 'one\n' };
    expect(withJournalCopy(CHANGE, copy)).toBe(CHANGE);
  });
});

const added = (path: string, from?: string): CodeResult['files'][number] => ({
  path,
  ...(from !== undefined && { from }),
  change: from === undefined ? 'added' : 'renamed',
  mode: '100644',
  added: 1,
  removed: 0,
  isBinary: false,
  bytes: 2,
});

/** The reader of a commit with this text at the path of the copy. */
function readerOf(text: string): BaseReader {
  const dir = mkdtempSync(join(tmpdir(), 'quorum-base-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
      cwd: dir,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  mkdirSync(join(dir, '.quorum/journal'), { recursive: true });
  writeFileSync(join(dir, PATH), text);
  git('add', '.');
  git('commit', '--quiet', '-m', 'base');
  return createBaseReader(join(dir, '.git'), git('rev-parse', 'HEAD'));
}

async function copied(
  over: Partial<CodeResult>,
  base: Pick<BaseReader, 'file'> = { file: async () => '' },
): Promise<CodeResult> {
  const store = await openSqliteStore({ memory: true, clock: systemClock });
  onTestFinished(() => store.close());
  const report = { outcome: 'done', summary: '', decisions: [], calls: [] };
  const result = { coder: 'local', report, patch: CHANGE, isTooLarge: false, files: [], ...over };
  const config = defaultConfig();
  const copying = {
    ports: { store, clock: systemClock },
    config: { ...config, journal: { enabled: true, inPullRequests: true } },
    worktree: { base },
    run: 'run',
    effectId: 'effect',
  };
  return copyJournal(
    { thread: THREAD, task: 1 },
    result as unknown as CodeResult,
    copying as unknown as Copying,
  );
}

test('only the copy itself is left out of what gate S counts', () => {
  const files = [added('a.txt'), added(PATH), added(PATH, '.github/workflows/ci.yml')];
  expect(withoutJournalCopy(files, PATH)).toEqual([files[0], files[2]]);
  expect(withoutJournalCopy(files, undefined)).toEqual(files);
});

describe('copyJournal', () => {
  test('names the path of the copy beside the files of the coder', async () => {
    const { journal, patch, files } = await copied({ files: [added('a.txt')] });
    expect(journal).toBe(PATH);
    expect(applied(patch, undefined)).toMatch(/^# Journal of /);
    expect(files.map(({ path }) => path)).toEqual(['a.txt']);
  });

  test.each(['# Journal of before\n\none\n', 'no line end'])(
    'replaces a copy that the base has, as in a second attempt: %j',
    async (before) => {
      const { journal, patch } = await copied({ files: [added('a.txt')] }, readerOf(before));
      expect(journal).toBe(PATH);
      expect(applied(patch, before)).toMatch(/^# Journal of /);
    },
  );

  test.each([
    ['wrote at that path', [added(PATH)]],
    ['moved a file from that path', [added('b.md', PATH)]],
  ])('adds none where the coder %s', async (_, files) => {
    const { journal, patch } = await copied({ files });
    expect(journal).toBeUndefined();
    expect(patch).toBe(CHANGE);
  });

  test('makes no change of nothing', async () => {
    const { journal, patch } = await copied({ patch: '' });
    expect([journal, patch]).toEqual([undefined, '']);
  });
});
