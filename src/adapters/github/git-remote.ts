/** Where git reaches a repository over HTTP, and with what right. */
import { LRUCache } from 'lru-cache';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitRemote } from '../../ports/github/work.ts';
import { forgetPrefix } from './cache/kept.ts';
import type { Credentials } from './client/credentials.ts';
import { webUrl } from './client/web-host.ts';

/** Only the most recently used; an installation with more repositories asks for their tokens again. */
const MOST = 200;

export interface GitRemoteParts {
  /** The REST base. */
  apiUrl: string;
  /** For one repository's contents. */
  credentialsOf: (ref: RepositoryRef) => Credentials;
  /** Its name now, as `owner/repo`, found by its number. */
  nameOf: (ref: RepositoryRef) => Promise<string>;
}

export interface GitRemotes {
  of(ref: RepositoryRef): Promise<GitRemote>;
  /** Drops the tokens of an installation. */
  forget(installationId: number): void;
}

/**
 * The name is looked up each time, or once in a job of a workflow. Git follows no redirect, which could lead the credentials elsewhere. A name that
 * another repository took over leads to that one.
 */
export function createGitRemote({ apiUrl, credentialsOf, nameOf }: GitRemoteParts): GitRemotes {
  const kept = new LRUCache<string, Credentials>({ max: MOST });
  const of: GitRemotes['of'] = async (ref) => {
    const key = `${ref.installationId}/${ref.repositoryId}`;
    const credentials = kept.get(key) ?? credentialsOf(ref);
    kept.set(key, credentials);
    const [name, header] = await Promise.all([nameOf(ref), credentials.authorization({})]);
    const token = header.replace(/^\w+ /, '');
    return {
      url: `${webUrl(apiUrl)}/${name}.git`,
      authorization: `Basic ${basic(token)}`,
      forget: () => credentials.forget(),
    };
  };
  return { of, forget: (installationId) => forgetPrefix(kept, `${installationId}/`) };
}

/** GitHub takes a token as the password of this name. */
function basic(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString('base64');
}
