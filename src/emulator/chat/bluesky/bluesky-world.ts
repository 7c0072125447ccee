/** Accounts and records of Bluesky in memory. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../../ports/clock.ts';

export interface BlueskyAccount {
  did: string;
  handle: string;
  password: string;
}

export interface BlueskyRecord {
  uri: string;
  cid: string;
  did: string;
  collection: string;
  rkey: string;
  value: Record<string, unknown>;
  indexedAt: string;
}

export interface BlueskyWorld {
  clock: Clock;
  accounts: BlueskyAccount[];
  records: BlueskyRecord[];
  /** Pictures by their content id. */
  blobs: Map<string, { bytes: Buffer; type: string }>;
  /** Tokens that were given out. */
  issued: string[];
  /** Tokens that were revoked, or used up. */
  revoked: Set<string>;
  /** Passwords are not accepted any more. */
  isLocked: boolean;
  tokens: number;
  /** Moments of logins and writes, for limits. */
  logins: number[];
  writes: number[];
  lastIndexed: number;
}

export function createBlueskyWorld(
  clock: Clock,
  accounts: readonly BlueskyAccount[],
): BlueskyWorld {
  return {
    clock,
    accounts: [...accounts],
    records: [],
    blobs: new Map(),
    issued: [],
    revoked: new Set(),
    isLocked: false,
    tokens: 0,
    logins: [],
    writes: [],
    lastIndexed: 0,
  };
}

/** The account with this DID or handle. */
export function accountOf(world: BlueskyWorld, name: string): BlueskyAccount | undefined {
  return world.accounts.find(({ did, handle }) => did === name || handle === name);
}

/** Writes a record in place of one with the same address. */
export function writeRecord(
  world: BlueskyWorld,
  at: { did: string; collection: string; rkey: string },
  value: Record<string, unknown>,
): BlueskyRecord {
  const uri = `at://${at.did}/${at.collection}/${at.rkey}`;
  world.lastIndexed = Math.max(world.lastIndexed + 1, world.clock.now());
  const indexedAt = new Date(world.lastIndexed).toISOString();
  const record = { ...at, uri, cid: toCid(JSON.stringify(value)), value, indexedAt };
  world.records = [...world.records.filter((each) => each.uri !== uri), record];
  return record;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** A well-formed content id of a record's text, or of the bytes of a blob. */
export function toCid(content: string | Buffer): string {
  const codec = typeof content === 'string' ? 0x71 : 0x55;
  const bytes = [0x01, codec, 0x12, 0x20, ...createHash('sha256').update(content).digest()];
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return `b${groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')}`;
}
