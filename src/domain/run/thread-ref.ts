/** Where work happens: a repository, a thread in it, and who acts. Keyed by numeric ids, which survive renames. */

export interface RepositoryRef {
  installationId: number;
  repositoryId: number;
  owner: string;
  repo: string;
}

/** One issue or pull request. */
export interface ThreadRef extends RepositoryRef {
  number: number;
}

/** Who did something, as GitHub's payload says it. Authority never rests on the login. */
export interface Actor {
  id: number;
  login: string;
  isBot: boolean;
}

/** Who acts where nobody asked: it rests on no role. */
export const OURSELVES: Actor = { id: 0, login: 'quorum', isBot: true };

/** GitHub's built-in repository roles, least first. */
export const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Whether `held` is at least `needed`. */
export function hasPermission(held: Permission, needed: Permission): boolean {
  return PERMISSIONS.indexOf(held) >= PERMISSIONS.indexOf(needed);
}

/** The number of no issue. */
const NO_THREAD = 0;

/** Where a run works that nobody asked for in a thread: it reads no comments and writes none. */
export function toRepositoryThread(repository: RepositoryRef): ThreadRef {
  return { ...toRepositoryRef(repository), number: NO_THREAD };
}

export function isRepositoryThread({ number }: Pick<ThreadRef, 'number'>): boolean {
  return number === NO_THREAD;
}

/** Whether a stream is of {@link toRepositoryThread}. */
export function isRepositoryThreadKey(key: string): boolean {
  return key.startsWith('thread:') && key.endsWith(`/${NO_THREAD}`);
}

/** What the keys of all threads of a repository begin with. */
export function threadKeysOf(repositoryId: number): string {
  return `thread:${repositoryId}/`;
}

/** The stream that a thread's events share: they are reduced one at a time and in order. */
export function threadKey(ref: Pick<ThreadRef, 'repositoryId' | 'number'>): string {
  return `${threadKeysOf(ref.repositoryId)}${ref.number}`;
}

/** The stream of a repository's own events. */
export function repositoryKey({ repositoryId }: Pick<ThreadRef, 'repositoryId'>): string {
  return `repository:${repositoryId}`;
}

/** `owner/repo#12`, for people. */
export function threadName(ref: Pick<ThreadRef, 'owner' | 'repo' | 'number'>): string {
  return `${ref.owner}/${ref.repo}#${ref.number}`;
}

/** The repository that a thread is in. */
export function toRepositoryRef(thread: RepositoryRef): RepositoryRef {
  const { installationId, repositoryId, owner, repo } = thread;
  return { installationId, repositoryId, owner, repo };
}
