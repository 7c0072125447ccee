/** Finds a repository with a person's token, and says early why a pull request could not be opened there. */
import { z } from 'zod';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import { parseAnswer } from '../client/expected-answer.ts';
import { BY_NAME } from '../client/rest-address.ts';
import { toError } from '../client/github-failure.ts';
import { operation } from '../rest-operations.ts';
import type { SetupClient } from './setup-client.ts';

const GET_WRITABLE = operation(
  'GET /repos/{owner}/{repo}',
  z.object({
    id: z.number(),
    full_name: z.string(),
    default_branch: z.string(),
    archived: z.boolean(),
    private: z.boolean(),
    permissions: z.object({ push: z.boolean() }).optional(),
  }),
);

export interface FoundRepository {
  id: number;
  owner: string;
  repo: string;
  fullName: string;
  defaultBranch: string;
}

/**
 * @throws ConfigError `github-unauthorised`, `repository-unknown`, `token-scope`; RefusedError `no-write-access`,
 *   `repository-archived`
 */
export async function openRepository(client: SetupClient, name: string): Promise<FoundRepository> {
  const [owner = '', repo = ''] = name.split('/');
  const answer = await client.send(GET_WRITABLE, { repositoryId: BY_NAME, owner, repo });
  if (answer.status === 401) throw unauthorised();
  if (answer.status === 404 || answer.status === 451) throw unknown(name);
  if (answer.status >= 300) throw toError(answer, GET_WRITABLE.route);
  const found = parseAnswer(GET_WRITABLE, answer).data;
  if (found.archived)
    throw new RefusedError({
      code: 'repository-archived',
      message: `${found.full_name} is archived, so nothing can be written to it.`,
    });
  if (found.permissions?.push !== true) throw noWriteAccess(found.full_name);
  assertScopes(answer.headers['x-oauth-scopes'], found.private);
  const [foundOwner = owner, foundRepo = repo] = found.full_name.split('/');
  return {
    id: found.id,
    owner: foundOwner,
    repo: foundRepo,
    fullName: found.full_name,
    defaultBranch: found.default_branch,
  };
}

/** Fine-grained tokens name no scopes: GitHub refuses their write itself where a permission is missing. */
function assertScopes(header: string | undefined, isPrivate: boolean): void {
  if (header === undefined || header.trim() === '') return;
  const scopes = new Set(header.split(',').map((scope) => scope.trim()));
  const hasRepo = scopes.has('repo') || (!isPrivate && scopes.has('public_repo'));
  const missing = [...(hasRepo ? [] : ['repo']), ...(scopes.has('workflow') ? [] : ['workflow'])];
  if (missing.length > 0) throw tokenScope(missing);
}

export function tokenScope(missing: readonly string[]): ConfigError {
  const names = missing.map((scope) => `\`${scope}\``).join(' and ');
  return new ConfigError({
    code: 'token-scope',
    message: `The token may not write workflow files: it lacks ${names}. Nothing was written.`,
    details: `Run gh auth refresh --scopes ${missing.join(',')}, or make a token with these scopes. A fine-grained token needs write access to contents, pull requests and workflows.`,
  });
}

function unauthorised(): ConfigError {
  return new ConfigError({
    code: 'github-unauthorised',
    message: 'GitHub does not accept the token. Make a new one, or run gh auth login.',
  });
}

function unknown(name: string): ConfigError {
  return new ConfigError({
    code: 'repository-unknown',
    message: `GitHub does not show ${name} to this token. Check the name, and that the token may read it.`,
  });
}

function noWriteAccess(name: string): RefusedError {
  return new RefusedError({
    code: 'no-write-access',
    message: `The token may not write to ${name}. Nothing was written.`,
    details:
      'Ask for write access, or run quorum init in a clone of your fork and open the pull request yourself.',
  });
}
