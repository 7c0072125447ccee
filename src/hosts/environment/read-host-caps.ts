/** What this host's operator lets be spent on models in a day, read from the environment. */
import { ConfigError } from '../../domain/event/errors.ts';
import type { HostCaps, HostScope } from '../../domain/config/host-caps.ts';
import type { Env } from './env-file.ts';

/** The name in the environment of each cap. */
export const HOST_CAP_NAMES: Readonly<Record<HostScope, string>> = {
  repository: 'QUORUM_MAX_DAILY_USD_PER_REPOSITORY',
  installation: 'QUORUM_MAX_DAILY_USD_PER_INSTALLATION',
  total: 'QUORUM_MAX_DAILY_USD',
};

/** A host whose operator said nothing is not without a limit: repositories alone may allow themselves $5,000 each. */
const DEFAULT_TOTAL_USD = 100;
const NO_CAP = 'off';
const AMOUNT = /^\d{1,7}(?:\.\d{1,6})?$/;

/** @throws ConfigError `daily-limit-invalid` */
export function readHostCaps(env: Env): HostCaps {
  return {
    repository: toCap('repository', env['QUORUM_MAX_DAILY_USD_PER_REPOSITORY'], undefined),
    installation: toCap('installation', env['QUORUM_MAX_DAILY_USD_PER_INSTALLATION'], undefined),
    total: toCap('total', env['QUORUM_MAX_DAILY_USD'], DEFAULT_TOTAL_USD),
  };
}

function toCap(
  scope: HostScope,
  value: string | undefined,
  fallback: number | undefined,
): number | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return fallback;
  if (text === NO_CAP) return undefined;
  if (AMOUNT.test(text)) return Number(text);
  throw new ConfigError({
    code: 'daily-limit-invalid',
    message: `${HOST_CAP_NAMES[scope]} in the environment is ${JSON.stringify(text)}. Set it to dollars in 24 hours, such as 25 or 12.50, or to "off" for no limit.`,
  });
}
