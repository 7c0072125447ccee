/** A branch with a pull request as a place for `quorum init`: one commit on the default branch's head, never a push to it. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type {
  SetupChange,
  SetupLook,
  SetupOutcome,
  SetupTarget,
} from '../../../ports/setup-target.ts';
import type { WireListedPull } from '../pulls/pull-operations.ts';
import { GET_BLOB, GET_TREE, LIST_CHECK_RUNS } from '../rest-operations.ts';
import { openRepository } from './open-repository.ts';
import { createSetupClient, type SetupClient } from './setup-client.ts';
import {
  type PullTargetOptions,
  type Bound,
  readBranchHead,
  commitMissing,
  createBranch,
  moveBranch,
} from './setup-branch.ts';
import { toSetupOutcome, findSetupPulls, openSetupPull, editSetupPull } from './setup-pull.ts';

export function createPullTarget(options: PullTargetOptions): SetupTarget {
  const client = createSetupClient(options);
  let bound: Bound | undefined;
  const bind = async (): Promise<Bound> => (bound ??= await bindTo(client, options));
  return {
    look: async (wanted) => look(await bind(), wanted),
    apply: async (change) => applyAsPull(await bind(), change),
  };
}

async function bindTo(client: SetupClient, options: PullTargetOptions): Promise<Bound> {
  const found = await openRepository(client, options.repository);
  const place = { repositoryId: found.id, owner: found.owner, repo: found.repo };
  const headSha = await readBranchHead(client, place, found.defaultBranch);
  if (headSha === undefined)
    throw new RefusedError({
      code: 'repository-empty',
      message: `${found.fullName} has no commit, so that no pull request can be opened.`,
      details: 'Push a first commit, or run quorum init in a clone and push what it writes.',
    });
  return { client, found, place, headSha, options };
}

async function look(bound: Bound, wanted: (path: string) => boolean): Promise<SetupLook> {
  const { client, place, found, headSha } = bound;
  const listing = { ...place, tree_sha: headSha, recursive: '1' };
  const { tree, truncated } = await client.call(GET_TREE, listing);
  // A file that is not in the list would be written over.
  if (truncated)
    throw new RefusedError({
      code: 'github-too-large',
      message: `GitHub does not list all files of ${found.fullName}: there are too many.`,
      details: 'Run the command in a clone, without --pr, and open the pull request yourself.',
    });
  const files = tree.filter((entry) => entry.type !== 'tree');
  const named = files.filter((entry) => wanted(entry.path));
  const plain = named.filter((entry) => entry.type === 'blob' && entry.mode.startsWith('100'));
  const texts = new Map<string, string>();
  for (const { path, sha } of plain) {
    const { content } = await client.call(GET_BLOB, { ...place, file_sha: sha });
    texts.set(path, Buffer.from(content, 'base64').toString('utf8'));
  }
  return {
    repository: found.fullName,
    defaultBranch: found.defaultBranch,
    paths: files.map((entry) => entry.path).toSorted(),
    texts,
    notFiles: named.filter((entry) => !plain.includes(entry)).map((entry) => entry.path),
    hasApp: await seesApp(bound),
  };
}

/** By its checks; Actions, which report under the same names, are another App. */
async function seesApp({ client, place, headSha }: Bound): Promise<boolean | undefined> {
  try {
    const { check_runs: runs } = await client.call(LIST_CHECK_RUNS, { ...place, ref: headSha });
    return runs.some(({ name, app }) => name.startsWith('quorum / ') && app?.id !== ACTIONS_APP);
  } catch (error) {
    // A token may have no right to read checks; then it stays open.
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

/** GitHub Actions on github.com. */
const ACTIONS_APP = 15_368;

async function applyAsPull(bound: Bound, change: SetupChange): Promise<SetupOutcome> {
  const tip = await readBranchHead(bound.client, bound.place, bound.options.branch);
  const pulls = await findSetupPulls(bound);
  const open = pulls.find(({ state }) => state === 'open');
  if (tip === undefined) {
    await createBranch(bound, change);
    return openSetupPull(bound, change);
  }
  if (open === undefined) {
    const last = pulls.find(({ head }) => head.sha === tip);
    if (last?.merged_at != null) await moveBranch(bound, change, { from: bound.headSha });
    else await goOn(bound, change, { tip, closed: last });
    return openSetupPull(bound, change);
  }
  const refusal = (): RefusedError => branchEdited(bound, open);
  const didCommit = await commitMissing(bound, change, { tip, refusal });
  const didEdit = await editSetupPull(bound, open, change);
  return toSetupOutcome(open, didCommit || didEdit ? 'updated' : 'unchanged');
}

/** A branch that an earlier try left, which ended before its pull request was opened. */
async function goOn(
  bound: Bound,
  change: SetupChange,
  { tip, closed }: { tip: string; closed: WireListedPull | undefined },
): Promise<void> {
  if (closed !== undefined && !bound.options.isForced) throw pullClosed(bound, closed);
  await commitMissing(bound, change, { tip, refusal: () => branchTaken(bound) });
}

function branchTaken({ found, options }: Bound): RefusedError {
  return new RefusedError({
    code: 'branch-taken',
    message: `${found.fullName} has a branch ${options.branch} without an open pull request. Nothing was written.`,
    details:
      'Delete the branch if it is from an earlier try, or choose another name with --branch.',
  });
}

function pullClosed({ options }: Bound, { html_url: url }: WireListedPull): RefusedError {
  return new RefusedError({
    code: 'branch-taken',
    message: `${url} was closed without a merge, and its branch ${options.branch} is still there. Nothing was written.`,
    details: 'Reopen it or delete the branch, or let --force open a new one.',
  });
}

function branchEdited({ options }: Bound, { html_url: url }: WireListedPull): RefusedError {
  return new RefusedError({
    code: 'branch-taken',
    message: `Somebody committed to ${options.branch}, the branch of ${url}. Nothing was written.`,
    details: 'Merge or close the pull request, or let --force put a commit on top.',
  });
}
