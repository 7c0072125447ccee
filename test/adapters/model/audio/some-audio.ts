/** Recordings of a given length, each with no more of its format than what tells the length. */

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const zeros = (length: number): Buffer => Buffer.alloc(length);

export function be32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function box(name: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([be32(body.length + 8), ascii(name), body]);
}

export function aFileType(brand: string): Buffer {
  return box('ftyp', ascii(brand), zeros(4), ascii(brand));
}

export const FTYP = aFileType('M4A ');

/** `length` in thousandths of a second. `more` is in its movie, after the track. */
export function anM4a(length: number, { type = FTYP, more = zeros(0) } = {}): Buffer {
  const header = Buffer.concat([zeros(12), be32(1_000), be32(length), zeros(4)]);
  const handler = Buffer.concat([zeros(8), ascii('soun'), zeros(13)]);
  const entry = box('mp4a', zeros(6), Buffer.from([0, 1]), zeros(20));
  const table = box('stbl', box('stsd', zeros(4), be32(1), entry));
  const media = box('mdia', box('mdhd', header), box('hdlr', handler), box('minf', table));
  const movie = box('mvhd', zeros(12), be32(1_000), be32(length), zeros(80));
  return Buffer.concat([
    type,
    box('moov', movie, box('trak', box('tkhd', zeros(84)), media), more),
  ]);
}

interface Page {
  /** 2 the first page, 4 the last one. */
  flags: number;
  number: number;
  granule: number;
  body: Buffer;
}

export function oggPage({ flags, number, granule, body }: Page): Buffer {
  const header = [ascii('OggS\0'), Buffer.from([flags]), le32(granule), zeros(4)];
  const counts = [zeros(4), le32(number), zeros(4), Buffer.from([1, body.length])];
  return Buffer.concat([...header, ...counts, body]);
}

export const OPUS_HEAD = Buffer.concat([
  ascii('OpusHead'),
  Buffer.from([1, 1, 0, 0]),
  le32(48_000),
  zeros(3),
]);

/** It has no length of its own. Its reader makes an object for each of the samples that it claims to have. */
export function aHeapBomb(): Buffer {
  const run = box('trun', zeros(4), be32(0xff_ff_ff_ff), zeros(4));
  return Buffer.concat([FTYP, box('moof', box('traf', run))]);
}

export function anOgg(seconds: number): Buffer {
  const tags = Buffer.concat([ascii('OpusTags'), zeros(8)]);
  return Buffer.concat([
    oggPage({ flags: 2, number: 0, granule: 0, body: OPUS_HEAD }),
    oggPage({ flags: 0, number: 1, granule: 0, body: tags }),
    oggPage({ flags: 4, number: 2, granule: seconds * 48_000, body: zeros(100) }),
  ]);
}

/** 8,000 bytes a second. `said` is the size that its headers name instead. */
export function aWav(seconds: number, said?: number): Buffer {
  const samples = zeros(seconds * 8_000);
  const rates = [le32(16), Buffer.from([1, 0, 1, 0]), le32(8_000), le32(8_000)];
  const format = Buffer.concat([ascii('fmt '), ...rates, Buffer.from([1, 0, 8, 0])]);
  const data = Buffer.concat([ascii('data'), le32(said ?? samples.length), samples]);
  return Buffer.concat([
    ascii('RIFF'),
    le32(said ?? 4 + format.length + data.length),
    ascii('WAVE'),
    format,
    data,
  ]);
}

/** 48,000 samples a second in 20 bits of rate, 8 of channels and width, 36 of samples. */
export function aFlac(seconds: number): Buffer {
  const rate = Buffer.from([0x0b, 0xb8, 0x01]);
  const samples = Buffer.concat([Buffer.from([0x70]), be32(seconds * 48_000)]);
  const info = Buffer.concat([zeros(10), rate, samples, zeros(16)]);
  return Buffer.concat([ascii('fLaC'), Buffer.from([0x80, 0, 0, info.length]), info]);
}

/** 8,000 samples a second. Each frame has 576, and 72 bytes for each 8 kbit/s of its rate. */
export function anMp3(frames: number, rateOf: (frame: number) => 1 | 2): Buffer {
  return Buffer.concat(
    Array.from({ length: frames }, (_, at) => {
      const frame = zeros(72 * rateOf(at));
      frame.set([0xff, 0xe3, (rateOf(at) << 4) | 0x08, 0xc0]);
      return frame;
    }),
  );
}

/** The same, where its first frame says that the file has only `said` frames. */
export function anMp3ThatSays(said: number, frames: number): Buffer {
  const bytes = anMp3(frames, () => 2);
  const sizes = Buffer.concat([be32(3), be32(said), be32(bytes.length)]);
  // After the header and the 9 bytes of side information of one channel.
  Buffer.concat([ascii('Xing'), sizes]).copy(bytes, 4 + 9);
  return bytes;
}

/** An element of less than 127 bytes. */
function element(id: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(id, 'hex'), Buffer.from([0x80 | body.length]), body]);
}

/** Without a number it names no length, as a browser records it. */
export function aWebm(seconds?: number): Buffer {
  const length = Buffer.alloc(8);
  length.writeDoubleBE((seconds ?? 0) * 1_000);
  const named = seconds === undefined ? Buffer.alloc(0) : element('4489', length);
  const info = element('1549a966', named);
  const track = [element('d7', Buffer.from([1])), element('83', Buffer.from([2]))];
  const entry = element('ae', Buffer.concat([...track, element('86', ascii('A_OPUS'))]));
  return Buffer.concat([
    element('1a45dfa3', element('4282', ascii('webm'))),
    element('18538067', Buffer.concat([info, element('1654ae6b', entry)])),
  ]);
}
