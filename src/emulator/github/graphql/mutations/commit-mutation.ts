/** Commits on a branch in one change of GraphQL, made of REST's own operations on git's data. */
import { z } from 'zod';
import { fullName, repositoryNamed } from '../../world/world.ts';
import type { ResolverContext } from '../answer-parts.ts';
import { createShelf, toGitObject } from '../git-objects.ts';
import type { Input } from './mutations.ts';
import { askRest } from './thread-mutations.ts';

type CommitInput = Input<{
  branch: { repositoryNameWithOwner?: string | null; branchName?: string | null };
  expectedHeadOid: string;
  message: { headline: string; body?: string | null };
  fileChanges?: {
    additions?: { path: string; contents: string }[] | null;
    deletions?: { path: string }[] | null;
  } | null;
}>;

const NAME = 'CreateCommitOnBranch';
const Made = z.looseObject({ sha: z.string() });
const Ref = z.looseObject({ object: Made });

/** Branches are named, not asked for by their node's id. */
export function commitMutation(context: ResolverContext): object {
  return { createCommitOnBranch: ({ input }: CommitInput) => commit(context, input) };
}

async function commit(context: ResolverContext, input: CommitInput['input']): Promise<object> {
  const { branch, expectedHeadOid: head } = input;
  const repository = repositoryNamed(context.world, branch.repositoryNameWithOwner ?? '');
  const git = `/repos/${fullName(context.world, repository)}/git`;
  const run = (method: string, path: string, body?: object): Promise<unknown> =>
    askRest(context, NAME, { method, path: `${git}/${path}`, ...(body && { body }) });
  const post = async (path: string, body: object): Promise<string> =>
    Made.parse(await run('POST', path, body)).sha;

  const ref = `heads/${branch.branchName ?? ''}`;
  if (Ref.parse(await run('GET', `ref/${ref}`)).object.sha !== head) throw stale(head);
  const blob = { mode: '100644', type: 'blob' };
  const tree: object[] = (input.fileChanges?.deletions ?? []).map(({ path }) => ({
    path,
    ...blob,
    sha: null,
  }));
  for (const { path, contents } of input.fileChanges?.additions ?? []) {
    const sha = await post('blobs', { content: contents, encoding: 'base64' });
    tree.push({ path, ...blob, sha });
  }
  const { headline, body } = input.message;
  const sha = await post('commits', {
    message: body ? `${headline}\n\n${body}` : headline,
    tree: await post('trees', { base_tree: head, tree }),
    parents: [head],
  });
  await run('PATCH', `refs/${ref}`, { sha }).catch(() => {
    throw stale(head);
  });
  return { commit: await toGitObject(createShelf(repository), sha) };
}

function stale(head: string): Error {
  return new Error(`Expected branch to point to "${head}" but it did not. Pull and try again.`);
}
