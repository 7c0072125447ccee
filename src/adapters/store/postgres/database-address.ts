/** The address of the database, and what a server's refusal of it means to the operator. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import { sqlState, toStoreFailure } from './database.ts';

const EXPECTED = 'Expected: postgres://user:password@host:5432/database';

/** Checks an address without a connection. ConfigError `database-url-invalid`; the message never shows the password. */
export function requireAddress(address: string): URL {
  const url = URL.parse(address);
  if (url === null) throw invalid('it is not a URL');
  if (url.protocol === 'postgres:' || url.protocol === 'postgresql:') return url;
  throw invalid(`it starts with ${url.protocol}//, and only PostgreSQL is supported`);
}

function invalid(reason: string): ConfigError {
  return new ConfigError({
    code: 'database-url-invalid',
    message: `DATABASE_URL cannot be used: ${reason}. ${EXPECTED}. Characters such as @, / and # in a password must be percent-encoded.`,
  });
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const REFUSALS: Readonly<Record<string, { code: ErrorCode; fix: (url: URL) => string }>> = {
  '3D000': {
    code: 'database-missing',
    fix: (url) => `Create it (createdb ${nameOf(url)}), or correct the name in DATABASE_URL.`,
  },
  '28000': { code: 'database-refused', fix: () => 'Check the user in DATABASE_URL.' },
  '28P01': { code: 'database-refused', fix: () => 'Check the password in DATABASE_URL.' },
  '42501': {
    code: 'database-refused',
    fix: (url) => `Grant the user CREATE on the database ${nameOf(url)}.`,
  },
};

/** What an opening threw: an operator's mistake becomes a ConfigError that says how to correct it. */
export function toOpenFailure(error: unknown, url: URL): unknown {
  const refusal = REFUSALS[sqlState(error)];
  if (refusal === undefined || !(error instanceof Error)) return toStoreFailure(error);
  return new ConfigError({
    code: refusal.code,
    message: `The PostgreSQL server at ${url.host || 'the local socket'} refused the connection: ${error.message}. ${refusal.fix(url)}`,
    cause: error,
  });
}

function nameOf(url: URL): string {
  return decodeURIComponent(url.pathname.slice(1)) || url.username;
}
