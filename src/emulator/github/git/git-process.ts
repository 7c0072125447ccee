/** Runs git on a bare repository: argument lists only, no shell, no configuration from outside. */
import { spawn } from 'node:child_process';

export interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

export interface GitInput {
  input?: string | Buffer;
  env?: Record<string, string>;
}

/** git exited with a code that the caller did not expect. */
class GitFailure extends Error {
  readonly result: GitResult;

  constructor(args: readonly string[], result: GitResult) {
    super(`git ${args.join(' ')} exited ${result.code}: ${result.stderr.trim().slice(0, 500)}`);
    this.name = 'GitFailure';
    this.result = result;
  }
}

const GIT_ENV: Record<string, string> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  HOME: '/nonexistent',
  LC_ALL: 'C',
};

/** The environment of every git process here: where programs are, and nothing else of this process or the user. */
export function childEnv(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin', ...GIT_ENV };
}

/** Answers about objects, which never change, those asked for last at the end. */
const kept = new Map<string, GitResult>();
const MOST_KEPT = 1_000;
const LONGEST_KEPT = 64 * 1024;
const OF_OBJECTS: ReadonlySet<string> = new Set([
  'diff',
  'log',
  'ls-tree',
  'merge-base',
  'rev-list',
]);

/** Whether it names nothing but objects, by their whole ids; `--all` names whatever refs there are. */
function isOfObjects([command = '', ...args]: readonly string[]): boolean {
  const names = args.filter((arg) => !arg.startsWith('-'));
  return (
    OF_OBJECTS.has(command) &&
    !args.includes('--all') &&
    names.length > 0 &&
    names.every((name) => /^[0-9a-f]{40}(?:\.{2,3}[0-9a-f]{40}$|(?![0-9a-f.]))/.test(name))
  );
}

/** Runs git whatever its exit code. */
export async function tryGit(
  gitDir: string,
  args: readonly string[],
  given: GitInput = {},
): Promise<GitResult> {
  if (!isOfObjects(args)) return runGit(gitDir, args, given);
  const key = [gitDir, ...args].join('\0');
  const known = kept.get(key);
  kept.delete(key);
  const result = known ?? (await runGit(gitDir, args, given));
  if (result.code === 0 && result.stdout.length <= LONGEST_KEPT) kept.set(key, result);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
  return result;
}

async function runGit(
  gitDir: string,
  args: readonly string[],
  { input, env }: GitInput,
): Promise<GitResult> {
  const child = spawn('git', [`--git-dir=${gitDir}`, ...args], {
    env: { ...childEnv(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // git may stop reading early; what it printed says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve(exit ?? 128));
  });
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}

/** Runs git and returns its trimmed output. @throws GitFailure on any exit code but 0. */
export async function gitOutput(
  gitDir: string,
  args: readonly string[],
  input: GitInput = {},
): Promise<string> {
  return (await gitOutputBytes(gitDir, args, input)).toString().replace(/\n$/, '');
}

/** {@link gitOutput} without touching the bytes. */
export async function gitOutputBytes(
  gitDir: string,
  args: readonly string[],
  input: GitInput = {},
): Promise<Buffer> {
  const result = await tryGit(gitDir, args, input);
  if (result.code !== 0) throw new GitFailure(args, result);
  return result.stdout;
}
