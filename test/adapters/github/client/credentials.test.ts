/** The App's JWT is signed once for several requests, and again before GitHub would refuse it. */
import { expect, test } from 'vitest';
import {
  appCredentials,
  type Credentials,
} from '../../../../src/adapters/github/client/credentials.ts';
import { readPrivateKey } from '../../../../src/adapters/github/client/app-jwt.ts';
import type { Answer } from '../../../../src/adapters/github/github-answer.ts';
import { createTestClock, makePrivateKey } from '../stage.ts';

const MINUTE_MS = 60_000;
const privateKey = readPrivateKey(makePrivateKey());

function open(): { app: Credentials; clock: ReturnType<typeof createTestClock> } {
  const clock = createTestClock();
  return { app: appCredentials({ appId: 12, privateKey, clock }), clock };
}

const ask = (app: Credentials): Promise<string> => app.authorization({});

/** Seconds, by the JWT itself. */
async function timesOf(app: Credentials): Promise<{ iat: number; exp: number }> {
  const [, claims = ''] = (await ask(app)).split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

const refusedAt = (ms: number): Answer => ({
  status: 401,
  headers: { date: new Date(ms).toUTCString() },
  data: {},
});

test('is the same for four minutes, then one that was signed since', async () => {
  const { app, clock } = open();
  const first = await ask(app);
  clock.advance(4 * MINUTE_MS - 1);
  expect(await ask(app)).toBe(first);
  const { exp } = await timesOf(app);
  expect(exp * 1000 - clock.now()).toBeGreaterThan(5 * MINUTE_MS);
  clock.advance(1);
  expect(await ask(app)).not.toBe(first);
});

test('is signed again after GitHub refused it, by the clock of GitHub', async () => {
  const { app, clock } = open();
  const before = await timesOf(app);
  expect(await app.renew(refusedAt(clock.now() + 3 * MINUTE_MS))).toBe(true);
  const after = await timesOf(app);
  expect(after.iat - before.iat).toBe(180);
});

test('is signed again when the clock of this machine was set back', async () => {
  const { app, clock } = open();
  const before = await timesOf(app);
  clock.advance(-10 * MINUTE_MS);
  expect((await timesOf(app)).iat - before.iat).toBe(-600);
});
