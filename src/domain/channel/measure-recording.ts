/** How long a recording is. What a message says of it is its sender's word, so the audio itself is asked. */
import { Buffer } from 'node:buffer';

/** Recordings of speech take at least 16 kbit/s. */
const FEWEST_BYTES_A_SECOND = 2_000;
/** Of a granule in Opus, whatever was recorded. */
const OPUS_RATE = 48_000;

/** The longest of what is claimed and what the audio tells; where it tells nothing, what so many bytes can hold. */
export function secondsOf(audio: Uint8Array, claimed = 0): number {
  return Math.max(claimed, measureSeconds(audio) ?? audio.byteLength / FEWEST_BYTES_A_SECOND);
}

/** By the headers of m4a, mp4, ogg, wav and flac. Undefined for other formats, and where a header is damaged. */
export function measureSeconds(audio: Uint8Array): number | undefined {
  const bytes = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength);
  try {
    const found = measure(bytes);
    return found !== undefined && Number.isFinite(found) && found > 0 ? found : undefined;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function measure(bytes: Buffer): number | undefined {
  const format = bytes.toString('latin1', 0, 4);
  if (format === 'OggS') return ofOgg(bytes);
  if (format === 'RIFF') return ofWav(bytes);
  if (format === 'fLaC') return ofFlac(bytes);
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
function ofWav(bytes: Buffer): number {
  const format = bytes.indexOf('fmt ', 0, 'latin1');
  const data = bytes.indexOf('data', 0, 'latin1');
  return (bytes.length - data - 8) / bytes.readUInt32LE(format + 16);
}

/** 20 bits of rate, 8 of channels and width, 36 of samples. */
function ofFlac(bytes: Buffer): number {
  const rate = bytes.readUIntBE(18, 3) >> 4;
  const samples = (bytes.readUInt8(21) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22);
  return samples / rate;
}

function ofMovie(bytes: Buffer, at: number): number {
  return bytes.readUInt8(at) === 1
    ? Number(bytes.readBigUInt64BE(at + 24)) / bytes.readUInt32BE(at + 20)
    : bytes.readUInt32BE(at + 16) / bytes.readUInt32BE(at + 12);
}
