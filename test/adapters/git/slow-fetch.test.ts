/** A first fetch over a slow line: it goes on for as long as something arrives. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fetchCommit } from '../../../src/adapters/git/mirror.ts';
import { git, runGit } from '../../../src/adapters/git/run-git.ts';
import { openEmulatedGit } from './world.ts';

const SILENCE_MS = 2_000;
const PIECE = 64 * 1024;
const PAUSE_MS = 300;

async function passOn(from: IncomingMessage, to: ServerResponse, pauseMs: number): Promise<void> {
  for await (const chunk of from as AsyncIterable<Buffer>)
    for (let at = 0; at < chunk.length; at += PIECE) {
      to.write(chunk.subarray(at, at + PIECE));
      if (pauseMs > 0) await wait(pauseMs);
    }
  to.end();
}

/** Passes packs on piece by piece, with a pause after each. */
async function openSlowLine(to: string): Promise<string> {
  const server = createServer((req, res) => {
    const { method, headers, url = '' } = req;
    const onward = request(`${to}${url}`, { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      const isPack = url.endsWith('/git-upload-pack');
      void passOn(answer, res, isPack ? PAUSE_MS : 0);
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

async function fetchSlowly() {
  // Bytes that do not compress, in more objects than git unpacks one by one.
  const files = Array.from({ length: 120 }, (_, at) => [
    `data/${at}.txt`,
    randomBytes(12_000).toString('base64'),
  ]);
  const world = await openEmulatedGit(Object.fromEntries(files));
  onTestFinished(() => world.close());
  const mirror = await mkdtemp(join(tmpdir(), 'quorum-slow-'));
  onTestFinished(() => rm(mirror, { recursive: true, force: true }));
  await git({ dir: mirror, args: ['init', '--quiet', '--bare', '.'], env: { GIT_DIR: mirror } });
  const url = `${await openSlowLine(world.emulator.url)}/acme/widgets.git`;
  const remote = { url, authorization: world.authorization };
  const started = performance.now();
  const fetched = fetchCommit(mirror, remote, { sha: world.baseSha, silenceMs: SILENCE_MS });
  return { mirror, sha: world.baseSha, fetched, tookMs: () => performance.now() - started };
}

test(
  'goes on for longer than the longest silence while bytes arrive',
  { timeout: 60_000 },
  async () => {
    const { mirror, sha, fetched, tookMs } = await fetchSlowly();
    await fetched;
    expect(tookMs()).toBeGreaterThan(SILENCE_MS);
    const args = ['cat-file', '-e', `${sha}^{tree}`];
    expect((await runGit({ dir: mirror, args, env: { GIT_DIR: mirror } })).code).toBe(0);
  },
);
