/** Keeps sites of the network out of a server that is for this machine only. */
import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Whether a request asks for this machine by a name of its own. Another name that leads here is a site that has its own
 * name resolve to loopback, so that a browser lets it read the answers. What comes over a unix socket comes from no browser.
 */
export function isForThisMachine(
  { headers, socket }: IncomingMessage,
  names: readonly string[],
): boolean {
  if (socket.remoteAddress === undefined) return true;
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return LOOPBACK.test(name) || names.includes(name);
}
