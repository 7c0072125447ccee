/** A small memory of what we wrote or read, which spares looking for it again; losing it costs calls, never a duplicate. */
import { LRUCache } from 'lru-cache';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { forgetPrefix } from './kept.ts';

/** A check run that is there, and its id in GraphQL. */
export interface KnownCheck {
  id: number;
  nodeId: string | undefined;
}

/** When an answer that may be stale was given, in milliseconds since the epoch. */
export interface Doubt {
  firstAt: number;
  lastAt: number;
}

export type WriteCache = ReturnType<typeof createWriteCache>;

const lru = <T extends {}>(max: number): LRUCache<string, T> => new LRUCache({ max });

/** Keys begin with the installation's id and a slash. */
export function createWriteCache(capacity = 5000) {
  const kept = {
    /** Comment by thread and marker. */
    comments: lru<{ id: number; url: string; body: string }>(Math.ceil(capacity / 10)),
    /** Check run by its external id. */
    checks: lru<KnownCheck>(capacity),
    /** Commits that we made, by repository and hash: they never change. */
    commits: lru<{ message: string; tree: { sha: string } }>(Math.ceil(capacity / 10)),
    /** Trees of commits that were read, by repository and hash. */
    trees: lru<string>(Math.ceil(capacity / 10)),
    /** Reaction by thread, comment and content. */
    reactions: lru<number>(capacity),
    /** Labels that are known to exist in a repository. */
    labels: lru<true>(capacity),
    /** Features that a server lacks and that have already been logged. */
    missing: lru<true>(capacity),
    /** Whether a default branch takes only signed commits, by repository and branch, as the answer about another branch says. */
    signing: lru<{ at: number; isProtected: boolean; hasNoRulesets: boolean }>(
      Math.ceil(capacity / 10),
    ),
    /** Answers that may be stale, by what was asked. */
    doubts: lru<Doubt>(capacity),
  };
  return {
    ...kept,
    forget: (installationId: number): void => {
      for (const each of Object.values(kept)) forgetPrefix(each, `${installationId}/`);
    },
  };
}

/** Where what is known of a commit is kept. */
export function commitSlot({ installationId, repositoryId }: RepositoryRef, sha: string): string {
  return `${installationId}/${repositoryId}/${sha}`;
}
