/** Who people in channels are on GitHub: links that the login itself confirmed with a code. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ChannelName, ChatPost } from './chat-thread.ts';

/** One stream for all: a person has one account in a workspace, whatever repositories they work in. */
export const IDENTITIES_KEY = 'identities:all';

/** A code is valid for so long, and once. */
export const CODE_MS = 15 * 60_000;

export interface IdentitiesState {
  v: number;
  /** By the digest of the code. */
  asked: Record<string, { person: string; chat: ChatPost; until: number }>;
  /** By the person's id in the channel. */
  links: Record<string, { id: number; login: string; at: string }>;
  /** By the person's id in the channel: when their requests of the last hour came. `isTold`: they read that these are enough. */
  requests?: Record<string, { at: number[]; isTold?: true }>;
}

/** Requests of one person in an hour that become issues, in all threads together. */
export const MOST_REQUESTS_AN_HOUR = 10;

export const EMPTY_IDENTITIES: IdentitiesState = { v: 1, asked: {}, links: {} };

const Links = z.object({
  links: z.record(z.string(), z.object({ id: z.number(), login: z.string() })),
});

/** Who this person is on GitHub, by the stored state; undefined where it says nothing, or cannot be read. */
export function findLink(
  state: unknown,
  person: string,
): { id: number; login: string } | undefined {
  const { data } = Links.safeParse(state);
  return data === undefined || !Object.hasOwn(data.links, person) ? undefined : data.links[person];
}

const Asked = z.object({
  asked: z.record(z.string(), z.object({ person: z.string(), until: z.number() })),
});

/** Whether this person has a code that still works. */
export function wasHinted(state: unknown, person: string, now: number): boolean {
  const codes = Object.values(Asked.safeParse(state).data?.asked ?? {});
  return codes.some((each) => each.person === person && each.until >= now);
}

/** Accounts of one person, as the settings name them. */
export interface NamedIdentity {
  github: string;
  slack?: string | undefined;
  bluesky?: string | undefined;
}

/**
 * The login that the settings of the default branch name for a person in a channel. Undefined where they name none, or
 * several logins for one person: nobody can tell then whose rights were meant.
 */
export function findNamed(
  identities: readonly NamedIdentity[],
  channel: ChannelName,
  person: string,
): string | undefined {
  const named = identities.filter((each) => isNamed(each[channel], channel, person));
  const logins = new Set(named.map(({ github }) => github.toLowerCase()));
  return logins.size === 1 ? named[0]?.github : undefined;
}

/** Slack shows people the id of the account alone (`U0123ABCD`); ours begin with the workspace (`T0123/U0123ABCD`). */
function isNamed(written: string | undefined, channel: ChannelName, person: string): boolean {
  if (written === undefined) return false;
  if (written === person) return true;
  return channel === 'slack' && written === person.slice(person.indexOf('/') + 1);
}

export function codeDigest(code: string): string {
  return createHash('sha256').update(code.toUpperCase()).digest('base64url');
}
