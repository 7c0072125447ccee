/**
 * Admits anyone who has the token from the terminal to the setup page. It is good for one use and is exchanged for a
 * cookie. So it stays neither in the address bar nor in a `Referer` header.
 */
import { isSameSecret } from '../../adapters/http/same-secret.ts';
import type { Clock, Random } from '../../ports/clock.ts';

/** For the token, and again for the session that it opens; GitHub's own step has to fit in. */
export const ACCESS_MS = 30 * 60_000;

const COOKIE = 'quorum-setup';

export interface SetupSession {
  /** Returned with GitHub's redirect, so that another person's link cannot bring in an App of theirs. */
  state: string;
  /** Of `Set-Cookie`. Another site's link or form does not send it. */
  cookie: string;
}

export interface SetupAccess {
  /** The session for a token; undefined when it is wrong, expired or used. */
  exchange(token: string): SetupSession | undefined;
  /** The session that a `Cookie` header belongs to. */
  session(cookies: string | undefined): SetupSession | undefined;
  /** Whether this is the state of the session that is open. */
  isState(state: string): boolean;
  /** Makes a new token, and tells it, where neither token nor session is good any more. */
  renew(): void;
}

export interface SetupAccessOptions {
  clock: Pick<Clock, 'now'>;
  random: Pick<Random, 'id'>;
  /** Told each token that is made: at once, and when the one before is used up. */
  onToken: (token: string) => void;
}

interface Open extends SetupSession {
  id: string;
  endsAt: number;
}

/** Issues the first token. */
export function createSetupAccess({ clock, random, onToken }: SetupAccessOptions): SetupAccess {
  // Each id has 122 random bits.
  const secret = (): string => `${random.id()}${random.id()}`.replaceAll('-', '');
  let token: { value: string; endsAt: number } | undefined;
  let session: Open | undefined;
  const open = (): Open | undefined =>
    session !== undefined && clock.now() < session.endsAt ? session : undefined;
  const issue = (): void => {
    token = { value: secret(), endsAt: clock.now() + ACCESS_MS };
    onToken(token.value);
  };
  issue();
  return {
    exchange: (given) => {
      const isGood = token !== undefined && clock.now() < token.endsAt;
      if (!isGood || !isSameSecret(given, token?.value ?? '')) return undefined;
      token = undefined;
      const id = secret();
      session = { id, state: secret(), cookie: toCookie(id), endsAt: clock.now() + ACCESS_MS };
      return session;
    },
    session: (cookies) => {
      const found = open();
      const id = readCookie(cookies);
      return found !== undefined && id !== '' && isSameSecret(id, found.id) ? found : undefined;
    },
    isState: (state) => isSameSecret(state, open()?.state ?? secret()),
    renew: () => {
      const isTokenGood = token !== undefined && clock.now() < token.endsAt;
      if (!isTokenGood && open() === undefined) issue();
    },
  };
}

function toCookie(id: string): string {
  return `${COOKIE}=${id}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${ACCESS_MS / 1000}`;
}

function readCookie(cookies: string | undefined): string {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === COOKIE)?.[1] ?? '';
}
