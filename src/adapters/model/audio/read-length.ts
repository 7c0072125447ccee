/** How long a recording is, by its own bytes. Its headers are a stranger's word, so what can be counted is counted. */
import { Buffer } from 'node:buffer';
import { parseBuffer, type IFormat } from 'music-metadata';

/** Opus, the highest rate of a compressed format, carries 510 kbit/s. A shorter length is forged or of one part only. */
const MOST_COMPRESSED_BYTES_A_SECOND = 64_000;
/** Of a granule in Opus, whatever was recorded. */
const OPUS_RATE = 48_000;

/** In seconds. Undefined where the file does not say it, or cannot be read. Never throws, but may take for ever. */
export async function readLength(audio: Uint8Array): Promise<number | undefined> {
  const bytes = Buffer.from(audio);
  const isMovie = bytes.toString('latin1', 4, 8) === 'ftyp';
  // What names a length in an mp3 instead of its frames, and what is no sound in an m4a.
  for (const name of isMovie ? ['udta'] : ['Xing', 'Info']) hide(bytes, name);
  try {
    const options = { duration: true, skipCovers: true };
    const { format } = await parseBuffer(bytes, isMovie ? 'audio/mp4' : undefined, options);
    const seconds = Math.max(format.duration ?? 0, count(bytes, format));
    return isPossible(seconds, bytes, format) ? seconds : undefined;
  } catch {
    return undefined;
  }
}

/** As a name that no reader knows. */
function hide(bytes: Buffer, name: string): void {
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 4))
    bytes.write('free', at, 'latin1');
}

function isPossible(seconds: number, { length }: Buffer, { lossless, hasVideo }: IFormat): boolean {
  const most = lossless === true || hasVideo === true ? Infinity : MOST_COMPRESSED_BYTES_A_SECOND;
  return seconds > 0 && length / seconds <= most;
}

/** In seconds; 0 where nothing can be counted. */
function count(bytes: Buffer, format: IFormat): number {
  const { container, codec, sampleRate = 0, numberOfChannels = 0, bitsPerSample = 0 } = format;
  const rate = codec === 'Opus' ? OPUS_RATE : sampleRate;
  if (container === 'Ogg' && rate > 0) return countGranules(bytes) / rate;
  const bits = sampleRate * numberOfChannels * bitsPerSample;
  return container === 'WAVE' && bits > 0 ? (bytes.length * 8) / bits : 0;
}

/** Of all streams, one after another: each begins with a page that says so. */
function countGranules(bytes: Buffer): number {
  let [before, last] = [0, 0];
  for (let at = bytes.indexOf('OggS'); at >= 0 && at + 27 <= bytes.length;) {
    const segments = bytes.subarray(at + 27, at + 27 + bytes.readUInt8(at + 26));
    const isFirst = (bytes.readUInt8(at + 5) & 2) !== 0;
    if (isFirst) [before, last] = [before + last, 0];
    last = Math.max(last, Number(bytes.readBigInt64LE(at + 6)));
    const body = segments.reduce((sum, length) => sum + length, 0);
    at = bytes.indexOf('OggS', at + 27 + segments.length + body);
  }
  return before + last;
}
