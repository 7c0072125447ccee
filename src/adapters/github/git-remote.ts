/** Where git reaches a repository over HTTP, and with what right. */
import type { RepositoryRef } from '../../domain/thread.ts';
import type { GitRemote } from '../../ports/work.ts';
import type { Credentials } from './credentials.ts';

/** Those that were used last; an installation of more repositories asks for their tokens anew. */
const MOST = 200;

/** Binds to the credentials for one repository's contents. `apiUrl` is the REST base. */
export function createGitRemote(
  apiUrl: string,
  credentialsOf: (ref: RepositoryRef) => Credentials,
): (ref: RepositoryRef) => Promise<GitRemote> {
  const kept = new Map<number, Credentials>();
  return async (ref) => {
    const credentials = kept.get(ref.repositoryId) ?? credentialsOf(ref);
    kept.delete(ref.repositoryId);
    kept.set(ref.repositoryId, credentials);
    if (kept.size > MOST) kept.delete(kept.keys().next().value ?? 0);
    const header = await credentials.authorization({});
    const token = header.replace(/^\w+ /, '');
    return {
      url: gitUrl(apiUrl, ref),
      authorization: `Basic ${basic(token)}`,
      forget: () => credentials.forget(),
    };
  };
}

/** GitHub takes a token as the password of this name. */
function basic(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString('base64');
}

/** `https://api.github.com` serves github.com; a GitHub Enterprise Server has its API below itself. */
function gitUrl(apiUrl: string, { owner, repo }: RepositoryRef): string {
  const url = new URL(apiUrl);
  if (url.hostname.startsWith('api.')) url.hostname = url.hostname.slice('api.'.length);
  const path = url.pathname.replace(/\/api\/v3\/?$/, '').replace(/\/$/, '');
  return `${url.origin}${path}/${owner}/${repo}.git`;
}
