/** Whether another user of this machine may read a file of this checkout: `mktemp -d` makes folders for their owner alone. */
import { statSync } from 'node:fs';
import path from 'node:path';

/** Of all folders above it; a test that starts our code as another user skips where that user cannot reach it. */
export function isOpenToOthers(file: string): boolean {
  const parent = path.dirname(file);
  return (statSync(parent).mode & 0o001) !== 0 && (parent === '/' || isOpenToOthers(parent));
}
