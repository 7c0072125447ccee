/**
 * Runs a repository's own command in a sandbox. It has no secrets in its environment and its own process namespace. It
 * has no network unless allowed, sees nothing of the host, and leaves nothing behind when it ends.
 *
 * Errors: RefusedError `no-sandbox` when this machine has no sandbox, with how to get one. It is not thrown when the
 * owner opted out of a sandbox.
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
