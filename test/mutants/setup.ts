/** In each worker of a mutated copy: wakes the mutant that is named in a file, and writes down which ones the tests reach. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect } from 'vitest';

const awake = process.env['MUTANT_FILE'] ?? '';
const reached = process.env['REACHED_FILE'];
const active = existsSync(awake) ? Number(readFileSync(awake, 'utf8')) : 0;
const seen = new Set<number>();

declare global {
  var isMutantAwake: ((id: number) => boolean) | undefined;
}

globalThis.isMutantAwake = (id) => {
  if (reached !== undefined) seen.add(id);
  return id === active;
};

afterAll(() => {
  if (reached === undefined) return;
  const file = path.relative(process.cwd(), expect.getState().testPath ?? '');
  appendFileSync(reached, `${JSON.stringify({ file, ids: [...seen] })}\n`);
});
