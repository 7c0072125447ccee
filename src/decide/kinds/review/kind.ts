/** A review of a pull request: one check run that tells how far it is, and one real review when there is something to say. */
import { discussion } from '../../discussion/discussion.ts';
import { onPosted } from './heads.ts';
import { onPull } from './look.ts';
import { carryOutReview, showCheck } from './show-review.ts';

export const PR_REVIEW = discussion<'pr_review', 'look-pull'>({
  name: 'Review',
  read: 'look-pull',
  onRead: onPull,
  onOwnResult: (context, data) =>
    data.kind !== 'timer' && data.effectKind === 'review' ? onPosted(context, data) : undefined,
  look: (run) => ({
    kind: 'look-pull',
    thread: run.thread,
    actor: { id: run.actor.id, login: run.actor.login },
    isAsked: run.isRequested,
    ...(run.author === undefined ? {} : { author: run.author }),
    since: run.reviewedSha,
    withComments: run.phase.kind === 'listening' || run.wasBlocked,
  }),
  show: showCheck,
  end: (context) => {
    if (context.run.status === 'closed') showCheck(context);
    else carryOutReview(context);
  },
});
