/** What is wrong with what is remembered: nothing fails for it, so an operator sees it here alone. */
import type * as PromClient from 'prom-client';
import type { Registry } from 'prom-client';

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
    help: 'Reflections in the store that failed and saved no lessons, up to 100 of each step and status',
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
