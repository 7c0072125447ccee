// A real PDS and a real PLC directory in one process, for tests: `.ci/run` installs this folder beside the project.
// The one argument is the address of the AppView. Prints one line of JSON once it listens; ends with its standard input.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Both servers would listen on every interface.
const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (first, ...others) {
  const isPort = typeof first === 'number' || /^\d+$/.test(String(first));
  const done = [first, ...others].find((each) => typeof each === 'function');
  if (isPort) return listen.call(this, { port: Number(first), host: '127.0.0.1' }, done);
  return listen.call(this, { ...first, host: '127.0.0.1' }, ...others);
};

const { Secp256k1Keypair } = await import('@atproto/crypto');
const { PDS } = await import('@atproto/pds');
const plc = await import('@did-plc/server');

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const plcPort = await freePort();
const directory = plc.PlcServer.create({ db: plc.Database.mock(), port: plcPort });
await directory.start();

const folder = await mkdtemp(path.join(tmpdir(), 'quorum-pds-'));
const port = await freePort();
const rotation = await Secp256k1Keypair.create({ exportable: true });
const pds = await PDS.fromEnv({
  devMode: true,
  port,
  hostname: 'localhost',
  dataDirectory: folder,
  blobstoreDiskLocation: path.join(folder, 'blobs'),
  didPlcUrl: `http://localhost:${plcPort}`,
  plcRotationKeyK256PrivateKeyHex: Buffer.from(await rotation.export()).toString('hex'),
  recoveryDidKey: (await Secp256k1Keypair.create()).did(),
  adminPassword: randomBytes(16).toString('hex'),
  jwtSecret: randomBytes(16).toString('hex'),
  serviceHandleDomains: ['.test'],
  inviteRequired: false,
  disableSsrfProtection: true,
  bskyAppViewUrl: process.argv[2],
  bskyAppViewDid: 'did:web:appview.test',
});
await pds.start();
console.log(JSON.stringify({ url: `http://localhost:${port}` }));

process.stdin.resume();
process.stdin.on('end', async () => {
  await pds.destroy();
  await directory.destroy();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
});
