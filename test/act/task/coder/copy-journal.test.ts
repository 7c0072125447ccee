/** The copy of the journal as part of a task's change. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyJournal, type Copying } from '../../../../src/act/task/coder/copy-journal.ts';
import { createBaseReader } from '../../../../src/adapters/git/base-reader.ts';
import { createSecretDetector } from '../../../../src/adapters/secrets/detector.ts';
import { loadSecretlint } from '../../../../src/adapters/secrets/secretlint.ts';
import { systemClock } from '../../../../src/adapters/system/system-clock.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import { withJournalCopy, withoutJournalCopy } from '../../../../src/domain/task/journal-copy.ts';
import type { CodeResult } from '../../../../src/domain/task/task-effects.ts';
import type { EventData } from '../../../../src/domain/event/event.ts';
import { threadKey } from '../../../../src/domain/run/thread-ref.ts';
import { redactSecrets, type DetectSecrets } from '../../../../src/domain/secrets/secret-text.ts';
import type { TreeReader } from '../../../../src/ports/git.ts';
import type { RecordFilter } from '../../../../src/ports/store.ts';
import { THREAD } from '../../../helpers/play.ts';
import { aStream, said } from '../../../record/a-record.ts';

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

/** Where the file is a link, and what it names. */
interface Link {
  to: string;
}

/** The reader of a commit with these files, or of another one. */
function readerOf(
  files: Readonly<Record<string, string | Uint8Array | Link>>,
  sha?: string,
): TreeReader {
  const dir = mkdtempSync(join(tmpdir(), 'quorum-base-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
      cwd: dir,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    if (typeof content === 'object' && 'to' in content) symlinkSync(content.to, join(dir, path));
    else writeFileSync(join(dir, path), content);
  }
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '-m', 'base');
  return createBaseReader(join(dir, '.git'), sha ?? git('rev-parse', 'HEAD'));
}

interface Around {
  base?: Pick<TreeReader, 'file' | 'mode'>;
  detectSecrets?: DetectSecrets;
  /** What a person wrote in the thread. */
  comment?: string;
  /** So many times. */
  times?: number;
}

const NO_BASE: Required<Around>['base'] = { file: async () => '', mode: async () => '' };

/** Has the thread's events alone. */
function storeOf(events: readonly EventData[]) {
  const { key, ...stream } = aStream(threadKey(THREAD), events);
  return {
    load: async () => undefined,
    records: {
      events: async (filter: RecordFilter) => (filter.key === key ? stream.events : []),
      effects: async () => [],
      calls: async () => [],
    },
  };
}

