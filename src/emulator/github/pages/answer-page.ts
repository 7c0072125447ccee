/** Picks the HTML page for a path. Pages are for people on this machine and need no login. */
import { answerLog } from '../world/logs.ts';
import type { Repository, Thread } from '../world/world-model.ts';
import type { PageAnswer, PageRequest } from '../listener.ts';
import { findRepository, type World } from '../world/world.ts';
import {
  readBlobAt,
  renderBlob,
  renderCommitPage,
  renderHome,
  renderRepository,
  renderThreadList,
  renderTree,
} from './list-pages.ts';
import { renderPullFiles } from './files-page.ts';
import { answerInstall } from './install-page.ts';
import { answerManifest } from './manifest-page.ts';
import { avatarSvg } from './page-parts.ts';
import { renderThreadPage } from './thread-page.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
/** Nothing that a body might smuggle in can run or load anything. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action *; base-uri 'none'";

interface Seen {
  world: World;
  repository: Repository;
  match: RegExpExecArray;
}

type Page = (seen: Seen) => Promise<string | undefined> | string | undefined;

const PAGES: readonly [RegExp, Page][] = [
  [/^$/, ({ world, repository }) => renderRepository(world, repository)],
  [
    /^\/(issues|pulls)$/,
    ({ world, repository, match }) =>
      renderThreadList(world, repository, match[1] === 'pulls' ? 'pulls' : 'issues'),
  ],
  [
    /^\/(?:issues|pull)\/(\d+)$/,
    (seen) => withThread(seen, (thread) => renderThreadPage({ ...seen, thread })),
  ],
  [
    /^\/pull\/(\d+)\/files$/,
    (seen) => withThread(seen, (thread) => thread.pull && renderPullFiles({ ...seen, thread })),
  ],
  [
    /^\/commit\/([0-9a-f]{40})$/,
    ({ world, repository, match }) => renderCommitPage(world, repository, match[1] ?? ''),
  ],
  [
    /^\/blob\/([^/]+)\/(.+)$/,
    ({ world, repository, match }) => renderBlob(world, repository, place(match)),
  ],
  [
    /^\/tree\/([^/]+)\/(.+)$/,
    ({ world, repository, match }) => renderTree(world, repository, place(match)),
  ],
];

function place(match: RegExpExecArray): { ref: string; path: string } {
  return { ref: match[1] ?? '', path: match[2] ?? '' };
}

function withThread<T>(seen: Seen, render: (thread: Thread) => T): T | undefined {
  const thread = seen.repository.threads.get(Number(seen.match[1]));
  return thread === undefined ? undefined : render(thread);
}

export async function answerPage(
  world: World,
  request: PageRequest,
): Promise<PageAnswer | undefined> {
  const { method, path } = request;
  if (method === 'POST' && /^(?:\/organizations\/[^/]+)?\/settings\/apps\/new$/.test(path))
    return answerManifest(world, request);
  const installed = answerInstall(world, request);
  if (installed !== undefined) return installed;
  if (method !== 'GET') return undefined;
  const log = answerLog(world, path);
  if (log !== undefined) return log;
  if (path === '/' || path === '/home') return found(renderHome(world));
  const avatar = /^\/avatars\/(.+)\.svg$/.exec(path)?.[1];
  if (avatar !== undefined)
    return {
      status: 200,
      headers: { 'content-type': 'image/svg+xml' },
      body: avatarSvg(decodeURIComponent(avatar)),
    };
  return answerRepositoryPage(world, decodeURIComponent(path));
}

async function answerRepositoryPage(world: World, path: string): Promise<PageAnswer | undefined> {
  const parts = /^\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path);
  const repository = findRepository(world, `${parts?.[1]}/${parts?.[2]}`);
  if (repository === undefined) return undefined;
  const rest = (parts?.[3] ?? '').replace(/\/$/, '');
  const raw = /^\/raw\/([^/]+)\/(.+)$/.exec(rest);
  if (raw !== null) {
    const text = await readBlobAt(repository, place(raw));
    return text === undefined
      ? undefined
      : { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
  }
  for (const [pattern, page] of PAGES) {
    const match = pattern.exec(rest);
    const body = match === null ? undefined : await page({ world, repository, match });
    if (body !== undefined) return found(body);
  }
  return undefined;
}

function found(body: string): PageAnswer {
  return { status: 200, headers: { ...HTML, 'content-security-policy': POLICY }, body };
}
