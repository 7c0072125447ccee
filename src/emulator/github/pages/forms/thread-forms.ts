/** The forms on the page of an issue or a pull request: comment, close, edit, labels, review and merge. */
import type { MergeWay } from '../../checks/branch-rules.ts';
import { allows } from '../../checks/required.ts';
import { labelsOf } from '../../render/to-thread.ts';
import { hasRole, renderForm, renderTextArea } from './form-parts.ts';
import { markup, type Markup } from '../html.ts';
import { renderAvatar, renderLabel, threadPath, type ThreadPage } from '../page-parts.ts';
import type { Visitor } from './visitor.ts';

/** A thread and who looks at it. */
export interface VisitedThread extends ThreadPage {
  visitor: Visitor;
}

function isAuthorOr(context: VisitedThread, role: 'triage' | 'write'): boolean {
  const { world, repository, thread, visitor } = context;
  return thread.userId === visitor.user?.id || hasRole(world, visitor, { repository, role });
}

function actionOf({ world, repository, thread }: VisitedThread, deed: string): string {
  return `${threadPath(world, repository, thread)}/${deed}`;
}

/** Comment, close and reopen. */
export function renderCommentForm(context: VisitedThread): Markup {
  const { visitor } = context;
  const { user } = visitor;
  if (user === undefined)
    return markup`<p class="muted none">To comment, choose whom to act as at the top of the page.</p>`;
  const body = markup`${renderAvatar(user)}
    <div class="comment">
      <h2 class="by">Add a comment</h2>
      <div class="fields">
        ${renderTextArea({ name: 'body', label: 'Comment' })}
        <div class="actions">
          ${stateButtons(context)}<button name="do" value="comment">Comment</button>
        </div>
      </div>
    </div>`;
  return renderForm(visitor, { action: actionOf(context, 'comments'), className: 'item' }, body);
}

function stateButton(value: string, says: string): Markup {
  return markup`<button class="plain" name="do" value="${value}">${says}</button> `;
}

function stateButtons(context: VisitedThread): Markup | undefined {
  const { pull, state } = context.thread;
  if (pull?.merged === true || !isAuthorOr(context, 'triage')) return undefined;
  const what = pull === undefined ? 'issue' : 'pull request';
  if (state === 'closed') return stateButton('reopen', `Reopen ${what}`);
  if (pull !== undefined) return stateButton('close', 'Close pull request');
  return markup`${stateButton('not_planned', 'Close as not planned')}${stateButton('close', 'Close issue')}`;
}

/** Title and text, for those who may change them. */
export function renderEditForm(context: VisitedThread): Markup | undefined {
  const { thread, visitor } = context;
  if (!isAuthorOr(context, 'write')) return undefined;
  const fields = markup`<div class="fields">
    <input name="title" aria-label="Title" value="${thread.title}" required />
    ${renderTextArea({ name: 'body', label: 'Text', value: thread.body ?? '', rows: 16 })}
    <div class="actions"><button>Update</button></div>
  </div>`;
  return markup`<details class="edit">
    <summary>Edit title and text</summary>
    ${renderForm(visitor, { action: actionOf(context, 'edit') }, fields)}
  </details>`;
}

/** Each label of the repository with a box; what had its box ticked before goes with the form. */
export function renderLabelPicker(context: VisitedThread): Markup | undefined {
  const { world, repository, thread, visitor } = context;
  if (!hasRole(world, visitor, { repository, role: 'triage' })) return undefined;
  const on = new Set(labelsOf(repository, thread).map(({ id }) => id));
  const rows = repository.labels
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map((label) => {
      const had = markup`<input type="hidden" name="had" value="${label.name}" />`;
      return markup`<label
        ><input
          type="checkbox"
          name="label"
          value="${label.name}"
          ${on.has(label.id) && markup`checked`}
        />
        ${renderLabel(label)}</label
      >${on.has(label.id) && had}`;
    });
  const other = markup`<input name="label" aria-label="Another label" placeholder="Another label" />`;
  const body = markup`${rows}${hasRole(world, visitor, { repository, role: 'write' }) && other}
    <button class="plain">Apply labels</button>`;
  return markup`<details class="picker">
    <summary>Edit labels</summary>
    ${renderForm(visitor, { action: actionOf(context, 'labels') }, body)}
  </details>`;
}

const REVIEWS = [
  ['COMMENT', 'Comment'],
  ['APPROVE', 'Approve'],
  ['REQUEST_CHANGES', 'Request changes'],
] as const;

/** A review of the whole change. Nobody approves their own. */
export function renderReviewForm(context: VisitedThread): Markup | undefined {
  const { thread, visitor } = context;
  if (visitor.user === undefined || thread.state === 'closed') return undefined;
  const isOwn = visitor.user.id === thread.userId;
  const choices = REVIEWS.map(
    ([event, label]) =>
      markup`<label
        ><input
          type="radio"
          name="event"
          value="${event}"
          ${event === 'COMMENT' && markup`checked`}
          ${isOwn && event !== 'COMMENT' && markup`disabled`}
        />
        ${label}</label
      >`,
  );
  const body = markup`<div class="fields">
    ${renderTextArea({ name: 'body', label: 'Review', rows: 4 })}
    <div class="choices">${choices}</div>
    <div class="actions"><button>Submit review</button></div>
  </div>`;
  return markup`<details class="box review">
    <summary class="bar">Review changes</summary>
    ${renderForm(visitor, { action: actionOf(context, 'reviews') }, body)}
  </details>`;
}

const WAYS: readonly [MergeWay, string][] = [
  ['merge', 'Merge pull request'],
  ['squash', 'Squash and merge'],
  ['rebase', 'Rebase and merge'],
];

/** The ways of merging that the repository allows. Whether the merge is possible shows only when somebody tries. */
export function renderMergeForm(context: VisitedThread): Markup | undefined {
  const { world, repository, thread, visitor } = context;
  const isOpen = thread.state === 'open' && thread.pull?.draft === false;
  if (!isOpen || !hasRole(world, visitor, { repository, role: 'write' })) return undefined;
  const buttons = WAYS.filter(([way]) => allows(repository, way)).map(
    ([way, label], index) =>
      markup`<button class="${index > 0 && 'plain'}" name="way" value="${way}">${label}</button> `,
  );
  return renderForm(
    visitor,
    { action: actionOf(context, 'merge'), className: 'box merge' },
    markup`<div class="actions">${buttons}</div>`,
  );
}
