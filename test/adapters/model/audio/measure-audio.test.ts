/** How long a recording is, by its own audio, and what a hostile file costs: a thread, for a bounded time. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureAudio } from '../../../../src/adapters/model/audio/measure-audio.ts';
import {
  aFlac,
  anM4a,
  anMp3,
  anOgg,
  aWav,
  aWebm,
  box,
  FTYP,
  oggPage,
  OPUS_HEAD,
} from './some-audio.ts';

const HOUR = 3_600;
const MOST_BYTES = 25 * 1024 * 1024;

test.each<[string, Buffer, number]>([
  ['m4a', anM4a(HOUR * 1_000), HOUR],
  ['ogg', anOgg(HOUR), HOUR],
  ['wav', aWav(20), 20],
  ['wav that names no true size', aWav(20, 0xff_ff_ff_ff), 20],
  ['flac', aFlac(HOUR), HOUR],
  ['mp3 of one rate', anMp3(1_000, () => 1), 72],
  [
    'mp3 of changing rates, without a header that tells its length',
    anMp3(1_000, (at) => (at % 2 === 0 ? 1 : 2)),
    72,
  ],
  ['webm', aWebm(HOUR), HOUR],
])('is read in the audio itself: %s', async (_, bytes, seconds) => {
  expect(await measureAudio(bytes)).toBeCloseTo(seconds, 0);
});

test('an hour of mp3 at changing rates is measured within the deadline', async () => {
  const frames = (HOUR * 8_000) / 576;
  expect(await measureAudio(anMp3(frames, (at) => (at % 2 === 0 ? 1 : 2)))).toBeCloseTo(HOUR, 0);
});

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('sound')],
  ['an m4a that says it does not know', anM4a(0xff_ff_ff_ff)],
  ['a wav that ends in its header', aWav(20).subarray(0, 20)],
  ['an m4a without its movie', FTYP],
  ['a webm that ends in its header', aWebm(HOUR).subarray(0, 30)],
])('is unknown of %s', async (_, bytes) => {
  expect(await measureAudio(bytes)).toBeUndefined();
});

const endless: [string, () => Buffer][] = [
  [
    'an mp3 without any frame',
    () => Buffer.alloc(MOST_BYTES, 0xff).fill(Buffer.from([0xfb, 0x90]), 1, 3),
  ],
  ['an m4a of empty boxes', () => Buffer.concat([FTYP, Buffer.alloc(MOST_BYTES, box('free'))])],
  [
    'an m4a of boxes in boxes',
    () => {
      const bytes = Buffer.concat([FTYP, Buffer.alloc(MOST_BYTES, box('moov'))]);
      for (let at = FTYP.length; at + 8 <= bytes.length; at += 8)
        bytes.writeUInt32BE(bytes.length - at, at);
      return bytes;
    },
  ],
  [
    'an ogg of many streams',
    () => Buffer.alloc(MOST_BYTES, oggPage({ flags: 2, number: 0, granule: 0, body: OPUS_HEAD })),
  ],
];
test.each(endless)(
  'gives up %s at its deadline, and the process goes on meanwhile',
  async (_, make) => {
    const bytes = make();
    const delay = monitorEventLoopDelay({ resolution: 10 });
    const startedAt = performance.now();
    delay.enable();
    expect(await measureAudio(bytes, { deadlineMs: 1_500 })).toBeUndefined();
    delay.disable();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(delay.max / 1e6).toBeLessThan(1_000);
  },
);

test('no damage to a file throws', async () => {
  const files = [anM4a(20_000), anOgg(20), aWav(1), aFlac(20), anMp3(50, () => 1), aWebm(20)];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      fc.nat(400),
      async (file, changes, end) => {
        const bytes = Buffer.from(file.subarray(0, file.length - end));
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        const seconds = await measureAudio(bytes, { deadlineMs: 3_000 });
        expect(seconds === undefined || typeof seconds === 'number').toBe(true);
      },
    ),
    { numRuns: 15 },
  );
});

test('a thread that does not start measures nothing', async () => {
  const entry = new URL('data:text/javascript,throw new Error("no")');
  expect(await measureAudio(aWav(1), { entry })).toBeUndefined();
});
