/** How a command that failed says so: what, where and how to fix, with the code to look up, and the exit code. */
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import { CommanderError } from 'commander';
import { ConfigError, QuorumError } from '../../domain/event/errors.ts';
import { scrubSecrets } from '../../domain/secrets/scrub.ts';
import { printable } from './terminal/terminal-text.ts';
import { EXIT, outJson, type ExitCode, type Io } from './terminal/io.ts';

/** The command line asks for something that is not there. */
export function usageError(code: ErrorCode, message: string): ConfigError {
  return new ConfigError({ code, message });
}

/** Says what went wrong on standard error, with `--json` also on standard output, and returns the exit code. */
export function reportFailure(io: Io, error: unknown, wantsJson: boolean): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { code, message, details } = describe(error);
  const secrets = secretsIn(io);
  const say = (text: string): void => io.err(printable(scrubSecrets(text, secrets)));
  say(`quorum: ${message} [${code}]\n`);
  if (details !== undefined) say(`  ${details}\n`);
  if (io.env['LOG_LEVEL'] === 'debug' && error instanceof Error) say(`${error.stack}\n`);
  if (wantsJson)
    outJson(io, { ok: false, error: { code, message: scrubSecrets(message, secrets) } });
  return error instanceof ConfigError || code === 'address-in-use' ? EXIT.usage : EXIT.failure;
}

interface Described {
  code: ErrorCode;
  message: string;
  details?: string | undefined;
}

function describe(error: unknown): Described {
  if (error instanceof QuorumError)
    return { code: error.code, message: error.message, details: error.details };
  const text = error instanceof Error ? error.message : String(error);
  if (systemCode(error) === 'EADDRINUSE')
    return {
      code: 'address-in-use',
      message: `The address is taken (${text}). Stop what listens there, or set PORT to another number.`,
    };
  if (systemCode(error) !== undefined)
    return { code: 'system', message: `The system refused: ${text}.` };
  return {
    code: 'bug',
    message: `Something went wrong that should not: ${text}. LOG_LEVEL=debug shows where; please report it.`,
  };
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code) ? error.code : undefined;
}

const SECRET_NAMES = /(KEY|SECRET|TOKEN|PASSWORD)(_|$)/;

export function secretsIn({ env }: Io): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    SECRET_NAMES.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
}
