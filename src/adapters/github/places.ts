/** Where a repository is now: its numeric id is what counts, its name may change or come to mean another one. */
import { RefusedError } from '../../domain/errors.ts';
import type { RepositoryRef } from '../../domain/thread.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Calls } from './line.ts';
import { GET_REPOSITORY } from './operations.ts';

export interface WireRepository {
  id: number;
  node_id?: string | undefined;
  full_name: string;
  private: boolean;
  archived: boolean;
  default_branch: string;
}

export interface Place {
  owner: string;
  repo: string;
}

export interface Places {
  /** The last known name, without asking: for reads, which cannot harm. */
  last(ref: RepositoryRef): Place;
  /** Whether it was read under its id since the App started or its installation changed. */
  knows(ref: RepositoryRef): boolean;
  /** Reads the repository; throws RefusedError `github-moved` when the name is another repository's now. */
  read(ref: RepositoryRef, calls: Calls): Promise<WireRepository>;
  /** Takes over what was just read of this repository, by its id, in another way. */
  learn(ref: RepositoryRef, seen: { fullName: string; nodeId?: string | undefined }): void;
  /** GraphQL's id of it, where it was told lately. */
  nodeId(ref: RepositoryRef): string | undefined;
  /**
   * Runs a write at a name that was checked lately, and once more where the repository turns out renamed.
   * The work must be safe to repeat.
   */
  at<T>(ref: RepositoryRef, calls: Calls, work: (place: Place) => Promise<T>): Promise<T>;
  forget(installationId: number): void;
}

/** An id of nothing: a repository that is known by its name alone, such as an organisation's settings. Read only. */
const BY_NAME = 0;
/** How long a checked name is believed before a write. */
const BELIEVED_MS = 10 * 60_000;
const MAX_KNOWN = 10_000;

interface Known extends Place {
  /** Under which it was asked for. */
  askedAs: string;
  nodeId: string | undefined;
  installationId: number;
  checkedAtMs: number;
}

interface Names {
  known: Map<number, Known>;
  /** Nothing where somebody asks under another name: they have heard of a renaming since. */
  of: (ref: RepositoryRef) => Known | undefined;
  last: (ref: RepositoryRef) => Place;
  learn: Places['learn'];
}

function createNames(clock: Clock): Names {
  const known = new Map<number, Known>();
  const of: Names['of'] = (ref) => {
    const found = known.get(ref.repositoryId);
    if (found === undefined) return undefined;
    return [found.askedAs, nameOf(found)].includes(nameOf(ref)) ? found : undefined;
  };
  return {
    known,
    of,
    last: (ref) => {
      const { owner, repo } = of(ref) ?? ref;
      return { owner, repo };
    },
    learn: (ref, { fullName, nodeId }) => {
      if (known.size >= MAX_KNOWN) known.clear();
      const id = nodeId ?? known.get(ref.repositoryId)?.nodeId;
      known.set(ref.repositoryId, toKnown(ref, fullName, { nodeId: id, checkedAtMs: clock.now() }));
    },
  };
}

export function createPlaces(clock: Clock): Places {
  const names = createNames(clock);
  const { known } = names;
  const read = async (ref: RepositoryRef, calls: Calls): Promise<WireRepository> => {
    const place = names.last(ref);
    const { data } = await calls.get(GET_REPOSITORY, { ...place });
    if (ref.repositoryId === BY_NAME) return data;
    if (data.id !== ref.repositoryId) {
      known.delete(ref.repositoryId);
      // A webhook may have told the name since.
      if (nameOf(place) !== nameOf(ref)) return read(ref, calls);
      throw elsewhere(ref);
    }
    names.learn(ref, { fullName: data.full_name, nodeId: data.node_id });
    return data;
  };
  const checked = async (ref: RepositoryRef, calls: Calls): Promise<Place> => {
    const found = names.of(ref);
    if (found === undefined || clock.now() - found.checkedAtMs > BELIEVED_MS)
      await read(ref, calls);
    return names.last(ref);
  };
  return {
    last: names.last,
    read,
    learn: names.learn,
    knows: ({ repositoryId }) => known.has(repositoryId),
    nodeId: ({ repositoryId }) => known.get(repositoryId)?.nodeId,
    at: async (ref, calls, work) => {
      const place = await checked(ref, calls);
      try {
        return await work(place);
      } catch (error) {
        if (!(error instanceof RefusedError) || error.code !== 'github-moved') throw error;
        await read(ref, calls);
        const now = names.last(ref);
        if (nameOf(now) === nameOf(place)) throw error;
        return work(now);
      }
    },
    forget: (installationId) => {
      for (const [id, one] of known) if (one.installationId === installationId) known.delete(id);
    },
  };
}

function toKnown(
  ref: RepositoryRef,
  fullName: string,
  told: Pick<Known, 'nodeId' | 'checkedAtMs'>,
): Known {
  const [owner = ref.owner, repo = ref.repo] = fullName.split('/');
  return { owner, repo, askedAs: nameOf(ref), installationId: ref.installationId, ...told };
}

function nameOf({ owner, repo }: Place): string {
  return `${owner}/${repo}`.toLowerCase();
}

function elsewhere(ref: RepositoryRef): RefusedError {
  return new RefusedError({
    code: 'github-moved',
    // A webhook tells the new name in a moment.
    isHasty: true,
    message: `${ref.owner}/${ref.repo} is not the repository with the id ${ref.repositoryId} any more.`,
    details:
      'It was renamed or transferred and another took its name. Nothing is read or written there.',
  });
}
