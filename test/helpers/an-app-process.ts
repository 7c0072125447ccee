/** Quorum's command line as processes, on an embedded GitHub whose own App is stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { World } from '../../src/demo/open-world.ts';
import { waitUntil } from './wait-until.ts';

export const CLI = path.join(import.meta.dirname, '../../src/hosts/cli.ts');

export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

/** Where an App that listens on this port takes webhooks. */
export function webhookAt(port: string): string {
  return `http://127.0.0.1:${port}/api/github/webhooks`;
}

export interface Running {
  child: ChildProcess;
  /** What it wrote to standard output so far. */
  said(): string;
  /** Resolves with the exit code, or the signal's name. */
  ended: Promise<number | string>;
}

/** Starts a script with this Node; resolves when its output matches. It is killed at the end of the test. */
export async function startScript(
  args: readonly string[],
  { cwd, env, until }: { cwd: string; env: NodeJS.ProcessEnv; until: RegExp },
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
  const said = (): string => lines.join('');
  const ended = once(child, 'exit').then(
    ([code, signal]) => (code as number | null) ?? (signal as string),
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await waitUntil(() => until.test(said()));
  return { child, said, ended };
}

/** An App with what the world's own was started with. */
export function startAppProcess(
  { dir, appEnv }: Pick<World, 'dir' | 'appEnv'>,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Running> {
  return startScript(args, {
    cwd: dir,
    env: { ...appEnv, LOG_FORMAT: 'json', ...env },
    until: /listening/,
  });
}

/** Stops the world's own App and has its webhooks go to a free port, where a process is to listen. */
export async function leaveToProcess(
  world: Pick<World, 'stopApp' | 'emulator' | 'appId'>,
): Promise<string> {
  await world.stopApp();
  const port = await freePort();
  world.emulator.app(world.appId).webhookUrl = webhookAt(port);
  return port;
}
