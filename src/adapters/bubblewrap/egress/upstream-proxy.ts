/** The proxy that this machine itself uses, where it uses one. */
import { renderTarget, type Target } from '../../../domain/sandbox/sandbox-hosts.ts';
import { withoutBrackets } from './addresses.ts';

/** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` in either case; lower case wins, as in curl. */
export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/** The proxy for a target; undefined where the connection is direct. */
export function upstreamFor(
  env: ProxyEnv,
  { target, isTunnel }: { target: Target; isTunnel: boolean },
): URL | undefined {
  const named = valueOf(env, isTunnel ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (named === undefined || isExempt(valueOf(env, 'NO_PROXY') ?? '', target)) return undefined;
  const url = named.includes('://') ? named : `http://${named}`;
  return URL.canParse(url) && /^https?:\/\//.test(url) ? new URL(url) : undefined;
}

/** `Proxy-Authorization` for a proxy whose address has a password; the sandbox never sees it. */
export function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Entries of `NO_PROXY`: `*`, a host with all names below it, either with a port. */
function isExempt(list: string, target: Target): boolean {
  const host = withoutBrackets(target.host);
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*' || entry === renderTarget(target)) return true;
      const port = `:${target.port}`;
      const name = entry.endsWith(port) ? entry.slice(0, -port.length) : entry;
      const suffix = name.replace(/^\*?\./, '');
      return host === suffix || host.endsWith(`.${suffix}`);
    });
}

function valueOf(env: ProxyEnv, name: string): string | undefined {
  const value = env[name.toLowerCase()] ?? env[name];
  return value === undefined || value === '' ? undefined : value;
}
