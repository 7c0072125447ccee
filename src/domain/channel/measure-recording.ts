/** How long a recording is. What a message says of it is its sender's word, so the audio itself is asked. */
import { Buffer } from 'node:buffer';

/** Recordings of speech take at least 16 kbit/s, and usual ones no more than 128. */
const FEWEST_BYTES_A_SECOND = 2_000;
const USUAL_BYTES_A_SECOND = 16_000;
/** Samples of 16 bits in stereo take 192,000. A header that tells of more is damaged or forged. */
const MOST_BYTES_A_SECOND = 200_000;
/** Of a granule in Opus, whatever was recorded. */
const OPUS_RATE = 48_000;

/** The longest of what is claimed and what the audio tells. Where it tells nothing, its size is asked. */
export function secondsOf(audio: Uint8Array, claimed = 0): number {
  const rate = claimed > 0 ? USUAL_BYTES_A_SECOND : FEWEST_BYTES_A_SECOND;
  return Math.max(claimed, measureSeconds(audio) ?? audio.byteLength / rate);
}

/** By the headers of m4a, mp4, ogg, wav and flac. Undefined for other formats, and where a header is damaged. */
export function measureSeconds(audio: Uint8Array): number | undefined {
  const bytes = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength);
  try {
    const found = measure(bytes);
    return found !== undefined && isPlausible(found, bytes) ? found : undefined;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isPlausible(seconds: number, { length }: Buffer): boolean {
  return Number.isFinite(seconds) && seconds > 0 && length / seconds <= MOST_BYTES_A_SECOND;
}

function measure(bytes: Buffer): number | undefined {
  const format = bytes.toString('latin1', 0, 4);
  if (format === 'OggS') return ofOgg(bytes);
  if (format === 'RIFF') return ofWav(bytes);
  if (format === 'fLaC') return ofFlac(bytes);
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const movie = bytes.indexOf('mvhd', 0, 'latin1');
  return movie < 0 ? undefined : ofMovie(bytes, movie + 4);
}

/** The last page counts all samples. */
function ofOgg(bytes: Buffer): number {
  const last = bytes.lastIndexOf('OggS', undefined, 'latin1');
  const vorbis = bytes.indexOf('\u0001vorbis', 0, 'latin1');
  const rate = vorbis < 0 ? OPUS_RATE : bytes.readUInt32LE(vorbis + 12);
  return Number(bytes.readBigInt64LE(last + 6)) / rate;
}

/** What is in the file counts: its header may name any size. */
function ofWav(bytes: Buffer): number | undefined {
  const format = bytes.indexOf('fmt ', 0, 'latin1');
  const data = bytes.indexOf('data', 0, 'latin1');
  if (format < 0 || data < 0) return undefined;
  return (bytes.length - data - 8) / bytes.readUInt32LE(format + 16);
}

/** 20 bits of rate, 8 of channels and width, 36 of samples. */
function ofFlac(bytes: Buffer): number {
  const rate = bytes.readUIntBE(18, 3) >> 4;
  const samples = (bytes.readUInt8(21) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22);
  return samples / rate;
}

/** A length of ones alone is unknown (ISO 14496-12, 8.2.2). */
function ofMovie(bytes: Buffer, at: number): number | undefined {
  const isLong = bytes.readUInt8(at) === 1;
  const length = isLong ? bytes.readBigUInt64BE(at + 24) : BigInt(bytes.readUInt32BE(at + 16));
  const unknown = 2n ** (isLong ? 64n : 32n) - 1n;
  return length === unknown
    ? undefined
    : Number(length) / bytes.readUInt32BE(at + (isLong ? 20 : 12));
}
