/** The recorded walks and tapes as files: JSON, compressed with a window that sees the whole file. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { PersonaFile } from '../../src/domain/persona/persona-file.ts';
import type { Tape } from './tape.ts';
import type { Walk } from './walk.ts';

const FOLDER = path.resolve(import.meta.dirname, '../fixtures/walks');
const LARGE_WINDOW = 24;

export interface Tapes {
  /** Those of the package when the tapes were recorded. */
  personas: PersonaFile[];
  tapes: Tape[];
}

export const readWalks = (): Walk[] => read('walks') as Walk[];
export const readTapes = (): Tapes => read('tapes') as Tapes;
export const writeWalks = (walks: Walk[]): number => write('walks', walks);
export const writeTapes = (tapes: Tapes): number => write('tapes', tapes);

function fileOf(name: string): string {
  return path.join(FOLDER, `${name}.json.br`);
}

function read(name: string): unknown {
  return JSON.parse(brotliDecompressSync(readFileSync(fileOf(name))).toString());
}

/** Returns how many bytes it takes. */
function write(name: string, value: unknown): number {
  const text = Buffer.from(JSON.stringify(value));
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: LARGE_WINDOW,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  const packed = brotliCompressSync(text, { params });
  writeFileSync(fileOf(name), packed);
  return packed.length;
}
