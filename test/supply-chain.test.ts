/** What the product is built from names its exact content: actions, packages, and whose scripts run at an install. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { pinActions } from '../action/pin-workflows.ts';
import { verifies } from './verifies.ts';

const ROOT = path.join(import.meta.dirname, '..');
const WORKFLOWS = path.join(ROOT, '.github/workflows');

interface Locked {
  version?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const INSTALLED = Object.entries(packages).filter(([name]) => name !== '');

/** The actions of a workflow that no commit is named for. */
function loose(workflow: string): string[] {
  const used = Array.from(
    workflow.matchAll(/^\s*(?:-\s*)?uses:\s*(\S+)/gm),
    ([, name = '']) => name,
  );
  return used.filter((name) => !/^[\w./-]+@[0-9a-f]{40}$/.test(name));
}

verifies(
  'CFG-09: actions by commit',
  'every action of every workflow is named by its commit',
  () => {
    const files = readdirSync(WORKFLOWS);
    const texts = files.map((file) => readFileSync(path.join(WORKFLOWS, file), 'utf8'));
    expect(texts.join('\n')).toMatch(/uses: actions\/checkout@[0-9a-f]{40}/);
    // Our own, whose commit a release names: no account can have the name that stands for it here.
    const pinned = texts.map((text) => pinActions(text, 'acme/quorum', 'a'.repeat(40)));
    expect(pinned.flatMap(loose)).toEqual([]);
    expect(pinned.join('\n')).toContain(`uses: acme/quorum/action/review@${'a'.repeat(40)}`);
    expect(() => pinActions('', 'acme/quorum', 'main')).toThrow('40 hexadecimal digits');
    expect(loose('    - uses: a/b@v4\n    - uses: a/c@main\n')).toEqual(['a/b@v4', 'a/c@main']);
  },
);

verifies(
  'CFG-09: packages by digest',
  'every package of the lockfile has one version and a SHA-512 of its content',
  () => {
    expect(INSTALLED.length).toBeGreaterThan(100);
    const bare = INSTALLED.filter(
      ([, { link, version, integrity }]) =>
        link !== true && !(version !== undefined && integrity?.startsWith('sha512-') === true),
    );
    expect(bare.map(([name]) => name)).toEqual([]);
  },
);

verifies(
  'CFG-09: scripts of an install',
  'no package runs a script when it is installed but the one that brings Node',
  () => {
    const scripted = INSTALLED.filter(([, each]) => each.hasInstallScript === true);
    expect(scripted.map(([name]) => name)).toEqual(['node_modules/node']);
  },
);

verifies(
  'CFG-09: installs by the lockfile',
  'images and CI install what the lockfile says, and what is not in it by its exact version',
  () => {
    for (const file of ['Dockerfile', '.ci/run']) {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      expect([file, /\bnpm ci\b/.test(text)]).toEqual([file, true]);
      const others = text
        .split('\n')
        .filter((line) => /\bnpm (?:install|i|add|update)\b/.test(line));
      for (const line of others) expect(line).toMatch(/ @?[\w./-]+@\d+\.\d+\.\d+(?:$| >)/);
    }
  },
);
