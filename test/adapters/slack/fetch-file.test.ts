/** Files that Slack does not give, or only in part. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fetchSlackFile } from '../../../src/adapters/slack/hear/fetch-file.ts';

const FILE = { id: 'F1', name: 'note.m4a', kind: 'audio', bytes: 5, url: '/files/F1' } as const;

async function fetchFrom(listener: RequestListener): Promise<Uint8Array> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = { apiUrl, token: 'a-token' };
  return fetchSlackFile(settings, FILE, 100);
}

test.each<[string, RequestListener]>([
  ['redirects to a page', (_, res) => res.writeHead(302, { location: '/login' }).end()],
  [
    'sends a page instead',
    (_, res) => res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
  ],
])(
  'where Slack %s the file is refused for good, with the scope that is missing',
  async (_, listener) => {
    const refused = { code: 'channel-file-refused', retryable: false };
    const fetched = fetchFrom(listener);
    await expect(fetched).rejects.toMatchObject(refused);
    await expect(fetched).rejects.toThrow('files:read');
  },
);

test('a file that breaks off is asked for again', async () => {
  const fetched = fetchFrom((_, res) => {
    res.writeHead(200, { 'content-length': '5' });
    res.write('so');
    setTimeout(() => res.destroy(), 20);
  });
  await expect(fetched).rejects.toMatchObject({ code: 'channel-unavailable', retryable: true });
});

test('a file that is given is read', async () => {
  const bytes = await fetchFrom((_, res) => res.end('sound'));
  expect(new TextDecoder().decode(bytes)).toBe('sound');
});
