/** What people may do here, read now: unknown means nothing (12, rule 6). */
import { QuorumError } from '../domain/errors.ts';
import type { Permission, RepositoryRef } from '../domain/thread.ts';
import type { GitHubSession } from '../ports/github.ts';

export interface Person {
  id: number;
  login: string;
}

/** Permissions are read for so many; nobody else's word moves anything. */
const MAX_PEOPLE = 8;

export interface PermissionsWanted {
  people: readonly Person[];
  /** By id, of those whose role decides nothing: these are not asked for again. */
  known: ReadonlyMap<number, Permission>;
}

/** Permissions by numeric id, of the first few different people. */
export async function readPermissions(
  ref: RepositoryRef,
  { read }: GitHubSession,
  { people, known }: PermissionsWanted,
): Promise<Map<number, Permission>> {
  const different = [...new Map(people.map((each) => [each.id, each])).values()];
  const entries = await Promise.all(
    different
      .slice(0, MAX_PEOPLE)
      .map(async (person): Promise<[number, Permission]> => [
        person.id,
        known.get(person.id) ?? (await permissionOrNone(ref, read, person)),
      ]),
  );
  return new Map(entries);
}

/** Only what may pass by itself is thrown, so that it is asked again. */
async function permissionOrNone(
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
