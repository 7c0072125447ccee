/** git with its output as it comes: argument lists only, and nothing that a repository's configuration could run. */
import { spawn } from 'node:child_process';
import { RefusedError } from '../../domain/event/errors.ts';

/** Settings that run programs or change the form of a diff. */
const PLAIN = [
  'core.fsmonitor=false',
  'core.quotePath=false',
  'diff.suppressBlankEmpty=false',
  'diff.interHunkContext=0',
].flatMap((setting) => ['-c', setting]);

export interface GitStream {
  dir: string;
  args: readonly string[];
  /** In place of the repository's own index, which then stays untouched. */
  indexFile?: string | undefined;
  onOutput: (piece: Uint8Array) => void;
}

/** @throws RefusedError `git-failed` with git's own words */
export async function streamGit({ dir, args, indexFile, onOutput }: GitStream): Promise<void> {
  const child = spawn('git', [...PLAIN, ...args], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // Only where programs and the user's git settings are: none of Quorum's keys reaches a hook or a filter.
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    },
  });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    if (said.length < 2000) said += piece.toString();
  });
  child.stdout.on('data', onOutput);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  throw new RefusedError({
    code: 'git-failed',
    message: `git ${args[0] ?? ''} ended with ${code ?? 'a signal'} in ${dir}.`,
    details: said.trim().slice(0, 500),
  });
}
