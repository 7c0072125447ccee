/** The folders and files that a runner gives to a step of a job, and what the step wrote into them. */
import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseFileCommands, parsePathCommands } from './command-files.ts';

export interface StepResult {
  exitCode: number;
  outputs: Record<string, string>;
  summary: string;
  /** Standard output and error, with the workflow commands in it. */
  log: string;
  /** For the environment of the steps that follow. */
  env: Record<string, string>;
  /** Folders with programs for the steps that follow, the newest first. */
  paths: string[];
}

export interface StepFiles {
  workspace: string;
  /** Of the job. The step's own files are below it. */
  temp: string;
  home: string;
  /** Folder of the files of this step. */
  own: string;
  /** That tell the step where all this is. */
  env: Record<string, string>;
}

const COMMANDS = ['OUTPUT', 'ENV', 'STATE', 'PATH', 'STEP_SUMMARY'];

/** @param dir - folder of the job */
export async function openStepFiles(dir: string): Promise<StepFiles> {
  const [workspace, temp, home] = ['workspace', 'temp', 'home'].map((name) => path.join(dir, name));
  if (workspace === undefined || temp === undefined || home === undefined) throw new Error(dir);
  for (const folder of [workspace, temp, home]) await mkdir(folder, { recursive: true });
  const own = await mkdtemp(path.join(temp, 'step-'));
  const files = COMMANDS.map((name) => [`GITHUB_${name}`, path.join(own, name)] as const);
  await Promise.all(files.map(([, file]) => writeFile(file, '')));
  return {
    workspace,
    temp,
    home,
    own,
    env: {
      ...Object.fromEntries(files),
      RUNNER_TEMP: temp,
      GITHUB_WORKSPACE: workspace,
      HOME: home,
    },
  };
}

/** A step that wrote what no runner can read has failed. */
export async function closeStepFiles(
  { env: files }: StepFiles,
  { exitCode, log }: Pick<StepResult, 'exitCode' | 'log'>,
): Promise<StepResult> {
  const read = (name: string): Promise<string> => readCommandFile(files[`GITHUB_${name}`] ?? '');
  const done = { exitCode, log, outputs: {}, summary: '', env: {}, paths: [] };
  try {
    return {
      ...done,
      summary: await read('STEP_SUMMARY'),
      outputs: parseFileCommands(await read('OUTPUT')),
      env: refuseNodeOptions(parseFileCommands(await read('ENV'))),
      paths: parsePathCommands(await read('PATH')),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...done, exitCode: exitCode === 0 ? 1 : exitCode, log: `${log}::error::${why}\n` };
  }
}

/** A script may have put a link or a pipe there: it would make the runner read what the script cannot, or wait for ever. */
async function readCommandFile(file: string): Promise<string> {
  const handle = await open(
    file,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch(() => undefined);
  if (handle === undefined) throw new Error(`${path.basename(file)} is not a file any more`);
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${path.basename(file)} is not a file`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** GitHub's runner refuses it too: it would change what the next action runs. */
function refuseNodeOptions(env: Record<string, string>): Record<string, string> {
  if ('NODE_OPTIONS' in env) throw new Error('NODE_OPTIONS cannot be set in GITHUB_ENV');
  return env;
}
