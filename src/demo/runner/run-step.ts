/** Starts the bundle of a JavaScript action as the runner does: inputs by environment, outputs by files, an own folder. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseFileCommands } from './command-files.ts';

export interface StepResult {
  exitCode: number;
  outputs: Record<string, string>;
  summary: string;
  /** Standard output and error, with the workflow commands in it. */
  log: string;
}

export interface StepOptions {
  /** File of the action that is run. */
  main: string;
  /** As they are in `with`. */
  inputs: Readonly<Record<string, string>>;
  /** Of the job: nothing of this process's environment is passed on. */
  env: Readonly<Record<string, string>>;
  /** Folder of the job; each step has its files below it. */
  dir: string;
  timeoutMs: number;
  /** Kills the step as its timeout does. */
  kill?: AbortSignal | undefined;
}

/** Never rejects for what the action does: a timeout is the exit code 124. */
export async function runActionStep(options: StepOptions): Promise<StepResult> {
  const { main, inputs, env, dir, timeoutMs, kill } = options;
  const files = await prepareFiles(dir);
  const inputEnv: Record<string, string> = {};
  for (const [name, value] of Object.entries(inputs))
    inputEnv[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] = value;
  const { exitCode, log } = await run(process.execPath, [main], {
    cwd: path.join(dir, 'workspace'),
    env: { ...env, ...inputEnv, ...files },
    timeoutMs,
    kill,
  });
  const outputs = parseFileCommands(await readFile(files.GITHUB_OUTPUT, 'utf8'));
  const summary = await readFile(files.GITHUB_STEP_SUMMARY, 'utf8');
  return { exitCode, outputs, summary, log };
}

async function prepareFiles(dir: string) {
  await mkdir(path.join(dir, 'workspace'), { recursive: true });
  const temp = path.join(dir, 'temp');
  await mkdir(temp, { recursive: true });
  const own = await mkdtemp(path.join(temp, 'step-'));
  const files = {
    GITHUB_OUTPUT: path.join(own, 'output'),
    GITHUB_ENV: path.join(own, 'env'),
    GITHUB_STATE: path.join(own, 'state'),
    GITHUB_PATH: path.join(own, 'path'),
    GITHUB_STEP_SUMMARY: path.join(own, 'summary'),
  };
  await Promise.all(Object.values(files).map((file) => writeFile(file, '')));
  return {
    ...files,
    RUNNER_TEMP: temp,
    GITHUB_WORKSPACE: path.join(dir, 'workspace'),
    HOME: dir,
  };
}

interface Running {
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  kill: AbortSignal | undefined;
}

const TIMED_OUT = 124;

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
