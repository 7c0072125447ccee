/** A review in the conversation of a pull request: its text, then what it says on lines. */
import type { Review } from '../world/world-model.ts';
import { account } from '../world/world.ts';
import { renderConversation } from './render-conversation.ts';
import { markup, type Markup } from './html.ts';
import {
  renderAvatar,
  renderPerson,
  renderTime,
  renderWords,
  type ThreadPage,
} from './page-parts.ts';

const VERDICTS: Record<Review['state'], string> = {
  PENDING: 'started a review',
  COMMENTED: 'reviewed',
  APPROVED: '✅ approved these changes',
  CHANGES_REQUESTED: '❌ requested changes',
  DISMISSED: 'reviewed (dismissed)',
};

/** Undefined for a review with replies only: they are shown in their own conversations. */
export function renderReviewBox(context: ThreadPage, review: Review): Markup | undefined {
  const { world, thread } = context;
  const own = (thread.pull?.reviewComments ?? []).filter((one) => one.reviewId === review.id);
  const heads = own.filter((one) => one.inReplyToId === undefined);
  const isReply = heads.length < own.length && heads.length === 0;
  if (isReply && review.body === '' && review.state === 'COMMENTED') return undefined;
  const user = account(world, review.userId);
  const talks = heads.map((head) => renderConversation(context, head, { hasLines: true }));
  return markup`<div class="item" id="pullrequestreview-${review.id}">
    ${renderAvatar(user)}
    <div class="comment">
      <h2 class="by">
        ${renderPerson(user)} ${VERDICTS[review.state]}
        ${renderTime(review.submittedAt ?? thread.createdAt)}
      </h2>
      ${renderText(context, review)}${talks}
    </div>
  </div>`;
}

function renderText(context: ThreadPage, review: Review): Markup | undefined {
  if (review.body === '') return undefined;
  const text = markup`<div class="md">${renderWords(context, review.body)}</div>`;
  const { minimizedReason } = review;
  if (minimizedReason === undefined) return text;
  return markup`<details class="hidden-comment">
    <summary>This review was marked as ${minimizedReason.toLowerCase()}.</summary>
    ${text}
  </details>`;
}
