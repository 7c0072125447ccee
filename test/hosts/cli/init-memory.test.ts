/** `memory/pm.md` and `memory/artist.md`: `quorum init` brings them, and neither it nor its companions touch what people wrote. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRoleDefaults } from '../../../src/adapters/files/role-defaults.ts';
import { REPO } from '../../emulator/github/start.ts';
import { quorum } from './fake-io.ts';
import { emptyGitFolder, gitFolder } from './git-folder.ts';
import { aWorld, mergePull, openPulls, SOURCE, textAt, type World } from './init-world.ts';

const PM = 'memory/pm.md';
const ARTIST = 'memory/artist.md';
const CONFIG = '.github/quorum.yml';
const SHIPPED = await readRoleDefaults();
const MINE = '# Mine\n\n## Workflows\n\n- ship on Mondays\n';
/** A line that `upgrade` would move in a workflow. */
const PINNED = `${SHIPPED.pm}\n\`\`\`yaml\n    uses: acme/quorum/.github/workflows/quorum.yml@v1\n\`\`\`\n`;

const init = (dir: string, ...args: string[]) => quorum(['init', '--dir', dir, ...SOURCE, ...args]);
const uninstall = (dir: string, ...args: string[]) =>
  quorum(['uninstall', '--dir', dir, '--yes', ...args]);
const read = (dir: string, file: string): string => readFileSync(path.join(dir, file), 'utf8');
const has = (dir: string, file: string): boolean => existsSync(path.join(dir, file));

async function commit(world: World, file: string, text: string): Promise<void> {
  await world.alice.rest.repos.createOrUpdateFileContents({
    ...REPO,
    path: file,
    message: 'Ours',
    content: Buffer.from(text).toString('base64'),
  });
}

describe('quorum init', () => {
  test.each([[[]], [['--force']]])(
    "keeps a person's memory/pm.md and adds the other file, with the flags %j",
    async (flags) => {
      const { dir } = gitFolder({ [PM]: MINE });
      const { code, out } = await init(dir, ...flags);
      expect([code, read(dir, PM), read(dir, ARTIST)]).toEqual([0, MINE, SHIPPED.artist]);
      expect(out).toContain(`${PM} (is yours; init never replaces it)`);
    },
  );

  test('keeps a memory/pm.md that git ignores, and sets up the rest', async () => {
    const { dir, write } = emptyGitFolder({ '.gitignore': 'memory/pm.md\n' });
    write(PM, MINE);
    const { code, out } = await init(dir);
    expect([code, read(dir, PM), read(dir, ARTIST)]).toEqual([0, MINE, SHIPPED.artist]);
    expect(out).toContain(`${PM} (is yours; init never replaces it)`);
    expect(has(dir, CONFIG)).toBe(true);
  });

  test.each(['link', 'file'])(
    'adds neither file where git ignores a %s at memory',
    async (kind) => {
      const { dir, write } = emptyGitFolder({ '.gitignore': 'memory\n', 'elsewhere/pm.md': MINE });
      if (kind === 'link') symlinkSync('elsewhere', path.join(dir, 'memory'));
      else write('memory', 'ours\n');
      const { code, out } = await init(dir);
      expect([code, has(dir, CONFIG), read(dir, 'elsewhere/pm.md')]).toEqual([0, true, MINE]);
      expect(out).toContain(`${PM} (is not added: memory is not a folder)`);
    },
  );

  test('adds neither file where memory is a link, and sets up the rest', async () => {
    const { dir } = emptyGitFolder({ 'elsewhere/a.md': '' });
    symlinkSync('elsewhere', path.join(dir, 'memory'));
    const { code, out } = await init(dir);
    expect([code, has(dir, CONFIG), has(dir, 'elsewhere/pm.md')]).toEqual([0, true, false]);
    expect(out).toContain(`${PM} (is not added: memory is not a folder)`);
  });

  test('leaves a link at memory/pm.md as it is', async () => {
    const { dir } = emptyGitFolder({ 'memory/plans.md': MINE });
    symlinkSync('plans.md', path.join(dir, PM));
    const { code, out } = await init(dir, '--force');
    expect([code, read(dir, 'memory/plans.md')]).toEqual([0, MINE]);
    expect(out).toContain(`${PM} (is not a plain file)`);
  });
});

