/** What kind of network an address belongs to, and whether an allowed host may be there. */
import { BlockList, isIPv6 } from 'node:net';
import { isAddress, type AllowedHost } from '../../../domain/sandbox/sandbox-hosts.ts';

type Reach = 'public' | 'private' | 'loopback' | 'never';

/**
 * Addresses that are never a package registry: this network, multicast, reserved, and tunnels that carry another
 * address. Also link-local, with the metadata services of most clouds, and those of Alibaba, Azure, Oracle and AWS
 * outside it.
 */
const NEVER = listOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.0/24',
  '::/96',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
  '2001::/32',
  '2002::/16',
]);
const LOOPBACK = listOf(['127.0.0.0/8', '::1/128']);
const PRIVATE = listOf([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '198.18.0.0/15',
  'fc00::/7',
]);

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', prefix] = subnet.split('/');
    list.addSubnet(net, Number(prefix), isIPv6(net) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** NAT64 carries an IPv4 address in its last 32 bits. */
const NAT64 = /^64:ff9b::(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})?$/i;

/** An IPv6 address that carries an IPv4 one is judged by that. */
export function reachOf(address: string): Reach {
  const nat64 = NAT64.exec(address);
  if (nat64 !== null) return reachOf(fromHex(nat64[1] ?? '0', nat64[2] ?? '0'));
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(address, family)) return 'loopback';
  if (NEVER.check(address, family)) return 'never';
  return PRIVATE.check(address, family) ? 'private' : 'public';
}

function fromHex(high: string, low: string): string {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/**
 * Whether a connection to an allowed host may go to this address. A wildcard covers names that nobody looked at, so it
 * reaches public addresses only. Loopback must be named as such: a name that resolves to it is refused.
 */
export function mayBeAt(allowed: AllowedHost, address: string): boolean {
  switch (reachOf(address)) {
    case 'public':
      return true;
    case 'private':
      return !allowed.isWildcard;
    case 'loopback':
      return isLoopbackHost(allowed);
    case 'never':
      return false;
  }
}

/** Whether an entry names loopback itself. */
export function isLoopbackHost({ host, isWildcard }: AllowedHost): boolean {
  if (isWildcard) return false;
  if (host === 'localhost') return true;
  return isAddress(host) && reachOf(withoutBrackets(host)) === 'loopback';
}

/** An IPv6 address as sockets take it. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
