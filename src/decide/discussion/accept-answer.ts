/** Takes what people commented while a run waits: an answer to its question, or new comments. */
import { ALLOWED, forbid, type Permit } from '../../domain/run/permit/permit.ts';
import { withoutCommands } from '../../domain/commands/command-line.ts';
import type { DiscussionRun } from '../../domain/run/state/run-record.ts';
import { hasPermission } from '../../domain/run/thread-ref.ts';
import type { CommentView, IssueView } from '../../domain/run/view.ts';

/** Enough of an answer to be remembered. */
const MAX_ANSWER = 300;

/** A thread in which people have spoken. */
interface Talked extends Pick<IssueView, 'comments' | 'self'> {
  issue: Pick<IssueView['issue'], 'author'> & { assignees?: readonly string[] };
  repository: Pick<IssueView['repository'], 'isPrivate'>;
}

/**
 * NW-10: the author, the person who asked for the run, an assignee, or anybody with the triage role may answer a question. The
 * run then continues, and later comments belong to the discussion. Other comments are refused as answers.
 */
export function acceptAnswer(run: DiscussionRun, view: Talked): Permit {
  const answer = newWords(run, view).find((comment) => isEntitled(comment, run, view));
  if (answer === undefined) {
    run.phase = { kind: 'waiting' };
    return forbid('nobody entitled to has answered');
  }
  run.status = 'active';
  if (run.needsYou !== undefined) {
    const { owner, question } = run.needsYou;
    const words = withoutCommands(answer.body).slice(0, MAX_ANSWER);
    run.answered = { owner, question, by: answer.author.login, words };
  }
  delete run.needsYou;
  delete run.reminderTimer;
  delete run.bounded;
  return ALLOWED;
}

/**
 * A login from the configuration or from an earlier event may belong to a different person now, so the role decides. In a private
 * repository, everybody who can comment has been given access.
 */
function isEntitled(comment: CommentView, run: DiscussionRun, view: Talked): boolean {
  // Where a push began the run, nobody asked for it.
  const hasAsked = run.label !== '' && comment.author.id === run.actor.id;
  return (
    hasAsked ||
    comment.author.id === view.issue.author.id ||
    view.issue.assignees?.includes(comment.author.login) === true ||
    (view.repository.isPrivate && comment.author.login === run.settings.owner) ||
    hasPermission(comment.permission, 'triage')
  );
}

function newWords(run: DiscussionRun, view: Talked): CommentView[] {
  return view.comments.filter(
    (comment) =>
      comment.id > run.heardCommentId &&
      comment.marker === undefined &&
      !comment.author.isBot &&
      comment.author.id !== view.self.id &&
      withoutCommands(comment.body) !== '',
  );
}

/** Records the comments in the view as read. */
export function noteComments(run: DiscussionRun, view: Pick<Talked, 'comments'>): void {
  run.heardCommentId = Math.max(
    run.heardCommentId,
    ...view.comments.map((comment) => comment.id),
    0,
  );
}
