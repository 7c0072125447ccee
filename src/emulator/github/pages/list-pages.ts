/** The pages that list things: repositories, files, issues, pull requests and diffs. */
import { diffFiles } from '../git/compare-revisions.ts';
import {
  readCommit,
  readCommits,
  readFileAt,
  readTree,
  resolveCommit,
  type TreeEntry,
} from '../git/objects.ts';
import type { Repository, Thread } from '../world/world-model.ts';
import { labelsOf } from '../render/to-thread.ts';
import { account, fullName, type World } from '../world/world.ts';
import { headChecks, renderCheckMark } from './checks-box.ts';
import { markup, type Markup } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import {
  linksOf,
  renderFrame,
  renderLabel,
  renderTime,
  toStateBadge,
  threadPath,
  type Visit,
} from './page-parts.ts';
import type { Visitor } from './forms/visitor.ts';
import { renderFile } from './files-page.ts';

export function renderHome(world: World, visitor: Visitor): string {
  const rows = [...world.state.repositories.values()].map(
    (one) =>
      markup`<div class="row">
        <span class="grow"
          ><a class="t" href="/${fullName(world, one)}">${fullName(world, one)}</a>
          <div class="muted">${one.description ?? ''}</div></span
        >
      </div>`,
  );
  return renderFrame(world, {
    title: 'GitHub emulator',
    visitor,
    body: markup`<div class="box">
      <div class="bar"><b>Repositories</b></div>
      ${rows}
    </div>`,
  });
}

export function renderThreadList(
  { world, repository, visitor }: Visit,
  kind: 'issues' | 'pulls',
): string {
  const threads = [...repository.threads.values()]
    .filter((one) => (one.pull !== undefined) === (kind === 'pulls'))
    .toSorted(
      (a, b) => Number(a.state === 'closed') - Number(b.state === 'closed') || b.number - a.number,
    );
  const open = threads.filter((one) => one.state === 'open').length;
  return renderFrame(world, {
    title: `${kind === 'issues' ? 'Issues' : 'Pull requests'} · ${fullName(world, repository)}`,
    repository,
    visitor,
    tab: kind,
    body: markup`<h1 class="title">${kind === 'issues' ? 'Issues' : 'Pull requests'}</h1>
    <div class="box">
      <div class="bar">
        <b>${open} Open</b><span class="muted">${threads.length - open} Closed</span>
        <a class="button right" href="/${fullName(world, repository)}/${kind}/new"
          >${kind === 'issues' ? 'New issue' : 'New pull request'}</a
        >
      </div>
      ${threads.map((one) => threadRow(world, repository, one))}
    </div>`,
  });
}

function threadRow(world: World, repository: Repository, thread: Thread): Markup {
  const labels = labelsOf(repository, thread).map((label) => markup` ${renderLabel(label)}`);
  const author = account(world, thread.userId).login;
  const said = thread.comments.length + (thread.pull?.reviewComments.length ?? 0);
  const checks = headChecks({ world, repository, thread }).map(
    (run) => markup` · ${renderCheckMark(run)}`,
  );
  return markup`<div class="row">
    <span class="dot ${toStateBadge(thread).className}"></span
    ><span class="grow"
      ><a class="t" href="${threadPath(world, repository, thread)}">${thread.title}</a>${labels}
      <div class="muted">
        #${thread.number} opened ${renderTime(thread.createdAt)} by ${author} ·
        ${toStateBadge(thread).word}${checks}
      </div></span
    >${said > 0 && markup`<span class="muted">${said} comment${said === 1 ? '' : 's'}</span>`}
  </div>`;
}

export async function renderRepository({ world, repository, visitor }: Visit): Promise<string> {
  const name = fullName(world, repository);
  const { gitDir, defaultBranch } = repository;
  const sha = await resolveCommit(gitDir, defaultBranch);
  if (sha === undefined)
    return renderFrame(world, {
      title: name,
      repository,
      visitor,
      tab: 'code',
      body: markup`<p class="muted">This repository is empty.</p>`,
    });
  const entries = (await readTree(gitDir, sha)) ?? [];
  const sorted = entries.toSorted(
    (a, b) => Number(b.type === 'tree') - Number(a.type === 'tree') || a.path.localeCompare(b.path),
  );
  const [last] = await readCommits(gitDir, ['--max-count=1', sha]);
  const rows = sorted.map((one) => entryRow(`/${name}`, defaultBranch, one));
  const about = await renderReadme(world, repository, { sha, entries });
  return renderFrame(world, {
    title: name,
    repository,
    visitor,
    tab: 'code',
    body: markup`<div class="box">
        <div class="bar">
          <b>${defaultBranch}</b
          ><span class="muted"
            >${last?.message.split('\n')[0]} · <code>${sha.slice(0, 7)}</code></span
          >
        </div>
        ${rows}
      </div>
      ${about}`,
  });
}

