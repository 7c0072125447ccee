/**
 * The pictures of cards as PNG files. They are drawn, because the bundled actions ship no files and a persona's avatar would
 * have to be fetched from a foreign server.
 */
import { crc32, deflateSync } from 'node:zlib';
import type { CardPicture } from '../../domain/channel/bluesky/card-picture.ts';

/** The shape in which Bluesky shows cards. */
const WIDTH = 600;
const HEIGHT = 314;
const HALF_STROKE = 16;

type Point = readonly [x: number, y: number];
type Line = readonly [from: Point, to: Point];

interface Drawing {
  background: readonly [red: number, green: number, blue: number];
  lines: readonly Line[];
}

function dot(x: number, y: number): Line {
  return [
    [x, y],
    [x, y],
  ];
}

// prettier-ignore
const DRAWINGS: Readonly<Record<CardPicture, Drawing>> = {
  done: { background: [26, 127, 55], lines: [[[230, 162], [278, 210]], [[278, 210], [370, 106]]] },
  failed: { background: [207, 34, 46], lines: [[[242, 99], [358, 215]], [[358, 99], [242, 215]]] },
  waiting: { background: [154, 103, 0], lines: [[[300, 82], [300, 172]], dot(300, 226)] },
  news: { background: [9, 105, 218], lines: [dot(228, 157), dot(300, 157), dot(372, 157)] },
};

const drawn = new Map<CardPicture, Uint8Array>();

/** The same bytes each time. */
export function drawPicture(picture: CardPicture): Uint8Array {
  const png = drawn.get(picture) ?? toPng(DRAWINGS[picture]);
  drawn.set(picture, png);
  return png;
}

function toPng({ background, lines }: Drawing): Uint8Array {
  const rows = Buffer.alloc(HEIGHT * (1 + 3 * WIDTH));
  let at = 0;
  for (let y = 0; y < HEIGHT; y += 1) {
    // Each row begins with its filter: none.
    at += 1;
    for (let x = 0; x < WIDTH; x += 1) {
      const white = coverage(lines, [x, y]);
      for (const part of background) rows[at++] = Math.round(part + (255 - part) * white);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // 8 bits for each of red, green and blue.
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** How much of the pixel is within a line, 0 to 1. */
function coverage(lines: readonly Line[], at: Point): number {
  const nearest = Math.min(...lines.map((line) => distance(line, at)));
  return Math.min(1, Math.max(0, HALF_STROKE + 0.5 - nearest));
}

function distance([[ax, ay], [bx, by]]: Line, [x, y]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length;
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(x - ax - part * dx, y - ay - part * dy);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
