/** What the bundles of the actions are: the same bytes from the same sources, and programs for a sandbox in one file each. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildActions } from '../../action/build.ts';
import { BUILD_DIR, buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';

const NAMES = ['task', 'code', 'merge'];

beforeAll(() => buildForTests(NAMES));
afterAll(dropBuild);

test.each(NAMES)(
  'the programs of action/%s that a sandbox runs import no file beside them',
  (name) => {
    const dir = path.resolve(BUILD_DIR, name, 'dist');
    const children = readdirSync(dir).filter((file) => file.startsWith('bridge'));
    expect(children).toContain('bridge-out.js');
    const importing = children.filter((file) =>
      readFileSync(path.join(dir, file), 'utf8').includes('"./'),
    );
    expect(importing).toEqual([]);
  },
);

test('a second build of action/task has the same files with the same bytes, wherever it is written', async () => {
  const again = `${BUILD_DIR}-again`;
  const filesOf = (root: string) => {
    const dir = path.resolve(root, 'task', 'dist');
    return new Map(
      readdirSync(dir)
        .toSorted()
        .map((file) => [file, readFileSync(path.join(dir, file), 'base64')]),
    );
  };
  try {
    await buildActions({ names: ['task'], to: again, sourcemap: false });
    const [first, second] = [filesOf(BUILD_DIR), filesOf(again)];
    expect([...second.keys()]).toEqual([...first.keys()]);
    expect([...second].filter(([file, bytes]) => first.get(file) !== bytes)).toEqual([]);
  } finally {
    rmSync(path.resolve(again), { recursive: true, force: true });
  }
});

test('a release has a source map for each file of action/approval-gate, and the licences of the packages in it', async () => {
  const to = `${BUILD_DIR}-release`;
  try {
    await buildActions({ names: ['approval-gate'], to });
    const dir = path.resolve(to, 'approval-gate', 'dist');
    const files = readdirSync(dir);
    const programs = files.filter((file) => file.endsWith('.js'));
    expect(programs).toContain('index.js');
    expect(programs.filter((file) => !files.includes(`${file}.map`))).toEqual([]);
    const map = JSON.parse(readFileSync(path.join(dir, 'index.js.map'), 'utf8')) as {
      sources: string[];
    };
    expect(map.sources.filter((file) => file.endsWith('/entries/approval-gate.ts'))).toHaveLength(
      1,
    );
    const licences = readFileSync(path.join(dir, 'LICENSES.txt'), 'utf8');
    expect(licences).toMatch(/^@actions\/core \d\S* \(MIT\)\n\n/m);
    expect(licences).toContain('Permission is hereby granted, free of charge');
  } finally {
    rmSync(path.resolve(to), { recursive: true, force: true });
  }
});
