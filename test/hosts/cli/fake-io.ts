/** A terminal that remembers what was printed on it. */
import { stripVTControlCharacters } from 'node:util';
import { runCli } from '../../../src/hosts/cli/program.ts';
import type { Io } from '../../../src/hosts/cli/terminal/io.ts';

export interface Said {
  code: number;
  out: string;
  err: string;
  /** The last line of standard output, parsed. */
  json: () => Record<string, unknown>;
}

/** Runs one command line in this process. */
export async function quorum(args: readonly string[], given: Partial<Io> = {}): Promise<Said> {
  const chunks = { out: '', err: '' };
  const io: Io = {
    env: {},
    cwd: process.cwd(),
    out: (text) => void (chunks.out += text),
    err: (text) => void (chunks.err += text),
    isTty: false,
    columns: 100,
    readStdin: () => Promise.resolve(''),
    stopped: () => new Promise(() => undefined),
    ...given,
  };
  const code = await runCli(args, io, '0.0.0-test');
  return {
    code,
    out: stripVTControlCharacters(chunks.out),
    err: stripVTControlCharacters(chunks.err),
    json: () => JSON.parse(chunks.out.trim().split('\n').at(-1) ?? '') as Record<string, unknown>,
  };
}
