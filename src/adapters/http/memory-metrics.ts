/** What is wrong with what is remembered: nothing fails for it, so an operator sees it here alone. */
import type * as PromClient from 'prom-client';
import type { Registry } from 'prom-client';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';

export interface MemoryFigures {
  /** Reflections in the store that failed and saved no lessons. */
  failedReflections: number;
  /** Of all repositories that this process knows. */
  staleNotes: number;
}

export function openMemoryGauges(
  client: typeof PromClient,
  registry: Registry,
): (figures: MemoryFigures | undefined) => void {
  const registers = [registry];
  const failed = new client.Gauge({
    registers,
    name: 'quorum_memory_reflections_failed',
    help: 'At least so many reflections in the store failed and saved no lessons; counted once a minute',
  });
  const stale = new client.Gauge({
    registers,
    name: 'quorum_memory_stale_notes',
    help: 'Notes that expired or were mostly dismissed, of repositories whose memory this process used',
  });
  return (figures) => {
    failed.set(figures?.failedReflections ?? 0);
    stale.set(figures?.staleNotes ?? 0);
  };
}

/** How many notes of each repository are stale, as its memory was used last. */
export interface StaleNotes {
  note: (of: Pick<RepositoryRef, 'installationId' | 'repositoryId'>, count: number) => void;
  /** Of an installation that is gone. */
  forget(installationId: number): void;
  /** Of all repositories. */
  total(): number;
}

export function createStaleNotes(): StaleNotes {
  const all = new Map<number, Map<number, number>>();
  return {
    note: ({ installationId, repositoryId }, count) => {
      const own = all.get(installationId) ?? new Map<number, number>();
      all.set(installationId, own.set(repositoryId, count));
    },
    forget: (installationId) => void all.delete(installationId),
    total: () => [...all.values()].flatMap((own) => [...own.values()]).reduce((a, b) => a + b, 0),
  };
}
