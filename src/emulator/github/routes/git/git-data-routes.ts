/** Operations on git objects: refs, commits, trees, blobs and tags. */
import { z } from 'zod';
import {
  objectType,
  readBlob,
  readCommit,
  readRefs,
  readTree,
  resolveCommit,
  treeOf,
  writeBlob,
  writeCommit,
  writeTree,
  type Person,
} from '../../git/objects.ts';
import { gitOutput } from '../../git/git-process.ts';
import { mayNotTouchWorkflows } from '../../git-server.ts';
import { forbiddenForApp, HttpError, notFound } from '../../behave/http-error.ts';
import { reads, writes } from '../../world/permissions.ts';
import { toCommitIdentity } from '../../changes/push-payload.ts';
import { toGitCommit } from '../../render/to-commit.ts';
import { repositoryApiUrl } from '../../render/repositories.ts';
import {
  created,
  ok,
  param,
  parseBody,
  sender,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { drawHex } from '../../world/world.ts';

const PersonInput = z.looseObject({
  name: z.string(),
  email: z.string(),
  date: z.string().optional(),
});

const NewCommit = z.looseObject({
  message: z.string(),
  tree: z.string(),
  parents: z.array(z.string()).optional(),
  author: PersonInput.optional(),
  committer: PersonInput.optional(),
});

export function toPerson(
  call: RepositoryCall,
  input: z.infer<typeof PersonInput> | undefined,
): Person {
  const own = toCommitIdentity(call.world, sender(call).id);
  return input === undefined
    ? own
    : { name: input.name, email: input.email, date: input.date ?? own.date };
}

/**
 * Through this API nothing is made in a repository without a commit.
 *
 * @see https://github.com/github/rest-api-description/issues/637
 */
export async function refuseEmpty({ repository }: RepositoryCall): Promise<void> {
  if ((await readRefs(repository.gitDir)).size === 0)
    throw new HttpError(409, 'Git Repository is empty.');
}

async function createCommit(call: RepositoryCall): Promise<Answer> {
  const body = parseBody(call, NewCommit);
  await refuseEmpty(call);
  const { gitDir } = call.repository;
  if ((await objectType(gitDir, body.tree)) !== 'tree')
    throw new HttpError(422, 'Tree SHA does not exist');
  for (const parent of body.parents ?? [])
    if ((await objectType(gitDir, parent)) !== 'commit')
      throw new HttpError(422, 'Parent SHA does not exist or is not a commit object');
  const author = toPerson(call, body.author);
  const sha = await writeCommit(gitDir, {
    treeSha: body.tree,
    parents: body.parents ?? [],
    message: body.message,
    author,
    committer: body.committer === undefined ? author : toPerson(call, body.committer),
  });
  return created(await commitWire(call, sha));
}

async function commitWire(call: RepositoryCall, sha: string): Promise<Record<string, unknown>> {
  const commit = await readCommit(call.repository.gitDir, sha);
  if (commit === undefined) throw notFound();
  return toGitCommit(call.world, call.repository, commit);
}

/** GitHub cuts a recursive listing here. */
const MAX_TREE = 100_000;

async function treeWire(
  call: RepositoryCall,
  sha: string,
  depth: 'flat' | 'recursive',
): Promise<Record<string, unknown>> {
  const entries = await readTree(call.repository.gitDir, sha, depth);
  if (entries === undefined) throw notFound();
  const url = `${repositoryApiUrl(call.world, call.repository)}/git`;
  return {
    sha,
    url: `${url}/trees/${sha}`,
    tree: entries.slice(0, MAX_TREE).map((entry) => ({
      path: entry.path,
      mode: entry.mode,
      type: entry.type,
      sha: entry.sha,
      ...(entry.size === undefined ? {} : { size: entry.size }),
      url: `${url}/${entry.type}s/${entry.sha}`,
    })),
    truncated: entries.length > MAX_TREE,
  };
}

async function getTree(call: RepositoryCall): Promise<Answer> {
  const name = param(call, 'tree_sha');
  const { gitDir } = call.repository;
  const commit = await resolveCommit(gitDir, name);
  const sha = commit === undefined ? name : await treeOf(gitDir, commit);
  return ok(await treeWire(call, sha, call.query.has('recursive') ? 'recursive' : 'flat'));
}

const NewTree = z.looseObject({
  base_tree: z.string().optional(),
  tree: z.array(
    z.looseObject({
      path: z.string(),
      mode: z.enum(['100644', '100755', '040000', '160000', '120000']),
      type: z.string().optional(),
      sha: z.string().nullish(),
      content: z.string().optional(),
    }),
  ),
});

/**
 * In GitHub's words: an entry has both kinds or neither, or a file to delete is missing.
 *
 * @see https://github.com/octokit/octokit.net/issues/2836
 * @see https://github.com/mckaywrigley/buildware-ai/issues/29
 */
async function refuseBadEntries(
  gitDir: string,
  { base_tree: base, tree }: z.infer<typeof NewTree>,
): Promise<void> {
  if (tree.some(({ sha, content }) => (sha === undefined) === (content === undefined)))
    throw new HttpError(
      422,
      'Must supply either tree.sha or tree.content. Request will be rejected if both are present.',
    );
  const gone = tree.filter(({ sha }) => sha === null);
  const isThere = await Promise.all(
    gone.map(async ({ path }) => (await objectType(gitDir, `${base ?? ''}:${path}`)) !== undefined),
  );
  if (isThere.includes(false)) throw new HttpError(422, 'GitRPC::BadObjectState');
}

async function createTree(call: RepositoryCall): Promise<Answer> {
  const body = parseBody(call, NewTree);
  const { gitDir } = call.repository;
  await refuseEmpty(call);
  if (body.base_tree !== undefined && (await objectType(gitDir, body.base_tree)) === undefined)
    throw new HttpError(422, 'base_tree is not a valid tree oid');
  if (
    mayNotTouchWorkflows(call.actor) &&
    body.tree.some((one) => one.path.startsWith('.github/workflows/'))
  )
    throw forbiddenForApp();
  await refuseBadEntries(gitDir, body);
  const changes = await Promise.all(
    body.tree.map(async (one) => {
      const written =
        one.content === undefined ? one.sha : await writeBlob(gitDir, Buffer.from(one.content));
      // A submodule's commit is in another repository.
      const isElsewhere = one.mode === '160000';
      if (
        !isElsewhere &&
        typeof written === 'string' &&
        (await objectType(gitDir, written)) === undefined
      )
        throw new HttpError(422, `tree.sha ${written} is not a valid object`);
      return { path: one.path, mode: one.mode, sha: written ?? undefined };
    }),
  );
  const indexName = drawHex(call.world.random, 16);
  return created(
    await treeWire(call, await writeTree(gitDir, body.base_tree, { changes, indexName }), 'flat'),
  );
}

const NewBlob = z.looseObject({
  content: z.string(),
  encoding: z.enum(['utf-8', 'base64']).optional(),
});

async function createBlob(call: RepositoryCall): Promise<Answer> {
  const { content, encoding = 'utf-8' } = parseBody(call, NewBlob);
  await refuseEmpty(call);
  const sha = await writeBlob(call.repository.gitDir, Buffer.from(content, encoding));
  return created({ sha, url: `${repositoryApiUrl(call.world, call.repository)}/git/blobs/${sha}` });
}

async function getBlob(call: RepositoryCall): Promise<Answer> {
  const sha = param(call, 'file_sha');
  const bytes = await readBlob(call.repository.gitDir, sha);
  if (bytes === undefined) throw notFound();
  return ok({
    sha,
    node_id: `B_${sha}`,
    size: bytes.length,
    url: `${repositoryApiUrl(call.world, call.repository)}/git/blobs/${sha}`,
    content: bytes.toString('base64').replace(/.{60}/g, '$&\n'),
    encoding: 'base64',
  });
}

const NewTag = z.looseObject({
  tag: z.string(),
  message: z.string(),
  object: z.string(),
  type: z.enum(['commit', 'tree', 'blob']),
  tagger: PersonInput.optional(),
});

async function createTag(call: RepositoryCall): Promise<Answer> {
  const body = parseBody(call, NewTag);
  const { gitDir } = call.repository;
  if ((await objectType(gitDir, body.object)) !== body.type)
    throw new HttpError(422, 'Object does not exist');
  const tagger = toPerson(call, body.tagger);
  const seconds = Math.floor(Date.parse(tagger.date) / 1000);
  const input = `object ${body.object}\ntype ${body.type}\ntag ${body.tag}\ntagger ${tagger.name} <${tagger.email}> ${seconds} +0000\n\n${body.message}\n`;
  const sha = await gitOutput(gitDir, ['mktag', '--no-strict'], { input });
  const url = `${repositoryApiUrl(call.world, call.repository)}/git`;
  return created({
    node_id: `T_${sha}`,
    tag: body.tag,
    sha,
    url: `${url}/tags/${sha}`,
    message: body.message,
    tagger,
    object: { type: body.type, sha: body.object, url: `${url}/${body.type}s/${body.object}` },
    verification: {
      verified: false,
      reason: 'unsigned',
      signature: null,
      payload: null,
      verified_at: null,
    },
  });
}

const GIT = '/repos/{owner}/{repo}/git';

const READ = reads('contents');

const WRITE = writes('write', 'contents');

export const gitRoutes: Route[] = [
  { method: 'POST', path: `${GIT}/commits`, need: WRITE, run: createCommit },
  {
    method: 'GET',
    path: `${GIT}/commits/{commit_sha}`,
    need: READ,
    run: async (call) => ok(await commitWire(call, param(call, 'commit_sha'))),
  },
  { method: 'POST', path: `${GIT}/trees`, need: WRITE, run: createTree },
  { method: 'GET', path: `${GIT}/trees/{tree_sha*}`, need: READ, run: getTree },
  { method: 'POST', path: `${GIT}/blobs`, need: WRITE, run: createBlob },
  { method: 'GET', path: `${GIT}/blobs/{file_sha}`, need: READ, run: getBlob },
  { method: 'POST', path: `${GIT}/tags`, need: WRITE, run: createTag },
];
