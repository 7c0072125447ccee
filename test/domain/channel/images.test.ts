/** What is said of an image comes from its bytes, and never from what its message says of it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  describeImage,
  IMAGE_TOO_LARGE,
  nameInWords,
  noteImage,
  NOT_AN_IMAGE,
} from '../../../src/domain/channel/images.ts';

/** A row of bytes: text as Latin-1, or hexadecimal digits. */
const bytesOf = (...parts: (string | { hex: string })[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part.hex, 'hex'),
    ),
  );

/** The beginning of a PNG, up to the size. */
function aPng(width: number, height: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([bytesOf('\u0089PNG\r\n\u001a\n', { hex: '0000000d' }, 'IHDR'), size]);
}

const RIFF = ['RIFF', { hex: '1a000000' }, 'WEBP'] as const;
/** A segment that is not the size, then the size. */
const JPEG = bytesOf({ hex: 'ffd8ffe00004abcdffc2001108003c0050030122' });

describe('an image is noted with its size', () => {
  test.each<[string, Buffer, string, number, number]>([
    ['PNG', aPng(800, 600), 'PNG', 800, 600],
    ['GIF', bytesOf('GIF89a', { hex: '50003c00' }), 'GIF', 80, 60],
    ['progressive JPEG', JPEG, 'JPEG', 80, 60],
    [
      'JPEG with fill bytes before its segments',
      bytesOf({ hex: 'ffd8ffffffe00004abcdffffc2001108003c0050030122' }),
      'JPEG',
      80,
      60,
    ],
    [
      'lossy WebP',
      bytesOf(...RIFF, 'VP8 ', { hex: '000000000000009d012a50003c00' }),
      'WebP',
      80,
      60,
    ],
    [
      'lossless WebP',
      bytesOf(...RIFF, 'VP8L', { hex: '000000002f4fc00e0000000000000000' }),
      'WebP',
      80,
      60,
    ],
    [
      'extended WebP',
      bytesOf(...RIFF, 'VP8X', { hex: '0a000000000000004f00003b0000' }),
      'WebP',
      80,
      60,
    ],
  ])('%s', (...[, bytes, type, width, height]) => {
    expect(noteImage('a', bytes)).toEqual({
      name: 'a',
      bytes: bytes.length,
      type,
      width,
      height,
    });
  });
});

describe('left out is', () => {
  test.each([
    ['a drawing that is a document with scripts', bytesOf('<svg onload="x"></svg>'.padEnd(64))],
    ['a page', bytesOf('<html>'.padEnd(64))],
    ['nothing', bytesOf()],
    ['the beginning of a PNG alone', aPng(8, 6).subarray(0, 20)],
    ['a PNG without pixels', aPng(0, 6)],
    ['a JPEG whose segment has no length', bytesOf({ hex: 'ffd8ffe00000' }, '\0'.repeat(20))],
    ['a JPEG of fill bytes', bytesOf({ hex: 'ffd8' }, '\u00ff'.repeat(40))],
    [
      'a JPEG whose size comes after its pixels begin',
      bytesOf({ hex: 'ffd8ffda0004abcdffc2001108003c0050030122' }),
    ],
    [
      'a JPEG whose size comes after its end',
      bytesOf({ hex: 'ffd8ffd90004abcdffc2001108003c0050030122' }),
    ],
    ['a JPEG that never says its size', bytesOf({ hex: 'ffd8ffe00004abcd' })],
  ])('%s', (_, bytes) => {
    expect(noteImage('a.png', bytes)).toBe(NOT_AN_IMAGE);
  });

  test('more than 50 megapixels', () => {
    expect(noteImage('a', aPng(50_000, 1_000))).toMatchObject({ width: 50_000 });
    expect(noteImage('a', aPng(50_000, 1_001))).toBe(IMAGE_TOO_LARGE);
    expect(noteImage('a', aPng(0xff_ff_ff_ff, 0xff_ff_ff_ff))).toBe(IMAGE_TOO_LARGE);
  });
});

test('whatever the bytes are, they are noted or left out', () => {
  const starts = [JPEG.subarray(0, 4), aPng(1, 1).subarray(0, 16), bytesOf(...RIFF, 'VP8X')];
  fc.assert(
    fc.property(
      fc.constantFrom(Buffer.alloc(0), ...starts),
      fc.uint8Array({ maxLength: 300 }),
      (start, rest) => {
        const noted = noteImage('a', Buffer.concat([start, rest]));
        const isKnown = typeof noted === 'string' || noted.width * noted.height <= 50_000_000;
        expect(isKnown).toBe(true);
      },
    ),
  );
});

test('its description says that nobody has seen it, and where it is', () => {
  const image = { name: 'a', type: 'PNG', width: 8, height: 6, bytes: 2_000 } as const;
  expect(describeImage(image, { name: '`a`', link: undefined })).toBe(
    'The image `a`: PNG, 8 × 6 pixels, 2 KB. The team has not seen it.',
  );
  expect(describeImage(image, { name: undefined, link: undefined })).toBe(
    'An image without a name: PNG, 8 × 6 pixels, 2 KB. The team has not seen it.',
  );
  expect(describeImage({ ...image, bytes: 90 }, { name: '`a`', link: 'https://x' })).toBe(
    'The image `a`: PNG, 8 × 6 pixels, 90 bytes. The team has not seen it. It is in [Slack](https://x).',
  );
});

test.each([
  ['Screenshot 2026-11-29 at 10.15.png', 'Screenshot 2026-11-29 at 10 15'],
  ['src/cli.ts.png', 'src cli ts'],
  ['.png', undefined],
  ['\u200b\u2060.png', undefined],
  ['./.\\.png', undefined],
])('the name %j cannot be taken for a path', (name, shown) => {
  expect(nameInWords(name)).toBe(shown);
});
