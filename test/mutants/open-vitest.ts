/** Vitest on a copy that holds mutants. */
import path from 'node:path';
import { createVitest, type InlineConfig, type Vitest } from 'vitest/node';
import { OTHER_TESTS } from './pure-tests.ts';

export async function openVitest(root: string, over: InlineConfig = {}): Promise<Vitest> {
  const vitest = await createVitest('test', {
    config: false,
    root,
    watch: false,
    include: ['test/**/*.test.ts'],
    exclude: [...OTHER_TESTS],
    setupFiles: [path.join(root, 'test/mutants/setup.ts')],
    pool: 'threads',
    testTimeout: 480_000,
    reporters: [{}],
    ...over,
  });
  await vitest.standalone();
  return vitest;
}
