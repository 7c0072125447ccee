/** Writing and reading records, as strict as a real server: address, schema, and compare-and-swap. */
import { problemOfThumb } from './bluesky-blobs.ts';
import type { BlueskyAccount, BlueskyRecord, BlueskyWorld } from './bluesky-world.ts';
import { accountOf, writeRecord } from './bluesky-world.ts';
import { xrpcFail, xrpcLimited, type XrpcAnswer } from './xrpc.ts';

const TID = /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/;
const WINDOW_MS = 3_600_000;
/** 5,000 points an hour, three for each record. */
const MAX_WRITES = 1_666;

export type Validate = (collection: string, value: unknown) => string | undefined;

/** Bluesky's own schemas, from its own package. */
export async function loadSchemas(): Promise<Validate> {
  const { AppBskyFeedLike, AppBskyFeedPost, jsonStringToLex } = await import('@atproto/api');
  return (collection, value) => {
    if (collection === 'app.bsky.feed.post')
      return problemOf(
        AppBskyFeedPost.validateRecord(jsonStringToLex(JSON.stringify(value ?? null))),
      );
    if (collection === 'app.bsky.feed.like')
      return problemOf(AppBskyFeedLike.validateRecord(value));
    return `Lexicon not found: lex:${collection}`;
  };
}

function problemOf(
  result: { success: true } | { success: false; error: Error },
): string | undefined {
  return result.success ? undefined : result.error.message;
}

export interface Write {
  account: BlueskyAccount;
  body: Record<string, unknown>;
  validate: Validate;
}

export function putRecord(world: BlueskyWorld, write: Write): XrpcAnswer {
  const { account, body } = write;
  const refusal = refuse(world, write);
  if (refusal !== undefined) return refusal;
  const at = {
    did: account.did,
    collection: textOf(body['collection']),
    rkey: textOf(body['rkey']),
  };
  const existing = findRecord(world, `at://${at.did}/${at.collection}/${at.rkey}`);
  const { swapRecord: swap } = body;
  if (swap !== undefined && swap !== (existing?.cid ?? null))
    return xrpcFail(400, 'InvalidSwap', `Record was at ${existing?.cid ?? 'null'}`);
  const value = asObject(body['record']);
  if (existing !== undefined && JSON.stringify(existing.value) === JSON.stringify(value))
    return written(existing);
  world.writes.push(world.clock.now());
  return written(writeRecord(world, at, value));
}

function refuse(world: BlueskyWorld, { account, body, validate }: Write): XrpcAnswer | undefined {
  const now = world.clock.now();
  world.writes = world.writes.filter((at) => now - at < WINDOW_MS);
  if (world.writes.length >= MAX_WRITES)
    return xrpcLimited((world.writes[0] ?? now) + WINDOW_MS - now);
  if (accountOf(world, textOf(body['repo']))?.did !== account.did)
    return xrpcFail(401, 'AuthenticationRequired', 'Authentication Required');
  if (!TID.test(textOf(body['rkey']))) return xrpcFail(400, 'InvalidRequest', 'Invalid TID string');
  const problem = validate(textOf(body['collection']), body['record']);
  return problem === undefined
    ? problemOfThumb(world, body['record'])
    : xrpcFail(400, 'InvalidRequest', `Invalid ${textOf(body['collection'])} record: ${problem}`);
}

export function findRecord(world: BlueskyWorld, uri: string): BlueskyRecord | undefined {
  return world.records.find((each) => each.uri === uri);
}

export function getRecord(world: BlueskyWorld, query: URLSearchParams): XrpcAnswer {
  const account = accountOf(world, query.get('repo') ?? '');
  const uri = `at://${account?.did}/${query.get('collection')}/${query.get('rkey')}`;
  const record = findRecord(world, uri);
  if (record === undefined)
    return xrpcFail(400, 'RecordNotFound', `Could not locate record: ${uri}`);
  return { status: 200, body: { uri, cid: record.cid, value: record.value } };
}

function written({ uri, cid }: BlueskyRecord): XrpcAnswer {
  return { status: 200, body: { uri, cid, validationStatus: 'valid' } };
}

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** What is no text is an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
