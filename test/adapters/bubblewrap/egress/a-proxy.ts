/** The proxy of a sandbox and servers that it may reach or not, all on loopback. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import {
  startEgressProxy,
  type EgressProxy,
  type EgressProxyOptions,
} from '../../../../src/adapters/bubblewrap/egress/proxy.ts';
import { parseSandboxHosts } from '../../../../src/domain/sandbox/sandbox-hosts.ts';
import { temporaryFolder } from '../../../hosts/cli/temporary-folder.ts';

export interface AProxy extends EgressProxy {
  /** Opens a connection to the proxy, sends this, and reads what comes until the other side ends. */
  send: (text: string) => Promise<string>;
  open: () => Socket;
}

export async function aProxy(
  hosts: string,
  more: Partial<Omit<EgressProxyOptions, 'socketPath' | 'allowed'>> = {},
): Promise<AProxy> {
  const socketPath = path.join(temporaryFolder(), 'out.sock');
  const allowed = parseSandboxHosts(hosts);
  const proxy = await startEgressProxy({ socketPath, allowed, proxies: {}, ...more });
  onTestFinished(() => proxy.close());
  const open = (): Socket => {
    const socket = connect(socketPath);
    // Reset is one way in which the proxy refuses.
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return {
    ...proxy,
    open,
    send: async (text) => {
      const socket = open();
      socket.write(text);
      return readAll(socket);
    },
  };
}

/** What was read, also where the connection was reset. */
export async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (piece: Buffer) => {
    text += piece.toString('latin1');
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => {
    socket.on('close', resolve);
  });
  return text;
}

export interface Answering {
  port: number;
  seen: { url: string; headers: IncomingMessage['headers']; body: string }[];
}

/** An HTTP server on loopback that says `reached` and keeps what it was sent. */
export async function answering(): Promise<Answering> {
  const seen: Answering['seen'] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    req.on('end', () => {
      seen.push({ url: req.url ?? '', headers: req.headers, body });
      res.writeHead(200, { 'x-answer': 'yes', connection: 'close' }).end('reached');
    });
  });
  return { port: await listening(server), seen };
}

/** The port of a server that is closed after the test. */
export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** An address that a name resolves to. */
export function resolvingTo(
  ...addresses: string[]
): () => Promise<{ address: string; family: number }[]> {
  return async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}
