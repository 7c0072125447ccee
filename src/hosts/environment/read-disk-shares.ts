/** What this host's operator gives repositories of its disk, read from the environment. */
import { ConfigError } from '../../domain/event/errors.ts';
import type { DiskShares } from '../../domain/config/disk-shares.ts';
import type { Env } from './env-file.ts';

const DEFAULT_TOTAL_MB = 20_000;
const AMOUNT = /^[1-9]\d{0,8}$/;

/** @throws ConfigError `disk-limit-invalid` */
export function readDiskShares(env: Env): DiskShares {
  const total = env['QUORUM_MAX_DISK_MB'];
  const installation = env['QUORUM_MAX_DISK_MB_PER_INSTALLATION'];
  const totalMb = toLimit('QUORUM_MAX_DISK_MB', total, DEFAULT_TOTAL_MB);
  // Half of the host, so that one installation alone cannot keep all others from working.
  const share = totalMb === undefined ? undefined : Math.ceil(totalMb / 2);
  const name = 'QUORUM_MAX_DISK_MB_PER_INSTALLATION';
  return { totalMb, installationMb: toLimit(name, installation, share) };
}

function toLimit(
  name: string,
  value: string | undefined,
  fallback: number | undefined,
): number | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return fallback;
  if (text === 'off') return undefined;
  if (AMOUNT.test(text)) return Number(text);
  throw new ConfigError({
    code: 'disk-limit-invalid',
    message: `${name} in the environment is ${JSON.stringify(text)}. Set it to whole megabytes, such as 20000, or to "off" for no limit.`,
  });
}
