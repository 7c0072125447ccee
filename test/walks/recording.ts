/** Where recordings go: one file for each process and kind, a line for each step. */
import { appendFileSync, mkdirSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const CHECKOUT = path.resolve(import.meta.dirname, '../..');

const MODULES = path.dirname(realpathSync(path.join(CHECKOUT, 'node_modules')));

/** Nothing of the machine that recorded it is kept. */
function clean(line: string): string {
  return line
    .replaceAll(CHECKOUT, '/checkout')
    .replaceAll(MODULES, '/checkout')
    .replaceAll(os.homedir(), '/home/quorum');
}

export function writeLine(kind: 'walks' | 'tapes', line: object): void {
  const folder = process.env['WALKS_OUT'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const from = globalThis.recordedTest ?? '';
  const text = clean(JSON.stringify({ from, ...line }));
  appendFileSync(path.join(folder, `${process.pid}.${kind}.jsonl`), `${text}\n`);
}

declare global {
  var recordedTest: string | undefined;
}
