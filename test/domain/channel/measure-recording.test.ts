/** How long a recording is, by its own headers: each format is written here byte by byte. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measureSeconds, secondsOf } from '../../../src/domain/channel/measure-recording.ts';

describe('the length of a recording', () => {
  const HOUR = 3_600;
  const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
  const u32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const le32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const le64 = (value: number): Buffer => Buffer.concat([le32(value), le32(0)]);
  const FTYP = Buffer.concat([u32(16), ascii('ftypM4A '), Buffer.alloc(4)]);
  const mvhdOf = (length: number): Buffer =>
    Buffer.concat([u32(32), ascii('mvhd'), Buffer.alloc(12), u32(1_000), u32(length)]);
  const mvhd = mvhdOf(HOUR * 1_000);
  const mvhd64 = Buffer.concat([
    u32(44),
    ascii('mvhd'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.alloc(16),
    u32(1_000),
    u32(0),
    u32(HOUR * 1_000),
  ]);
  const page = (granule: number): Buffer =>
    Buffer.concat([ascii('OggS'), Buffer.alloc(2), le64(granule), Buffer.alloc(20)]);
  const wav = Buffer.concat([
    ascii('RIFF'),
    le32(36),
    ascii('WAVEfmt '),
    le32(16),
    Buffer.alloc(8),
    le32(10),
    Buffer.alloc(4),
    ascii('data'),
    le32(36_000),
    Buffer.alloc(36_000),
  ]);
  const rate = Buffer.from([0x0b, 0xb8, 0x01]);
  const samples = Buffer.concat([Buffer.from([0x70]), u32(HOUR * 48_000)]);
  const flac = Buffer.concat([ascii('fLaC'), Buffer.alloc(14), rate, samples]);

  test.each<[string, Buffer]>([
    ['m4a', Buffer.concat([FTYP, u32(40), ascii('moov'), mvhd])],
    ['m4a of a later version', Buffer.concat([FTYP, u32(52), ascii('moov'), mvhd64])],
    ['ogg', Buffer.concat([page(0), ascii('OpusHead'), page(48_000), page(HOUR * 48_000)])],
    ['wav', wav],
    ['flac', flac],
  ])('is read in the audio itself: %s', (_, bytes) => {
    expect(measureSeconds(bytes)).toBe(HOUR);
  });

  test('is at least what is claimed, and where nothing else is known what so many bytes can hold', () => {
    expect(secondsOf(wav, 5)).toBe(HOUR);
    expect(secondsOf(wav, 5_000)).toBe(5_000);
    expect(secondsOf(Buffer.alloc(40_000))).toBe(20);
    // A length that is claimed is believed, unless so many bytes would be more than usual.
    expect(secondsOf(Buffer.alloc(40_000), 5)).toBe(5);
    expect(secondsOf(Buffer.alloc(160_000), 5)).toBe(10);
  });

  test.each<[string, Buffer]>([
    ['a second in an m4a', Buffer.concat([FTYP, u32(40), ascii('moov'), mvhdOf(1_000)])],
    ['two samples in an ogg', Buffer.concat([page(0), page(2)])],
  ])('is not believed where more bytes are there than it could have: %s', (_, head) => {
    const bytes = Buffer.concat([head, Buffer.alloc(400_000)]);
    expect(measureSeconds(bytes)).toBeUndefined();
    expect(secondsOf(bytes)).toBeGreaterThanOrEqual(200);
  });

  test('is unknown where an m4a says so, and where its header is that of another file', () => {
    const unknown = Buffer.concat([FTYP, u32(40), ascii('moov'), mvhdOf(0xff_ff_ff_ff)]);
    expect(measureSeconds(unknown)).toBeUndefined();
    const tag = Buffer.concat([ascii('ID3 and a tag '), mvhdOf(HOUR * 1_000)]);
    expect(measureSeconds(tag)).toBeUndefined();
    expect(measureSeconds(Buffer.concat([ascii('RIFF'), Buffer.alloc(400)]))).toBeUndefined();
  });

  test('is unknown where the audio does not tell it', () => {
    for (const bytes of [
      Buffer.alloc(0),
      ascii('ID3 and more'),
      ascii('moov'),
      ascii('OggS'),
      wav.subarray(0, 20),
    ])
      expect(measureSeconds(bytes)).toBeUndefined();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(...'mvhd OggS RIFF fLaC'.split(' ')),
        (bytes, mark) => {
          const seconds = measureSeconds(Buffer.concat([ascii(mark), bytes])) ?? 0;
          expect(Number.isFinite(seconds) && seconds >= 0).toBe(true);
        },
      ),
    );
  });
});
