/** How much may be spent on talking to models, in dollars. */
import type { Config } from '../config/config.ts';
import type { Actor } from './thread-ref.ts';

/** Which cap of a repository it is. */
export type Cap = 'thread' | 'day' | 'person' | 'repository';

/** How much of a cap is used, as a share of it. */
export interface BudgetUsed {
  share: number;
  cap: Cap;
}

/** A call that would go beyond one is refused. Told from the share `warnAt` on, else from half. */
export interface Caps {
  threadUsd: number;
  dayUsd: number;
  repositoryDayUsd: number;
  warnAt?: number;
  /** Absent where nobody asked, or the repository caps no person. */
  person?: PersonCap;
}

/** What one person may spend in a day in a repository (`access.dailyBudgetUsd`). */
export interface PersonCap {
  /** Number of the account. */
  id: number;
  dayUsd: number;
}

/** Who asked for the work, as far as it matters here. */
type Asker = Pick<Actor, 'id'> & Partial<Pick<Actor, 'isBot'>>;

/** Undefined for Apps, where nobody asked, and where no cap is set. */
export function personCap(
  { access }: Pick<Config, 'access'>,
  asker: Asker | undefined,
): PersonCap | undefined {
  const { dailyBudgetUsd: dayUsd } = access;
  if (dayUsd === undefined || asker === undefined || asker.isBot === true) return undefined;
  return { id: asker.id, dayUsd };
}

/** What answers and the PM's work may cost (`budget.pm`), within what the repository may. */
export function pmCaps({ budget, access }: Pick<Config, 'budget' | 'access'>, asker?: Asker): Caps {
  const person = personCap({ access }, asker);
  return {
    threadUsd: budget.pm.perThreadUsd,
    dayUsd: budget.pm.perDayUsd,
    repositoryDayUsd: budget.perDayUsd,
    warnAt: budget.warnAt,
    ...(person !== undefined && { person }),
  };
}
