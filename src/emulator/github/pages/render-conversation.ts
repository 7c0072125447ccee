/** Conversations on the diff: what was said about a line, folded away once it is settled. */
import type { ReviewComment } from '../world/world-model.ts';
import { account } from '../world/world.ts';
import { readRows, renderRows, type DiffRow } from './diff-table.ts';
import { markup, type Markup } from './html.ts';
import {
  renderAvatar,
  renderPerson,
  renderReactions,
  renderTime,
  renderWords,
  threadPath,
  type ThreadPage,
} from './page-parts.ts';

/** Lines of the diff above a comment, its own included. */
const SHOWN = 4;

export interface ConversationOptions {
  /** Whether the lines it is about are shown with it. */
  hasLines: boolean;
}

/** The comment that began it and its replies. */
export function renderConversation(
  context: ThreadPage,
  head: ReviewComment,
  { hasLines }: ConversationOptions,
): Markup {
  const all = context.thread.pull?.reviewComments ?? [];
  const said = all.filter((one) => one === head || one.inReplyToId === head.id);
  const lines = hasLines && head.subjectType === 'line' ? renderRows(excerptOf(head)) : undefined;
  const body = markup`${lines}${said.map((comment) => renderSaid(context, head, comment))}`;
  const settled = settledBy(context, head);
  const where = hasLines ? placeOf(context, head) : undefined;
  if (settled === undefined)
    return markup`<div class="talk" id="discussion_r${head.id}">
      ${where && markup`<div class="path">${where}</div>`}${body}
    </div>`;
  return markup`<details class="talk" id="discussion_r${head.id}">
    <summary><span class="settled">✓ ${settled}</span> ${titleOf(head)}</summary>
    ${where && markup`<div class="path">${where}</div>`}${body}
  </details>`;
}

/** How a conversation was settled; undefined while it is open. */
function settledBy({ world }: ThreadPage, head: ReviewComment): string | undefined {
  const by = head.resolvedById === undefined ? undefined : account(world, head.resolvedById).login;
  if (head.isResolved) return by === undefined ? 'Resolved' : `Resolved by ${by}`;
  if (head.minimizedReason === undefined) return undefined;
  return `Marked as ${head.minimizedReason.toLowerCase().replaceAll('_', '-')}`;
}

/** The first line as plain text: what a reader of the folded conversation sees. */
function titleOf({ body, path }: ReviewComment): Markup {
  const [first = ''] = body.split('\n');
  return markup`<span>${first.replaceAll(/\*\*|`/g, '')}</span> <code>${path}</code>`;
}

function placeOf({ world, repository, thread }: ThreadPage, head: ReviewComment): Markup {
  const { path, line, originalLine, startLine, subjectType } = head;
  const isOutdated = subjectType === 'line' && line === undefined;
  const at = line ?? originalLine;
  const lines = startLine === undefined || startLine === at ? at : `${startLine}–${at}`;
  const text = at === undefined || subjectType === 'file' ? path : `${path}:${lines}`;
  const files = `${threadPath(world, repository, thread)}/files#discussion_r${head.id}`;
  return isOutdated
    ? markup`${text} <span class="badge">Outdated</span>`
    : markup`<a href="${files}">${text}</a>`;
}

function renderSaid(context: ThreadPage, head: ReviewComment, comment: ReviewComment): Markup {
  const { world, thread } = context;
  const user = account(world, comment.userId);
  return markup`<div class="said">
    <div class="who">
      ${renderAvatar(user, 'small')} ${renderPerson(user)} ${renderTime(comment.createdAt)}
      ${comment !== head && comment.userId === thread.userId && markup`<span class="badge">Author</span>`}
    </div>
    <div class="md">${renderWords(context, comment.body, replacedBy(comment))}</div>
    ${renderReactions(world, comment.reactions)}
  </div>`;
}

function excerptOf({ diffHunk }: ReviewComment): DiffRow[] {
  return readRows(diffHunk).slice(-SHOWN);
}

/** The lines that a suggestion would replace. */
function replacedBy({ diffHunk, line, originalLine, startLine }: ReviewComment): string[] {
  const count = startLine === undefined ? 1 : (line ?? originalLine ?? startLine) - startLine + 1;
  return readRows(diffHunk)
    .filter(({ kind }) => kind === 'add' || kind === 'same')
    .slice(-count)
    .map(({ text }) => text.slice(1));
}
