/** A Node that somebody installed in their home: it runs in the sandbox, and nothing else of that home is there. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, linkSync, lstatSync, mkdirSync } from 'node:fs';
import { readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommands } from '../../../../src/adapters/bubblewrap/sandboxed-commands.ts';
import { checkMachine } from '../../../../src/adapters/bubblewrap/view/check-shown.ts';
import { nodeToolchain } from '../../../../src/adapters/bubblewrap/view/toolchain.ts';
import { systemClock } from '../../../../src/adapters/system/system-clock.ts';
import { noBwrap } from '../../../helpers/no-bwrap.ts';
import { isOpenToOthers } from '../../../helpers/open-to-others.ts';
import { temporaryFolder } from '../../../hosts/cli/temporary-folder.ts';

const CHILD = path.join(import.meta.dirname, '../command-child.ts');
/** Any that is not the sandbox's own. */
const ORDINARY = 65_526;
/** As root, where that user can read this checkout. */
const canBeOrdinary = process.getuid?.() === 0 && isOpenToOthers(CHILD);

/** Files of a home that no sandboxed program may read. */
const PRIVATE = {
  '.ssh/id': 'private of a person',
  'notes.txt': 'private of a person',
  'bin/own-script': 'private of a person',
  'etc/npmrc': '//registry.example/:_authToken=private of a person',
  'lib/node_modules/own-package/index.js': 'private of a person',
};

/** Where npm of this machine is. */
function npmFolder(): string {
  const found = (process.env['PATH'] ?? '')
    .split(':')
    .map((each) => lstatSync(path.join(each, 'npm'), { throwIfNoEntry: false }) && each)
    .find((each) => each !== undefined);
  return path.resolve(path.dirname(realpathSync(path.join(found ?? '', 'npm'))), '..');
}

interface Home {
  home: string;
  node: string;
}

