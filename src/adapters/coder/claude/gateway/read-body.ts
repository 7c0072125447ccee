/** Reads the bodies of requests, and limits what all of them hold in memory together. */
import type { IncomingMessage } from 'node:http';

/** Reads one body as JSON and gives it to `work`; undefined for what is not JSON. Its bytes count until `work` ends. */
export type ReadBody = (
  req: IncomingMessage,
  maxBytes: number,
  work: (body: unknown) => Promise<void>,
) => Promise<void>;

export function createBodyReader(maxHeldBytes: number): ReadBody {
  let held = 0;
  return async (req, maxBytes, work) => {
    let bytes = 0;
    const take = (piece: Buffer): void => {
      bytes += piece.length;
      held += piece.length;
      if (bytes > maxBytes) throw new Error('The request is too large.');
      if (held > maxHeldBytes) throw new Error('The requests of this run are too large together.');
    };
    try {
      await work(parseJson(await readPieces(req, take)));
    } finally {
      held -= bytes;
    }
  };
}

async function readPieces(req: IncomingMessage, take: (piece: Buffer) => void): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of req as AsyncIterable<Buffer>) {
    take(piece);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
