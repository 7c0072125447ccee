/** A folder of a test's own, gone with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Call it in a test or in `beforeEach`. `name` begins the folder's name. */
export function aFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `quorum-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
