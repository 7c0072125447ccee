/** Hands mutants out to processes; one that takes too long ends its process, and counts as noticed. */
import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Task, Verdict } from './lane.ts';

export interface TimedTask extends Task {
  limitMs: number;
}

export interface LanesOptions {
  folder: string;
  lanes: number;
  onVerdict: (verdict: Verdict) => void;
}

export async function tryAll(
  tasks: readonly TimedTask[],
  { folder, lanes, onVerdict }: LanesOptions,
): Promise<void> {
  const waiting = [...tasks];
  const asleep = allAsleep(tasks);
  const work = async (lane: number): Promise<void> => {
    let child = await start(folder, lane);
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const verdict = await tryOne(child, task);
      if (verdict === undefined) child = await start(folder, lane);
      onVerdict(verdict ?? { id: task.id, by: 'the time limit' });
    }
    const { by } = (await tryOne(child, asleep)) ?? { by: 'the time limit' };
    child.kill('SIGKILL');
    if (by !== undefined) throw new Error(`${by} fails while every mutant sleeps`);
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
}

/** A check of the checks: after the last mutant, the same tests have to pass without one. */
function allAsleep(tasks: readonly TimedTask[]): TimedTask {
  const files = [...new Set(tasks.flatMap((task) => task.files))];
  return { id: 0, files, limitMs: Math.max(...tasks.map(({ limitMs }) => limitMs)) * files.length };
}

async function start(folder: string, lane: number): Promise<ChildProcess> {
  const child = fork(path.join(folder, 'test/mutants/lane.ts'), {
    cwd: folder,
    env: { ...process.env, MUTANT_FILE: path.join(folder, `mutant-${lane}`) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await answer(child);
  return child;
}

async function tryOne(child: ChildProcess, { limitMs, ...task }: TimedTask) {
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  child.send(task);
  const verdict = await answer(child);
  clearTimeout(timer);
  return verdict;
}

/** Undefined where the process ended without one. */
function answer(child: ChildProcess): Promise<Verdict | undefined> {
  return new Promise((resolve) => {
    const ended = (): void => resolve(undefined);
    child.once('exit', ended);
    child.once('message', (verdict: Verdict) => {
      child.off('exit', ended);
      resolve(verdict);
    });
  });
}
