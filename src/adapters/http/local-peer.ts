/** Tells requests of this very machine from others. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

const LOCAL_NAMES = new Set(['localhost', '[::1]']);

/** Whether an address is this machine's own. A name other than `localhost` is not: it may resolve to anything. */
function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(address);
  if (family === 0) return host === 'localhost';
  return LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Whether a request was made on this machine, to an address of this machine, and by no proxy for someone else.
 * The `Host` is checked because a web page may point its own name at 127.0.0.1 (DNS rebinding).
 */
export function isFromThisMachine(req: IncomingMessage): boolean {
  const { headers, socket } = req;
  if (headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined) return false;
  if (!isLoopback(socket.remoteAddress ?? '')) return false;
  const name = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return LOCAL_NAMES.has(name) || isLoopback(name);
}
