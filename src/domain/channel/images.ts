/** Images that come with a message. No model of the team sees images, so they are noted by what their bytes say. */
import type { ChatFile } from './chat-thread.ts';
import { toOneLine } from './text/rich-text.ts';

export const MOST_IMAGES = 4;
export const MOST_IMAGE_BYTES = 10 * 1024 * 1024;
const MOST_PIXELS = 50_000_000;

interface ImageFacts {
  type: 'PNG' | 'JPEG' | 'GIF' | 'WebP';
  /** In pixels. */
  width: number;
  height: number;
}

/** An image, as it is noted on GitHub. The name is foreign text. */
export interface NotedImage extends ImageFacts {
  name: string;
  bytes: number;
}

/** For the author of the message, who may read it before the note is there. Names of files are foreign: none is repeated. */
export const NOT_SEEN =
  'I note yours on GitHub by name, type and size. I cannot see images. Say in words what I need to know of it.';
export const NOT_AN_IMAGE =
  'I note images of these types: PNG, JPEG, GIF and WebP. One of yours is of another type, so I left it out.';
export const IMAGE_TOO_LARGE =
  'I note images of up to 10 MB and 50 megapixels. One of yours is larger, so I left it out.';
export const TOO_MANY_IMAGES = `I note up to ${MOST_IMAGES} images per message, and left out the others.`;

/**
 * Markdown, as is `name`, which is undefined for an image without a name. Nothing of the image itself is kept: `link` is the
 * page of its message.
 */
export function describeImage(
  { type, width, height, bytes }: NotedImage,
  { name, link }: { name: string | undefined; link: string | undefined },
): string {
  const where = link === undefined ? '' : ` It is in [Slack](${link}).`;
  const size = bytes < 1024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1024)} KB`;
  const what = name === undefined ? 'An image without a name' : `The image ${name}`;
  return `${what}: ${type}, ${width} × ${height} pixels, ${size}. The team has not seen it.${where}`;
}

/**
 * Without its ending and what paths are made of: a plan would look for it in the repository. Undefined where nothing is left
 * that people could see.
 */
export function nameInWords(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  const stem = dot === -1 ? name : name.slice(0, dot);
  const words = toOneLine(stem.replaceAll(/[./\\]/g, ' '));
  return words === '' ? undefined : words;
}

export function isImage({ kind }: ChatFile): boolean {
  return kind === 'image';
}

/** What the bytes say, whatever the file says of itself; a string says why it is left out. */
export function noteImage(name: string, bytes: Uint8Array): NotedImage | string {
  const facts = readFacts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (facts === undefined || facts.width === 0 || facts.height === 0) return NOT_AN_IMAGE;
  if (facts.width * facts.height > MOST_PIXELS) return IMAGE_TOO_LARGE;
  return { name, bytes: bytes.length, ...facts };
}

/** Reads only the beginning, which has the size. Nothing is decoded. */
function readFacts(bytes: Buffer): ImageFacts | undefined {
  return readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
}

function readPng(bytes: Buffer): ImageFacts | undefined {
  const isPng = bytes.length >= 24 && bytes.toString('latin1', 0, 8) === '\u0089PNG\r\n\u001a\n';
  if (!isPng || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { type: 'PNG', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): ImageFacts | undefined {
  const start = bytes.toString('latin1', 0, 6);
  if (bytes.length < 10 || (start !== 'GIF87a' && start !== 'GIF89a')) return undefined;
  return { type: 'GIF', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function readWebp(bytes: Buffer): ImageFacts | undefined {
  const isWebp =
    bytes.length >= 30 &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', 8, 12) === 'WEBP';
  if (!isWebp) return undefined;
  const size = webpSize(bytes, bytes.toString('latin1', 12, 16));
  return size === undefined ? undefined : { type: 'WebP', ...size };
}

/** Of the three kinds of WebP: extended, lossless and lossy. */
function webpSize(bytes: Buffer, kind: string): Omit<ImageFacts, 'type'> | undefined {
  if (kind === 'VP8X')
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8 ') return undefined;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** Segments of a JPEG: each says how long it is, until the one with the size. Any number of bytes FF may come before each. */
function readJpeg(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return undefined;
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes.readUInt16BE(at);
    if (isStartOfFrame(marker))
      return {
        type: 'JPEG',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
      };
    if (marker === 0xff_ff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (marker < 0xff_01 || isPastHeader(marker) || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** The pixels begin, or the image ends: what follows is no segment with a size. */
function isPastHeader(marker: number): boolean {
  return marker === 0xff_da || marker === 0xff_d9;
}

function isStartOfFrame(marker: number): boolean {
  const isOther = marker === 0xff_c4 || marker === 0xff_c8 || marker === 0xff_cc;
  return marker >= 0xff_c0 && marker <= 0xff_cf && !isOther;
}
