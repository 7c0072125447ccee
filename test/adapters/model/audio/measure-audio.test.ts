/** How long a recording is, by its own audio, and what a hostile file costs: a process, for a bounded time. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureAudio } from '../../../../src/adapters/model/audio/measure-audio.ts';
import { readLength } from '../../../../src/adapters/model/audio/read-length.ts';
import { temporaryFolder } from '../../../hosts/cli/temporary-folder.ts';
import {
  aFileType,
  aFlac,
  aHeapBomb,
  anM4a,
  anMp3,
  anMp3ThatSays,
  anOgg,
  aWav,
  aWebm,
  be32,
  box,
  FTYP,
  oggPage,
  OPUS_HEAD,
} from './some-audio.ts';

const HOUR = 3_600;
/** They end within their second box. */
const DAMAGED_TAGS = box('udta', box('meta', Buffer.alloc(4), be32(9_999), Buffer.from('ilst')));
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
  ['webm that names its length', aWebm(HOUR), HOUR],
  ['m4a of a telephone', anM4a(HOUR * 1_000, { type: aFileType('3gp4') }), HOUR],
  ['m4a with damaged tags', anM4a(HOUR * 1_000, { more: DAMAGED_TAGS }), HOUR],
  ['ogg of two parts, one after the other', Buffer.concat([anOgg(140), anOgg(HOUR)]), HOUR + 140],
  ['ogg of parts with damage between', Buffer.concat([anOgg(9), Buffer.alloc(9), anOgg(9)]), 18],
  ['wav that names less than it has', aWav(20, 8_000), 20],
  ['mp3 that names less than it has', anMp3ThatSays(100, 1_000), 72],
])('the length is read in the audio itself: %s', async (_, bytes, seconds) => {
  expect(await readLength(bytes)).toBeCloseTo(seconds, 0);
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
  ['an ogg with more bytes than fit', Buffer.concat([anOgg(1), Buffer.alloc(64_000)])],
  // Its size says for how long it may be paid for.
  ['a webm that names no length', aWebm()],
  ['a webm that ends in its header', aWebm(HOUR).subarray(0, 30)],
])('the length is unknown of %s', async (_, bytes) => {
  expect(await readLength(bytes)).toBeUndefined();
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

/** A process of a test, and the file that it writes to. */
function aProcess(code: string): { entry: URL; written: () => string } {
  const imports = "import { appendFileSync } from 'node:fs';\n";
  const write = "const write = (text) => appendFileSync(import.meta.dirname + '/written', text);\n";
  const dir = temporaryFolder({ 'entry.mjs': `${imports}${write}${code}`, written: '' });
  const written = path.join(dir, 'written');
  const entry = pathToFileURL(path.join(dir, 'entry.mjs'));
  return { entry, written: () => readFileSync(written, 'utf8') };
}

test('after its deadline the process does no more', async () => {
  const { entry, written } = aProcess("while (performance.now() < 20_000) write('.');");
  expect(await measureAudio(aWav(1), { deadlineMs: 1_500, entry })).toBeUndefined();
  await sleep(100);
  const before = written().length;
  expect(before).toBeGreaterThan(0);
  await sleep(200);
  expect(written().length).toBe(before);
});

test('a file that fills the heap is given up before the deadline', async () => {
  const startedAt = performance.now();
  expect(await measureAudio(aHeapBomb(), { deadlineMs: 60_000 })).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test('the process has a bounded heap, and sees nothing of the environment', async () => {
  const { entry, written } = aProcess(`
    const { getHeapStatistics } = await import('node:v8');
    write(JSON.stringify([process.env, getHeapStatistics().heap_size_limit / 1024 / 1024]));
    process.send(1);`);
  expect(await measureAudio(aWav(1), { entry })).toBe(1);
  const [env, megabytes] = JSON.parse(written()) as [object, number];
  expect(env).toEqual({});
  expect(megabytes).toBeLessThan(512);
});

test('one process runs at a time, and the deadline of each begins with it', async () => {
  const { entry, written } = aProcess(`
    write('<');
    setTimeout(() => {
      write('>');
      process.send(1);
    }, 700);`);
  const measured = Array.from({ length: 4 }, () =>
    measureAudio(aWav(1), { deadlineMs: 2_500, entry }),
  );
  expect(await Promise.all(measured)).toEqual([1, 1, 1, 1]);
  expect(written()).toBe('<><><><>');
});

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
        const seconds = await readLength(bytes);
        expect(seconds === undefined || typeof seconds === 'number').toBe(true);
      },
    ),
  );
});

test('a process that does not start measures nothing', async () => {
  const { entry } = aProcess('throw new Error("no");');
  expect(await measureAudio(aWav(1), { entry })).toBeUndefined();
  expect(await measureAudio(aWav(1), { entry: new URL('https://quorum.test/') })).toBeUndefined();
});
