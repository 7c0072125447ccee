/** Runs every pure test of the copy once while all mutants sleep, and says how long each file takes. */
import path from 'node:path';
import { openVitest } from './open-vitest.ts';

export interface Times {
  /** By the test file, in milliseconds. */
  ms: Record<string, number>;
  failed: string[];
}

const root = process.cwd();
const vitest = await openVitest(root, { maxWorkers: 2 });
const listed = (name: string): string[] => (process.env[name] ?? '').split(' ');
const leftOut = new Set(listed('MUTANT_TESTS_LEFT_OUT'));
const found = await vitest.globTestSpecifications(listed('MUTANT_TESTS'));
const { testModules } = await vitest.runTestSpecifications(
  found.filter(({ moduleId }) => !leftOut.has(path.relative(root, moduleId))),
);
const times: Times = { ms: {}, failed: [] };
for (const module of testModules) {
  const file = path.relative(root, module.moduleId);
  times.ms[file] = module.diagnostic().duration;
  if (!module.ok()) times.failed.push(file);
}
process.send?.(times);
await vitest.close();
