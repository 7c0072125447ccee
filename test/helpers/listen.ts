/** A port on loopback that somebody might reach who should not. */
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Listening {
  port: number;
  /** Connections so far. */
  reached: () => number;
}

/** Says `reached` to everybody; closed after the test. */
export async function listen(): Promise<Listening> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => undefined);
    socket.end('reached');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    reached: () => count,
  };
}
