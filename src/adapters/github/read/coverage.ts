/** Tells a repository that the installation does not cover from one that GitHub's copies do not know yet. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { BY_NAME } from '../client/rest-address.ts';
import { isNotFound } from '../client/github-failure.ts';
import type { Calls } from '../installation-client.ts';
import type { Params } from '../github-answer.ts';
import { GET_REPOSITORY, GET_REPOSITORY_INSTALLATION, type Operation } from '../rest-operations.ts';
import type { GitHubLog } from '../client/github-options.ts';
import type { RepositoryLocator } from '../repository-locator.ts';

export interface Coverage {
  /** Calls of one session whose 404 is final where the installation does not cover `ref`. */
  watch(ref: RepositoryRef, calls: Calls): Calls;
  forget(installationId: number): void;
}

export interface CoverageParts {
  /** As the App; undefined with a token, which has no installations. */
  own: Calls | undefined;
  places: RepositoryLocator;
  log: GitHubLog;
}

const MAX_LOGGED = 10_000;

export function createCoverage({ own, places, log }: CoverageParts): Coverage {
  /** Repository ids by installation that the log names already. */
  const logged = new Map<string, number>();
  const note = (ref: RepositoryRef): void => {
    const key = `${ref.installationId}/${ref.repositoryId}`;
    if (logged.has(key)) return;
    if (logged.size >= MAX_LOGGED) logged.clear();
    logged.set(key, ref.installationId);
    const { installationId, owner, repo } = ref;
    log.warn(
      { installationId, repository: `${owner}/${repo}` },
      'repository not covered by the installation: its events end here',
    );
  };
  const watch: Coverage['watch'] = (ref, calls) => {
    if (own === undefined) return calls;
    let asked: Promise<boolean> | undefined;
    const judge = async (error: unknown, of: Asked): Promise<never> => {
      if (!isInDoubt(error, of, { ref, places })) throw error;
      asked ??= isCovered(own, ref, places);
      if (await asked) throw error;
      note(ref);
      throw notCovered(ref, error);
    };
    return {
      ...calls,
      get: (operation, params, options) =>
        calls
          .get(operation, params, options)
          .catch((error: unknown) => judge(error, { operation, params })),
    };
  };
  return {
    watch,
    forget: (installationId) => {
      for (const [key, id] of logged) if (id === installationId) logged.delete(key);
    },
  };
}

interface Asked {
  operation: Operation<unknown>;
  params: Params;
}

/** A repository that was read under its id is covered, unless it is itself not found any more. */
function isInDoubt(
  error: unknown,
  { operation, params }: Asked,
  { ref, places }: { ref: RepositoryRef; places: RepositoryLocator },
): error is RefusedError {
  const isOfIt = params['repositoryId'] === ref.repositoryId && ref.repositoryId !== BY_NAME;
  return isNotFound(error) && isOfIt && (operation === GET_REPOSITORY || !places.knows(ref));
}

async function isCovered(
  own: Calls,
  ref: RepositoryRef,
  places: RepositoryLocator,
): Promise<boolean> {
  const found = await own.find(GET_REPOSITORY_INSTALLATION, { ...places.last(ref) });
  return found?.data.id === ref.installationId;
}

function notCovered(ref: RepositoryRef, cause: unknown): RefusedError {
  return new RefusedError({
    code: 'github-not-found',
    message: `The App's installation ${ref.installationId} does not cover ${ref.owner}/${ref.repo}.`,
    details: 'Install the App on this repository, or add the repository to its installation.',
    cause,
  });
}
