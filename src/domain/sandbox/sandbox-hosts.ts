/** Which hosts a sandbox with network may connect to: the syntax of `QUORUM_SANDBOX_HOSTS`, and how a host is matched. */
import { ConfigError } from '../event/errors.ts';

/** A host and a port that a sandboxed program asks for; the host is in canonical form. */
export interface Target {
  host: string;
  port: number;
}

export interface AllowedHost extends Target {
  /** `*.suffix`: `host` is the suffix, and only names below it match. */
  isWildcard: boolean;
  /** The setting that allows it, as people know it. */
  source: string;
}

/** The setting of the machine that this file reads. */
export const HOSTS_SETTING = 'QUORUM_SANDBOX_HOSTS';

const HTTPS_PORT = 443;
const MAX_PORT = 65_535;
const MAX_NAME_CHARS = 253;
const AUTHORITY = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?$/i;

/**
 * Reads a list of hosts, separated by commas or spaces: `host` (port 443), `host:port`, `*.suffix` and `*.suffix:port`. An
 * IPv6 address is in brackets.
 *
 * @throws ConfigError `sandbox-hosts-invalid`, which names the entry
 */
export function parseSandboxHosts(text: string): AllowedHost[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(parseEntry);
}

function parseEntry(entry: string): AllowedHost {
  const isWildcard = entry.startsWith('*.');
  const target = parseAuthority(isWildcard ? entry.slice(2) : entry, HTTPS_PORT);
  const isName = target !== undefined && !isAddress(target.host);
  if (target === undefined || (isWildcard && !(isName && target.host.includes('.'))))
    throw new ConfigError({
      code: 'sandbox-hosts-invalid',
      message: `${HOSTS_SETTING} has the entry ${JSON.stringify(entry)}, which is not a host. Write \`host\`, \`host:port\` or \`*.suffix\` with a dot in the suffix, and separate entries by commas.`,
    });
  return { ...target, isWildcard, source: HOSTS_SETTING };
}

/**
 * Reads `host:port` into canonical form: lower case, ASCII, without a final dot, numeric spellings of an address as the
 * address. Undefined for anything else.
 */
export function parseAuthority(text: string, defaultPort?: number): Target | undefined {
  const [, name = '', digits] = AUTHORITY.exec(text) ?? [];
  const port = digits === undefined ? defaultPort : Number(digits);
  const host = canonicalHost(name);
  if (host === undefined || port === undefined || port < 1 || port > MAX_PORT) return undefined;
  return { host, port };
}

function canonicalHost(name: string): string | undefined {
  if (!URL.canParse(`http://${name}/`)) return undefined;
  const { hostname } = new URL(`http://${name}/`);
  const host = hostname.replace(/\.$/, '');
  return host === '' || host.length > MAX_NAME_CHARS ? undefined : host;
}

/** Host and port of an `http` or `https` URL; undefined for anything else. */
export function targetOfUrl(url: string): Target | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const host = canonicalHost(hostname);
  if (host === undefined) return undefined;
  return { host, port: port === '' ? (protocol === 'http:' ? 80 : HTTPS_PORT) : Number(port) };
}

/** The entry that allows a target; an exact entry comes before a wildcard. */
export function findAllowed(
  allowed: readonly AllowedHost[],
  { host, port }: Target,
): AllowedHost | undefined {
  const onPort = allowed.filter((each) => each.port === port);
  return (
    onPort.find((each) => !each.isWildcard && each.host === host) ??
    onPort.find((each) => each.isWildcard && host.endsWith(`.${each.host}`))
  );
}

/** Whether a canonical host is an IP address. */
export function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host);
}

/** `host:port`, as people write it and {@link parseSandboxHosts} reads it. */
export function renderTarget({ host, port }: Target): string {
  return `${host}:${port}`;
}

/** An allowed host as people write it. */
export function renderAllowed(allowed: AllowedHost): string {
  return `${allowed.isWildcard ? '*.' : ''}${renderTarget(allowed)}`;
}

/** A connection that was refused. */
export interface RefusedHost {
  /** `host:port`. */
  target: string;
  /** Whether the setting can allow it: link-local, multicast and reserved addresses stay out. */
  canBeAllowed: boolean;
}

/** The message about refused connections: which ones, and the setting that allows them. */
export function renderRefused(refused: readonly RefusedHost[]): string {
  const named = refused.map(({ target }) => `\`${target}\``).join(', ');
  const value = refused.filter(({ canBeAllowed }) => canBeAllowed).map(({ target }) => target);
  const fix =
    value.length === 0
      ? `No setting allows them.`
      : `To allow them, add ${value.join(',')} to ${HOSTS_SETTING} where the App runs.`;
  return `The sandbox refused connections to ${named}. ${fix}`;
}
