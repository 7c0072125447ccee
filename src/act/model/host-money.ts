/** The host's own caps: what they leave for a call, and when there is room again. */
import { RefusedError } from '../../domain/event/errors.ts';
import {
  HOST_SCOPES,
  NO_HOST_CAPS,
  renderHostCap,
  type HostScope,
  type HostSpent,
} from '../../domain/config/host-caps.ts';
import type { HostMoney } from '../../domain/run/talk.ts';
import type { SpendFilter, SpendLimit } from '../../ports/store.ts';
import type { ActPorts } from '../ports.ts';

/** Whose calls they are, as far as the host's caps distinguish. */
export interface Tenant {
  installationId: number;
  repositoryId: number;
}

export type HostMoneyPorts = Pick<ActPorts, 'store' | 'clock' | 'hostCaps'>;

/** The window of every cap for a day: budgets count the last 24 hours. */
export const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Reservations of calls under way count as spent. A scope without a cap is not summed, and reads as 0. */
export async function readHostSpent(tenant: Tenant, ports: HostMoneyPorts): Promise<HostSpent> {
  const { store, clock, hostCaps = NO_HOST_CAPS } = ports;
  const since = new Date(clock.now() - DAY_MS).toISOString();
  const sum = async (scope: HostScope): Promise<number> =>
    hostCaps[scope] === undefined
      ? 0
      : (await store.records.spent({ ...filterOf(scope, tenant), since })).usd;
  const [repository, installation, total] = await Promise.all(HOST_SCOPES.map(sum));
  return { repository: repository ?? 0, installation: installation ?? 0, total: total ?? 0 };
}

/** The host's caps are on the host's money: a workflow that is paid for elsewhere may say of itself what it likes. */
function filterOf(scope: HostScope, { installationId, repositoryId }: Tenant): SpendFilter {
  const exceptPayer = 'repository';
  if (scope === 'repository') return { repositoryId, exceptPayer };
  return scope === 'installation' ? { installationId, exceptPayer } : { exceptPayer };
}

/** What a tenant may know of the host's caps; undefined where the host has no cap. */
export async function describeHostMoney(
  tenant: Tenant,
  ports: HostMoneyPorts,
): Promise<HostMoney | undefined> {
  const { repository, installation, total } = ports.hostCaps ?? NO_HOST_CAPS;
  if ([repository, installation, total].every((cap) => cap === undefined)) return undefined;
  const spent = await readHostSpent(tenant, ports);
  return {
    ...(repository !== undefined && { repository: { capUsd: repository } }),
    ...(installation !== undefined && {
      installation: { capUsd: installation, spentUsd: spent.installation },
    }),
    ...(total !== undefined && { total: { isReached: spent.total >= total } }),
  };
}

/** The host's caps on what is spent in a day, as far as there are any. */
export function hostLimits(
  tenant: Tenant,
  { clock, hostCaps = NO_HOST_CAPS }: HostMoneyPorts,
): (SpendLimit & { scope: HostScope })[] {
  const since = new Date(clock.now() - DAY_MS).toISOString();
  return HOST_SCOPES.flatMap((scope) => {
    const capUsd = hostCaps[scope];
    return capUsd === undefined
      ? []
      : [{ scope, capUsd, filter: { ...filterOf(scope, tenant), since } }];
  });
}

/** The error that a cap of the host is reached. It says when a call of this cost, which is not reserved, is possible again. */
export async function hostRefusal(
  scope: HostScope,
  { tenant, usd }: { tenant: Tenant; usd: number },
  ports: HostMoneyPorts,
): Promise<RefusedError> {
  const capUsd = ports.hostCaps?.[scope] ?? 0;
  const filter = filterOf(scope, tenant);
  const roomAt =
    usd > capUsd ? undefined : await findRoom({ filter, mostUsd: capUsd - usd }, ports);
  return new RefusedError({
    code: `budget-host-${scope}`,
    message: renderHostCap(scope, { capUsd, roomAt }),
  });
}

/**
 * The first full hour at which enough of what was spent is older than a day. Hours, because a minute would tell when other
 * tenants spent what the total counts.
 */
async function findRoom(
  { filter, mostUsd }: { filter: SpendFilter; mostUsd: number },
  { store, clock }: HostMoneyPorts,
): Promise<number> {
  const nextHour = Math.ceil(clock.now() / HOUR_MS) * HOUR_MS;
  const hasRoom = async (hours: number): Promise<boolean> => {
    const since = new Date(nextHour + hours * HOUR_MS - DAY_MS).toISOString();
    return (await store.records.spent({ ...filter, since })).usd <= mostUsd;
  };
  let [from, to] = [0, 24];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await hasRoom(middle)) to = middle;
    else from = middle + 1;
  }
  return nextHour + from * HOUR_MS;
}
