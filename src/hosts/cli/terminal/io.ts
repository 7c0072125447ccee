/** What a command sees of the terminal and the process around it, so that tests can be that terminal. */
import type { Env } from '../../environment/env-file.ts';
import type { Prompts } from './prompts.ts';

export interface Io {
  /** The real environment, with what `.env` adds below it. */
  env: Env;
  /** Where relative paths start. */
  cwd: string;
  /** Standard output: what was asked for. */
  out: (text: string) => void;
  /** Standard error: progress and complaints. */
  err: (text: string) => void;
  /** Whether a person sees standard output as it comes. */
  isTty: boolean;
  /** Width of the terminal in characters. */
  columns: number;
  readStdin: () => Promise<string>;
  /** The same in pieces, for what may be larger than memory. */
  streamStdin?: () => AsyncIterable<Uint8Array | string>;
  /** Resolves with the name of the first signal that asks to stop; a second one ends the process at once. */
  stopped: () => Promise<string>;
  /** Asks the person at the terminal; absent where nobody can answer. */
  prompts?: () => Promise<Prompts>;
}

/** Documented in `quorum --help`. */
export const EXIT = {
  ok: 0,
  /** Something was found, or did not work. */
  failure: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Prints one line of JSON, for machines. */
export function outJson(io: Pick<Io, 'out'>, value: unknown): void {
  io.out(`${JSON.stringify(value)}\n`);
}