describe('quorum init --pr', () => {
  test('brings both files as they are shipped, and says what they do and how to leave them', async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    const texts = [PM, ARTIST].map((file) => textAt(world, file, 'quorum/init'));
    expect(await Promise.all(texts)).toEqual([SHIPPED.pm, SHIPPED.artist]);
    const body = (await openPulls(world))[0]?.body ?? '';
    const [, , adds = '', after = '', , , leave = ''] = body.split(/\n### .*\n/);
    expect(adds).toContain('| `memory/pm.md` | added |\n| `memory/artist.md` | added |');
    expect(after).toContain('The PM follows the workflows in `memory/pm.md` when it plans.');
    expect(after).toContain('`memory/artist.md` keeps what people decide about images.');
    expect(leave).toContain('Delete `memory/pm.md` or `memory/artist.md` at any time');
  });

  test("leaves a person's file out of the commit, and says that it stays", async () => {
    const world = await aWorld();
    await commit(world, PM, MINE);
    await world.run('init', ...SOURCE, '--force');
    expect(await textAt(world, PM, 'quorum/init')).toBe(MINE);
    const body = (await openPulls(world))[0]?.body ?? '';
    expect(body).toContain('| `memory/pm.md` | kept: is yours; init never replaces it |');
    expect(body).not.toContain('when it plans');
    expect(body).toContain('Delete `memory/artist.md` at any time');
  });

  test('replaces no file that is where the folder would be', async () => {
    const world = await aWorld();
    await commit(world, 'memory', 'a file\n');
    const { code } = await world.run('init', ...SOURCE);
    expect([code, await textAt(world, 'memory', 'quorum/init')]).toEqual([0, 'a file\n']);
  });

  test('proposes nothing the second time, with a line that was approved after the merge', async () => {
    const world = await aWorld();
    await world.run('init', ...SOURCE);
    await mergePull(world, 1);
    const { data } = await world.alice.rest.repos.getContent({ ...REPO, path: PM });
    await world.alice.rest.repos.createOrUpdateFileContents({
      ...REPO,
      path: PM,
      message: 'Remember',
      content: Buffer.from(`${SHIPPED.pm}- Node 24\n`).toString('base64'),
      sha: 'sha' in data ? data.sha : '',
    });
    const { code, out } = await world.run('init', ...SOURCE);
    expect([code, out]).toEqual([0, expect.stringContaining('Nothing to do')]);
    expect(await openPulls(world)).toEqual([]);
  });
});

describe('quorum uninstall', () => {
  test.each([[[]], [['--force']]])(
    'keeps memory/pm.md with an added line and says so, with the flags %j',
    async (flags) => {
      const { dir, write, commit: save } = emptyGitFolder();
      await init(dir);
      write(PM, `${SHIPPED.pm}- Node 24\n`);
      save('remember');
      const { code, out } = await uninstall(dir, ...flags);
      expect(out).toContain(`${PM} (is not as this version ships it; remove it yourself)`);
      expect([code, read(dir, PM)]).toEqual([0, `${SHIPPED.pm}- Node 24\n`]);
      expect([has(dir, ARTIST), has(dir, CONFIG)]).toEqual([false, false]);
    },
  );

  test('takes back a file whose line ends git changed', async () => {
    const { dir, write } = emptyGitFolder();
    await init(dir);
    write(PM, SHIPPED.pm.replaceAll('\n', '\r\n'));
    await uninstall(dir);
    expect(has(dir, 'memory')).toBe(false);
  });

  test('keeps the shipped texts where init made no other file, as in the repository of Quorum', async () => {
    const { dir } = gitFolder({ [PM]: SHIPPED.pm, [ARTIST]: SHIPPED.artist });
    const { out } = await uninstall(dir, '--force');
    expect(out).toContain(`${PM} (is here without another file of quorum init)`);
    expect([read(dir, PM), read(dir, ARTIST)]).toEqual([SHIPPED.pm, SHIPPED.artist]);
  });
});

describe('quorum upgrade', () => {
  test('changes no line of memory/pm.md, not even one that names a version', async () => {
    const { dir, write } = emptyGitFolder();
    await init(dir);
    write(PM, PINNED);
    const { code, out } = await quorum(['upgrade', '--dir', dir, '--ref', 'v2', '--force']);
    expect([code, read(dir, PM)]).toEqual([0, PINNED]);
    expect(out).not.toContain('memory/');
  });

  test('is not stopped by a link at memory/pm.md', async () => {
    const { dir } = emptyGitFolder({ 'memory/plans.md': MINE });
    symlinkSync('plans.md', path.join(dir, PM));
    await init(dir);
    const { code } = await quorum(['upgrade', '--dir', dir, '--ref', 'v2']);
    expect([code, read(dir, CONFIG).includes('/v2/schema/config.json')]).toEqual([0, true]);
  });
});
