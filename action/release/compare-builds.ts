/** Builds all bundles again, beside those in `action`, and fails for every file that is not the same. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { buildActions } from '../build.ts';
import { bundleFiles, differingFiles } from './bundle-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** In the root, where `.gitignore` has it. */
const AGAIN = '.action-build-again';

try {
  await buildActions({ to: AGAIN });
  const [built, again] = [path.join(ROOT, 'action'), path.join(ROOT, AGAIN)];
  const count = bundleFiles(built).length;
  const differing = differingFiles(built, again);
  const lines = differing.map((file) => `not the same: ${file}\n`).join('');
  process.stdout.write(`${lines}${count} files compared, ${differing.length} differ\n`);
  if (count === 0 || differing.length > 0) process.exitCode = 1;
} finally {
  rmSync(path.join(ROOT, AGAIN), { recursive: true, force: true });
}
