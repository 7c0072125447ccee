/** Where git reaches a repository over HTTP, and with what right. */
import type { RepositoryRef } from '../../domain/thread.ts';
import type { GitRemote } from '../../ports/work.ts';
import type { Credentials } from './credentials.ts';
import { webUrl } from './web-host.ts';

/** Those that were used last; an installation of more repositories asks for their tokens anew. */
const MOST = 200;

export interface GitRemoteParts {
  /** The REST base. */
  apiUrl: string;
  /** For one repository's contents. */
  credentialsOf: (ref: RepositoryRef) => Credentials;
  /** Its name now, as `owner/repo`, found by its number. */
  nameOf: (ref: RepositoryRef) => Promise<string>;
}

/**
 * The name is asked for each time: git follows no redirect, which could lead the credentials elsewhere, and a name that
 * another repository took over leads to that one.
 */
export function createGitRemote({
  apiUrl,
  credentialsOf,
  nameOf,
}: GitRemoteParts): (ref: RepositoryRef) => Promise<GitRemote> {
  const kept = new Map<string, Credentials>();
  return async (ref) => {
    const key = `${ref.installationId}/${ref.repositoryId}`;
    const credentials = kept.get(key) ?? credentialsOf(ref);
    kept.delete(key);
    kept.set(key, credentials);
    if (kept.size > MOST) kept.delete(kept.keys().next().value ?? '');
    const [name, header] = await Promise.all([nameOf(ref), credentials.authorization({})]);
    const token = header.replace(/^\w+ /, '');
    return {
      url: `${webUrl(apiUrl)}/${name}.git`,
      authorization: `Basic ${basic(token)}`,
      forget: () => credentials.forget(),
    };
  };
}

/** GitHub takes a token as the password of this name. */
function basic(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString('base64');
}
