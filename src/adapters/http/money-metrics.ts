/** What was spent on models in the last 24 hours, beside what the host's operator allows. */
import type * as PromClient from 'prom-client';
import type { Registry } from 'prom-client';
import { HOST_SCOPES, type HostCaps, type HostSpent } from '../../domain/config/host-caps.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Records } from '../../ports/store.ts';

const DAY_MS = 24 * 3_600_000;

/** The largest sums of the last 24 hours that the host paid: of any repository, of any installation, and in total. */
export async function readDay(
  records: Pick<Records, 'spent' | 'topSpenders'>,
  clock: Clock,
): Promise<HostSpent> {
  const since = new Date(clock.now() - DAY_MS).toISOString();
  const exceptPayer = 'repository';
  const most = async (by: 'installation' | 'repository'): Promise<number> =>
    (await records.topSpenders({ by, since, exceptPayer, limit: 1 }))[0]?.usd ?? 0;
  const [repository, installation, total] = await Promise.all([
    most('repository'),
    most('installation'),
    records.spent({ since, exceptPayer }),
  ]);
  return { repository, installation, total: total.usd };
}

/** By scope and not by installation, so that there are as many series however many tenants there are. */
export function openMoneyGauges(
  client: typeof PromClient,
  registry: Registry,
  caps: HostCaps,
): (day: HostSpent | undefined) => void {
  const about = { labelNames: ['scope'], registers: [registry] };
  const limit = new client.Gauge({
    ...about,
    name: 'quorum_daily_limit_usd',
    help: 'What the operator allows in 24 hours for each repository, each installation and in total',
  });
  const cost = new client.Gauge({
    ...about,
    name: 'quorum_daily_cost_usd',
    help: 'Spent and reserved in the last 24 hours, at the cost of this host: by the repository and installation that spent most, and in total',
  });
  return (day) => {
    limit.reset();
    cost.reset();
    for (const scope of HOST_SCOPES) {
      const cap = caps[scope];
      if (cap !== undefined) limit.set({ scope }, cap);
      if (day !== undefined) cost.set({ scope }, day[scope]);
    }
  };
}
