/** What this host's operator lets be spent on models in a day, and what was spent. */
import { HOST_SCOPES, type HostCaps } from '../../../domain/config/host-caps.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { StoreReader } from '../../../ports/store.ts';
import type { Env } from '../../environment/env-file.ts';
import { HOST_CAP_NAMES } from '../../environment/read-host-caps.ts';
import { openStoreReader } from '../../open-store.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import type { Finding } from './doctor-finding.ts';

const DAY_MS = 24 * 3_600_000;
const SHOWN = 3;
/** From this share of a limit on it warns. */
const NEAR = 0.8;

export async function checkMoney(env: Env, clock: Clock): Promise<Finding[]> {
  const settings = readHostSettings(env);
  const limits = findLimits(settings.hostCaps);
  // The check of the store reports a missing or unreadable store.
  const reader = await openStoreReader(settings).catch(() => undefined);
  if (reader === undefined) return [limits];
  try {
    return [limits, ...(await findSpending(reader.records, settings.hostCaps, clock))];
  } finally {
    await reader.close();
  }
}

const SCOPE_NAMES = {
  repository: 'for each repository',
  installation: 'for each installation',
  total: 'in total',
} as const;

function findLimits(caps: HostCaps): Finding {
  const about = 'daily limits';
  const set = HOST_SCOPES.flatMap((scope) => {
    const cap = caps[scope];
    return cap === undefined ? [] : [`${usd(cap)} ${SCOPE_NAMES[scope]}`];
  });
  if (set.length > 0) return { level: 'ok', about, says: `${set.join(', ')} in 24 hours` };
  return {
    level: 'warn',
    about,
    says: 'none: a repository may allow itself up to $5,000 a day',
    fix: `Set ${HOST_CAP_NAMES.total} where the App runs.`,
  };
}

async function findSpending(
  records: StoreReader['records'],
  caps: HostCaps,
  clock: Clock,
): Promise<Finding[]> {
  const since = new Date(clock.now() - DAY_MS).toISOString();
  // As the limits do: what a repository's own key paid for is not this host's.
  const paidHere = { since, exceptPayer: 'repository' } as const;
  const [total, installations, repositories] = await Promise.all([
    records.spent(paidHere),
    records.topSpenders({ ...paidHere, by: 'installation', limit: SHOWN }),
    records.topSpenders({ ...paidHere, by: 'repository', limit: SHOWN }),
  ]);
  const unpriced =
    total.unknownCalls === 0 ? '' : `, and calls without a known price: ${total.unknownCalls}`;
  const named = [
    ...installations.map(({ id, usd: spent }) => `installation ${id} ${usd(spent)}`),
    ...repositories.map(({ id, usd: spent }) => `repository ${id} ${usd(spent)}`),
  ];
  const says = `${usd(total.usd)} in the last 24 hours${unpriced}${named.length === 0 ? '' : `; most: ${named.join(', ')}`}`;
  const shares = [
    share(total.usd, caps.total),
    share(installations[0]?.usd ?? 0, caps.installation),
    share(repositories[0]?.usd ?? 0, caps.repository),
  ];
  const about = 'spending';
  if (Math.max(...shares) < NEAR) return [{ level: 'ok', about, says }];
  const fix = `A limit is nearly used up or reached. Raise ${Object.values(HOST_CAP_NAMES).join(', ')}, or wait: what is older than 24 hours does not count.`;
  return [{ level: 'warn', about, says, fix }];
}

function share(spent: number, cap: number | undefined): number {
  if (cap === undefined || spent === 0) return 0;
  return cap === 0 ? Infinity : spent / cap;
}

function usd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
