/** Connects to a host that is allowed, at an address that was checked, through the machine's own proxy where it has one. */
import { lookup as lookupName, type LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { connect, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import {
  findAllowed,
  isAddress,
  renderTarget,
  type AllowedHost,
  type Target,
} from '../../../domain/sandbox/sandbox-hosts.ts';
import { mayBeAt, reachOf, withoutBrackets } from './addresses.ts';
import { proxyAuthorization, upstreamFor, type ProxyEnv } from './upstream-proxy.ts';

export interface Routes {
  allowed: readonly AllowedHost[];
  /** The machine's own proxy settings. */
  proxies: ProxyEnv;
  /** Resolves a name; the system's resolver by default. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
  connectTimeoutMs: number;
}

/** The target is not allowed, or resolves to an address that is not. */
export class NotAllowed extends Error {
  /** Whether an entry in the list of allowed hosts would change that. */
  readonly canBeAllowed: boolean;

  constructor(why: string, { canBeAllowed }: { canBeAllowed: boolean }) {
    super(why);
    this.canBeAllowed = canBeAllowed;
  }
}

/** Where a connection goes: the addresses that were checked, or the machine's proxy. */
type Route = { proxy: URL } | { addresses: LookupAddress[] };

const systemResolve = promisify(lookupName);

/**
 * Names are resolved once, here: the connection goes to an address that was checked, so that a second answer of a name
 * server changes nothing. A proxy of the machine resolves names itself.
 *
 * @throws NotAllowed
 */
async function routeTo(target: Target, routes: Routes, isTunnel: boolean): Promise<Route> {
  const literal = literalOf(target);
  const allowed = findAllowed(routes.allowed, target);
  if (allowed === undefined) {
    const canBeAllowed = literal === undefined || reachOf(literal.address) !== 'never';
    throw new NotAllowed('it is not in the list', { canBeAllowed });
  }
  if (literal !== undefined) checkAddresses(allowed, [literal]);
  const proxy = upstreamFor(routes.proxies, { target, isTunnel });
  if (proxy !== undefined) return { proxy };
  if (literal !== undefined) return { addresses: [literal] };
  const addresses = await (routes.resolve ?? resolveAll)(target.host);
  checkAddresses(allowed, addresses);
  return { addresses };
}

function checkAddresses(allowed: AllowedHost, addresses: readonly LookupAddress[]): void {
  const refused = addresses.find(({ address }) => !mayBeAt(allowed, address));
  if (refused === undefined) return;
  const reach = reachOf(refused.address);
  const why = `it resolves to ${refused.address}, which is ${reach === 'never' ? 'reserved' : reach}`;
  // A wildcard reaches public addresses only; the exact name may be in a private network.
  throw new NotAllowed(why, { canBeAllowed: reach === 'private' });
}

function literalOf({ host }: Target): LookupAddress | undefined {
  if (!isAddress(host)) return undefined;
  const address = withoutBrackets(host);
  return { address, family: address.includes(':') ? 6 : 4 };
}

function resolveAll(host: string): Promise<LookupAddress[]> {
  return systemResolve(host, { all: true });
}

/** A connection to the target itself, for bytes of any kind. */
export async function openTunnel(target: Target, routes: Routes): Promise<Duplex> {
  const route = await routeTo(target, routes, true);
  if ('proxy' in route) return tunnelThrough(route.proxy, target, routes);
  const socket = connect({
    host: withoutBrackets(target.host),
    port: target.port,
    lookup: answering(route.addresses),
    allowHalfOpen: true,
  });
  return opened(socket, routes.connectTimeoutMs);
}

function opened(socket: Socket, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the host did not answer')));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function tunnelThrough(proxy: URL, target: Target, routes: Routes): Promise<Duplex> {
  const authority = renderTarget(target);
  const req = clientOf(proxy).request({
    ...addressOf(proxy),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxyAuthorization(proxy) },
    agent: false,
    timeout: routes.connectTimeoutMs,
  });
  return new Promise((resolve, reject) => {
    req.on('timeout', () => req.destroy(new Error('the proxy of this machine did not answer')));
    req.on('error', reject);
    req.on('connect', (res, socket, head) => {
      if (res.statusCode !== 200) {
        socket.destroy();
        return reject(new Error(`the proxy of this machine answered ${res.statusCode}`));
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    req.end();
  });
}

/** An outgoing plain HTTP request for `url`; its body is the caller's. */
export async function openRequest(
  url: URL,
  target: Target,
  {
    routes,
    method,
    headers,
  }: { routes: Routes; method: string; headers: http.OutgoingHttpHeaders },
): Promise<http.ClientRequest> {
  const route = await routeTo(target, routes, false);
  const common = { method, agent: false, setHost: false, timeout: routes.connectTimeoutMs };
  if ('proxy' in route) {
    const { proxy } = route;
    const all = { ...headers, ...proxyAuthorization(proxy) };
    return clientOf(proxy).request({
      ...common,
      ...addressOf(proxy),
      path: `${url.origin}${url.pathname}${url.search}`,
      headers: all,
    });
  }
  return http.request({
    ...common,
    host: withoutBrackets(target.host),
    port: target.port,
    path: `${url.pathname}${url.search}`,
    lookup: answering(route.addresses),
    headers,
  });
}

/** Answers with what was checked, whatever is asked. */
function answering(addresses: LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (first === undefined) done(new Error('the name has no address'), '', 0);
    else if (all === true) done(null, addresses);
    else done(null, first.address, first.family);
  };
}

function clientOf({ protocol }: URL): Pick<typeof https, 'request'> {
  return protocol === 'https:' ? https : http;
}

function addressOf({ protocol, hostname, port }: URL): { host: string; port: number } {
  const standard = protocol === 'https:' ? 443 : 80;
  return { host: withoutBrackets(hostname), port: port === '' ? standard : Number(port) };
}
