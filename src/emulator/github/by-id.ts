/**
 * A repository's address by its id, which GitHub's redirects and the links of its pages lead to. Everything below
 * `/repos/{owner}/{repo}` is also there, whatever the repository is called.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
 */
import type { Repository } from './world/world-model.ts';
import { fullName, type World } from './world/world.ts';

const BY_ID = /^\/repositories\/(\d{1,15})(?=\/|$)/;

/** The path by the name that the repository has at this moment; as it is for one that is not there. */
export function toNamedPath(world: World, path: string): string {
  const id = BY_ID.exec(path)?.[1];
  const repository = id === undefined ? undefined : world.state.repositories.get(Number(id));
  if (repository === undefined) return path;
  return path.replace(BY_ID, () => `/repos/${fullName(world, repository)}`);
}

/** An address below a repository, by its id. */
export function addressById(world: World, { id }: Repository, path: string): string {
  const rest = path.split('/').slice(4).join('/');
  return `${world.apiUrl}/repositories/${id}${rest === '' ? '' : `/${rest}`}`;
}
