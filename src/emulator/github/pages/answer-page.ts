/** Picks the HTML page for a path. Pages are for people on this machine: who acts is their own choice. */
import { randomUUID } from 'node:crypto';
import { answerLog } from '../world/logs.ts';
import type { Repository, Thread } from '../world/world-model.ts';
import type { PageAnswer, PageRequest, ServerParts } from '../listener.ts';
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
import { answerForm } from './forms/answer-form.ts';
import { renderPullFiles } from './files-page.ts';
import { answerInstall } from './apps/install-page.ts';
import { answerManifest } from './apps/manifest-page.ts';
import { PAGE_HEADERS } from './html.ts';
import { renderNewIssue } from './forms/new-issue-page.ts';
import { renderNewPull } from './forms/new-pull-page.ts';
import { avatarSvg, type Visit } from './page-parts.ts';
import { renderPersonPage } from './person-page.ts';
import { renderThreadPage } from './thread-page.ts';
import { answerActAs, isOwnForm, readVisitor, type Visitor } from './forms/visitor.ts';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

interface Seen extends Visit {
  match: RegExpExecArray;
}

type Page = (seen: Seen) => Promise<string | undefined> | string | undefined;

const PAGES: readonly [RegExp, Page][] = [
  [/^$/, renderRepository],
  [
    /^\/(issues|pulls)$/,
    (seen) => renderThreadList(seen, seen.match[1] === 'pulls' ? 'pulls' : 'issues'),
  ],
  [/^\/issues\/new$/, renderNewIssue],
  [/^\/pulls\/new$/, renderNewPull],
  [
    /^\/(?:issues|pull)\/(\d+)$/,
    (seen) => withThread(seen, (thread) => renderThreadPage({ ...seen, thread })),
  ],
  [
    /^\/pull\/(\d+)\/files$/,
    (seen) => withThread(seen, (thread) => thread.pull && renderPullFiles({ ...seen, thread })),
  ],
  [/^\/commit\/([0-9a-f]{40})$/, (seen) => renderCommitPage(seen, seen.match[1] ?? '')],
  [/^\/blob\/([^/]+)\/(.+)$/, (seen) => renderBlob(seen, place(seen.match))],
  [/^\/tree\/([^/]+)\/(.+)$/, (seen) => renderTree(seen, place(seen.match))],
];

function place(match: RegExpExecArray): { ref: string; path: string } {
  return { ref: match[1] ?? '', path: match[2] ?? '' };
}

function withThread<T>(seen: Seen, render: (thread: Thread) => T): T | undefined {
  const thread = seen.repository.threads.get(Number(seen.match[1]));
  return thread === undefined ? undefined : render(thread);
}

/** The pages of one emulator. */
export function createPages(world: World): ServerParts['page'] {
  const formToken = randomUUID();
  return (request) => answerPage(world, request, readVisitor(world, request, formToken));
}

async function answerPage(
  world: World,
  request: PageRequest,
  visitor: Visitor,
): Promise<PageAnswer | undefined> {
  const { method, path } = request;
  if (method === 'POST' && /^(?:\/organizations\/[^/]+)?\/settings\/apps\/new$/.test(path))
    return answerManifest(world, request);
  const installed = answerInstall(world, request);
  if (installed !== undefined) return installed;
  if (method === 'POST') return answerPost(world, request, visitor);
  return method === 'GET' ? answerGet(world, path, visitor) : undefined;
}

async function answerGet(
  world: World,
  path: string,
  visitor: Visitor,
): Promise<PageAnswer | undefined> {
  const log = answerLog(world, path);
  if (log !== undefined) return log;
  if (path === '/' || path === '/home') return found(renderHome(world, visitor));
  const avatar = /^\/avatars\/(.+)\.svg$/.exec(path)?.[1];
  if (avatar !== undefined)
    return {
      status: 200,
      headers: { 'content-type': 'image/svg+xml' },
      body: avatarSvg(decodeURIComponent(avatar)),
    };
  const login = /^\/([^/]+)$/.exec(decodeURIComponent(path))?.[1];
  const person = login === undefined ? undefined : renderPersonPage(world, visitor, login);
  if (person !== undefined) return found(person);
  return answerRepositoryPage({ world, visitor }, decodeURIComponent(path));
}

interface Below {
  repository: Repository;
  /** The path below it. */
  rest: string;
}

function findBelow(world: World, path: string): Below | undefined {
  const parts = /^\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path);
  const repository = findRepository(world, `${parts?.[1]}/${parts?.[2]}`);
  if (repository === undefined) return undefined;
  return { repository, rest: (parts?.[3] ?? '').replace(/\/$/, '') };
}

async function answerPost(
  world: World,
  request: PageRequest,
  visitor: Visitor,
): Promise<PageAnswer | undefined> {
  if (request.path === '/act-as') {
    if (isOwnForm(request, visitor)) return answerActAs(world, request);
    return { status: 403, headers: TEXT, body: 'This form did not come from a page of ours.\n' };
  }
  const below = findBelow(world, decodeURIComponent(request.path));
  return below === undefined ? undefined : answerForm({ world, visitor, ...below }, request);
}

async function answerRepositoryPage(
  { world, visitor }: Omit<Visit, 'repository'>,
  path: string,
): Promise<PageAnswer | undefined> {
  const below = findBelow(world, path);
  if (below === undefined) return undefined;
  const { repository, rest } = below;
  const raw = /^\/raw\/([^/]+)\/(.+)$/.exec(rest);
  if (raw !== null) {
    const text = await readBlobAt(repository, place(raw));
    return text === undefined ? undefined : { status: 200, headers: TEXT, body: text };
  }
  for (const [pattern, page] of PAGES) {
    const match = pattern.exec(rest);
    const body = match === null ? undefined : await page({ world, repository, visitor, match });
    if (body !== undefined) return found(body);
  }
  return undefined;
}

function found(body: string): PageAnswer {
  return { status: 200, headers: PAGE_HEADERS, body };
}
