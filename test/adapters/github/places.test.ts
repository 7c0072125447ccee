/** What is remembered of a repository's name: for texts and GraphQL only, and no longer than the name is right. */
import { expect } from 'vitest';
import type { Calls } from '../../../src/adapters/github/installation-client.ts';
import { createPlaces } from '../../../src/adapters/github/repository-locator.ts';
import { verifies } from '../../verifies.ts';

const REF = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };

verifies('ING-12', 'a name that was read is used until somebody says another one', () => {
  const places = createPlaces();
  places.learn(REF, { fullName: 'acme/neat' });
  expect(places.last(REF)).toEqual({ repositoryId: 7, owner: 'acme', repo: 'neat' });
  // `repository.renamed` and `transferred` reach later events with the new name.
  const renamed = { ...REF, owner: 'globex', repo: 'clean' };
  expect(places.last(renamed)).toEqual({ repositoryId: 7, owner: 'globex', repo: 'clean' });
  places.forget(REF.installationId);
  expect(places.last(REF)).toEqual({ repositoryId: 7, owner: 'acme', repo: 'tidy' });
});

verifies('ING-12', 'an answer about another id is refused and not remembered', async () => {
  const places = createPlaces();
  const data = { id: 8, full_name: 'acme/other' };
  const calls = { get: () => Promise.resolve({ data }) } as unknown as Calls;
  await expect(places.read(REF, calls)).rejects.toMatchObject({ code: 'github-moved' });
  expect(places.last(REF)).toEqual({ repositoryId: 7, owner: 'acme', repo: 'tidy' });
});
