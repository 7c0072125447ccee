/** Where a repository is now: its numeric id is what counts, its name may change or come to mean another one. */
import { RefusedError } from '../../domain/event/errors.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import { BY_NAME } from './client/rest-address.ts';
import { isNotFound } from './client/github-failure.ts';
import type { Calls } from './installation-client.ts';
import { GET_REPOSITORY } from './rest-operations.ts';

export interface WireRepository {
  id: number;
  node_id?: string | undefined;
  full_name: string;
  private: boolean;
  archived: boolean;
  has_issues?: boolean | undefined;
  default_branch: string;
}

/** Params of every operation below a repository: the id is what is asked, the name is for texts and for GraphQL. */
export interface Place {
  repositoryId: number;
  owner: string;
  repo: string;
}

export interface RepositoryLocator {
  /** With the last known name, without asking. */
  last(ref: RepositoryRef): Place;
  /** Whether it was read under its id since the App started or its installation changed. */
  knows(ref: RepositoryRef): boolean;
  /** Reads the repository by its id, and so the name that it has now. */
  read(ref: RepositoryRef, calls: Calls): Promise<WireRepository>;
  /** Takes over what was just read of this repository, by its id, in another way. */
  learn(ref: RepositoryRef, seen: { fullName: string; nodeId?: string | undefined }): void;
  /** The repository's GraphQL id, if an answer gave it recently. */
  nodeId(ref: RepositoryRef): string | undefined;
  /** Runs a write. Where something is not found, a look at the repository tells first whether all of it is gone. */
  at<T>(ref: RepositoryRef, calls: Calls, work: (place: Place) => Promise<T>): Promise<T>;
  forget(installationId: number): void;
}

const MAX_KNOWN = 10_000;

interface Known {
  owner: string;
  repo: string;
  /** Under which it was asked for. */
  askedAs: string;
  nodeId: string | undefined;
  installationId: number;
}

interface Names {
  known: Map<number, Known>;
  last: RepositoryLocator['last'];
  learn: RepositoryLocator['learn'];
}

function createNames(): Names {
  const known = new Map<number, Known>();
  /** Undefined where the caller asks under another name: it has learned of a rename since. */
  const of = (ref: RepositoryRef): Known | undefined => {
    const found = known.get(ref.repositoryId);
    if (found === undefined) return undefined;
    return [found.askedAs, nameOf(found)].includes(nameOf(ref)) ? found : undefined;
  };
  return {
    known,
    last: (ref) => {
      const { owner, repo } = of(ref) ?? ref;
      return toRepositoryPlace({ ...ref, owner, repo });
    },
    learn: (ref, { fullName, nodeId }) => {
      if (known.size >= MAX_KNOWN) known.clear();
      const id = nodeId ?? known.get(ref.repositoryId)?.nodeId;
      known.set(ref.repositoryId, toKnown(ref, fullName, id));
    },
  };
}

export function createPlaces(): RepositoryLocator {
  const names = createNames();
  const { known } = names;
  const read = async (ref: RepositoryRef, calls: Calls): Promise<WireRepository> => {
    const { data } = await calls.get(GET_REPOSITORY, { ...names.last(ref) });
    if (ref.repositoryId === BY_NAME) return data;
    if (data.id !== ref.repositoryId) throw elsewhere(ref);
    names.learn(ref, { fullName: data.full_name, nodeId: data.node_id });
    return data;
  };
  return {
    last: names.last,
    read,
    learn: names.learn,
    knows: ({ repositoryId }) => known.has(repositoryId),
    nodeId: ({ repositoryId }) => known.get(repositoryId)?.nodeId,
    at: async (ref, calls, work) => {
      try {
        return await work(names.last(ref));
      } catch (error) {
        if (isNotFound(error)) await read(ref, calls);
        throw error;
      }
    },
    forget: (installationId) => {
      for (const [id, one] of known) if (one.installationId === installationId) known.delete(id);
    },
  };
}

/** By the name that the caller knows. */
export function toRepositoryPlace({ repositoryId, owner, repo }: RepositoryRef): Place {
  return { repositoryId, owner, repo };
}

function toKnown(ref: RepositoryRef, fullName: string, nodeId: string | undefined): Known {
  const [owner = ref.owner, repo = ref.repo] = fullName.split('/');
  return { owner, repo, askedAs: nameOf(ref), installationId: ref.installationId, nodeId };
}

function nameOf({ owner, repo }: { owner: string; repo: string }): string {
  return `${owner}/${repo}`.toLowerCase();
}

/** An answer about another repository than the id that was asked for. */
export function elsewhere(ref: RepositoryRef): RefusedError {
  return new RefusedError({
    code: 'github-moved',
    message: `${ref.owner}/${ref.repo} is not the repository with the id ${ref.repositoryId} any more.`,
    details:
      'It was renamed or transferred and another took its name. Nothing is read or written there.',
  });
}
