/** Commits of people in the demonstration, made through the API as any client would make them. */
import { z } from 'zod';
import type { AsUser } from '../emulator/github/as-user.ts';
import { applyProjectEdits, type Edits } from './project/project-commits.ts';
import { REPOSITORY } from './project/people.ts';

const Sha = z.object({ sha: z.string() });
const Ref = z.object({ object: Sha });
const Content = z.object({ content: z.string() });

const DEFAULT = 'main';

/** Somebody, and the repository that they push to: their own fork, or else the project's. */
export interface Pusher {
  person: AsUser;
  repository?: string;
}

/** A new branch with these commits. */
export async function pushBranch(
  pusher: Pusher,
  branch: string,
  commits: readonly Edits[],
): Promise<void> {
  const from = await tipOf(pusher, DEFAULT);
  const ref = { ref: `refs/heads/${branch}`, sha: from };
  await pusher.person.request('POST', `${addressOf(pusher)}/git/refs`, ref);
  await pushTo(pusher, branch, commits);
}

/** More commits on a branch, pushed together. */
export async function pushTo(
  pusher: Pusher,
  branch: string,
  commits: readonly Edits[],
): Promise<void> {
  let sha = await tipOf(pusher, branch);
  for (const edits of commits) sha = await commit(pusher, sha, edits);
  await pusher.person.request('PATCH', `${addressOf(pusher)}/git/refs/heads/${branch}`, { sha });
}

function addressOf({ repository = REPOSITORY }: Pusher): string {
  return `/repos/${repository}`;
}

/** A file's text at a commit or branch; undefined for a missing file. */
export async function readText(
  pusher: Pusher,
  ref: string,
  path: string,
): Promise<string | undefined> {
  const at = `${addressOf(pusher)}/contents/${path}?ref=${ref}`;
  const file = Content.safeParse(await pusher.person.request('GET', at).catch(() => undefined));
  return file.success ? Buffer.from(file.data.content, 'base64').toString() : undefined;
}

const Changed = z.object({
  files: z.array(z.object({ filename: z.string(), status: z.string(), patch: z.string() })),
});

/** The edits as a diff against the default branch, as `git apply` takes it. No branch moves. */
export async function diffOf(person: AsUser, edits: Omit<Edits, 'message'>): Promise<string> {
  const tip = await tipOf({ person }, DEFAULT);
  const sha = await commit({ person }, tip, { message: 'a draft', ...edits });
  const at = `${addressOf({ person })}/commits/${sha}`;
  const { files } = Changed.parse(await person.request('GET', at));
  return files
    .map(({ filename, status, patch }) => {
      const from = status === 'added' ? 'new file mode 100644\n--- /dev/null' : `--- a/${filename}`;
      return `diff --git a/${filename} b/${filename}\n${from}\n+++ b/${filename}\n${patch}`;
    })
    .join('\n');
}

async function tipOf(pusher: Pusher, branch: string): Promise<string> {
  const at = `${addressOf(pusher)}/git/ref/heads/${branch}`;
  return Ref.parse(await pusher.person.request('GET', at)).object.sha;
}

async function commit(pusher: Pusher, parent: string, edits: Edits): Promise<string> {
  const { person } = pusher;
  const at = addressOf(pusher);
  const before = new Map<string, string | undefined>();
  for (const [path] of edits.edit ?? []) before.set(path, await readText(pusher, parent, path));
  const files = Object.entries(applyProjectEdits(edits, (path) => before.get(path)));
  const tree = await person.request('POST', `${at}/git/trees`, {
    base_tree: parent,
    tree: files.map(([path, content]) => ({ path, content, mode: '100644', type: 'blob' })),
  });
  const made = await person.request('POST', `${at}/git/commits`, {
    message: edits.message,
    tree: Sha.parse(tree).sha,
    parents: [parent],
  });
  return Sha.parse(made).sha;
}
