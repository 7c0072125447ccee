/** What a host's operator lets Quorum spend on models, whatever the repositories' own configurations say. */
import type { Failure } from '../event/errors.ts';

/** Narrowest first: that order tells a tenant most about its own spending and least about that of others. */
export const HOST_SCOPES = ['repository', 'installation', 'total'] as const;
export type HostScope = (typeof HOST_SCOPES)[number];

/** Dollars in 24 hours, for each repository, for each installation and in total; undefined: no cap. */
export type HostCaps = Readonly<Record<HostScope, number | undefined>>;

/** What was spent and reserved in the last 24 hours by one repository, its installation, and everybody. */
export type HostSpent = Readonly<Record<HostScope, number>>;

export const NO_HOST_CAPS: HostCaps = {
  repository: undefined,
  installation: undefined,
  total: undefined,
};

/** What one cap leaves; less than nothing when it is passed. */
export interface HostLeft {
  scope: HostScope;
  usd: number;
}

/** What the tightest cap leaves; undefined without caps. Of equals it is the narrowest. */
export function leftOnHost(spent: HostSpent, caps: HostCaps): HostLeft | undefined {
  const left = HOST_SCOPES.flatMap((scope) => {
    const cap = caps[scope];
    return cap === undefined ? [] : [{ scope, usd: cap - spent[scope] }];
  });
  return left.reduce<HostLeft | undefined>(
    (tightest, each) => (tightest === undefined || each.usd < tightest.usd ? each : tightest),
    undefined,
  );
}

/** The narrowest cap that is passed, if any. */
export function passedScope(spent: HostSpent, caps: HostCaps): HostScope | undefined {
  return HOST_SCOPES.find((scope) => spent[scope] > (caps[scope] ?? Infinity));
}

/** The lower of a repository's own cap for a day and the host's. */
export function lowerCap(own: number, { repository }: HostCaps): number {
  return Math.min(own, repository ?? Infinity);
}

/** What the codes of these refusals begin with. */
const CODE_START = 'budget-host-';

const SCOPE_NAMES: Readonly<Record<HostScope, string>> = {
  repository: 'this repository',
  installation: 'this installation',
  total: 'all repositories together',
};

/**
 * Says that a cap of the host is reached, and until when. The total would reveal what other tenants spend. Only the
 * operator sees it.
 *
 * @param roomAt - when there is room again; undefined when waiting is not enough
 */
export function renderHostCap(
  scope: HostScope,
  { capUsd, roomAt }: { capUsd: number; roomAt: number | undefined },
): string {
  const limit = scope === 'total' ? 'limit' : `limit of $${capUsd.toFixed(2)}`;
  const reached = `The operator's ${limit} in 24 hours for ${SCOPE_NAMES[scope]} is reached.`;
  const next =
    roomAt === undefined
      ? 'One call may cost more than the limit: ask the operator to raise it.'
      : `Quorum can spend again from ${toMinute(roomAt)}.`;
  return `${reached} ${next}`;
}

function toMinute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** What people read when a cap of the host, or of one person, ended the work; undefined for every other failure. */
export function capWords({ code, message }: Pick<Failure, 'code' | 'message'>): string | undefined {
  return code.startsWith(CODE_START) || code === 'budget-person' ? message : undefined;
}
