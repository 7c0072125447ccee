/**
 * How long a recording is, by the audio itself. The file is a stranger's, and its reader never yields to timers: a
 * hostile one can keep it busy for minutes and fill the heap. A thread that fills its heap can end the whole App, so
 * each file has a process with a deadline.
 */
import { fork, type ChildProcess } from 'node:child_process';
import pLimit from 'p-limit';

/** Processes run the sources where this file is a source, and the build where it is built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './measure-process.ts' : './measure-process.js',
  import.meta.url,
);
/** The 25 MB of an hour in mp3 take about one second, and the start of a process half of one on a busy machine. */
const DEADLINE_MS = 10_000;
const MAX_HEAP_MB = 256;

/** One process at a time: each may fill its heap. */
const turns = pLimit(1);

export interface MeasureOptions {
  /** From the start of the process. */
  deadlineMs?: number;
  entry?: URL;
}

/** In seconds. Undefined where the file does not say it, cannot be read, or takes too long. Never throws. */
export function measureAudio(
  audio: Uint8Array,
  options: MeasureOptions = {},
): Promise<number | undefined> {
  return turns(() => measureInProcess(audio, options));
}

async function measureInProcess(
  audio: Uint8Array,
  { deadlineMs = DEADLINE_MS, entry = ENTRY }: MeasureOptions,
): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const giveUp = (): void => resolve(undefined);
  const timer = setTimeout(giveUp, deadlineMs);
  let child: ChildProcess | undefined;
  try {
    child = fork(entry, {
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      // It reads strangers' bytes, so it gets no keys of the App.
      env: {},
      serialization: 'advanced',
      // The reader's own warnings are about a stranger's file.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('message', (seconds) => resolve(typeof seconds === 'number' ? seconds : undefined));
    child.on('error', giveUp).once('exit', giveUp);
    child.send(audio, (error) => {
      if (error) giveUp();
    });
    return await promise;
  } catch {
    // No process could be started.
    return undefined;
  } finally {
    clearTimeout(timer);
    child?.kill('SIGKILL');
  }
}