async function copied(
  over: Partial<CodeResult>,
  { base = NO_BASE, detectSecrets, comment, times = 1 }: Around = {},
): Promise<CodeResult> {
  const comments = Array.from({ length: comment === undefined ? 0 : times }, (_, at) =>
    said(comment ?? '', { id: 100 + at }),
  );
  const store = storeOf(comments.flat());
  const report = { outcome: 'done', summary: '', decisions: [], calls: [] };
  const result = { coder: 'local', report, patch: CHANGE, isTooLarge: false, files: [], ...over };
  const config = defaultConfig();
  const copying = {
    ports: { store, clock: systemClock, ...(detectSecrets && { detectSecrets }) },
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

  test.each(['# Journal of before\n\none\n', 'no line end', '', 'by\r\nhand\r\n'])(
    'replaces a copy that the base has, as in a second attempt: %j',
    async (before) => {
      const base = readerOf({ [PATH]: before });
      const { journal, patch } = await copied({ files: [added('a.txt')] }, { base });
      expect(journal).toBe(PATH);
      expect(applied(patch, before)).toMatch(/^# Journal of /);
    },
  );

  test('makes a new file in a base without files', async () => {
    const { journal, patch } = await copied({}, { base: readerOf({}) });
    expect(journal).toBe(PATH);
    expect(applied(patch, undefined)).toMatch(/^# Journal of /);
  });

  test.each([
    ['a link to a file', { [PATH]: { to: '../../README.md' }, 'README.md': 'a' }],
    ['a link out of the repository', { [PATH]: { to: '/etc/passwd' } }],
    ['a link to a folder that holds it', { '.quorum': { to: 'docs' }, 'docs/journal/a.md': 'a' }],
    ['a folder', { [`${PATH}/notes.md`]: 'a' }],
    ['a file where a folder should be', { '.quorum/journal': 'a' }],
    ['a binary file', { [PATH]: 'a\0b' }],
    ['a file that is not UTF-8', { [PATH]: Buffer.from([0xe4, 0x0a]) }],
    ['a file that is read in part', { [PATH]: 'a'.repeat(1_100_000) }],
  ])('adds none where the base has %s at that path', async (_, files) => {
    const { journal, patch, copyLeftOut } = await copied({}, { base: readerOf(files) });
    expect([journal, patch, copyLeftOut]).toEqual([undefined, CHANGE, 'place']);
  });

  test.each([
    ['a file of a folder on the way there', '.quorum'],
    ['a folder of the place itself', `${PATH}/notes.md`],
  ])('adds none where the coder made %s', async (_, path) => {
    const { patch, copyLeftOut } = await copied({ files: [added(path)] });
    expect([patch, copyLeftOut]).toEqual([CHANGE, 'place']);
  });

  test.each([
    ['a longer name than the place', `${PATH}.bak`],
    ['a longer name than a folder on the way there', '.quorum.md'],
  ])('adds one where the coder made a file with %s', async (_, path) => {
    const { journal } = await copied({ files: [added(path)] }, { base: readerOf({}) });
    expect(journal).toBe(PATH);
  });

  test('adds none where git cannot say what the base has', async () => {
    const base = readerOf({}, 'f'.repeat(40));
    const { journal, patch, copyLeftOut } = await copied({}, { base });
    expect([journal, patch, copyLeftOut]).toEqual([undefined, CHANGE, 'place']);
  });

  test.each([
    ['wrote at that path', [added(PATH)]],
    ['moved a file from that path', [added('b.md', PATH)]],
  ])('adds none where the coder %s', async (_, files) => {
    const { journal, patch, copyLeftOut } = await copied({ files });
    expect([journal, patch, copyLeftOut]).toEqual([undefined, CHANGE, undefined]);
  });

  const linted = createSecretDetector({ load: loadSecretlint, onMissing: () => undefined });

  test('leaves out a line with a credential that only the detector of gate S knows', async () => {
    const secret = ['lin', 'api', 'a1B2'.repeat(10)].join('_');
    expect(redactSecrets(secret)).toBe(secret);
    const comment = `Sort them.\n\nIt is ${secret} here.\n\nBy name.`;
    const { journal, patch } = await copied({}, { comment, detectSecrets: linted });
    const text = applied(patch, undefined);
    expect(journal).toBe(PATH);
    expect(text).toContain('> Sort them.');
    expect(text).toContain('> By name.');
    expect(text).toMatch(/\n\(Linear[^\n]* removed\)\n/);
    expect(text).not.toContain(secret.slice(0, 40));
    expect(await linted(text, PATH)).toEqual([]);
  });

  test('adds none where a credential is left after that', async () => {
    const detectSecrets: DetectSecrets = async () => [{ kind: 'token', line: 3, length: 9 }];
    const { journal, patch, copyLeftOut } = await copied(
      {},
      { comment: 'Sort them.', detectSecrets },
    );
    expect([journal, patch, copyLeftOut]).toEqual([undefined, CHANGE, 'credential']);
  });

  test('adds none that would be too large', async () => {
    const comment = 'word '.repeat(380);
    const { journal, patch, copyLeftOut } = await copied({}, { comment, times: 120 });
    expect([journal, patch, copyLeftOut]).toEqual([undefined, CHANGE, 'size']);
  });

  test('makes no change of nothing', async () => {
    const { journal, patch } = await copied({ patch: '' });
    expect([journal, patch]).toEqual([undefined, '']);
  });
});
