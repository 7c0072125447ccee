/** Writes a record at the key that follows from its message: there once, however often it is written. */
import type { Agent } from '@atproto/api';
import { RefusedError } from '../../domain/event/errors.ts';
import { isSessionOver, xrpcWord } from './bluesky-errors.ts';
import { recordKey } from './record-key.ts';

/** A post or a like, and the version of it. */
export interface StrongRef {
  uri: string;
  cid: string;
}

export interface Written extends StrongRef {
  /** What is there: ours of now, or of an earlier attempt. */
  value: Record<string, unknown>;
}

export interface Find {
  agent: Agent;
  did: string;
  collection: 'app.bsky.feed.post' | 'app.bsky.feed.like';
  key: string;
  /** Whether a record that is there already is the one that was meant. */
  isSame: (value: Record<string, unknown>) => boolean;
}

export interface Put extends Find {
  record: Record<string, unknown>;
}

/** Where something else has the key, the next one that follows from it is tried. */
const MAX_KEYS = 4;

export async function ensureRecord(put: Put): Promise<Written> {
  for (let at = 1; at <= MAX_KEYS; at += 1) {
    const rkey = keyAt(put, at);
    const written = (await create(put, rkey)) ?? (await readRecord(put, rkey));
    if (written !== undefined && put.isSame(written.value)) return written;
  }
  throw new RefusedError({
    code: 'channel-key-taken',
    message: 'Other records of the account have every key that this post could get.',
    details: 'Another program writes with the same account. Give Quorum an account of its own.',
  });
}

/** What {@link ensureRecord} has written, if it did. */
export async function findWritten(find: Find): Promise<Written | undefined> {
  for (let at = 1; at <= MAX_KEYS; at += 1) {
    const found = await readRecord(find, keyAt(find, at)).catch(undefinedWhereRefused);
    if (found === undefined || find.isSame(found.value)) return found;
  }
  return undefined;
}

/** Older servers answer only `InvalidRequest` where there is no such record. */
function undefinedWhereRefused(error: unknown): undefined {
  const { status } = (error ?? {}) as { status?: unknown };
  if (status !== 400 || isSessionOver(error)) throw error;
}

function keyAt({ key }: Find, at: number): string {
  return recordKey(at === 1 ? key : `${key}#${at}`);
}

/** Undefined when a record is there: the server compares, so that of two writers one is first. */
async function create(
  { agent, did, collection, record }: Put,
  rkey: string,
): Promise<Written | undefined> {
  try {
    const { data } = await agent.com.atproto.repo.putRecord({
      repo: did,
      collection,
      rkey,
      record,
      swapRecord: null,
    });
    return { uri: data.uri, cid: data.cid, value: record };
  } catch (error) {
    if (xrpcWord(error) === 'InvalidSwap') return undefined;
    throw error;
  }
}

async function readRecord(
  { agent, did, collection }: Find,
  rkey: string,
): Promise<Written | undefined> {
  try {
    const { data } = await agent.com.atproto.repo.getRecord({ repo: did, collection, rkey });
    return { uri: data.uri, cid: data.cid ?? '', value: { ...data.value } };
  } catch (error) {
    if (xrpcWord(error) === 'RecordNotFound') return undefined;
    throw error;
  }
}
