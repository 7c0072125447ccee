/** kill -9 around each kind of effect: the App starts again on its data and the world ends the same, every comment once. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { StoreCounts } from '../../src/ports/store.ts';
import { aWorld, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const KINDS: { kind: string; nth: number }[] = [
  { kind: 'look', nth: 1 },
  { kind: 'look', nth: 2 },
  { kind: 'ask', nth: 2 },
  { kind: 'react', nth: 1 },
  { kind: 'comment', nth: 1 },
  { kind: 'comment', nth: 2 },
  { kind: 'labels', nth: 1 },
  { kind: 'react', nth: 2 },
  { kind: 'close', nth: 1 },
  { kind: 'check', nth: 1 },
];
const POINTS = ['before-effect', 'after-effect', 'after-record'] as const;

const DUPLICATE = { title: READY_ISSUE.title, body: READY_ISSUE.body };

describe('kill -9', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'quorum-kill-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  for (const { kind, nth } of KINDS) {
    for (const point of POINTS) {
      verifies(
        ['P1', 'P2'],
        `${point} of ${kind} ${nth}: the same end, nothing twice`,
        async () => {
          const world = await aSandboxAlone();
          const number = await anIssueFor(kind, world);
          const place = { dir: path.join(dir, `${kind}-${nth}-${point}`), port: await freePort() };
          const killed = await startChild(world, place, { kind, nth, point });
          const died = once(killed.child, 'exit') as Promise<[number | null, string | null]>;
          await world.sandbox.as('ana').label(REPO, number, ['deliberate']);
          const [, signal] = await died;
          expect(signal).toBe('SIGKILL');
          const again = await startChild(world, place);
          await rest(again.child, world);
          await expectOneEnd(world, number, kind);
          again.child.kill('SIGKILL');
        },
      );
    }
  }
});

/** The world of the other scenarios, with its own App stopped: here the App is a process of its own. */
async function aSandboxAlone(): Promise<TestWorld> {
  const typo = '---\nhandle: robin\nname: Robin\nrolle: Reviewer\n---\n';
  const world = await aWorld({ files: { '.github/quorum/personas/robin.md': typo } });
  await world.stopApp();
  return world;
}

async function anIssueFor(kind: string, world: TestWorld): Promise<number> {
  if (kind === 'close') await world.sandbox.as('ana').openIssue(REPO, DUPLICATE);
  const { number } = await world.sandbox.as('tom').openIssue(REPO, READY_ISSUE);
  await world.sandbox.settled();
  return number;
}

async function expectOneEnd(world: TestWorld, number: number, kind: string): Promise<void> {
  const told = await world.tell(number);
  expect(told.comments).toHaveLength(1);
  const isClosed = kind === 'close';
  expect(told.state).toBe(isClosed ? 'closed' : 'open');
  expect(told.labels).toEqual(isClosed ? [] : ['ready']);
  expect(told.reactions).toEqual([isClosed ? '+1' : 'rocket']);
  const { check_runs: runs } = (await world.sandbox
    .as('ana')
    .request('GET', `/repos/${REPO}/commits/main/check-runs`)) as { check_runs: unknown[] };
  expect(runs).toHaveLength(1);
}

async function startChild(
  world: TestWorld,
  place: { dir: string; port: number },
  killAt?: { kind: string; nth: number; point: string },
): Promise<{ child: ChildProcess }> {
  const child = fork(path.join(import.meta.dirname, 'kill-child.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execPath: process.execPath,
    env: {
      PATH: process.env['PATH'],
      ...world.appEnv,
      QUORUM_DATA: place.dir,
      PORT: String(place.port),
      ...(killAt === undefined ? {} : { KILL_AT: JSON.stringify(killAt) }),
    },
  });
  const [message] = (await once(child, 'message')) as [{ url: string }];
  world.sandbox.app(world.appId).webhookUrl = `${message.url}/api/github/webhooks`;
  return { child };
}

const LIMIT = 400;

async function rest(child: ChildProcess, world: TestWorld): Promise<void> {
  let quiet = 0;
  for (let i = 0; i < LIMIT && quiet < 3; i += 1) {
    await world.sandbox.settled();
    child.send('counts');
    const [{ counts }] = (await once(child, 'message')) as [{ counts: StoreCounts }];
    quiet = counts.events.pending + counts.effects.pending === 0 ? quiet + 1 : 0;
    await wait(50);
  }
  expect(quiet).toBe(3);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
