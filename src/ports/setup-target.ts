/** Where `quorum init`, `upgrade` and `uninstall` read a repository and change its files: a working tree, or a branch with a pull request. */
import type { FileChange } from '../domain/setup/plan-steps.ts';

export interface SetupTarget {
  /**
   * Reads the repository once. `wanted` says which texts are needed. The paths of `also` are looked at where git ignores
   * them, too.
   *
   * @throws ConfigError or RefusedError where nothing could be written in the end: no repository, no right to write
   */
  look(wanted: (path: string) => boolean, also?: readonly string[]): Promise<SetupLook>;
  /**
   * All changes or none.
   *
   * @throws RefusedError `path-refused`, `tree-dirty`, `branch-taken` or what GitHub refuses
   */
  apply(change: SetupChange): Promise<SetupOutcome>;
}

export interface SetupLook {
  /** `owner/name`; `local/<folder>` where no remote says it. */
  repository: string;
  /** Undefined where a clone does not say it. */
  defaultBranch: string | undefined;
  /** Of all files, sorted. */
  paths: readonly string[];
  /** Of the plain files that were wanted. */
  texts: ReadonlyMap<string, string>;
  /** Wanted paths where something other than a plain file is: a link, a folder, a submodule. */
  notFiles: readonly string[];
  /** Whether the App reported a check on the default branch; undefined where that is not known. */
  hasApp: boolean | undefined;
}

export interface SetupChange {
  steps: readonly FileChange[];
  /** Of the commit and the pull request. */
  title: string;
  /** Markdown, of the pull request. */
  body: string;
}

export type SetupOutcome =
  | { kind: 'written' }
  | {
      kind: 'pull';
      number: number;
      url: string;
      /** `unchanged`: an open pull request has exactly these changes. */
      did: 'opened' | 'updated' | 'unchanged';
    };
