/** Refs in memory, each operation as atomic as GitHub's: for thousands of schedules, which no server could run. */
import { parseLease, renderLease, type Lease } from '../../src/domain/plan/lease.ts';
import type { Leases } from '../../src/ports/github/leases.ts';

export interface MemoryRefs {
  /** @param before - awaited before each operation: where a schedule may put others first */
  open(before?: (what: string) => Promise<unknown>): Leases;
}

export function createMemoryRefs(): MemoryRefs {
  const refs = new Map<string, string>();
  const messages = new Map<string, string>();
  const commit = (lease: Lease): string => {
    const sha = `commit-${messages.size}`;
    messages.set(sha, renderLease(lease));
    return sha;
  };
  return {
    open: (before = () => Promise.resolve()) => ({
      read: async ({ ref }) => {
        await before(`read ${ref}`);
        const sha = refs.get(ref);
        return sha === undefined ? undefined : { sha, lease: parseLease(messages.get(sha) ?? '') };
      },
      create: async ({ ref }, lease) => {
        const sha = commit(lease);
        await before(`create ${ref}`);
        if (refs.has(ref)) return { outcome: 'exists' };
        refs.set(ref, sha);
        return { outcome: 'created', sha };
      },
      move: async ({ ref }, from, lease) => {
        const sha = commit(lease);
        await before(`move ${ref}`);
        if (refs.get(ref) !== from) return { outcome: 'lost' };
        refs.set(ref, sha);
        return { outcome: 'moved', sha };
      },
    }),
  };
}
