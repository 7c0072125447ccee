/**
 * Runs one git process, with argument lists only, Quorum's own environment alone, and nothing that a repository could
 * have it run.
 */
import { simpleGit } from 'simple-git';

export interface GitCall {
  /** Where it runs: never a folder that others write to. */
  dir: string;
  args: readonly string[];
  /** `GIT_DIR` and its like; names that begin with `GIT_`. */
  env?: Readonly<Record<string, string>>;
  /** Settings on top of {@link SETTINGS}; they reach the process through its environment, not through its arguments. */
  config?: readonly (readonly [string, string])[];
  /** Not empty: simple-git would leave git waiting for its end. */
  input?: Buffer | string;
  /** The process is ended after this silence; 10 minutes when absent. */
  silenceMs?: number;
  /** The process is ended when it says more than this on its output. */
  maxBytes?: number;
}

export interface GitAnswer {
  code: number;
  stdout: Buffer;
  stderr: string;
  /** Whether it was ended for saying too much. */
  isCut: boolean;
}

/** Beat every configuration file: no program of a repository's is run, and files are taken as they are. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.autocrlf', 'false'],
  ['core.fileMode', 'true'],
  ['core.symlinks', 'true'],
  ['core.ignoreCase', 'false'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['core.untrackedCache', 'false'],
  ['core.quotePath', 'true'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['commit.gpgSign', 'false'],
  ['http.followRedirects', 'false'],
  // A transfer without progress for a minute is aborted.
  ['http.lowSpeedLimit', '1'],
  ['http.lowSpeedTime', '60'],
  ['protocol.allow', 'never'],
];

/** Longest silence of a process; a checkout of a large repository says nothing for minutes. */
const SILENCE_MS = 10 * 60_000;
/** simple-git's fences are against callers; each of these is what the settings above are about. */
const OURS = {
  allowUnsafeConfigPaths: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeTemplateDir: true,
} as const;

/** Runs git whatever its exit code. */
export async function runGit(call: GitCall): Promise<GitAnswer> {
  if (call.input?.length === 0) throw new TypeError(`git ${call.args[0] ?? ''} without input`);
  const env = environment(call);
  const controller = new AbortController();
  const answer: GitAnswer = { code: 128, stdout: Buffer.alloc(0), stderr: '', isCut: false };
  const child = simpleGit({
    baseDir: call.dir,
    abort: controller.signal,
    allowEnvironment: Object.keys(env),
    timeout: { block: call.silenceMs ?? SILENCE_MS },
    // All that it said, however late a busy process reads it.
    completion: { onClose: true, onExit: false },
    unsafe: OURS,
    ...(call.input !== undefined && { input: () => call.input }),
    errors: (error, result) => {
      answer.code = result.exitCode === 0 && error !== undefined ? 128 : result.exitCode;
      answer.stdout = Buffer.concat(result.stdOut);
      answer.stderr = Buffer.concat(result.stdErr).toString();
      return undefined;
    },
  }).env(env);
  const { maxBytes = Infinity } = call;
  let bytes = 0;
  child.outputHandler((_command, stdout) => {
    // simple-git gives a process that says nothing 50 ms more to say something; at the end there is nothing to come.
    stdout.once('end', () => stdout.emit('data', Buffer.alloc(0)));
    stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= maxBytes || answer.isCut) return;
      answer.isCut = true;
      controller.abort();
    });
  });
  try {
    await child.raw([...call.args]);
  } catch (error) {
    if (!answer.isCut) throw error;
  }
  return answer;
}

/** The output without its last line end. @throws {@link GitFailure} on any exit code but 0 */
export async function git(call: GitCall): Promise<string> {
  return (await gitBytes(call)).toString().replace(/\n$/, '');
}

/** {@link git} without touching the bytes. */
export async function gitBytes(call: GitCall): Promise<Buffer> {
  const answer = await runGit(call);
  if (answer.code !== 0 || answer.isCut) throw new GitFailure(call.args, answer);
  return answer.stdout;
}

/** git exited with a code that nobody expected. */
export class GitFailure extends Error {
  readonly answer: GitAnswer;

  constructor(args: readonly string[], answer: GitAnswer) {
    super(`git ${args[0] ?? ''} exited ${answer.code}: ${answer.stderr.trim().slice(0, 500)}`);
    this.name = 'GitFailure';
    this.answer = answer;
  }
}

function environment({ env = {}, config = [] }: GitCall): Record<string, string> {
  const settings = [...SETTINGS, ...config];
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '0',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...env,
  };
}
