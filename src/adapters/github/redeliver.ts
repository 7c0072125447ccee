/** Asks GitHub to deliver again what never arrived; GitHub does not do so by itself. */
import { QuorumError, TransientError } from '../../domain/event/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { isNotFound } from './client/github-failure.ts';
import type { Calls } from './installation-client.ts';
import type { GitHubLog } from './client/github-options.ts';
import { LIST_DELIVERIES, REDELIVER, type WireDelivery } from './rest-operations.ts';
import { eachPage, PER_PAGE } from './client/pages.ts';

/** GitHub keeps deliveries for three days and refuses older ones. */
const KEPT_MS = 3 * 24 * 3_600_000;

/** How many were asked for; 0 on a server that cannot list deliveries. */
export async function redeliverFailed(
  parts: { calls: Calls; clock: Clock; log: GitHubLog },
  since: string,
): Promise<number> {
  const fromMs = Math.max(Date.parse(since), parts.clock.now() - KEPT_MS);
  const lost = await findLost(parts, fromMs);
  let asked = 0;
  for (const delivery of lost) if (await redeliver(parts, delivery)) asked += 1;
  return asked;
}

/** The newest attempt of every delivery that no attempt got through; oldest first. */
async function findLost(
  parts: { calls: Calls; log: GitHubLog },
  fromMs: number,
): Promise<WireDelivery[]> {
  const newest = new Map<string, WireDelivery>();
  const arrived = new Set<string>();
  for (const delivery of await listSince(parts, fromMs)) {
    if (isArrived(delivery)) arrived.add(delivery.guid);
    else if (!newest.has(delivery.guid)) newest.set(delivery.guid, delivery);
  }
  return [...newest.values()].filter((delivery) => !arrived.has(delivery.guid)).toReversed();
}

/** Newest first. */
async function listSince(
  parts: { calls: Calls; log: GitHubLog },
  fromMs: number,
): Promise<WireDelivery[]> {
  const found: WireDelivery[] = [];
  try {
    for await (const page of eachPage(parts.calls, LIST_DELIVERIES, { per_page: PER_PAGE })) {
      const wanted = page.filter((delivery) => Date.parse(delivery.delivered_at) >= fromMs);
      found.push(...wanted);
      if (wanted.length < page.length) break;
    }
    return found;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    parts.log.warn(
      {},
      'this server cannot list webhook deliveries: lost ones are found by reading threads only',
    );
    return [];
  }
}

function isArrived(delivery: WireDelivery): boolean {
  return delivery.status_code >= 200 && delivery.status_code < 300;
}

async function redeliver(
  parts: { calls: Calls; log: GitHubLog },
  delivery: WireDelivery,
): Promise<boolean> {
  try {
    await parts.calls.send(REDELIVER, {
      delivery_id: delivery.id,
    });
    return true;
  } catch (error) {
    if (error instanceof TransientError || !(error instanceof QuorumError)) throw error;
    parts.log.warn(
      { guid: delivery.guid, code: error.code },
      'a delivery cannot be asked for again',
    );
    return false;
  }
}
