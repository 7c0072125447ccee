/** The value of the authorization header: the App's JWT, an installation's token, or a token that was given. */
import type { CallCounts } from '../../../domain/run/ledger.ts';
import type { Clock } from '../../../ports/clock.ts';
import { renderAppJwt } from './app-jwt.ts';
import { serverTime } from './read-limit.ts';
import type { InstallationClient } from '../installation-client.ts';
import { CREATE_TOKEN } from '../rest-operations.ts';
import type { Answer } from '../github-answer.ts';

export interface Credentials {
  /** Value of the authorization header; calls made to get it are counted. */
  authorization(counts: CallCounts): Promise<string>;
  /** After a 401: whether asking again with a fresh value makes sense. */
  renew(refused: Answer): Promise<boolean>;
  forget(): void;
}

export function tokenCredentials(token: string): Credentials {
  return {
    authorization: () => Promise.resolve(`token ${token}`),
    renew: () => Promise.resolve(false),
    forget: () => undefined,
  };
}

/** Clocks this close count as the same. */
const SKEW_MS = 5000;

/** GitHub takes a JWT for ten minutes; this leaves room for clocks that differ and for requests that wait. */
const JWT_REUSED_MS = 4 * 60_000;

/** Keeps a JWT for four minutes; when GitHub's clock turns out to differ from ours, signs by GitHub's from then on. */
export function appCredentials({
  appId,
  privateKey,
  clock,
}: {
  appId: number | string;
  privateKey: string;
  clock: Clock;
}): Credentials {
  let offsetMs = 0;
  let kept: { jwt: string; atMs: number } | undefined;
  return {
    authorization: async () => {
      const nowMs = clock.now() + offsetMs;
      const isFresh = kept !== undefined && Math.abs(nowMs - kept.atMs) < JWT_REUSED_MS;
      if (kept === undefined || !isFresh)
        kept = { jwt: await renderAppJwt(appId, privateKey, nowMs), atMs: nowMs };
      return `bearer ${kept.jwt}`;
    },
    renew: (refused) => {
      kept = undefined;
      const nowMs = clock.now();
      const found = serverTime(refused, nowMs) - nowMs;
      const isNews = Math.abs(found - offsetMs) > SKEW_MS;
      const isWorthAgain = isNews || offsetMs !== 0;
      // A date that did not help (a proxy's, perhaps) is given up again.
      offsetMs = isNews ? found : 0;
      return Promise.resolve(isWorthAgain);
    },
    forget: () => {
      kept = undefined;
    },
  };
}

interface InstallationToken {
  value: string;
  mintedAtMs: number;
  /** By our own clock. */
  expiresAtMs: number;
}

/** Of a token at GitHub. */
const LIFE_MS = 60 * 60_000;
/** Before its end it is replaced. */
const MARGIN_MS = 5 * 60_000;
/** GitHub may not know a token yet that it has just given out. */
const REPLICATION_MS = 5000;

/** Mints an installation's token on first use, one at a time, and keeps it until shortly before it ends. */
export function installationCredentials(parts: {
  installationId: number;
  app: InstallationClient;
  clock: Clock;
  /** Less than the installation has, where less is enough. */
  scope?: { repository_ids: number[]; permissions: Readonly<Record<string, string>> };
}): Credentials {
  const { installationId, app, clock, scope } = parts;
  let kept: InstallationToken | undefined;
  let pending: Promise<InstallationToken> | undefined;
  const mint = async (counts: CallCounts): Promise<InstallationToken> => {
    const answer = await app
      .calls(counts)
      .mint(CREATE_TOKEN, { installation_id: installationId, ...scope });
    const nowMs = clock.now();
    const leftMs = Date.parse(answer.data.expires_at) - serverTime(answer, nowMs);
    // Clocks that contradict each other: it is fresh in any case, and a 401 replaces it.
    const lifeMs = leftMs > MARGIN_MS ? Math.min(leftMs, LIFE_MS) : LIFE_MS / 2;
    return {
      value: answer.data.token,
      mintedAtMs: nowMs,
      expiresAtMs: nowMs + lifeMs,
    };
  };
  const current = async (counts: CallCounts): Promise<InstallationToken> => {
    if (kept !== undefined && clock.now() < kept.expiresAtMs - MARGIN_MS) return kept;
    pending ??= mint(counts).finally(() => (pending = undefined));
    kept = await pending;
    return kept;
  };
  return {
    authorization: async (counts) => `token ${(await current(counts)).value}`,
    renew: async () => {
      const isYoung = kept !== undefined && clock.now() - kept.mintedAtMs < REPLICATION_MS;
      if (isYoung) await clock.sleep(1000);
      else kept = undefined;
      return true;
    },
    forget: () => {
      kept = undefined;
    },
  };
}
