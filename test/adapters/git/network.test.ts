/** REST and git behind a proxy that alone knows the host, whose certificate is of a private authority. */
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openEmulatedGit, type EmulatedGit } from './world.ts';

const HOST = 'git.example.test';
const CHILD = new URL('network-child.ts', import.meta.url).pathname;

/** An authority, and a certificate of it for the host. */
function makeCertificates(dir: string): { ca: string; key: Buffer; cert: Buffer } {
  mkdirSync(dir, { recursive: true });
  const openssl = (...args: string[]): unknown =>
    execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Own authority',
  );
  openssl('req', ...key, '-keyout', 'host.key', '-out', 'host.csr', '-subj', `/CN=${HOST}`);
  writeFileSync(join(dir, 'host.ext'), `subjectAltName=DNS:${HOST}\n`);
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'host.ext'];
  openssl('x509', '-req', '-in', 'host.csr', '-out', 'host.pem', ...by);
  const read = (name: string): Buffer => readFileSync(join(dir, name));
  return { ca: join(dir, 'ca.pem'), key: read('host.key'), cert: read('host.pem') };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The embedded GitHub with TLS in front of it. */
function openFront(to: string, tls: { key: Buffer; cert: Buffer }): Promise<number> {
  const front = createSecureServer(tls, (req, res) => {
    const { method, headers, url } = req;
    const onward = request(`${to}${url ?? ''}`, { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  return listen(front);
}

/** A proxy for tunnels that leads one name to the front, and remembers who asked. */
async function openProxy(front: number): Promise<{ url: string; agents: string[] }> {
  const agents: string[] = [];
  const proxy = createServer((_req, res) => res.writeHead(501).end());
  proxy.on('connect', (req, socket) => {
    agents.push(req.headers['user-agent'] ?? 'node');
    if (req.url !== `${HOST}:443`) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const onward = connect(front, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const one of [socket, onward]) one.on('error', () => onward.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(proxy)}`, agents };
}

interface Told {
  rest: string;
  git: string;
}

interface Outside {
  world: EmulatedGit;
  ca: string;
  dir: string;
  agents: string[];
  run: (env: Record<string, string>) => Promise<Told>;
}

async function openOutside(): Promise<Outside> {
  const world = await openEmulatedGit(undefined, HOST);
  onTestFinished(() => world.close());
  const dir = join(world.folder, 'tls');
  const { ca, ...tls } = makeCertificates(dir);
  const proxy = await openProxy(await openFront(world.emulator.url, tls));
  const run = async (env: Record<string, string>): Promise<Told> => {
    const { stdout } = await promisify(execFile)(process.execPath, [CHILD], {
      env: {
        PATH: process.env['PATH'],
        BASE_URL: `https://${HOST}/api/v3`,
        APP_ID: String(world.app.appId),
        PRIVATE_KEY: world.app.privateKey,
        REF: JSON.stringify(world.ref),
        QUORUM_CODER: 'local',
        QUORUM_DATA: join(world.folder, 'child'),
        HTTPS_PROXY: proxy.url,
        ...env,
      },
    });
    return JSON.parse(stdout) as Told;
  };
  return { world, ca, dir, agents: proxy.agents, run };
}

/** How an owner may name an authority. */
const WAYS: [string, (outside: Outside) => string][] = [
  ['NODE_EXTRA_CA_CERTS', ({ ca }) => ca],
  ['SSL_CERT_FILE', ({ ca }) => ca],
  ['GIT_SSL_CAINFO', ({ ca }) => ca],
  [
    'SSL_CERT_DIR',
    ({ ca, dir }) => {
      mkdirSync(join(dir, 'trusted'));
      copyFileSync(ca, join(dir, 'trusted', 'own.pem'));
      return join(dir, 'trusted');
    },
  ],
];

test.each(WAYS)(
  'REST and git go through the proxy and trust what %s names',
  async (name, value) => {
    const outside = await openOutside();
    const told = await outside.run({ [name]: value(outside) });
    expect(told).toEqual({
      rest: `https://${HOST}/acme/widgets.git`,
      git: outside.world.baseSha,
    });
    expect(outside.agents.some((agent) => agent.startsWith('git/'))).toBe(true);
    expect(outside.agents.some((agent) => !agent.startsWith('git/'))).toBe(true);
  },
);

test('without the authority neither of them is connected', async () => {
  const { run, agents } = await openOutside();
  const told = await run({});
  expect(told.rest).toMatch(/no whole answer/);
  expect(told.git).toBe(told.rest);
  expect(agents.length).toBeGreaterThan(0);
});