function entryRow(base: string, ref: string, entry: TreeEntry): Markup {
  const isTree = entry.type === 'tree';
  const href = `${base}/${isTree ? 'tree' : 'blob'}/${ref}/${entry.path}`;
  return markup`<div class="row"><span>${isTree ? '📁' : '📄'}</span><a class="grow" href="${href}">${entry.path}</a></div>`;
}

async function renderReadme(
  world: World,
  repository: Repository,
  at: { sha: string; entries: readonly TreeEntry[] },
): Promise<Markup | undefined> {
  const file = at.entries.find((one) => /^readme\.md$/i.test(one.path));
  if (file === undefined) return undefined;
  const text = await readFileAt(repository.gitDir, at.sha, file.path);
  const body = renderMarkdown(text?.toString() ?? '', linksOf(world, repository));
  return markup`<div class="box"><div class="bar"><b>README</b></div><div class="md">${body}</div></div>`;
}

export async function renderTree(
  { world, repository, visitor }: Visit,
  at: { ref: string; path: string },
): Promise<string | undefined> {
  const sha = await resolveCommit(repository.gitDir, at.ref);
  const entries =
    sha === undefined ? undefined : await readTree(repository.gitDir, `${sha}:${at.path}`);
  if (entries === undefined) return undefined;
  const name = fullName(world, repository);
  const rows = entries.map(
    (one) =>
      markup`<div class="row">
        <span>${one.type === 'tree' ? '📁' : '📄'}</span
        ><a
          class="grow"
          href="/${name}/${one.type === 'tree' ? 'tree' : 'blob'}/${at.ref}/${at.path}/${one.path}"
          >${one.path}</a
        >
      </div>`,
  );
  return renderFrame(world, {
    title: at.path,
    repository,
    visitor,
    tab: 'code',
    body: markup`<div class="box">
      <div class="bar"><b>${at.path}</b></div>
      ${rows}
    </div>`,
  });
}

export async function readBlobAt(
  repository: Repository,
  at: { ref: string; path: string },
): Promise<string | undefined> {
  const sha = await resolveCommit(repository.gitDir, at.ref);
  return sha === undefined
    ? undefined
    : (await readFileAt(repository.gitDir, sha, at.path))?.toString();
}

export async function renderBlob(
  { world, repository, visitor }: Visit,
  at: { ref: string; path: string },
): Promise<string | undefined> {
  const text = await readBlobAt(repository, at);
  if (text === undefined) return undefined;
  const body = at.path.endsWith('.md')
    ? markup`<div class="md">${renderMarkdown(text, linksOf(world, repository))}</div>`
    : markup`<pre class="file">${text}</pre>`;
  return renderFrame(world, {
    title: at.path,
    repository,
    visitor,
    tab: 'code',
    body: markup`<div class="box">
      <div class="bar"><b>${at.path}</b></div>
      ${body}
    </div>`,
  });
}

export async function renderCommitPage(
  { world, repository, visitor }: Visit,
  sha: string,
): Promise<string | undefined> {
  const commit = await readCommit(repository.gitDir, sha);
  if (commit === undefined) return undefined;
  const files = await diffFiles(repository.gitDir, commit.parents[0], commit.sha);
  return renderFrame(world, {
    title: commit.message.split('\n')[0] ?? sha,
    repository,
    visitor,
    tab: 'code',
    body: markup`<div class="box">
        <div class="bar"><b>${commit.message.split('\n')[0]}</b></div>
        <div class="row">
          <span class="grow">
            <pre>${commit.message.split('\n').slice(1).join('\n').trim()}</pre>
            <span class="muted"
              >${commit.author.name} committed ${renderTime(commit.author.date)} ·
              <code>${commit.sha}</code></span
            ></span
          >
        </div>
      </div>
      ${files.map((file) => renderFile(file))}`,
  });
}
