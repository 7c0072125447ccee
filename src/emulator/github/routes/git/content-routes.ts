/** Operations on files. */
import { z } from 'zod';
import {
  readBlob,
  readCommit,
  readRef,
  readTree,
  resolveCommit,
  treeOf,
  updateRef,
  writeBlob,
  writeCommit,
  writeTree,
  ZERO_SHA,
  type TreeChange,
  type TreeEntry,
} from '../../git/objects.ts';
import { tryGit } from '../../git/git-process.ts';
import { mayNotTouchWorkflows } from '../../git-server.ts';
import { forbiddenForApp, HttpError, notFound } from '../../behave/http-error.ts';
import { reads, writes } from '../../world/permissions.ts';
import { announceMoves } from '../../changes/pushes.ts';
import { toGitCommit } from '../../render/to-commit.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../render/repositories.ts';
import {
  ok,
  param,
  parseBody,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { drawHex } from '../../world/world.ts';
import { toPerson } from './git-data-routes.ts';
import { deedOf } from '../issue-routes.ts';

/** GitHub sends the bytes inline only up to this size. */
const MAX_INLINE = 1024 * 1024;

function contentLinks(
  call: RepositoryCall,
  at: { path: string; ref: string; entry: TreeEntry },
): Record<string, unknown> {
  const api = repositoryApiUrl(call.world, call.repository);
  const html = repositoryHtmlUrl(call.world, call.repository);
  const path = at.path.split('/').map(encodeURIComponent).join('/');
  const isDir = at.entry.type === 'tree';
  const self = `${api}/contents/${path}?ref=${encodeURIComponent(at.ref)}`;
  const page = `${html}/${isDir ? 'tree' : 'blob'}/${at.ref}/${path}`;
  const object = `${api}/git/${at.entry.type}s/${at.entry.sha}`;
  return {
    name: at.path.split('/').at(-1) ?? '',
    path: at.path,
    sha: at.entry.sha,
    size: at.entry.size ?? 0,
    url: self,
    html_url: page,
    git_url: object,
    download_url: isDir ? null : `${html}/raw/${at.ref}/${path}`,
    type: isDir ? 'dir' : 'file',
    _links: { self, git: object, html: page },
  };
}

export async function revision(
  call: RepositoryCall,
  name: string | null,
): Promise<{ sha: string; ref: string }> {
  const ref = name ?? call.repository.defaultBranch;
  const sha = await resolveCommit(call.repository.gitDir, ref);
  if (sha !== undefined) return { sha, ref };
  throw name === null
    ? new HttpError(404, 'This repository is empty.')
    : new HttpError(404, `No commit found for the ref ${ref}`);
}

async function findEntry(
  gitDir: string,
  sha: string,
  path: string,
): Promise<TreeEntry | undefined> {
  if (path === '')
    return { mode: '040000', type: 'tree', sha: await treeOf(gitDir, sha), size: undefined, path };
  const result = await tryGit(gitDir, ['ls-tree', '-z', '-l', sha, '--', path]);
  const line = result.stdout.toString().split('\0')[0] ?? '';
  const [mode = '', type, object = '', size = '-'] = line.slice(0, line.indexOf('\t')).split(/ +/);
  if (type !== 'blob' && type !== 'tree') return undefined;
  return { mode, type, sha: object, size: size === '-' ? undefined : Number(size), path };
}

async function getContents(call: RepositoryCall): Promise<Answer> {
  const path = (call.params['path'] ?? '').replace(/^\/+|(?<!\/)\/+$/g, '');
  const { sha, ref } = await revision(call, call.query.get('ref'));
  const entry = await findEntry(call.repository.gitDir, sha, path);
  if (entry === undefined) throw notFound();
  if (entry.type === 'blob') return fileContents(call, { path, ref, entry });
  const children = (await readTree(call.repository.gitDir, entry.sha)) ?? [];
  return ok(
    children.map((child) =>
      contentLinks(call, {
        path: path === '' ? child.path : `${path}/${child.path}`,
        ref,
        entry: child,
      }),
    ),
  );
}

async function fileContents(
  call: RepositoryCall,
  at: { path: string; ref: string; entry: TreeEntry },
): Promise<Answer> {
  const bytes = await readBlob(call.repository.gitDir, at.entry.sha);
  if (bytes === undefined) throw notFound();
  if (/application\/vnd\.github\.(?:v3\.)?raw/.test(call.accept))
    return {
      status: 200,
      body: bytes,
      headers: { 'content-type': 'application/vnd.github.raw; charset=utf-8' },
    };
  const isInline = bytes.length <= MAX_INLINE;
  return ok({
    ...contentLinks(call, at),
    content: isInline ? bytes.toString('base64').replace(/.{60}/g, '$&\n') : '',
    encoding: isInline ? 'base64' : 'none',
  });
}

async function readme(call: RepositoryCall): Promise<Answer> {
  const { sha, ref } = await revision(call, call.query.get('ref'));
  const entries =
    (await readTree(call.repository.gitDir, await treeOf(call.repository.gitDir, sha))) ?? [];
  const entry = entries.find((one) => /^readme(\.(md|markdown|txt|rst))?$/i.test(one.path));
  if (entry === undefined) throw notFound();
  return fileContents(call, { path: entry.path, ref, entry });
}

const Person = z.looseObject({ name: z.string(), email: z.string(), date: z.string().optional() });

const FileChange = z.looseObject({
  message: z.string(),
  content: z.string().optional(),
  sha: z.string().optional(),
  branch: z.string().optional(),
  author: Person.optional(),
  committer: Person.optional(),
});

/** Creates, updates or deletes one file in one commit. */
async function changeFile(call: RepositoryCall, kind: 'put' | 'delete'): Promise<Answer> {
  const body = parseBody(call, FileChange);
  const path = param(call, 'path');
  const { gitDir, defaultBranch } = call.repository;
  const branch = body.branch ?? defaultBranch;
  if (mayNotTouchWorkflows(call.actor) && path.startsWith('.github/workflows/'))
    throw forbiddenForApp();
  const tip = await tipOf(call, body.branch);
  const old = tip === undefined ? undefined : await findEntry(gitDir, tip, path);
  refuseStaleFile({ kind, old, body, path });
  const content = Buffer.from(body.content ?? '', 'base64');
  const sha = kind === 'put' ? await writeBlob(gitDir, content) : undefined;
  const change = { path, sha, mode: old?.mode ?? '100644' };
  const commitSha = await commitChange(call, { body, branch, tip, change });
  const commit = await readCommit(gitDir, commitSha);
  if (commit === undefined) throw notFound();
  const wire = toGitCommit(call.world, call.repository, commit);
  if (sha === undefined) return ok({ content: null, commit: wire });
  const entry: TreeEntry = { mode: '100644', type: 'blob', sha, size: content.length, path };
  const links = contentLinks(call, { path, ref: branch, entry });
  return { status: old === undefined ? 201 : 200, body: { content: links, commit: wire } };
}

/** The tip of the named branch, or of the default one, which an empty repository lacks. */
async function tipOf(
  call: RepositoryCall,
  branch: string | undefined,
): Promise<string | undefined> {
  const { gitDir, defaultBranch } = call.repository;
  const tip = await readRef(gitDir, `refs/heads/${branch ?? defaultBranch}`);
  if (tip === undefined && branch !== undefined)
    throw new HttpError(404, `Branch ${branch} not found`);
  return tip;
}

/** Commits one change on top of the branch's tip and moves the branch, unless it has moved meanwhile. */
async function commitChange(
  call: RepositoryCall,
  at: {
    body: z.infer<typeof FileChange>;
    branch: string;
    tip: string | undefined;
    change: TreeChange;
  },
): Promise<string> {
  const { gitDir } = call.repository;
  const { body, tip } = at;
  const ref = `refs/heads/${at.branch}`;
  const author = toPerson(call, body.author);
  const sha = await writeCommit(gitDir, {
    treeSha: await writeTree(gitDir, tip, {
      changes: [at.change],
      indexName: drawHex(call.world.random, 16),
    }),
    parents: tip === undefined ? [] : [tip],
    message: body.message,
    author,
    committer: body.committer === undefined ? author : toPerson(call, body.committer),
  });
  const from = tip ?? ZERO_SHA;
  if (!(await updateRef(gitDir, ref, { to: sha, expected: from })))
    throw new HttpError(409, `${at.branch} is at another commit but expected ${from}`);
  await announceMoves(deedOf(call), [{ ref, from, to: sha }]);
  return sha;
}

function refuseStaleFile(at: {
  kind: 'put' | 'delete';
  old: TreeEntry | undefined;
  body: z.infer<typeof FileChange>;
  path: string;
}): void {
  const { kind, old, body, path } = at;
  if (kind === 'put' && body.content === undefined)
    throw new HttpError(422, 'Invalid request.\n\n"content" wasn\'t supplied.');
  if (old === undefined) {
    if (kind === 'delete') throw notFound();
    return;
  }
  if (body.sha === undefined)
    throw new HttpError(422, 'Invalid request.\n\n"sha" wasn\'t supplied.');
  if (body.sha !== old.sha) throw new HttpError(409, `${path} does not match ${body.sha}`);
}

const REPO = '/repos/{owner}/{repo}';

const READ = reads('contents');

const WRITE = writes('write', 'contents');

export const contentRoutes: Route[] = [
  { method: 'GET', path: `${REPO}/contents`, need: READ, run: getContents },
  { method: 'GET', path: `${REPO}/contents/{path*}`, need: READ, run: getContents },
  {
    method: 'PUT',
    path: `${REPO}/contents/{path*}`,
    need: WRITE,
    run: (call) => changeFile(call, 'put'),
  },
  {
    method: 'DELETE',
    path: `${REPO}/contents/{path*}`,
    need: WRITE,
    run: (call) => changeFile(call, 'delete'),
  },
  { method: 'GET', path: `${REPO}/readme`, need: READ, run: readme },
];
