/**
 * Runs a repository's own command, in a sandbox: no secrets in its environment, its own process namespace, no network
 * unless allowed, nothing of the host to be seen, and nothing of it left when it ends.
 *
 * Errors: RefusedError `no-sandbox` when there is no fence on this machine, with how to get one, unless it was opened
 * with the owner's word that none is needed.
 */
export interface CommandWanted {
  /** Writable; the command starts in it. */
  folder: string;
  /** Folders that it may see besides; they are made where they are missing. */
  readable: string[];
  /** Folders that it may write to besides; they are made where they are missing. */
  writable?: string[];
  /** One line for `sh -c`. */
  script: string;
  /** The whole environment, besides PATH, HOME (a fresh one), TMPDIR, LANG and CI=true. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  network: boolean;
}

export interface CommandResult {
  /** As seen from outside; undefined when it was killed. */
  exitCode: number | undefined;
  isTimedOut: boolean;
  durationMs: number;
  /** Standard output and error as they came, the middle left out beyond 400 KB. */
  output: string;
}

export interface Commands {
  run(wanted: CommandWanted, signal: AbortSignal): Promise<CommandResult>;
}
