import type { RefusedHost } from '../domain/sandbox/sandbox-hosts.ts';

/**
 * One process in a sandbox, and everything that it starts. It sees the folders it is given and the system's programs,
 * and has no environment but its own. It is gone with all its children when `run` returns.
 *
 * Errors: RefusedError `no-sandbox` when this machine has no sandbox, with how to get one.
 */
export interface SandboxRequest {
  /** Writable; the process starts in it. Its `.git` stays read-only. */
  folder: string;
  /** Writable besides, at the same absolute paths. */
  writable?: readonly string[];
  /** Files and folders that it may read besides, at the same absolute paths. */
  readable: readonly string[];
  /** Program and arguments. */
  argv: readonly string[];
  /**
   * Added to PATH, HOME (a fresh one), TMPDIR and LANG, which it may override. With the network, the sandbox also sets
   * the machine's trusted certificates, a proxy, and the registries that package clients use.
   */
  env: Readonly<Record<string, string>>;
  /** Standard input; none when absent. */
  input?: string;
  /** Wall clock; then SIGTERM, and SIGKILL when that is not heard. */
  timeoutMs: number;
  /** Whether it may connect to the hosts that the machine allows, through a proxy. */
  network: boolean;
  onOutput: (piece: Buffer, from: 'stdout' | 'stderr') => void;
}

export interface SandboxResult {
  /** Undefined when it was killed. */
  exitCode: number | undefined;
  /**
   * Why it ended: by itself, at the time limit, by the caller's signal, or by too many processes, too much disk or too
   * much memory.
   */
  end: 'exited' | 'timed-out' | 'cancelled' | 'too-many-processes' | 'disk-limit' | 'memory-limit';
  /** The limit that was passed, in bytes, with `disk-limit` and `memory-limit`. */
  limitBytes?: number;
  durationMs: number;
  /** Hosts that it asked for and was refused. */
  refusedHosts?: readonly RefusedHost[];
}

export interface Sandbox {
  /** `off`: nothing is kept apart but the environment, on the owner's word. */
  readonly sandbox: 'on' | 'off';
  run(wanted: SandboxRequest, signal: AbortSignal): Promise<SandboxResult>;
}
