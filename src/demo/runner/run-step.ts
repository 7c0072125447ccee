/** Starts the bundle of a JavaScript action as the runner does: inputs by environment, outputs by files, an own folder. */
import { spawn } from 'node:child_process';
import { closeStepFiles, openStepFiles, type StepResult } from './step-files.ts';

export type { StepResult } from './step-files.ts';

/** What actions and scripts have in common. */
export interface StepOptions {
  /** Of the job: nothing of this process's environment is passed on. */
  env: Readonly<Record<string, string>>;
  /** Folder of the job; each step has its files below it. */
  dir: string;
  timeoutMs: number;
  /** Kills the step as its timeout does. */
  kill?: AbortSignal | undefined;
}

export interface ActionOptions extends StepOptions {
  /** File of the action that is run. */
  main: string;
  /** As they are in `with`. */
  inputs: Readonly<Record<string, string>>;
}

/** Exit code of a step that was ended from outside. */
export const TIMED_OUT = 124;

/** Never rejects for what the action does: a timeout is the exit code 124. */
export async function runActionStep(options: ActionOptions): Promise<StepResult> {
  const { main, inputs, env, dir, timeoutMs, kill } = options;
  const files = await openStepFiles(dir);
  const inputEnv: Record<string, string> = {};
  for (const [name, value] of Object.entries(inputs))
    inputEnv[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] = value;
  const done = await run(process.execPath, [main], {
    cwd: files.workspace,
    env: { ...env, ...inputEnv, ...files.env },
    timeoutMs,
    kill,
  });
  return closeStepFiles(files, done);
}

interface Running {
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  kill: AbortSignal | undefined;
}

async function run(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs, kill }: Running,
): Promise<{ exitCode: number; log: string }> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (log += part.toString()));
  let isLate = false;
  const end = (): void => {
    isLate = true;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(end, timeoutMs);
  kill?.addEventListener('abort', end, { once: true });
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? TIMED_OUT));
  });
  clearTimeout(timer);
  kill?.removeEventListener('abort', end);
  return { exitCode: isLate ? TIMED_OUT : exitCode, log };
}
