/** A reverse proxy as it is set up in a hurry: it names the server behind it as `Host`, and says nothing of who asked. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Its address. */
export async function aPlainProxy(target: string): Promise<string> {
  const { host } = new URL(target);
  const server = createServer((req, res) => {
    const { method, url = '/' } = req;
    const onward = request(`${target}${url}`, { method, headers: { ...req.headers, host } });
    onward.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
