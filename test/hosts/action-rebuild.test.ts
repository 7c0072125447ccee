/** All bundles of a release, built twice. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildActions } from '../../action/build.ts';
import { readArtifact } from '../../action/release/artifact.ts';
import { bundleFiles, bytesAtStart, differingFiles } from '../../action/release/bundle-files.ts';
import { ACTIONS } from '../../src/hosts/action/job/action-specs.ts';

const MOST_BYTES = 1_000_000;
/** In the root, as `action` is: source maps name their sources from where they are. */
const ONE = `.action-build-${process.pid}-one`;
const OTHER = `.action-build-${process.pid}-other`;

beforeAll(async () => {
  for (const to of [ONE, OTHER]) await buildActions({ to });
}, 600_000);

afterAll(() => {
  for (const to of [ONE, OTHER]) rmSync(to, { recursive: true, force: true });
});

test('two builds of all actions in two folders have the same files with the same bytes, source maps included', () => {
  const files = bundleFiles(ONE);
  const names = Object.keys(ACTIONS).toSorted();
  expect([...new Set(files.map((file) => file.split(path.sep)[0]))]).toEqual(names);
  expect(files.filter((file) => file.endsWith('.map')).length).toBeGreaterThan(names.length);
  expect(differingFiles(ONE, OTHER)).toEqual([]);
});

test('a release takes every file of a build as an artifact', () => {
  expect(readArtifact(ONE, '.').map(({ file }) => file)).toEqual(bundleFiles(ONE));
});

test.each(Object.keys(ACTIONS))('action/%s reads at most 1 MB before its first request', (name) => {
  expect(bytesAtStart(path.join(ONE, name, 'dist'))).toBeLessThanOrEqual(MOST_BYTES);
});

test('a file that is missing, one that is more, and one changed byte are named', () => {
  const [one, other] = [path.join(ONE, 'x-one'), path.join(ONE, 'x-other')];
  const write = (root: string, name: string, text: string): void => {
    mkdirSync(path.join(root, 'a/dist'), { recursive: true });
    writeFileSync(path.join(root, 'a/dist', name), text);
  };
  for (const [name, text] of Object.entries({ same: 's', less: 'l', other: 'o' }))
    write(one, name, text);
  for (const [name, text] of Object.entries({ same: 's', more: 'm', other: 'O' }))
    write(other, name, text);
  expect(differingFiles(one, other)).toEqual(['a/dist/less', 'a/dist/more', 'a/dist/other']);
});
