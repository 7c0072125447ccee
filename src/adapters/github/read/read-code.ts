/** A repository's code as a whole, in few calls: one for its tree, then a hundred texts at a time. */
import { parseMarker } from '../../../domain/github/marker.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { PastIssue, SourceFile } from '../../../domain/run/view.ts';
import type { GitHubCode, OwnIssue, TextsWanted } from '../../../ports/github/github-code.ts';
import type { SessionContext } from '../bound.ts';
import { issueScope, ours } from '../write/ensure-issue.ts';
import { LIST_ISSUES } from '../rest-operations.ts';
import { PER_PAGE } from '../client/pages.ts';
import { readFiles } from './read-files.ts';
import { toPastIssue } from './to-domain.ts';

const MAX_ISSUES = 1_000;

export function createCode(bound: SessionContext): GitHubCode {
  return {
    texts: (ref, sha, want) => readTexts(bound, { ...ref, sha }, want),
    blobs: async (ref, sha) => {
      const tree = await bound.trees.at({ ...ref, sha }, bound.places.last(ref), bound.calls);
      return new Map([...tree.files].map(([path, file]) => [path, file.sha]));
    },
    ownIssues: (ref) => readOwnIssues(bound, ref),
    threads: (ref, want) => readThreads(bound, ref, want),
  };
}

/** What the tree shows to fit, by its sizes; the texts come a hundred at a time. */
async function readTexts(
  bound: SessionContext,
  at: RepositoryRef & { sha: string },
  { paths, maxBytes, totalBytes }: TextsWanted,
): Promise<SourceFile[]> {
  const tree = await bound.trees.at(at, bound.places.last(at), bound.calls);
  let left = totalBytes;
  const fitting = paths.filter((path) => {
    const size = tree.files.get(path)?.size ?? Infinity;
    if (size > left) return false;
    left -= size;
    return true;
  });
  return readFiles(bound, at, { paths: fitting, maxBytes });
}

async function readOwnIssues(bound: SessionContext, ref: RepositoryRef): Promise<OwnIssue[]> {
  const found: OwnIssue[] = [];
  let read = 0;
  for await (const issue of ours(bound, { ref, place: bound.places.last(ref) }, 'all')) {
    const marker = parseMarker(issue.body, bound.markerSecret, issueScope(ref));
    const { number, html_url: url, title, labels } = issue;
    const state = issue.state === 'open' ? 'open' : 'closed';
    if (marker !== undefined) found.push({ number, url, title, state, labels, marker });
    if (++read >= MAX_ISSUES) break;
  }
  return found;
}

async function readThreads(
  bound: SessionContext,
  ref: RepositoryRef,
  { state, label }: Parameters<GitHubCode['threads']>[1],
): Promise<PastIssue[]> {
  const { data } = await bound.calls.get(LIST_ISSUES, {
    ...bound.places.last(ref),
    state,
    ...(label === undefined ? {} : { labels: label }),
    sort: 'updated',
    direction: 'desc',
    per_page: PER_PAGE,
  });
  return data.map((issue) => toPastIssue(issue));
}
