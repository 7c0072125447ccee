/** What a remote is asked for, and what its refusals mean. */
import { RefusedError, TransientError, type QuorumError } from '../../domain/event/errors.ts';
import { saySignatureRefusal } from '../../domain/github/signature-rule.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import { sayWorkflowRefusal } from '../../domain/repository/workflow-guard.ts';
import { runGit, type GitAnswer } from './run-git.ts';

export interface Remote {
  /** https, or http on loopback; without credentials in it. */
  url: string;
  /** Value of the Authorization header; it reaches one git process at a time, through its environment. */
  authorization: string | undefined;
  /** The remote does not know it: the next one is another. */
  forget?: () => void;
  /** How it is reached; the machine's own way when absent. */
  network?: RemoteNetwork;
}

export interface RemoteNetwork {
  /** `https_proxy` and its like, for the process's environment. */
  proxies: Readonly<Record<string, string>>;
  /** All the authorities that are trusted, as a file of PEM; git's own when absent. */
  authorities: string | undefined;
}

export type RemoteOf = (ref: RepositoryRef) => Promise<Remote>;

export interface RemoteCall {
  mirror: string;
  remote: Remote;
  silenceMs?: number | undefined;
  /** `args` gets the remote's address. */
  args: (url: string) => readonly string[];
}

/** Runs git with a remote, whatever its exit code. @throws RefusedError `git-refused` for an address of another kind */
export async function askRemote({
  mirror,
  remote,
  silenceMs,
  args,
}: RemoteCall): Promise<GitAnswer> {
  const url = parseUrl(remote.url);
  const { authorization, network } = remote;
  const isHttps = url.protocol === 'https:';
  const answer = await runGit({
    dir: mirror,
    args: args(url.href),
    ...(silenceMs !== undefined && { silenceMs }),
    // What is on loopback needs no proxy.
    env: { GIT_DIR: mirror, ...(isHttps && network?.proxies) },
    config: [
      ...(network?.authorities === undefined
        ? []
        : [['http.sslCAInfo', network.authorities] as const]),
      [`protocol.${url.protocol.slice(0, -1)}.allow`, 'always'],
      ...(authorization === undefined
        ? []
        : [['http.extraHeader', `Authorization: ${authorization}`] as const]),
    ],
  });
  if (answer.code !== 0 && UNKNOWN.test(toOutputLine(answer))) remote.forget?.();
  return answer;
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === '' && url.password === '';
  if (isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))))
    return url;
  throw refuseGit('its address is not an https address without credentials');
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/** git says in words why it failed; these will be the same the next time. */
const NO_COMMIT = /not our ref|couldn't find remote ref|unadvertised object|no such remote ref/i;
const UNKNOWN =
  /returned error: 401|HTTP 401|authentication failed|could not read (?:username|password)/i;
const BUSY = /returned error: (?:408|429|5\d\d)|HTTP (?:408|429|5\d\d)/i;
const REFUSED =
  /returned error: [34]\d\d|HTTP [34]\d\d|authentication failed|could not read (?:username|password)|repository (?:\S{1,300} )?not found|permission to|access denied|remote rejected|pre-receive hook declined|protected branch|declined|not a git repository|does not appear to be a git/i;

/** What the web server in front says: another of its copies, or the repository's new name, may answer in a moment. */
const HASTY = /returned error: [34]\d\d|HTTP [34]\d\d|repository (?:\S{1,300} )?not found/i;

/** The error for an answer with an exit code other than 0: what is not known to be final may pass. */
export function toRemoteError(answer: GitAnswer): QuorumError {
  const said = toOutputLine(answer);
  const refusal = sayWorkflowRefusal(said);
  if (refusal !== undefined)
    return new RefusedError({ code: 'workflows-refused', message: refusal });
  const unsigned = saySignatureRefusal(said);
  if (unsigned !== undefined)
    return new RefusedError({ code: 'signatures-required', message: unsigned });
  if (NO_COMMIT.test(said))
    return new RefusedError({
      code: 'git-no-commit',
      message: `The remote does not have the commit: ${said}`,
      isEventuallyConsistent: true,
    });
  if (!BUSY.test(said) && REFUSED.test(said))
    return refuseGit(said, UNKNOWN.test(said) || HASTY.test(said));
  return new TransientError({
    code: 'git-unreachable',
    message: `The remote could not be reached: ${said}`,
  });
}

/** The RefusedError `git-refused`, with the reason in it. */
export function refuseGit(reason: string, isEventuallyConsistent = false): RefusedError {
  return new RefusedError({
    code: 'git-refused',
    message: `Git was refused: ${reason}`,
    isEventuallyConsistent,
  });
}

/** What both sides of a transfer say of how far they are. */
const PROGRESS =
  /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Unpacking|Resolving|Writing|Total)\b/;

/** What git and the remote said, in one line and without control characters. */
export function toOutputLine({ stdout, stderr }: GitAnswer): string {
  const lines = `${stderr}\n${stdout.toString()}`
    .split(/[\r\n]/)
    .filter((line) => line.trim() !== '' && !PROGRESS.test(line));
  const text = lines.join(' · ').replaceAll(/\p{Cc}/gu, ' ');
  return text === '' ? 'no words' : text.slice(0, 500);
}
