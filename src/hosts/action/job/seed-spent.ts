/** What other workflows spent in the last day counts against the repository's caps. */
import type { LedgerEntry } from '../../../domain/run/ledger.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { Store } from '../../../ports/store.ts';

interface Spent {
  repository: Pick<RepositoryRef, 'installationId' | 'repositoryId'>;
  usd: number;
  now: number;
}

export async function seedSpent(store: Store, { repository, usd, now }: Spent): Promise<void> {
  if (usd === 0) return;
  const entry: LedgerEntry = {
    id: 'actions:earlier',
    at: new Date(now).toISOString(),
    installationId: repository.installationId,
    repositoryId: repository.repositoryId,
    key: 'actions:earlier',
    run: 'earlier',
    role: 'earlier',
    persona: 'earlier',
    provider: 'earlier',
    pool: 'earlier',
    model: 'earlier',
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    costUsd: usd,
    latencyMs: 0,
    outcome: 'ok',
    retries: 0,
  };
  await store.records.settleCall('actions:earlier', [entry]);
}
