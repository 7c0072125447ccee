/** Operations on commits and comparisons. */
import {
  compareRevisions,
  diffFiles,
  rawDiff,
  type Comparison,
} from '../../git/compare-revisions.ts';
import { readCommit, readCommits, resolveCommit } from '../../git/objects.ts';
import { HttpError, notFound } from '../../behave/http-error.ts';
import { reads } from '../../world/permissions.ts';
import { toActivity } from '../../changes/activity.ts';
import { refuseLargeDiff } from '../../changes/compare-pull.ts';
import { toCommit, toFile, totals } from '../../render/to-commit.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../render/repositories.ts';
import {
  renderListPage,
  ok,
  paged,
  param,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { findRepository } from '../../world/world.ts';
import { fetchInto } from '../../git/bare.ts';
import { revision } from './content-routes.ts';

async function listCommits(call: RepositoryCall): Promise<Answer> {
  const { sha } = await revision(call, call.query.get('sha'));
  const args: string[] = ['--max-count=2000'];
  const since = call.query.get('since');
  const until = call.query.get('until');
  const author = call.query.get('author');
  if (since !== null) args.push(`--since=${since}`);
  if (until !== null) args.push(`--until=${until}`);
  if (author !== null) args.push('--fixed-strings', `--author=${author}`);
  const path = call.query.get('path');
  const commits = await readCommits(call.repository.gitDir, [
    ...args,
    sha,
    '--',
    ...(path === null ? [] : [path]),
  ]);
  return renderListPage(call, commits, (commit) => toCommit(call.world, call.repository, commit));
}

async function getCommit(call: RepositoryCall): Promise<Answer> {
  const { gitDir } = call.repository;
  const sha = await resolveCommit(gitDir, param(call, 'ref'));
  const commit = sha === undefined ? undefined : await readCommit(gitDir, sha);
  if (commit === undefined)
    throw new HttpError(422, `No commit found for SHA: ${param(call, 'ref')}`);
  const format = /application\/vnd\.github\.(?:v3\.)?(diff|patch)/.exec(call.accept)?.[1];
  const [parent] = commit.parents;
  if ((format === 'diff' || format === 'patch') && parent !== undefined)
    return textAnswer(await rawDiff(gitDir, { from: parent, to: commit.sha }, format), format);
  const files = await diffFiles(gitDir, parent, commit.sha);
  const sum = totals(files);
  return ok({
    ...toCommit(call.world, call.repository, commit),
    stats: { ...sum, total: sum.additions + sum.deletions },
    files: files.map((file) => toFile(call.world, call.repository, { file, sha: commit.sha })),
  });
}

/** Newest first. */
async function listActivity(call: RepositoryCall): Promise<Answer> {
  const ref = call.query.get('ref');
  const all = (call.repository.activity ?? []).toReversed();
  const found = all.filter((each) => ref === null || [each.ref, toShort(each.ref)].includes(ref));
  return renderListPage(call, found, (each) => toActivity(call.world, each));
}

function toShort(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

function textAnswer(body: Buffer, format: string): Answer {
  return {
    status: 200,
    body,
    headers: { 'content-type': `application/vnd.github.v3.${format}; charset=utf-8` },
  };
}

/** A side of a comparison: a ref here, or `owner:ref` of a fork, whose objects are fetched. */
async function side(call: RepositoryCall, text: string): Promise<string> {
  const colon = text.indexOf(':');
  const { gitDir } = call.repository;
  if (colon < 0) {
    const sha = await resolveCommit(gitDir, text);
    if (sha === undefined) throw notFound();
    return sha;
  }
  const fork = findRepository(call.world, `${text.slice(0, colon)}/${call.repository.name}`);
  const sha =
    fork === undefined ? undefined : await resolveCommit(fork.gitDir, text.slice(colon + 1));
  if (fork === undefined || sha === undefined) throw notFound();
  if (fork.id !== call.repository.id) await fetchInto(gitDir, fork.gitDir, [sha]);
  return sha;
}

async function compare(call: RepositoryCall): Promise<Answer> {
  const { world, repository } = call;
  const basehead = param(call, 'basehead');
  const [from, to] = basehead.split('...');
  if (from === undefined || to === undefined) throw notFound();
  const [base, head] = [await side(call, from), await side(call, to)];
  const comparison = await compareRevisions(repository.gitDir, base, head);
  if (comparison === undefined)
    throw new HttpError(404, `No common ancestor between ${from} and ${to}.`);
  const format = /application\/vnd\.github\.(?:v3\.)?(diff|patch)/.exec(call.accept)?.[1];
  if (format === 'diff' || format === 'patch')
    return textAnswer(
      refuseLargeDiff(
        await rawDiff(repository.gitDir, { from: comparison.mergeBaseSha, to: head }, format),
      ),
      format,
    );
  const [baseCommit, mergeBaseCommit] = [
    await readCommit(repository.gitDir, base),
    await readCommit(repository.gitDir, comparison.mergeBaseSha),
  ];
  if (baseCommit === undefined || mergeBaseCommit === undefined) throw notFound();
  const html = `${repositoryHtmlUrl(world, repository)}/compare/${basehead}`;
  const { commits, files, headers } = pageOf(call, comparison);
  return {
    status: 200,
    headers,
    body: {
      url: `${repositoryApiUrl(world, repository)}/compare/${basehead}`,
      html_url: html,
      permalink_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      base_commit: toCommit(world, repository, baseCommit),
      merge_base_commit: toCommit(world, repository, mergeBaseCommit),
      status: comparison.status,
      ahead_by: comparison.aheadBy,
      behind_by: comparison.behindBy,
      total_commits: comparison.commits.length,
      commits: commits.map((commit) => toCommit(world, repository, commit)),
      files: files.map((file) => toFile(world, repository, { file, sha: head })),
    },
  };
}

/** Commits come in pages where pages are asked for; files come with the first. */
function pageOf(call: RepositoryCall, { commits, files }: Comparison) {
  const { query } = call;
  if (!query.has('page') && !query.has('per_page'))
    return { commits: commits.slice(0, 250), files: files.slice(0, 300), headers: {} };
  const { page, headers } = paged(call, commits);
  const isFirst = Number(query.get('page') ?? 1) === 1;
  return { commits: page, files: isFirst ? files.slice(0, 300) : [], headers };
}

const REPO = '/repos/{owner}/{repo}';

const READ = reads('contents');

export const commitRoutes: Route[] = [
  { method: 'GET', path: `${REPO}/commits`, need: READ, run: listCommits },
  { method: 'GET', path: `${REPO}/commits/{ref*}`, need: READ, run: getCommit },
  { method: 'GET', path: `${REPO}/compare/{basehead*}`, need: READ, run: compare },
  { method: 'GET', path: `${REPO}/activity`, need: READ, run: listActivity },
];
