/** The page of one issue or pull request: conversation, events and sidebar. */
import type { Comment, TimelineEvent } from '../world/world-model.ts';
import { comparePull } from '../changes/compare-pull.ts';
import { authorIdOf } from '../changes/push-payload.ts';
import { labelsOf } from '../render/to-thread.ts';
import { account, fullName, type World } from '../world/world.ts';
import { renderChecks } from './checks-box.ts';
import { markup, type Markup } from './html.ts';
import {
  renderAvatar,
  renderFrame,
  renderLabel,
  renderPerson,
  renderReactions,
  renderTime,
  renderWords,
  type ThreadPage,
} from './page-parts.ts';
import { renderReviewBox } from './review-box.ts';
import { renderThreadHead } from './thread-head.ts';
import {
  renderCommentForm,
  renderEditForm,
  renderLabelPicker,
  renderMergeForm,
  renderReviewForm,
  type VisitedThread,
} from './forms/thread-forms.ts';

export async function renderThreadPage(context: VisitedThread): Promise<string> {
  const { world, repository, thread, visitor } = context;
  const ofPull = thread.pull && markup`${renderReviewForm(context)}${renderMergeForm(context)}`;
  return renderFrame(world, {
    title: `${thread.title} · #${thread.number}`,
    repository,
    visitor,
    tab: thread.pull === undefined ? 'issues' : 'pulls',
    body: markup`${renderThreadHead(context, 'conversation')}
      <div class="columns">
        <div>${await conversation(context)}${renderChecks(context)}${ofPull}${renderCommentForm(context)}${renderEditForm(context)}</div>
        ${sidebar(context)}
      </div>`,
  });
}

interface Entry {
  at: string;
  /** Tells those of one second apart; commits have none and come last. */
  id: number;
  markup: Markup | undefined;
}

async function conversation(context: ThreadPage): Promise<Markup> {
  const { world, thread } = context;
  const opening = commentBox(
    context,
    { ...thread, body: thread.body ?? '', minimizedReason: undefined },
    'opening',
  );
  const entries: Entry[] = [
    ...thread.comments.map((comment) => ({
      at: comment.createdAt,
      id: comment.id,
      markup: commentBox(context, comment, `issuecomment-${comment.id}`),
    })),
    ...groupEvents(thread.timeline).map((group) => ({
      at: group[0]?.createdAt ?? '',
      id: group[0]?.id ?? 0,
      markup: eventLine(world, group),
    })),
    ...(thread.pull?.reviews ?? [])
      .filter((review) => review.state !== 'PENDING')
      .map((review) => ({
        at: review.submittedAt ?? '',
        id: review.id,
        markup: renderReviewBox(context, review),
      })),
    ...(await pushed(context)),
  ];
  const inOrder = entries.toSorted((a, b) => a.at.localeCompare(b.at) || a.id - b.id);
  return markup`${opening}${inOrder.map((entry) => entry.markup)}`;
}

/** The commits of a pull request, each when it was made. */
async function pushed({ world, repository, thread }: ThreadPage): Promise<Entry[]> {
  if (thread.pull === undefined) return [];
  const { commits } = await comparePull(repository, thread);
  return commits.map(({ sha, message, author }) => {
    const href = `/${fullName(world, repository)}/commit/${sha}`;
    const user = account(world, authorIdOf(author.email) ?? thread.userId);
    return {
      at: author.date,
      id: Number.MAX_SAFE_INTEGER,
      markup: markup`<div class="event">
        ${renderAvatar(user, 'small')} ${renderPerson(user)} committed ${message.split('\n')[0]}
        <a href="${href}"><code>${sha.slice(0, 7)}</code></a>
      </div>`,
    };
  });
}

type Speech = Pick<
  Comment,
  'body' | 'userId' | 'createdAt' | 'updatedAt' | 'reactions' | 'minimizedReason'
>;

