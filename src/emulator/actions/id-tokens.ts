/**
 * The part of GitHub that gives a job an OpenID Connect token to sign in elsewhere with, as `@actions/core` asks for it.
 * Nothing trusts these tokens, so they are not signed.
 */
import { randomUUID } from 'node:crypto';

export interface JobOfRun {
  /** `owner/name`. */
  repository: string;
  workflowRun: string;
  job: string;
}

/** What a job with `id-token: write` finds in its environment. */
export interface IdTokenRequest {
  ACTIONS_ID_TOKEN_REQUEST_URL: string;
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: string;
}

export interface IdTokens {
  /** Lets this job ask; nobody else's token is taken. */
  offer(job: JobOfRun, url: string): IdTokenRequest;
  /** Undefined where the caller may not ask. */
  issue(requestToken: string, audience: string | null): { value: string } | undefined;
}

export const ID_TOKEN_PATH = '/id-token';

const ISSUER = 'https://token.actions.githubusercontent.com';
const LIFE_S = 300;
const MS = 1_000;

/** @param now - milliseconds since 1970 */
export function createIdTokens(now: () => number): IdTokens {
  const asking = new Map<string, JobOfRun>();
  return {
    offer: (job, url) => {
      const token = randomUUID();
      asking.set(token, job);
      return {
        // The client puts its audience behind it with an `&`.
        ACTIONS_ID_TOKEN_REQUEST_URL: `${url}${ID_TOKEN_PATH}?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
      };
    },
    issue: (requestToken, audience) => {
      const job = asking.get(requestToken);
      if (job === undefined) return undefined;
      const { repository, workflowRun: runId } = job;
      const [owner = ''] = repository.split('/');
      const at = Math.floor(now() / MS);
      const claims = {
        iss: ISSUER,
        aud: audience ?? `https://github.com/${owner}`,
        sub: `repo:${repository}:ref:refs/heads/main`,
        repository,
        run_id: runId,
        iat: at,
        exp: at + LIFE_S,
      };
      return { value: `${toPart({ alg: 'none' })}.${toPart(claims)}.unsigned` };
    },
  };
}

function toPart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
