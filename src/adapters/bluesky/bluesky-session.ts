/**
 * One session, kept alive: refreshed before it ends, and opened again with the password when it has. The App polls more often than
 * a session must be renewed, so that polling keeps it alive.
 */
import type { Agent, AtpSessionData, CredentialSession } from '@atproto/api';
import { ConfigError } from '../../domain/event/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BlueskySettings } from './bluesky-settings.ts';
import { isSessionOver, toBlueskyFailure } from './bluesky-errors.ts';

/** Keeps the session over a restart: only so many logins are allowed in a day. */
export interface SessionStore {
  load(): Promise<AtpSessionData | undefined>;
  save(session: AtpSessionData | undefined): Promise<void>;
}

export interface BlueskyParts {
  settings: BlueskySettings;
  clock: Clock;
  /** In memory when absent. */
  sessions?: SessionStore;
}

type Call<T> = (agent: Agent, did: string, isAgain: boolean) => Promise<T>;

export interface BlueskySession {
  /**
   * Runs a call with a session that is alive; once more with a new one where the session had ended. `isAgain`: this is the
   * second time, so that no other session would help.
   */
  run<T>(call: Call<T>): Promise<T>;
}

const REFRESH_EVERY_MS = 900_000;
/** Bluesky allows 30 logins in five minutes, and 300 in a day. */
const LOGIN_PAUSE_MS = 300_000;

interface State extends BlueskyParts {
  session: CredentialSession;
  agent: Agent;
  refreshedAt: number;
  refused: { error: unknown; at: number } | undefined;
}

export function createBlueskySession(parts: BlueskyParts): BlueskySession {
  let opened: Promise<State> | undefined;
  /** One at a time: two logins at once would end each other's refresh. */
  let renewing: Promise<void> | undefined;
  const open = (): Promise<State> => {
    opened ??= load(parts);
    return opened;
  };
  const alive = async (renew: (state: State) => Promise<void>): Promise<State> => {
    const state = await open();
    renewing ??= renew(state).finally(() => {
      renewing = undefined;
    });
    await renewing;
    return state;
  };
  const attempt = async <T>(call: Call<T>): Promise<T> => {
    const { agent, session } = await alive(freshen);
    try {
      return await call(agent, session.did ?? '', false);
    } catch (error) {
      if (!isSessionOver(error)) throw error;
      await alive(login);
      return call(agent, session.did ?? '', true);
    }
  };
  const ours = (error: unknown): never => {
    throw toBlueskyFailure(error, parts.clock.now());
  };
  return {
    run: (call) => attempt(call).catch(ours),
  };
}

async function load(parts: BlueskyParts): Promise<State> {
  const { Agent, CredentialSession } = await import('@atproto/api');
  const persist = (_: unknown, data: AtpSessionData | undefined): void => {
    void parts.sessions?.save(data).catch(() => undefined);
  };
  const session = new CredentialSession(new URL(parts.settings.service), undefined, persist);
  // What cannot be read is as if nothing was kept: the password opens a session then.
  const kept = await parts.sessions?.load().catch(() => undefined);
  if (kept !== undefined) session.session = kept;
  return {
    ...parts,
    session,
    agent: new Agent((url, init) => session.fetchHandler(url, init)),
    refreshedAt: -Infinity,
    refused: undefined,
  };
}

/** The refresh token first, then a new login. */
async function freshen(state: State): Promise<void> {
  const { session, clock } = state;
  if (!session.hasSession) return login(state);
  if (clock.now() - state.refreshedAt < REFRESH_EVERY_MS) return;
  try {
    await session.refreshSession();
    state.refreshedAt = clock.now();
  } catch (error) {
    if (!isSessionOver(error)) throw error;
    await login(state);
  }
}

async function login(state: State): Promise<void> {
  const { session, settings, clock, refused } = state;
  if (refused !== undefined && clock.now() - refused.at < LOGIN_PAUSE_MS) throw refused.error;
  const { identifier, password } = settings;
  try {
    await session.login({ identifier, password });
    Object.assign(state, { refreshedAt: clock.now(), refused: undefined });
  } catch (error) {
    const failure = toBlueskyFailure(error, clock.now());
    if (failure instanceof ConfigError) state.refused = { error: failure, at: clock.now() };
    throw failure;
  }
}
