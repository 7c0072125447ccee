/** The pace of a channel where the clock of the machine is set back. */
import { beforeEach, expect, test } from 'vitest';
import { createSlackClient, type SlackClient } from '../../../src/adapters/slack/slack-client.ts';
import { TransientError } from '../../../src/domain/event/errors.ts';
import { createInstantClock, type InstantClock } from '../../helpers/an-instant-clock.ts';

const HOUR_MS = 3_600_000;

let clock: InstantClock;
let slept: number[];
let client: SlackClient;

beforeEach(() => {
  clock = createInstantClock();
  slept = [];
  const sleep: InstantClock['sleep'] = async (ms, signal) => {
    slept.push(ms);
    await clock.sleep(ms, signal);
  };
  const settings = { token: ['xoxb', 'test'].join('-') };
  client = createSlackClient({ settings, clock: { ...clock, sleep } });
});
const send = (): Promise<string> => client.post('C1', async () => 'sent');

test('the next message waits for a second, not until the time of before', async () => {
  await send();
  clock.advance(-HOUR_MS);
  expect(await send()).toBe('sent');
  expect(slept).toEqual([1_000]);
});

test('a limit lasts as long as Slack named, from the first look on', async () => {
  const limited = new TransientError({
    code: 'channel-rate-limited',
    message: 'limited',
    retryAfterMs: 30_000,
  });
  await expect(client.post('C1', () => Promise.reject(limited))).rejects.toBe(limited);
  clock.advance(-HOUR_MS);
  await expect(send()).rejects.toMatchObject({ retryAfterMs: 30_000 });
  clock.advance(20_000);
  await expect(send()).rejects.toMatchObject({ retryAfterMs: 10_000 });
  clock.advance(10_000);
  expect(await send()).toBe('sent');
});
