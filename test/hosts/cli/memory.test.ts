/** `quorum memory` on a clone that is there. */
import { describe, expect, test } from 'vitest';
import { addEntries } from '../../../src/domain/memory/file/edit-memory-file.ts';
import { linesDigest, type MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import { renderMemoryFile } from '../../../src/domain/memory/file/memory-file.ts';
import { anEntry } from '../../domain/memory/some-memory.ts';
import { quorum } from './fake-io.ts';
import { emptyGitFolder, gitFolder, type GitFolder } from './git-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const CODE = { 'src/dates.ts': 'one\ntwo\nthree\n' };

/** A person's own word: it does not expire. */
function said(text: string, over: Partial<MemoryEntry> = {}): MemoryEntry {
  return anEntry({
    text,
    id: idOf(text),
    words: [],
    source: { kind: 'comment', commentId: 5, thread: 12 },
    ...over,
  });
}

/** Ten hexadecimal digits that a test can name. */
function idOf(text: string): string {
  return Buffer.from(text).toString('hex').slice(0, 10).padEnd(10, '0');
}

const DATES = said('Dates are parsed in UTC', {
  createdAt: '2026-02-23',
  refs: [{ path: 'src/dates.ts', from: 2, to: 3, digest: linesDigest(['two', 'three']) }],
});
const FRIDAYS = said('We release on Fridays', { createdAt: '2026-02-22', words: ['deploy'] });
const GONE = said('Prices are whole cents', {
  createdAt: '2026-02-21',
  refs: [{ path: 'src/gone.ts', from: 1, to: 1 }],
});
const WAITING = said('Retries are capped at five', {
  createdAt: '2026-02-20',
  state: 'quarantined',
});

const workingFile = (entries: readonly MemoryEntry[]): string =>
  renderMemoryFile(addEntries({ parts: [], problems: [] }, entries));

/** Commits these files onto an orphan branch, and leaves `main` checked out. */
function remember({ git, write, commit }: GitFolder, files: Record<string, string | Buffer>): void {
  git('checkout', '-q', '--orphan', 'quorum/memory');
  git('rm', '-rfq', '--ignore-unmatch', '.');
  for (const [path, text] of Object.entries(files)) write(path, text);
  commit('memory');
  git('checkout', '-q', 'main');
}

const USES = JSON.stringify({
  [FRIDAYS.id]: { uses: 3, kept: 1, dismissed: 0, lastUsedAt: '2026-03-01T10:00:00.000Z' },
});

/** A clone whose memory has four entries. */
function aClone(): GitFolder {
  const folder = gitFolder(CODE);
  folder.git('config', 'user.name', 'Ana');
  folder.git('config', 'user.email', 'ana@example.com');
  remember(folder, {
    'personas/maya/working.md': workingFile([DATES, FRIDAYS, GONE, WAITING]),
    'state/memory.json': USES,
  });
  return folder;
}

describe('quorum memory', () => {
  test('lists entries newest first, each verified against the default branch', async () => {
    const { dir } = aClone();
    const { code, json, err } = await quorum(['memory', 'list', '--repo', dir, '--json']);
    expect([code, err]).toEqual([0, '']);
    const listed = json() as unknown as Record<string, unknown>[];
    expect(listed.map(({ id, state }) => [id, state])).toEqual([
      [DATES.id, 'active'],
      [FRIDAYS.id, 'active'],
      [GONE.id, 'stale'],
      [WAITING.id, 'quarantined'],
    ]);
    expect(listed[0]).toEqual({
      id: DATES.id,
      persona: 'maya',
      category: 'PATTERN',
      text: DATES.text,
      refs: [{ path: 'src/dates.ts', from: 2, to: 3, verified: true }],
      source: { kind: 'comment', commentId: 5, thread: 12 },
      trust: 'maintainer',
      createdAt: '2026-02-23',
      author: 'ana',
      lastUsedAt: null,
      uses: 0,
      kept: 0,
      dismissed: 0,
      state: 'active',
    });
    expect(listed[1]).toMatchObject({ uses: 3, lastUsedAt: '2026-03-01T10:00:00.000Z' });
    expect(listed[2]).toMatchObject({ refs: [{ path: 'src/gone.ts', verified: false }] });
  });

  test('says where lines are now that moved within their file', async () => {
    const { dir, write, commit } = aClone();
    write('src/dates.ts', 'zero\none\ntwo\nthree\n');
    commit('moved');
    const { json } = await quorum(['memory', 'show', DATES.id, '--json'], { cwd: dir });
    expect(json()).toMatchObject({
      refs: [{ from: 3, to: 4, verified: true }],
      state: 'active',
    });
  });

  test('lists a lesson of a run as stale after 90 days without a validation', async () => {
    const folder = gitFolder(CODE);
    const old = anEntry({ createdAt: '2020-01-01' });
    remember(folder, { 'personas/maya/working.md': workingFile([old]) });
    const { json } = await quorum(['memory', 'show', old.id, '--json'], { cwd: folder.dir });
    expect(json()).toMatchObject({ state: 'stale' });
  });

  test('shows an entry to people, with where it comes from', async () => {
    const { dir } = aClone();
    const { out } = await quorum(['memory', 'show', GONE.id], { cwd: dir });
    expect(out).toContain(`${GONE.id} ${GONE.text}`);
    expect(out).toMatch(/from {2,}comment 5 in #12, ana/);
    expect(out).toMatch(/cites {2,}src\/gone\.ts#L1 \(not verified\)/);
  });

  test.each([
    ['the zone of dates', [DATES.id]],
    ['cents', [GONE.id]],
    ['deploy', [FRIDAYS.id]],
    ['src/gone.ts', [GONE.id]],
    // A word that no index has.
    ['we', [FRIDAYS.id]],
    ['elephants', []],
  ])('finds entries about %s', async (text, ids) => {
    const { dir } = aClone();
    const { code, json } = await quorum(['memory', 'search', text, '--json'], { cwd: dir });
    const found = json() as unknown as { id: string }[];
    expect([code, found.map(({ id }) => id)]).toEqual([0, ids]);
  });

  test('exports all entries as Markdown', async () => {
    const { dir } = aClone();
    const { out } = await quorum(['memory', 'export'], { cwd: dir });
    expect(out).toBe(`# Memory

## maya

- [PATTERN] Retries are capped at five · 2026-02-20 (quarantined)
- [PATTERN] Prices are whole cents (ref: src/gone.ts#L1) · 2026-02-21 (stale)
- [PATTERN] We release on Fridays · 2026-02-22
- [PATTERN] Dates are parsed in UTC (ref: src/dates.ts#L2-L3) · 2026-02-23
`);
  });

  test('forgets an entry in one commit on the branch, and says how to push it', async () => {
    const { dir, git } = aClone();
    const before = git('rev-parse', 'quorum/memory');
    const { code, json } = await quorum(['memory', 'forget', FRIDAYS.id, '--json'], { cwd: dir });
    const commit = git('rev-parse', 'quorum/memory');
    expect([code, json()]).toEqual([
      0,
      {
        ok: true,
        branch: 'quorum/memory',
        commit,
        removed: [FRIDAYS.id],
        push: 'git push origin quorum/memory',
      },
    ]);
    expect(git('rev-parse', `${commit}^`)).toBe(before);
    expect(git('show', '--format=%an', '--name-only', commit).split('\n')).toEqual([
      'Ana',
      '',
      'personas/maya/working.md',
      'state/memory.json',
    ]);
    const file = git('show', 'quorum/memory:personas/maya/working.md');
    expect(file).not.toContain(FRIDAYS.text);
    expect(file).toContain(DATES.text);
    expect(git('show', 'quorum/memory:state/memory.json')).toBe('{}');
    expect(git('status', '--porcelain')).toBe('');
  });

  test('reads a branch that was only fetched, and begins its own from it to forget an id with `m:`', async () => {
    const origin = aClone();
    const { dir, git } = gitFolder();
    git('config', 'user.name', 'Ana');
    git('config', 'user.email', 'ana@example.com');
    git('remote', 'add', 'origin', origin.dir);
    git('fetch', '-q', 'origin');
    const { out } = await quorum(['memory', 'list'], { cwd: dir });
    expect(out).toContain('4 entries on origin/quorum/memory\n');
    const { code } = await quorum(['memory', 'forget', `m:${GONE.id}`], { cwd: dir });
    expect([code, git('rev-parse', 'quorum/memory^')]).toEqual([
      0,
      git('rev-parse', 'origin/quorum/memory'),
    ]);
    expect((await quorum(['memory', 'list'], { cwd: dir })).out).toContain(
      '3 entries on quorum/memory\n',
    );
  });

  test('says when the own and the fetched branch differ', async () => {
    const { dir, git } = aClone();
    const root = git('rev-parse', 'quorum/memory');
    await quorum(['memory', 'forget', GONE.id], { cwd: dir });
    const other = git('commit-tree', '-p', root, '-m', 'theirs', `${root}^{tree}`);
    git('update-ref', 'refs/remotes/origin/quorum/memory', other);
    const { err } = await quorum(['memory', 'list'], { cwd: dir });
    expect(err).toContain('quorum/memory and origin/quorum/memory differ; quorum/memory is read');
  });

  test('reads the branch that the configuration names', async () => {
    const folder = gitFolder({
      ...CODE,
      '.github/quorum.yml': 'version: 1\nmemory:\n  branch: quorum/notes\n',
    });
    remember(folder, { 'personas/maya/working.md': workingFile([FRIDAYS]) });
    folder.git('branch', '-m', 'quorum/memory', 'quorum/notes');
    const { out } = await quorum(['memory', 'list'], { cwd: folder.dir });
    expect(out).toContain('1 entry on quorum/notes\n');
  });

  test('leaves a file alone that is not UTF-8, and says so', async () => {
    const folder = gitFolder(CODE);
    remember(folder, {
      'personas/maya/working.md': workingFile([FRIDAYS]),
      'personas/noor/working.md': Buffer.from([0xff, 0xfe, 0x41]),
    });
    const { code, err, out } = await quorum(['memory', 'list'], { cwd: folder.dir });
    expect(code).toBe(0);
    expect(err).toContain('note personas/noor/working.md is not read');
    expect(out).toContain('1 entry on quorum/memory');
  });

  test('prints no control characters of an entry', async () => {
    const folder = gitFolder(CODE);
    const escape = String.fromCharCode(27);
    remember(folder, { 'personas/maya/core.md': `- [TODO] red \`${escape}[31m\` text\n` });
    const io = { cwd: folder.dir };
    for (const args of [['list'], ['export']])
      expect((await quorum(['memory', ...args], io)).out).not.toContain(escape);
  });

  test('works where neither a commit nor a file is on the default branch', async () => {
    const folder = emptyGitFolder();
    folder.write('personas/maya/working.md', workingFile([GONE]));
    folder.git('checkout', '-q', '-b', 'quorum/memory');
    folder.commit('memory');
    folder.git('symbolic-ref', 'HEAD', 'refs/heads/main');
    const { json } = await quorum(['memory', 'show', GONE.id, '--json'], { cwd: folder.dir });
    expect(json()).toMatchObject({ state: 'active', refs: [{ verified: false }] });
  });
});

describe('quorum memory refuses', () => {
  test.each([
    [
      'a folder that is missing',
      () => ({ repo: 'nowhere', cwd: temporaryFolder() }),
      'folder-missing',
    ],
    ['a folder outside of a repository', () => ({ cwd: temporaryFolder() }), 'clone-missing'],
    ['a clone without the branch', () => ({ cwd: gitFolder(CODE).dir }), 'memory-missing'],
    [
      'a configuration with errors',
      () => ({ cwd: gitFolder({ '.github/quorum.yml': 'nothing: here\n' }).dir }),
      'config-invalid',
    ],
  ])('%s', async (_, given, error) => {
    const { repo = '.', cwd }: { repo?: string; cwd: string } = given();
    const { code, json } = await quorum(['memory', 'list', '--repo', repo, '--json'], { cwd });
    expect([code, json()]).toMatchObject([2, { error: { code: error } }]);
  });

  test.each(['show', 'forget'])('to %s an unknown id, and names the nearest', async (command) => {
    const { dir, git } = aClone();
    const before = git('rev-parse', 'quorum/memory');
    const slip = `${DATES.id.slice(0, 9)}x`;
    const { code, err } = await quorum(['memory', command, slip], { cwd: dir });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`No entry has the id ${slip}. Did you mean ${DATES.id}?`),
    ]);
    expect(git('rev-parse', 'quorum/memory')).toBe(before);
  });

  test('to forget on a branch that is checked out', async () => {
    const { dir, git } = aClone();
    git('checkout', '-q', 'quorum/memory');
    const { code, err } = await quorum(['memory', 'forget', DATES.id], { cwd: dir });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/is checked out in .*memory-checked-out/s),
    ]);
  });
});
