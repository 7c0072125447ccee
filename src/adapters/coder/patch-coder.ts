/** A coder without a model: applies the change that the task itself carries. */
import { spawn } from 'node:child_process';
import { parseDiff } from '../../domain/diff/parse-diff.ts';
import type { Diff } from '../../domain/diff/diff.ts';
import type { CoderReport, CoderTask } from '../../domain/task/coder-task.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { Coder } from '../../ports/coder.ts';

export interface PatchCoderOptions {
  clock: Clock;
  random: Random;
}

/** More is no change that a person has read in an issue. */
const MAX_CHARS = 1_000_000;
const MAX_REASON_CHARS = 1_000;

/** Applies `task.diff` whole or not at all; `failed` says why not. Nothing of the folder's own git settings is read. */
export function createPatchCoder({ clock, random }: PatchCoderOptions): Coder {
  return {
    name: 'patch',
    isPaid: false,
    runsCommands: false,
    run: async (task, place, signal) => {
      const started = clock.now();
      const end = await applyTask(task, place.folder, signal);
      const report: CoderReport = {
        sessionId: random.id(),
        turns: 0,
        durationMs: clock.now() - started,
        calls: [],
        transcript: '',
        notes: [],
      };
      return { ...report, ...end };
    },
  };
}

type End =
  | { outcome: 'done'; summary: string; decisions: string[] }
  | { outcome: 'failed' | 'cancelled'; reason: string };

async function applyTask(
  { diff: text }: CoderTask,
  folder: string,
  signal: AbortSignal,
): Promise<End> {
  if (text === undefined || text.trim() === '')
    return failed('The task carries no change: give it a fenced block `diff`.');
  const diff = parseDiff(text);
  const refusal = refusalOf(text, diff);
  if (refusal !== undefined) return failed(refusal);
  const { code, said } = await gitApply(text, folder, signal);
  if (signal.aborted) return { outcome: 'cancelled', reason: 'It was stopped.' };
  if (code !== 0) return failed(`The change does not apply: ${said}`);
  return { outcome: 'done', summary: summaryOf(diff), decisions: [] };
}

function failed(reason: string): End {
  return { outcome: 'failed', reason: reason.slice(0, MAX_REASON_CHARS) };
}

/**
 * What is refused before git sees it, by the lines themselves. Lines of a hunk begin with a space, + or -, so none of
 * them can match. Symlinks and submodules lead out of the folder; binary data may grow without limit.
 */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^(?:(?:new|deleted) file mode|old mode|new mode) 120|^index \S+ 120/m, 'a symlink'],
  [/^(?:(?:new|deleted) file mode|old mode|new mode) 160|^index \S+ 160/m, 'a submodule'],
  [/^Submodule /m, 'a submodule'],
  [/^GIT binary patch|^Binary files /m, 'a binary file'],
];

function refusalOf(text: string, { files, problems }: Diff): string | undefined {
  if (text.length > MAX_CHARS)
    return `The change has ${text.length} characters; at most ${MAX_CHARS} are applied.`;
  if (text.includes('\0')) return 'The change holds a NUL byte, so that it is not text.';
  const refused = REFUSED.find(([shape]) => shape.test(text));
  if (refused !== undefined) return `The change holds ${refused[1]}, which is not applied.`;
  const [problem] = problems;
  if (problem !== undefined)
    return `The change cannot be read: line ${problem.line}, ${problem.message}.`;
  const paths = files.flatMap(({ path, oldPath }) => [path, oldPath ?? path]);
  const outside = paths.find((path) => !isInside(path));
  return outside === undefined
    ? undefined
    : `The change names \`${outside}\`, which is outside of what may be changed.`;
}

/** git refuses such paths too; this says so in our words. */
function isInside(path: string): boolean {
  const parts = path.split('/');
  return !path.startsWith('/') && parts.every((part) => !/^(?:\.{0,2}|\.git)$/i.test(part));
}

function summaryOf({ files }: Diff): string {
  const sum = (key: 'additions' | 'deletions') => files.reduce((all, file) => all + file[key], 0);
  const what = files.length === 1 ? '1 file' : `${files.length} files`;
  return `Applied the change that the task carries: ${what}, +${sum('additions')} −${sum('deletions')}.`;
}

async function gitApply(
  diff: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ code: number; said: string }> {
  const safe = ['core.protectHFS=true', 'core.protectNTFS=true', 'core.hooksPath=/dev/null'];
  const child = spawn(
    'git',
    [...safe.flatMap((each) => ['-c', each]), 'apply', '--whitespace=nowarn', '-'],
    {
      cwd: folder,
      signal,
      stdio: ['pipe', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: '/nonexistent',
        LC_ALL: 'C',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        // As on a plain folder: filters and other settings of a repository are never looked up.
        GIT_DIR: '/nonexistent',
      },
    },
  );
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    if (said.length < MAX_REASON_CHARS) said += piece.toString();
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(diff.endsWith('\n') ? diff : `${diff}\n`);
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', (error) => (signal.aborted ? resolve(1) : reject(error)));
    child.on('close', (exit) => resolve(exit ?? 1));
  });
  return { code, said: said.replaceAll(/^(?:error|fatal): /gm, '').trim() };
}
