/**
 * Runs inside the sandbox, whose own network has only loopback, and forwards the proxy's port to the proxy's socket.
 * A registry on the machine's loopback keeps its address: a tunnel carries that port.
 */
import { closeSync, writeSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

const STDOUT = 1;
const MAX_HEAD_BYTES = 8_192;
/** One argument, by the line: the socket, the proxy's port, then each allowed loopback host as `host:port`. */
const [socketPath = '', port, ...tunnels] = (process.argv[2] ?? '').split('\n');

function join(inner: Socket, outer: Socket): void {
  pipeline(inner, outer, inner, () => {
    inner.destroy();
    outer.destroy();
  });
}

function toProxy(): Socket {
  return connect({ path: socketPath, allowHalfOpen: true });
}

/** Asks the proxy for the host, and begins once it agrees. */
function openTunnel(inner: Socket, authority: string): void {
  const outer = toProxy();
  let head = Buffer.alloc(0);
  const fail = (): void => void [inner.destroy(), outer.destroy()];
  outer.on('error', fail);
  inner.on('error', fail);
  outer.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`);
  outer.on('data', function read(piece: Buffer) {
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0 && head.length < MAX_HEAD_BYTES) return;
    outer.off('data', read).pause();
    if (!head.toString('latin1').startsWith('HTTP/1.1 200 ')) return fail();
    outer.unshift(head.subarray(end + 4));
    join(inner, outer);
  });
}

function listen(
  at: { host: string; port: number },
  serve: (socket: Socket) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true }, serve);
    // Without IPv6 there is no `::1`; the other address is enough.
    server.on('error', () => resolve());
    server.listen(at.port, at.host, () => resolve());
  });
}

const LOOPBACK = ['127.0.0.1', '::1'];
await Promise.all([
  listen({ host: '127.0.0.1', port: Number(port) }, (socket) => join(socket, toProxy())),
  ...tunnels.flatMap((authority) =>
    LOOPBACK.map((host) =>
      listen({ host, port: Number(authority.split(':').at(-1)) }, (socket) =>
        openTunnel(socket, authority),
      ),
    ),
  ),
]);
// The parent process waits for this line and then starts the program.
writeSync(STDOUT, 'ready\n');
closeSync(STDOUT);
