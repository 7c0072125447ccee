/** Flags of `quorum init`, `upgrade` and `uninstall`. */

/** What the three commands share. */
export interface SetupFlags {
  dir: string;
  pr?: true;
  repo?: string;
  branch?: string;
  dryRun?: true;
  force?: true;
  yes?: true;
  json?: true;
}

export interface InitFlags extends SetupFlags {
  source?: string;
  ref?: string;
  keys?: string;
  dailyUsd?: string;
  /** False with `--no-templates`. */
  templates: boolean;
  /** Workflows beside the one that every repository has, with commas between. */
  with?: string;
  /** Number of the account of the App that `--with code` works for. */
  appId?: string;
}

export interface UpgradeFlags extends SetupFlags {
  source?: string;
  ref?: string;
}