/** A home with private files, and a Node with npm below `prefix`. */
function aHome(prefix = '.'): Home {
  const home = realpathSync(temporaryFolder(PRIVATE));
  const root = path.join(home, prefix);
  mkdirSync(path.join(root, 'bin'), { recursive: true });
  mkdirSync(path.join(root, 'lib/node_modules'), { recursive: true });
  const node = path.join(root, 'bin/node');
  copyFileSync(process.execPath, node);
  cpSync(npmFolder(), path.join(root, 'lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(root, 'bin', name));
  chmodSync(home, 0o755);
  return { home, node };
}

/** What a script says that the product runs in a sandbox, started by that Node. */
function sandboxed({ home, node }: Home, script: string, uid?: number): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const ids = uid === undefined ? {} : { uid, gid: uid };
  const args = [CHILD, folder, `(${script}) > said 2>&1`];
  const { stderr } = spawnSync(node, args, {
    env: { PATH: process.env['PATH'], HOME: home },
    encoding: 'utf8',
    ...ids,
  });
  expect(stderr).toBe('');
  return readFileSync(path.join(folder, 'said'), 'utf8');
}

const PROJECT = {
  'package.json': JSON.stringify({ name: 'a', version: '1.0.0', dependencies: { b: 'file:b' } }),
  'b/package.json': JSON.stringify({ name: 'b', version: '1.0.0', main: 'b.js' }),
  'b/b.js': 'module.exports = "installed";',
};
const INSTALL = [
  ...Object.entries(PROJECT).map(
    ([name, text]) => `mkdir -p "$(dirname ${name})" && printf '%s' '${text}' > ${name}`,
  ),
  'npm install --offline --package-lock-only && npm ci --offline && node -p "require(\'b\')"',
].join(' && ');

describe.skipIf(noBwrap !== undefined)('in the sandbox (skipped without bubblewrap)', () => {
  const users: [string, number | undefined][] = [
    ['whoever runs the tests', undefined],
    ...(canBeOrdinary ? [['an ordinary user', ORDINARY] as [string, number]] : []),
  ];
  const places = ['.', '.nvm/versions/node/v24.0.0'];
  const cases = users.flatMap(([who, uid]) => places.map((prefix) => ({ who, uid, prefix })));

  test.each(cases)(
    'started by $who with Node in ~/$prefix/bin: node, npm and npx run, and the rest of the home is hidden',
    ({ uid, prefix }) => {
      const its = aHome(prefix);
      const script = `node -p process.execPath && npm --version && npx --version && ${INSTALL}
        cd ${its.home} && find . ! -path './*/npm/*' ! -type d | sort; grep -r 'private of a person' . && echo seen`;
      const lines = sandboxed(its, script, uid).trimEnd().split('\n');
      const { version } = JSON.parse(
        readFileSync(path.join(npmFolder(), 'package.json'), 'utf8'),
      ) as { version: string };
      expect(lines.slice(0, 3)).toEqual([its.node, version, version]);
      expect(lines).toContain('installed');
      const programs = ['node', 'npm', 'npx'].map((name) => path.join(prefix, 'bin', name));
      expect(lines.slice(lines.indexOf('installed') + 1)).toEqual(
        programs.map((each) => `./${each}`),
      );
    },
  );

  test('a Node that is in no bin folder runs, and its neighbours are hidden', () => {
    const home = realpathSync(temporaryFolder(PRIVATE));
    chmodSync(home, 0o755);
    const node = path.join(home, 'node');
    copyFileSync(process.execPath, node);
    const said = sandboxed({ home, node }, `node -p process.execPath; ls -A ${home}`);
    expect(said).toBe(`${node}\nnode\n`);
  });

  const never = new AbortController().signal;
  const wanted = { script: 'true', env: {}, timeoutMs: 60_000, network: false };

  test.each([
    ['the whole file system', () => '/'],
    ['a home folder', () => process.env['HOME'] ?? '/root'],
    ['the data directory', (data: string) => data],
    ['a folder around it', (data: string) => path.dirname(data)],
    [
      'a link to a home folder',
      () => {
        const link = path.join(temporaryFolder(), 'link');
        symlinkSync(process.env['HOME'] ?? '/root', link);
        return link;
      },
    ],
  ])('%s is refused as a toolchain and as what is readable', async (_, find) => {
    const data = temporaryFolder({ 'data/store': 'x' });
    const own = [{ path: path.join(data, 'data'), is: 'the data directory' }];
    const shown = find(path.join(data, 'data'));
    const folder = temporaryFolder();
    const options = { sandbox: 'on', clock: systemClock, own } as const;
    const refused = { code: 'sandbox-path-refused', message: expect.stringContaining(shown) };
    await expect(
      createCommands({ ...options, toolchains: [shown] }).run(
        { ...wanted, folder, readable: [] },
        never,
      ),
    ).rejects.toMatchObject(refused);
    await expect(
      createCommands(options).run({ ...wanted, folder, readable: [shown] }, never),
    ).rejects.toMatchObject(refused);
  });
});

test('the running Node in a system’s folder needs nothing more', () => {
  expect(nodeToolchain('/usr/bin/env')).toEqual({ shown: [], links: [], path: [] });
});

test('of a Node’s folder its package managers, headers and library are shown, and links into them', () => {
  const prefix = realpathSync(
    temporaryFolder({
      'bin/node': '',
      'bin/tool': '',
      'elsewhere/corepack/dist/corepack.js': '',
      'include/node/node.h': '',
      'include/other.h': '',
      'lib/libnode.so.137': '',
      'lib/libother.so': '',
      'lib/node_modules/npm/bin/npm-cli.js': '',
      'lib/node_modules/typescript/bin/tsc': '',
    }),
  );
  const at = (name: string): string => path.join(prefix, name);
  symlinkSync('../../elsewhere/corepack', at('lib/node_modules/corepack'));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', at('bin/npm'));
  symlinkSync('../lib/node_modules/corepack/dist/corepack.js', at('bin/corepack'));
  symlinkSync('../lib/node_modules/typescript/bin/tsc', at('bin/tsc'));
  symlinkSync('/etc/passwd', at('bin/passwd'));
  symlinkSync('nowhere', at('bin/broken'));
  linkSync(at('bin/node'), at('bin/nodejs'));
  const { shown, links, path: programs } = nodeToolchain(at('bin/node'));
  expect(shown).toEqual(
    [
      'bin/node',
      'lib/node_modules/npm',
      'elsewhere/corepack',
      'lib/libnode.so.137',
      'include/node',
    ].map(at),
  );
  expect(links.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
    [at('bin/corepack'), at('elsewhere/corepack/dist/corepack.js')],
    [at('bin/npm'), at('lib/node_modules/npm/bin/npm-cli.js')],
    [at('lib/node_modules/corepack'), at('elsewhere/corepack')],
  ]);
  expect(programs).toEqual([at('bin')]);
});

test('a data directory below a system’s folder is refused, since each sandbox shows that', () => {
  const own = [{ path: '/usr/src/app/.quorum-data', is: 'the data directory (`QUORUM_DATA`)' }];
  expect(() => checkMachine({ paths: [], own })).toThrow(
    expect.objectContaining({
      code: 'sandbox-path-refused',
      message: expect.stringMatching(
        /\/usr.*data directory.*\/usr\/src\/app\/\.quorum-data.*folder/s,
      ),
    }),
  );
  const file = path.join(temporaryFolder(), 'key.pem');
  writeFileSync(file, '');
  expect(() => checkMachine({ paths: [file], own: [] })).not.toThrow();
});
