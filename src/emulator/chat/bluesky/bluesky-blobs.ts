/** Pictures of posts: uploaded first, then named by a record. Sizes are refused where a real server refuses them. */
import type { ChatAnswer, ChatRequest } from '../serve.ts';
import { toCid, type BlueskyWorld } from './bluesky-world.ts';
import { xrpcFail, type XrpcAnswer } from './xrpc.ts';

const MAX_UPLOAD = 5 * 1024 * 1024;
/** Of the picture of a card. */
const MAX_THUMB = 1_000_000;

export function uploadBlob(world: BlueskyWorld, { body, headers }: ChatRequest): XrpcAnswer {
  if (body.length > MAX_UPLOAD) return xrpcFail(413, 'PayloadTooLarge', 'request entity too large');
  const type = headers['content-type'] ?? 'application/octet-stream';
  const cid = toCid(body);
  world.blobs.set(cid, { bytes: body, type });
  const ref = { $link: cid };
  return {
    status: 200,
    body: { blob: { $type: 'blob', ref, mimeType: type, size: body.length } },
  };
}

/** What is wrong with the picture that the card of a record names. */
export function problemOfThumb(world: BlueskyWorld, record: unknown): XrpcAnswer | undefined {
  const cid = thumbOf(record);
  if (cid === undefined) return undefined;
  const blob = world.blobs.get(cid);
  if (blob === undefined) return xrpcFail(400, 'BlobNotFound', `Could not find blob: ${cid}`);
  const { length: size } = blob.bytes;
  return size > MAX_THUMB
    ? xrpcFail(400, 'BlobTooLarge', `This file is too large. It is ${size} bytes.`)
    : undefined;
}

/** The content id of the picture of a post's card. */
export function thumbOf(record: unknown): string | undefined {
  const { embed } = (record ?? {}) as {
    embed?: { external?: { thumb?: { ref?: { $link?: unknown } } } };
  };
  const cid = embed?.external?.thumb?.ref?.$link;
  return typeof cid === 'string' ? cid : undefined;
}

/** `/blobs/CID`, for the page. */
export function blobPage({ blobs }: BlueskyWorld, path: string): ChatAnswer | undefined {
  const blob = blobs.get(path.slice('/blobs/'.length));
  if (!path.startsWith('/blobs/') || blob?.type !== 'image/png') return undefined;
  return { status: 200, headers: { 'content-type': 'image/png' }, body: blob.bytes };
}
