/** What is on a branch, before texts that were not told are read. */
import type { CheckOnCommit, MemoryWanted } from '../../../ports/github/memory-branch.ts';

export type BranchWanted = Pick<MemoryWanted, 'paths' | 'checksOn'>;

/** An entry of the commit's tree that somebody asked for. */
export interface BranchEntry {
  path: string;
  /** Whether it is a plain file, no link, submodule or folder. */
  isFile: boolean;
  sha: string;
  size: number;
  /** Undefined where it was not told whole: then its bytes are read, unless `isBinary`. */
  text: string | undefined;
  isBinary: boolean;
}

/** A branch as it was at one moment. */
export interface BranchListing {
  head: string;
  treeSha: string;
  entries: readonly BranchEntry[];
  /** Those of `checksOn`, where the answer has all of them. */
  checks?: readonly CheckOnCommit[] | undefined;
}
