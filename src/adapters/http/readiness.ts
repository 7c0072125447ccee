/** Whether the process is alive, and whether it can do its work now. */
import { toFailure } from '../../domain/event/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Records } from '../../ports/store.ts';

export interface Health {
  records: Pick<Records, 'ping' | 'counts'>;
  clock: Clock;
  /** Whether GitHub has told us who we are: credentials work. */
  isGitHubKnown: () => boolean;
  /** Whether there are credentials at all; without, the setup page is open. */
  isConfigured: () => boolean;
  /** False once the process has been asked to stop. */
  isOpen: () => boolean;
  /** Longest wait of due work that still counts as ready. */
  maxLagMs: number;
}

export interface Readiness {
  isReady: boolean;
  /** JSON of the answer. */
  body: string;
}

/** One look at the store a second, however often someone asks. */
const KEPT_MS = 1_000;

/** Returns the check that `/readyz` answers with. */
export function createReadiness(health: Health): () => Promise<Readiness> {
  let kept: { until: number; store: Promise<StoreCheck> } | undefined;
  return async () => {
    const now = health.clock.now();
    if (kept === undefined || now >= kept.until)
      kept = { until: now + KEPT_MS, store: checkStore(health) };
    return toReadiness(health, await kept.store);
  };
}

type StoreCheck = { store: 'ok'; lagMs: number } | { store: string; lagMs: undefined };

async function checkStore({ records }: Health): Promise<StoreCheck> {
  try {
    await records.ping();
    const { lagMs } = await records.counts();
    return { store: 'ok', lagMs };
  } catch (error) {
    return { store: toFailure(error).code, lagMs: undefined };
  }
}

function toReadiness(health: Health, { store, lagMs }: StoreCheck): Readiness {
  const isLate = lagMs === undefined || lagMs > health.maxLagMs;
  const github = health.isConfigured() ? toGitHubState(health) : 'not-configured';
  const isReady = health.isOpen() && store === 'ok' && !isLate && github === 'ok';
  const status = health.isOpen() ? toStatus(isReady) : 'stopping';
  const queue = { status: isLate ? 'late' : 'ok', lagMs };
  return { isReady, body: JSON.stringify({ status, checks: { store, queue, github } }) };
}

function toGitHubState(health: Health): string {
  return health.isGitHubKnown() ? 'ok' : 'unknown';
}

function toStatus(isReady: boolean): string {
  return isReady ? 'ready' : 'not-ready';
}
