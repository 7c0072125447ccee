/** How much may be spent on talking to models, in dollars. */
import type { Config } from '../config/config.ts';

/** A call that would go beyond one is refused. Told from the share `warnAt` on, else from half. */
export interface Caps {
  threadUsd: number;
  dayUsd: number;
  repositoryDayUsd: number;
  warnAt?: number;
}

/** What answers and the PM's work may cost (`budget.pm`), within what the repository may. */
export function pmCaps({ budget }: Pick<Config, 'budget'>): Caps {
  return {
    threadUsd: budget.pm.perThreadUsd,
    dayUsd: budget.pm.perDayUsd,
    repositoryDayUsd: budget.perDayUsd,
    warnAt: budget.warnAt,
  };
}
