/** The proxy of a sandbox: allowed hosts and ports are reached, everything else is refused, whatever the request looks like. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { PROXY_LIMITS } from '../../../../src/adapters/bubblewrap/egress/proxy.ts';
import { answering, aProxy, listening, readAll, resolvingTo } from './a-proxy.ts';

const GET = 'GET / HTTP/1.1\r\nhost: inner\r\nconnection: close\r\n\r\n';

function connectTo(authority: string, rest = ''): string {
  return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n${rest}`;
}

function absolute(url: string, more: readonly string[] = [], body = ''): string {
  return [`GET ${url} HTTP/1.1`, 'host: whatever', 'connection: close', ...more, '', body].join(
    '\r\n',
  );
}

describe('CONNECT', () => {
  test('reaches an allowed host on its port, with what was sent along', async () => {
    const { port, seen } = await answering();
    const proxy = await aProxy(`127.0.0.1:${port}`);
    const said = await proxy.send(connectTo(`127.0.0.1:${port}`, GET));
    expect(said).toMatch(/^HTTP\/1\.1 200 Connection Established\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(seen).toHaveLength(1);
    expect(proxy.refused()).toEqual([]);
  });

  test('refuses another host and another port, and remembers each once', async () => {
    const { port, seen } = await answering();
    const proxy = await aProxy('127.0.0.1:1, registry.example');
    for (const authority of [`127.0.0.1:${port}`, `127.0.0.1:${port}`, 'registry.example:80'])
      expect(await proxy.send(connectTo(authority, GET))).toMatch(
        /^HTTP\/1\.1 403 .*QUORUM_SANDBOX_HOSTS/s,
      );
    expect(proxy.refused()).toEqual([
      { target: `127.0.0.1:${port}`, canBeAllowed: true },
      { target: 'registry.example:80', canBeAllowed: true },
    ]);
    expect(seen).toEqual([]);
  });

  test('refuses everything where nothing is allowed', async () => {
    const proxy = await aProxy('');
    expect(await proxy.send(connectTo('registry.example:443'))).toMatch(/^HTTP\/1\.1 403 /);
  });

  test.each(['registry.example', 'http://registry.example:443', '/', 'user@registry.example:443'])(
    'does not understand %s',
    async (authority) => {
      const proxy = await aProxy('registry.example');
      expect(await proxy.send(connectTo(authority))).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test('a wildcard reaches names below it', async () => {
    const proxy = await aProxy('*.registry.example', { resolve: async () => [] });
    // No address: it was allowed, and cannot be reached.
    expect(await proxy.send(connectTo('a.registry.example:443'))).toMatch(/^HTTP\/1\.1 502 /);
    expect(await proxy.send(connectTo('registry.example:443'))).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('a name', () => {
  test.each(['127.0.0.1', '169.254.169.254', '::1', '0.0.0.0'])(
    'that resolves to %s is refused, although it is allowed',
    async (address) => {
      const { port, seen } = await answering();
      const proxy = await aProxy(`registry.example:${port}`, { resolve: resolvingTo(address) });
      const said = await proxy.send(connectTo(`registry.example:${port}`, GET));
      expect(said).toMatch(/^HTTP\/1\.1 403 .*it resolves to/s);
      expect(seen).toEqual([]);
      expect(proxy.refused()).toMatchObject([{ canBeAllowed: false }]);
    },
  );

  test('with one bad address among good ones is refused', async () => {
    const resolve = resolvingTo('203.0.113.1', '169.254.169.254');
    const proxy = await aProxy('registry.example', { resolve });
    expect(await proxy.send(connectTo('registry.example:443'))).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('is resolved once: the connection goes to the address that was checked', async () => {
    const { port } = await answering();
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked === 1
        ? await resolvingTo('127.0.0.1')()
        : await resolvingTo('169.254.169.254')();
    };
    const proxy = await aProxy(`localhost:${port}`, { resolve });
    expect(await proxy.send(connectTo(`localhost:${port}`, GET))).toContain('reached');
    expect(asked).toBe(1);
  });
});

describe('plain HTTP', () => {
  test('reaches an allowed host by the URL, whatever the Host header says', async () => {
    const { port, seen } = await answering();
    const proxy = await aProxy(`127.0.0.1:${port}`);
    const said = await proxy.send(
      absolute(`http://127.0.0.1:${port}/a?b=c`, [
        'host: evil.example',
        'proxy-authorization: Basic x',
        'x-own: kept',
        'connection: x-hop',
        'x-hop: dropped',
      ]),
    );
    expect(said).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*x-answer: yes[\s\S]*reached/);
    expect(seen[0]?.url).toBe('/a?b=c');
    expect(seen[0]?.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-own': 'kept' });
    for (const name of ['x-hop', 'proxy-authorization'])
      expect(seen[0]?.headers).not.toHaveProperty(name);
  });

  test('passes a body on', async () => {
    const { port, seen } = await answering();
    const proxy = await aProxy(`127.0.0.1:${port}`);
    const head = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`;
    await proxy.send(`${head}content-length: 4\r\n\r\nbody`);
    await proxy.send(`${head}transfer-encoding: chunked\r\n\r\n4\r\nmore\r\n0\r\n\r\n`);
    expect(seen.map(({ body }) => body)).toEqual(['body', 'more']);
  });

  test('refuses another host, another port, another scheme and what names no host', async () => {
    const { port, seen } = await answering();
    const proxy = await aProxy('registry.example:80');
    expect(await proxy.send(absolute(`http://127.0.0.1:${port}/`))).toMatch(/^HTTP\/1\.1 403 /);
    expect(await proxy.send(absolute('http://registry.example:8080/'))).toMatch(/^HTTP\/1\.1 403 /);
    for (const url of [
      'https://registry.example/',
      'ftp://registry.example/',
      '/',
      'http://u@registry.example/',
    ])
      expect(await proxy.send(absolute(url))).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });

  test('refuses requests that two servers may read differently', async () => {
    const { port, seen } = await answering();
    const proxy = await aProxy(`127.0.0.1:${port}`);
    const url = `http://127.0.0.1:${port}/`;
    const inner = `GET http://evil.example/ HTTP/1.1\r\nhost: x\r\n\r\n`;
    const framings = [
      ['content-length: 4', 'transfer-encoding: chunked'],
      ['content-length: 4', 'content-length: 5'],
      ['transfer-encoding: chunked, identity'],
      ['content-length : 4'],
      ['content-length: +4'],
      ['x: a\r\n b', 'transfer-encoding:\u{b}chunked'],
    ];
    for (const framing of framings)
      expect(await proxy.send(absolute(url, framing, inner))).not.toMatch(/reached/);
    expect(seen).toEqual([]);
  });

  test('a second request on the connection is judged by itself', async () => {
    const { port } = await answering();
    const proxy = await aProxy(`127.0.0.1:${port}`);
    const first = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: x\r\n\r\n`;
    const said = await proxy.send(first + absolute('http://evil.example/'));
    expect(said).toMatch(/reached[\s\S]*HTTP\/1\.1 403 /);
  });
});

describe('limits', () => {
  test('a header that is too large is refused', async () => {
    const proxy = await aProxy('registry.example');
    const said = await proxy.send(
      absolute('http://registry.example/', [`x: ${'a'.repeat(20_000)}`]),
    );
    expect(said).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('a header that does not end is cut off', async () => {
    const proxy = await aProxy('registry.example', { limits: { ...PROXY_LIMITS, headerMs: 200 } });
    const socket = proxy.open();
    socket.write('CONNECT registry.example:443 HTTP/1.1\r\n');
    const slow = setInterval(() => socket.write('x: y\r\n'), 20);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 |^$/);
    clearInterval(slow);
  });

  test('a tunnel without a byte is cut off', async () => {
    const { port } = await answering();
    const proxy = await aProxy(`127.0.0.1:${port}`, { limits: { ...PROXY_LIMITS, idleMs: 100 } });
    expect(await proxy.send(connectTo(`127.0.0.1:${port}`))).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('no more connections than allowed are open at one time', async () => {
    const { port } = await answering();
    const limits = { ...PROXY_LIMITS, connections: 2 };
    const proxy = await aProxy(`127.0.0.1:${port}`, { limits });
    const held = [proxy.open(), proxy.open()];
    for (const socket of held) {
      socket.write(connectTo(`127.0.0.1:${port}`));
      await once(socket, 'data');
    }
    expect(await proxy.send(connectTo(`127.0.0.1:${port}`))).toBe('');
    const [first] = held;
    first?.destroy();
  });

  test('closing ends tunnels that are open', async () => {
    const { port } = await answering();
    const proxy = await aProxy(`127.0.0.1:${port}`);
    const socket = proxy.open();
    socket.write(connectTo(`127.0.0.1:${port}`));
    await once(socket, 'data');
    const ended = readAll(socket);
    await proxy.close();
    expect(await ended).toBe('');
  });
});

describe('the proxy of this machine', () => {
  const anUpstream = async (): Promise<{ port: number; asked: string[] }> => {
    const asked: string[] = [];
    const server = createServer((req, res) => {
      asked.push(`${req.method} ${req.url} ${req.headers['proxy-authorization'] ?? ''}`);
      res.writeHead(200, { connection: 'close' }).end('through');
    });
    server.on('connect', (req, socket) => {
      asked.push(`CONNECT ${req.url} ${req.headers['proxy-authorization'] ?? ''}`);
      socket.end('HTTP/1.1 200 OK\r\n\r\nthrough');
    });
    return { port: await listening(server), asked };
  };

  test('is used for tunnels and requests, with its password; only allowed hosts get there', async () => {
    const { port, asked } = await anUpstream();
    const url = `http://user:word@127.0.0.1:${port}`;
    const proxy = await aProxy('registry.example registry.example:80', {
      proxies: { HTTPS_PROXY: url, http_proxy: url },
    });
    expect(await proxy.send(connectTo('registry.example:443'))).toContain('through');
    expect(await proxy.send(absolute('http://registry.example/a'))).toContain('through');
    expect(await proxy.send(connectTo('evil.example:443'))).toMatch(/^HTTP\/1\.1 403 /);
    const word = `Basic ${Buffer.from('user:word').toString('base64')}`;
    expect(asked).toEqual([
      `CONNECT registry.example:443 ${word}`,
      `GET http://registry.example/a ${word}`,
    ]);
  });

  test('does not carry a connection to an address that is never allowed', async () => {
    const { port, asked } = await anUpstream();
    const proxy = await aProxy('169.254.169.254:443', {
      proxies: { HTTPS_PROXY: `http://127.0.0.1:${port}` },
    });
    expect(await proxy.send(connectTo('169.254.169.254:443'))).toMatch(/^HTTP\/1\.1 403 /);
    expect(asked).toEqual([]);
  });

  test.each(['127.0.0.1', '*', 'other.example, 127.0.0.1'])(
    'is left out for NO_PROXY=%s',
    async (list) => {
      const upstream = await anUpstream();
      const { port } = await answering();
      const proxy = await aProxy(`127.0.0.1:${port}`, {
        proxies: { https_proxy: `http://127.0.0.1:${upstream.port}`, NO_PROXY: list },
      });
      expect(await proxy.send(connectTo(`127.0.0.1:${port}`, GET))).toContain('reached');
      expect(upstream.asked).toEqual([]);
    },
  );
});
