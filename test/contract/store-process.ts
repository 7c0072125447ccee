/** Starts and kills store-child.ts, and collects what it said. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChildOrder } from './store-child.ts';
import { waitUntil } from '../helpers/wait-until.ts';

export interface Child {
  /** Ids with this fact. */
  ids: (fact: string) => string[];
  /** Resolves when the process is gone. */
  ended: () => Promise<void>;
  /** `kill -9`; resolves when the process is gone. */
  kill: () => Promise<void>;
}

/** Resolves when the child has opened its store. */
export async function startChild(order: ChildOrder): Promise<Child> {
  const file = fileURLToPath(new URL('store-child.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--experimental-strip-types', '--no-warnings', file, JSON.stringify(order)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const facts: string[] = [];
  let rest = '';
  let hasEnded = false;
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    facts.push(...lines);
  });
  child.on('close', () => {
    hasEnded = true;
  });
  await waitUntil(() => hasEnded || facts.includes('open'));
  return {
    ids: (name) =>
      facts
        .filter((fact) => fact.startsWith(`${name} `))
        .map((fact) => fact.slice(name.length + 1)),
    ended: () => waitUntil(() => hasEnded),
    kill: async () => {
      child.kill('SIGKILL');
      await waitUntil(() => hasEnded);
    },
  };
}
