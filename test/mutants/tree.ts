/** The sources with their mutants, and a copy of the checkout in which they are planted. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findMutants, type Mutant } from './find-mutants.ts';
import { plant, type Planted } from './plant.ts';
import { nodesOf } from './syntax.ts';
import { collectWords } from './words.ts';

export function filesOf(checkout: string): string[] {
  const git = ['ls-files', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', git, { cwd: checkout, encoding: 'utf8' }).split('\n').slice(0, -1);
}

/** All that can be planted into files that match. */
export function allMutants(checkout: string, isWanted: (file: string) => boolean): Mutant[] {
  const files = filesOf(checkout).filter((file) => /^src\/.*\.ts$/.test(file));
  const parsed = new Map(
    files.map((file) => {
      const source = readFileSync(path.join(checkout, file), 'utf8');
      return [file, { source, nodes: nodesOf(source) }];
    }),
  );
  const words = collectWords([...parsed.values()].map(({ nodes }) => nodes));
  return [...parsed].flatMap(([file, { source, nodes }]) =>
    isWanted(file) ? findMutants(file, { source, nodes, words }) : [],
  );
}

/** Returns the copy's folder. */
export function copyWith(checkout: string, mutants: readonly Planted[]): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quorum-mutants-'));
  for (const file of filesOf(checkout))
    cpSync(path.join(checkout, file), path.join(folder, file), { force: true });
  symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'));
  for (const [file, planted] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const at = path.join(folder, file);
    writeFileSync(at, plant(readFileSync(at, 'utf8'), planted));
  }
  return folder;
}
