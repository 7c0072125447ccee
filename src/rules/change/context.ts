/** What is known of the repository around a change, as values: rules ask nothing of the world. */
import type { LeftOutReason } from '../../domain/repository/left-out.ts';
import type { SecretSighting } from '../../domain/secrets/secret-text.ts';

export interface ReviewContext {
  /** Every path at the head of the change. Absent: not at hand, and nothing is said to be missing. */
  paths?: readonly string[];
  /** Texts at the head, by path: changed files, manifests, lockfiles, documents, as far as they were read. */
  head: ReadonlyMap<string, string>;
  /** Texts at the base, by path at the base. */
  base: ReadonlyMap<string, string>;
  /** Why the repository itself wants a file left out, where it does. */
  leftOut?: (path: string) => LeftOutReason | undefined;
  /** What the detector found, by path, with lines counted in the text of `addedTexts`. */
  secrets?: ReadonlyMap<string, readonly SecretSighting[]>;
}

/** A diff alone, as on standard input. */
export const NO_CONTEXT: ReviewContext = { head: new Map(), base: new Map() };
