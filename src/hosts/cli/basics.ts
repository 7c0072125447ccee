/** The real clock, chance and log that long-running commands share. */
import { systemClock, systemRandom } from '../../adapters/system/system-clock.ts';
import { readCredentials } from '../environment/app-credentials.ts';
import type { Env } from '../environment/env-file.ts';
import { createLog } from '../create-log.ts';
import type { Basics } from '../host-parts.ts';
import type { Io } from './terminal/io.ts';

/**
 * Builds them. Lines go to the terminal's side that `to` names: `out` where the log is the output, `err` where it only
 * accompanies one. ConfigError `log-level-unknown` or `log-format-unknown`.
 */
export function createBasics(io: Io, { to }: { to: 'out' | 'err' }): Basics {
  const { env } = io;
  const log = createLog({
    level: env['LOG_LEVEL'],
    format: logFormat(io),
    secrets: () => secretsOf(env),
    destination: { write: (line: string) => io[to](line) },
  });
  return { env, clock: systemClock, random: systemRandom, log };
}

/** `LOG_FORMAT`, or what fits the reader. */
export function logFormat({ env, isTty }: Io): string {
  return env['LOG_FORMAT'] ?? (isTty ? 'pretty' : 'json');
}

/** Values that must not be printed, whatever they are called. */
function secretsOf(env: Env): string[] {
  const names = Object.keys(env).filter((name) => /(KEY|SECRET|TOKEN|PASSWORD)(_|$)/.test(name));
  return names.flatMap((name) => (name.endsWith('_PATH') ? [] : [env[name] ?? '']));
}

/** Whether the App's credentials are there. ConfigError when they are there and wrong. */
export function hasCredentials(env: Env): boolean {
  return readCredentials(env) !== undefined;
}
