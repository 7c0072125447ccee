/** What people may do here, read now: unknown means nothing (12, rule 6). */
import { QuorumError } from '../../domain/event/errors.ts';
import { toSlug } from '../../policy/authorise.ts';
import type { Permission, RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { CommentFacts } from '../../ports/github/github-reader.ts';
import type { GitHubSession } from '../../ports/github/github.ts';

export interface Person {
  id: number;
  login: string;
}

/** Most people whose permission one look reads, each with one call. All others count as strangers. */
export const MAX_PEOPLE = 20;

export interface PermissionsWanted {
  people: readonly Person[];
  /** By id, of those who need not be asked about again. */
  known: ReadonlyMap<number, Permission>;
}

export interface PermissionsRead {
  /** By numeric id. */
  byId: Map<number, Permission>;
  /** `none` for people whose permission was not read. */
  of: (id: number) => Permission;
  /** Says of how many the role was not read, when there are such. */
  notRead: string[];
}

/** Permissions of the first {@link MAX_PEOPLE} different people. */
export async function readPermissions(
  ref: RepositoryRef,
  { read }: GitHubSession,
  { people, known }: PermissionsWanted,
): Promise<PermissionsRead> {
  const different = [...new Map(people.map((each) => [each.id, each])).values()];
  const byId = new Map(
    await Promise.all(
      different
        .slice(0, MAX_PEOPLE)
        .map(async (person): Promise<[number, Permission]> => [
          person.id,
          known.get(person.id) ?? (await permissionOrNone(ref, read, person)),
        ]),
    ),
  );
  const left = different.length - byId.size;
  return {
    byId,
    of: (id) => byId.get(id) ?? 'none',
    notRead:
      left <= 0 ? [] : [`the roles of ${left} more people who spoke: they count as strangers`],
  };
}

/** People who spoke in a thread, the last speaker first. Automated accounts have no say. */
export function speakersIn(comments: readonly CommentFacts[]): Person[] {
  return comments
    .filter((comment) => !comment.isOurs && !comment.author.isBot)
    .toReversed()
    .map((comment) => comment.author);
}

/** Only what may pass by itself is thrown, so that it is asked again. */
export async function permissionOrNone(
  ref: RepositoryRef,
  read: GitHubSession['read'],
  person: Person,
): Promise<Permission> {
  try {
    return await read.permission(ref, person);
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return 'none';
    throw error;
  }
}

/** Which of the listed teams a person belongs to; undefined when none is listed or GitHub does not say. */
export async function readTeams(
  ref: RepositoryRef,
  { teams }: Pick<GitHubSession, 'teams'>,
  { user, listed }: { user: Person; listed: readonly string[] },
): Promise<string[] | undefined> {
  const slugs = [...new Set(listed.map(toSlug))];
  return slugs.length === 0 ? undefined : teams?.membership(ref, user, slugs);
}
