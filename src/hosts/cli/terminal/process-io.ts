/** The real terminal and process as commands see them. */
import { text } from 'node:stream/consumers';
import { toTerminal } from './terminal-text.ts';
import type { Io } from './io.ts';
import type { Prompts } from './prompts.ts';

/** Where nothing says how wide the terminal is. */
const COLUMNS = 100;
/** Narrower than this, every word would be on a line of its own. */
const FEWEST_COLUMNS = 20;
/** A terminal signals the whole group and npm passes the same on to us: within this time it is one signal. */
const SAME_SIGNAL_MS = 500;

/** Binds to this process. */
export function createProcessIo(): Io {
  const stdout = process.stdout;
  // `quorum … | head` closes the pipe early, which is not a failure of Quorum.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  let stopping: Promise<string> | undefined;
  return {
    env: process.env,
    cwd: process.cwd(),
    // A file or another program gets every byte; a terminal would obey some of them.
    out: (chunk) => void stdout.write(stdout.isTTY ? toTerminal(chunk, 'text') : chunk),
    err: (chunk) =>
      void process.stderr.write(process.stderr.isTTY ? toTerminal(chunk, 'progress') : chunk),
    isTty: stdout.isTTY,
    columns: columnsOf(stdout),
    readStdin: () => text(process.stdin),
    streamStdin: () => process.stdin as AsyncIterable<Uint8Array | string>,
    stopped: () => (stopping ??= listenForStop()),
    // A terminal that does not know its width would get questions with one character a line.
    ...(process.stdin.isTTY && stdout.isTTY && stdout.columns > 0 && { prompts: askHere }),
  };
}

async function askHere(): Promise<Prompts> {
  const { createPrompts } = await import('./prompts.ts');
  return createPrompts({ input: process.stdin, output: process.stdout });
}

/** The width to write for. Serial consoles and some CI terminals say 0, which means that they do not know. */
export function columnsOf({ isTTY, columns }: { isTTY: boolean; columns: number }): number {
  return isTTY && columns > 0 ? Math.max(columns, FEWEST_COLUMNS) : COLUMNS;
}

function listenForStop(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        resolve(signal);
      } else if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

/** Ends the process when everything that was printed has left it. */
export function endProcess(code: number): void {
  process.exitCode = code;
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}
