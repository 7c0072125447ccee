/** The branch of `quorum init`: reads it, and puts commits on it. */
import { QuorumError, RefusedError } from '../../../domain/event/errors.ts';
import { isSameText } from '../../../domain/setup/seal.ts';
import type { SetupChange } from '../../../ports/setup-target.ts';
import { githubMessageOf, isNotFound } from '../client/github-failure.ts';
import {
  CREATE_COMMIT,
  CREATE_REF,
  CREATE_TREE,
  GET_COMMIT,
  MOVE_REF,
} from '../git-data-operations.ts';
import { GET_CONTENTS, GET_REF } from '../rest-operations.ts';
import { tokenScope, type FoundRepository } from './open-repository.ts';
import type { SetupClient, SetupClientOptions } from './setup-client.ts';

export interface PullTargetOptions extends SetupClientOptions {
  /** `owner/name`. */
  repository: string;
  /** Of the pull request. */
  branch: string;
  /** Also goes on where somebody else committed to the branch: their commits stay below ours. */
  isForced: boolean;
}

export interface Bound {
  client: SetupClient;
  found: FoundRepository;
  place: { repositoryId: number; owner: string; repo: string };
  headSha: string;
  options: PullTargetOptions;
}

/** A line of each of our commits, by which our own branch is recognised. */
const TRAILER = 'Quorum-Setup: 1';

export async function readBranchHead(
  client: SetupClient,
  place: Bound['place'],
  branch: string,
): Promise<string | undefined> {
  const answer = await client.send(GET_REF, { ...place, ref: `heads/${branch}` });
  // GitHub answers 409 where there is no commit at all.
  if (answer.status === 404 || answer.status === 409) return undefined;
  return (await client.call(GET_REF, { ...place, ref: `heads/${branch}` })).object.sha;
}

/** Nothing where the branch has all of it. `refusal` is thrown where the last commit is somebody else's. */
export async function commitMissing(
  bound: Bound,
  change: SetupChange,
  { tip, refusal }: { tip: string; refusal: () => RefusedError },
): Promise<boolean> {
  const { client, place, options } = bound;
  const { message } = await client.call(GET_COMMIT, { ...place, commit_sha: tip });
  const isOurs = message.includes(TRAILER) || options.isForced;
  if (await isDone(bound, change)) return false;
  if (!isOurs) throw refusal();
  await moveBranch(bound, change, { from: tip });
  return true;
}

export async function createBranch(bound: Bound, change: SetupChange): Promise<void> {
  const sha = await commit(bound, change, bound.headSha);
  const ref = `refs/heads/${bound.options.branch}`;
  await refusing(() => bound.client.call(CREATE_REF, { ...bound.place, ref, sha }));
}

/** From the head of the default branch, a branch that was merged begins again. */
export async function moveBranch(
  bound: Bound,
  change: SetupChange,
  { from }: { from: string },
): Promise<void> {
  const { client, place, options, headSha } = bound;
  const sha = await commit(bound, change, from);
  const to = { ...place, ref: `heads/${options.branch}`, sha, force: from === headSha };
  await refusing(() => client.call(MOVE_REF, to));
}

/** Whether the branch has each file as it is wanted. */
async function isDone({ client, place, options }: Bound, { steps }: SetupChange): Promise<boolean> {
  for (const step of steps) {
    const now = await readText(client, { ...place, path: step.path, ref: options.branch });
    const isWanted =
      step.kind === 'delete' ? now === undefined : now !== undefined && isSameText(now, step.after);
    if (!isWanted) return false;
  }
  return true;
}

async function readText(
  client: SetupClient,
  at: Bound['place'] & { path: string; ref: string },
): Promise<string | undefined> {
  try {
    const file = await client.call(GET_CONTENTS, at);
    return file === undefined ? '' : Buffer.from(file.content, 'base64').toString('utf8');
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function commit(
  { client, place }: Bound,
  { steps, title }: SetupChange,
  parent: string,
): Promise<string> {
  const base = await client.call(GET_COMMIT, { ...place, commit_sha: parent });
  const entries: object[] = [];
  for (const step of steps) {
    const at = { path: step.path, mode: '100644', type: 'blob' };
    if (step.kind !== 'delete') entries.push({ ...at, content: step.after });
    else if ((await readText(client, { ...place, path: step.path, ref: parent })) !== undefined)
      entries.push({ ...at, sha: null });
  }
  return refusing(async () => {
    const tree = await client.call(CREATE_TREE, {
      ...place,
      base_tree: base.tree.sha,
      tree: entries,
    });
    const message = `${title}\n\n${TRAILER}\n`;
    const made = { ...place, message, tree: tree.sha, parents: [parent] };
    return (await client.call(CREATE_COMMIT, made)).sha;
  });
}

/** GitHub hides its refusal of workflow files behind 404, and names a rule of the repository in its message. */
async function refusing<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof QuorumError)) throw error;
    if (
      isNotFound(error) ||
      error.code === 'github-forbidden' ||
      error.code === 'workflows-refused'
    )
      throw tokenScope(['repo', 'workflow']);
    if (error.code !== 'github-invalid') throw error;
    throw new RefusedError({
      code: 'branch-refused',
      message: `GitHub does not take the branch: ${githubMessageOf(error)}`,
      details:
        'A rule of the repository prevents it, or another branch has a part of its name. Choose another name with --branch.',
      cause: error,
    });
  }
}