function commentBox(context: ThreadPage, comment: Speech, anchor: string): Markup {
  const { world } = context;
  const user = account(world, comment.userId);
  const edited =
    anchor !== 'opening' && comment.updatedAt !== comment.createdAt ? markup` · edited` : undefined;
  const isAuthor = anchor !== 'opening' && comment.userId === context.thread.userId;
  return markup`<div class="item" id="${anchor}">
    ${renderAvatar(user)}
    <div class="comment">
      <h2 class="by">
        ${renderPerson(user)} commented ${renderTime(comment.createdAt)}${edited}<span class="right"
          >${isAuthor && markup`<span class="badge">Author</span>`}</span
        >
      </h2>
      ${speech(context, comment)}${renderReactions(world, comment.reactions)}
    </div>
  </div>`;

  function speech(at: ThreadPage, said: Speech): Markup {
    if (said.minimizedReason !== undefined)
      return markup`<div class="hidden-comment">
        This comment was marked as ${said.minimizedReason.toLowerCase().replaceAll('_', '-')}.
      </div>`;
    const body =
      said.body.trim() === ''
        ? markup`<p class="muted"><em>No description provided.</em></p>`
        : renderWords(at, said.body);
    return markup`<div class="md">${body}</div>`;
  }
}

/** Label changes that one account makes in a row read as one line. */
function groupEvents(timeline: readonly TimelineEvent[]): TimelineEvent[][] {
  const groups: TimelineEvent[][] = [];
  for (const event of timeline) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    const isSame =
      event.label !== undefined &&
      previous?.event === event.event &&
      previous.actorId === event.actorId &&
      previous.createdAt === event.createdAt;
    if (last !== undefined && isSame) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

const PLAIN: Record<string, string> = {
  closed: 'closed this',
  reopened: 'reopened this',
  locked: 'locked and limited the conversation to collaborators',
  unlocked: 'unlocked this conversation',
  ready_for_review: 'marked this pull request as ready for review',
  convert_to_draft: 'marked this pull request as draft',
  head_ref_force_pushed: 'force-pushed the head branch',
};

function eventLine(world: World, group: readonly TimelineEvent[]): Markup {
  const [event] = group;
  if (event === undefined) return markup``;
  const actor = account(world, event.actorId);
  const isBig = event.event === 'merged' || event.event === 'closed';
  return markup`<div class="event ${isBig ? 'big' : ''}">
    ${renderAvatar(actor, 'small')} ${renderPerson(actor)} ${eventText(world, group, event)}
    ${renderTime(event.createdAt)}
  </div>`;
}

function eventText(world: World, group: readonly TimelineEvent[], event: TimelineEvent): Markup {
  if (event.label !== undefined) return labelText(group, event);
  if (event.rename !== undefined)
    return markup`changed the title <del>${event.rename.from}</del> → <b>${event.rename.to}</b>`;
  const about = event.assigneeId ?? event.reviewerId;
  const words = event.event.replaceAll('_', ' ');
  if (about !== undefined) return markup`${words} ${renderPerson(account(world, about))}`;
  const commit = markup`<code>${(event.commitId ?? '').slice(0, 7)}</code>`;
  if (event.event === 'merged') return markup`merged commit ${commit}`;
  const isByCommit = event.event === 'closed' && event.commitId !== undefined;
  return markup`${PLAIN[event.event] ?? words}${isByCommit && markup` in ${commit}`}`;
}

function labelText(group: readonly TimelineEvent[], event: TimelineEvent): Markup {
  const labels = group.flatMap((one) => (one.label === undefined ? [] : [renderLabel(one.label)]));
  const verb = event.event === 'labeled' ? 'added' : 'removed';
  return markup`${verb} the ${labels} label${group.length > 1 ? 's' : ''}`;
}

function sidebar(context: VisitedThread): Markup {
  const { world, repository, thread } = context;
  const people = new Set([
    thread.userId,
    ...thread.comments.map((one) => one.userId),
    ...(thread.pull?.reviews ?? []).map((one) => one.userId),
  ]);
  const none = markup`<span class="muted">None yet</span>`;
  const assignees = thread.assigneeIds.map(
    (id) =>
      markup`<div>
        ${renderAvatar(account(world, id), 'small')} ${renderPerson(account(world, id))}
      </div>`,
  );
  const labels = labelsOf(repository, thread).map((label) => markup`${renderLabel(label)} `);
  const avatars = [...people].map((id) => markup`${renderAvatar(account(world, id), 'small')} `);
  return markup`<aside>
    <section>
      <h2>Assignees</h2>
      ${assignees.length > 0 ? assignees : none}
    </section>
    <section>
      <h2>Labels</h2>
      ${labels.length > 0 ? labels : none}${renderLabelPicker(context)}
    </section>
    <section>
      <h2>${people.size} participant${people.size === 1 ? '' : 's'}</h2>
      ${avatars}
    </section>
  </aside>`;
}
