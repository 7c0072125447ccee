/** What a host's operator gives repositories of its disk. */

/** In megabytes, of worktrees and what was installed for them; undefined: no limit. */
export interface DiskShares {
  totalMb: number | undefined;
  /** Most that one installation may use, whatever its repositories say. */
  installationMb: number | undefined;
}

export const NO_DISK_SHARES: DiskShares = { totalMb: undefined, installationMb: undefined };
