/** A commit of files on a branch in one call, where the branch is still at the head that was read. */
import { z } from 'zod';
import type { SessionContext } from '../bound.ts';
import { sendGraphql } from '../client/ask-graphql.ts';
import type { Place } from '../repository-locator.ts';

export interface OneCommit {
  branch: string;
  /** Of the branch, as it was read. */
  head: string;
  message: string;
  /** Text by path; undefined deletes. */
  changes: ReadonlyMap<string, string | undefined>;
}

const FIELD = 'createCommitOnBranch';
const COMMIT = `mutation commit($input: CreateCommitOnBranchInput!) {
  ${FIELD}(input: $input) { commit { oid } }
}`;
const Committed = z.object({ commit: z.object({ oid: z.string() }) });

/**
 * GitHub compares the head and moves the branch itself. It finds the repository by its name alone, so only a
 * token that reaches no other repository may send it. Undefined where GitHub made no commit, or does not show it: the branch tells which.
 *
 * @throws what a lost answer throws
 */
export async function commitOnBranch(
  bound: SessionContext,
  { owner, repo }: Place,
  { branch, head, message, changes }: OneCommit,
): Promise<string | undefined> {
  const [headline = '', ...body] = message.split('\n\n');
  const input = {
    branch: { repositoryNameWithOwner: `${owner}/${repo}`, branchName: branch },
    expectedHeadOid: head,
    message: { headline, ...(body.length > 0 && { body: body.join('\n\n') }) },
    fileChanges: toFileChanges(changes),
  };
  const told = await sendGraphql(bound, { text: COMMIT, variables: { input } });
  return Committed.safeParse(told?.fields[FIELD]).data?.commit.oid;
}

function toFileChanges(changes: OneCommit['changes']): object {
  const all = [...changes];
  return {
    additions: all.flatMap(([path, text]) =>
      text === undefined ? [] : [{ path, contents: Buffer.from(text).toString('base64') }],
    ),
    deletions: all.flatMap(([path, text]) => (text === undefined ? [{ path }] : [])),
  };
}
