/** The top of each page of an issue or a pull request: title, state, and links to its other pages. */
import { account } from '../world/world.ts';
import { headChecks, renderCheckMark } from './checks-box.ts';
import { markup, type Markup } from './html.ts';
import {
  renderPerson,
  renderTime,
  toStateBadge,
  threadPath,
  type ThreadPage,
} from './page-parts.ts';

export function renderThreadHead(context: ThreadPage, tab: 'conversation' | 'files'): Markup {
  const { world, thread } = context;
  const { pull } = thread;
  const state = toStateBadge(thread);
  const author = renderPerson(account(world, thread.userId));
  const count = `${thread.comments.length} comment${thread.comments.length === 1 ? '' : 's'}`;
  const what =
    pull === undefined
      ? markup`${author} opened this issue ${renderTime(thread.createdAt)} · ${count}`
      : markup`${author} wants to merge <code>${pull.headRef}</code> into <code>${pull.baseRef}</code>`;
  const checks = headChecks(context).map(
    (run) =>
      markup`<a class="chip" href="${threadPath(world, context.repository, thread)}#checks">${renderCheckMark(run, run.output.title)}</a>`,
  );
  return markup`<h1 class="title">${thread.title} <span class="number">#${thread.number}</span></h1>
    <div class="meta">
      <span class="state ${state.className}">${state.word}</span><span>${what}</span>${checks}
    </div>
    ${pull && tabs(context, tab)}`;
}

function tabs({ world, repository, thread }: ThreadPage, on: 'conversation' | 'files'): Markup {
  const path = threadPath(world, repository, thread);
  const link = (tab: typeof on, to: string, label: string): Markup =>
    markup`<a class="${tab === on && 'on'}" href="${to}">${label}</a>`;
  return markup`<nav class="tabs" aria-label="Pull request">
    ${link('conversation', path, 'Conversation')}${link('files', `${path}/files`, 'Files changed')}
  </nav>`;
}
