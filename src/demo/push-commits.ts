/** Commits of people in the demonstration, made through the API as any client would make them. */
import { z } from 'zod';
import type { AsUser } from '../emulator/github/as-user.ts';
import { applyProjectEdits, type Edits } from './project/project-commits.ts';
import { REPOSITORY } from './project/people.ts';

const Sha = z.object({ sha: z.string() });
const Ref = z.object({ object: Sha });
const Content = z.object({ content: z.string() });

const AT = `/repos/${REPOSITORY}`;
const DEFAULT = 'main';

/** A new branch with these commits. */
export async function pushBranch(
  person: AsUser,
  branch: string,
  commits: readonly Edits[],
): Promise<void> {
  const from = await tipOf(person, DEFAULT);
  await person.request('POST', `${AT}/git/refs`, { ref: `refs/heads/${branch}`, sha: from });
  await pushTo(person, branch, commits);
}

/** More commits on a branch, pushed together. */
export async function pushTo(
  person: AsUser,
  branch: string,
  commits: readonly Edits[],
): Promise<void> {
  let sha = await tipOf(person, branch);
  for (const edits of commits) sha = await commit(person, sha, edits);
  await person.request('PATCH', `${AT}/git/refs/heads/${branch}`, { sha });
}

/** A file's text at a commit or branch; undefined for a missing file. */
export async function readText(
  person: AsUser,
  ref: string,
  path: string,
): Promise<string | undefined> {
  const file = Content.safeParse(
    await person.request('GET', `${AT}/contents/${path}?ref=${ref}`).catch(() => undefined),
  );
  return file.success ? Buffer.from(file.data.content, 'base64').toString() : undefined;
}

const Changed = z.object({
  files: z.array(z.object({ filename: z.string(), status: z.string(), patch: z.string() })),
});

/** The edits as a diff against the default branch, as `git apply` takes it. No branch moves. */
export async function diffOf(person: AsUser, edits: Omit<Edits, 'message'>): Promise<string> {
  const tip = await tipOf(person, DEFAULT);
  const sha = await commit(person, tip, { message: 'a draft', ...edits });
  const { files } = Changed.parse(await person.request('GET', `${AT}/commits/${sha}`));
  return files
    .map(({ filename, status, patch }) => {
      const from = status === 'added' ? 'new file mode 100644\n--- /dev/null' : `--- a/${filename}`;
      return `diff --git a/${filename} b/${filename}\n${from}\n+++ b/${filename}\n${patch}`;
    })
    .join('\n');
}

async function tipOf(person: AsUser, branch: string): Promise<string> {
  return Ref.parse(await person.request('GET', `${AT}/git/ref/heads/${branch}`)).object.sha;
}

async function commit(person: AsUser, parent: string, edits: Edits): Promise<string> {
  const before = new Map<string, string | undefined>();
  for (const [path] of edits.edit ?? []) before.set(path, await readText(person, parent, path));
  const files = Object.entries(applyProjectEdits(edits, (path) => before.get(path)));
  const tree = await person.request('POST', `${AT}/git/trees`, {
    base_tree: parent,
    tree: files.map(([path, content]) => ({ path, content, mode: '100644', type: 'blob' })),
  });
  const made = await person.request('POST', `${AT}/git/commits`, {
    message: edits.message,
    tree: Sha.parse(tree).sha,
    parents: [parent],
  });
  return Sha.parse(made).sha;
}
