/** Runs the script of a `run:` step in a sandbox: with the files of its job, its environment, and without the network. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { renderLimit } from '../../domain/sandbox/run-limits.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import { TIMED_OUT, type StepOptions } from './run-step.ts';
import { closeStepFiles, openStepFiles, type StepResult } from './step-files.ts';

export interface ScriptOptions extends StepOptions {
  sandbox: Sandbox;
  script: string;
  /** As in the step; `bash -e` where it says nothing. */
  shell?: string | undefined;
  /** Below the workspace. */
  folder?: string | undefined;
  /** Files that it may read besides the job's own. */
  readable: readonly string[];
  /** Folders that come first when programs are looked for. */
  paths: readonly string[];
}

/** As GitHub's runner starts them on Linux. */
const SHELLS: Readonly<Record<string, readonly string[]>> = {
  '': ['bash', '-e'],
  bash: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'],
  sh: ['sh', '-e'],
};

/** The sandbox's own PATH is known inside only. */
const BEGIN = 'cd "$1" && PATH="$2$PATH" && export PATH && shift 2 && exec "$@"';

/**
 * Never rejects for what the script does: a timeout is the exit code 124.
 *
 * @throws Error for a shell that is not known; RefusedError `no-sandbox`
 */
export async function runScriptStep(options: ScriptOptions): Promise<StepResult> {
  const { sandbox, script, shell = '', folder = '.', readable, paths, dir, timeoutMs } = options;
  const [program, ...flags] = SHELLS[shell] ?? [];
  if (program === undefined) throw new Error(`The shell ${shell} is not one that runs here`);
  const files = await openStepFiles(dir);
  const file = path.join(files.own, 'script.sh');
  await writeFile(file, script);
  const first = paths.map((each) => `${each}:`).join('');
  const at = path.resolve(files.workspace, folder);
  let log = '';
  const { exitCode, end, limitBytes } = await sandbox.run(
    {
      folder: files.workspace,
      // The first two are the job's, and belong to the sandbox since its first script.
      writable: [files.temp, files.home, files.own],
      readable,
      argv: ['/bin/sh', '-c', BEGIN, 'sh', at, first, program, ...flags, file],
      env: { ...options.env, ...files.env },
      timeoutMs,
      network: false,
      onOutput: (piece) => (log += piece.toString()),
    },
    options.kill ?? new AbortController().signal,
  );
  const limit = renderLimit(end, limitBytes);
  if (limit !== undefined) log += `\n::error::The step was stopped. ${limit}\n`;
  return closeStepFiles(files, { exitCode: exitCode ?? TIMED_OUT, log });
}
