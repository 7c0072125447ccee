/** Starts the App as a process, kills it, and asks it what is left to be done. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface Look {
  /** Events and effects that are not done, without timers. */
  pending: number;
  deadEvents: number;
  /** Effects that were given up, each with its reason. */
  failed: string[];
}

export interface AppProcess {
  /** Resolves when it takes work. */
  ready: Promise<unknown>;
  look(): Promise<Look>;
  kill(): Promise<void>;
}

export function startProcess(env: Record<string, string | undefined>): AppProcess {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'app-child.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env,
  });
  const ended = once(child, 'exit');
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    ready: Promise.race([once(child, 'message'), ended]),
    look: async () => {
      child.send('look');
      const [answer] = (await once(child, 'message')) as [Look];
      return answer;
    },
    kill: async () => {
      if (!isOver()) child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Waits until nothing is left for as long as `quietMs`; false when that takes longer than `limitMs`. */
export async function settle(
  app: AppProcess,
  { quietMs, limitMs }: { quietMs: number; limitMs: number },
): Promise<boolean> {
  const until = Date.now() + limitMs;
  let quietSince = Date.now();
  while (Date.now() < until) {
    const { pending } = await app.look();
    if (pending > 0) quietSince = Date.now();
    if (Date.now() - quietSince >= quietMs) return true;
    await wait(250);
  }
  return false;
}
