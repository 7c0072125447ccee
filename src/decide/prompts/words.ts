/** What people said in a thread, as data: visible, without credentials, each with how far its author is trusted. */
import type { CouncilRun } from '../../domain/council.ts';
import { quarantine, trustOf } from '../../domain/quarantine.ts';
import { redactSecrets } from '../../domain/secret-text.ts';
import type { CommentView, IssueView } from '../../domain/view.ts';
import { countHidden, visibleText } from '../../domain/visible-text.ts';

/** Characters of one comment. */
export const MAX_COMMENT = 4_000;
/** Of a review or a look at a build, where the thread is not what is judged. */
const MAX_BESIDE = 20;

type Talked = Pick<IssueView, 'comments' | 'self'>;

/** What others than the team have said, oldest first. */
export function wordsOf({ comments, self }: Talked): CommentView[] {
  return comments.filter(
    (comment) => comment.author.id !== self.id && comment.marker === undefined,
  );
}

export function commentBlock(comment: CommentView, nonce: string): string {
  const { text, hidden, cut } = visibleText(comment.body, MAX_COMMENT);
  return quarantine(
    {
      source: `comment of ${comment.createdAt}`,
      author: comment.author.login,
      trust: trustOf(comment.permission),
      text: redactSecrets(text),
      hidden: countHidden(hidden),
      cut,
    },
    nonce,
  ).block;
}

/** People's words, for a run about something else than the thread. They differ between looks: they stand after what is shared. */
export function commentsContext(view: Talked, nonce: string): string {
  const said = wordsOf(view)
    .slice(-MAX_BESIDE)
    .map((comment) => commentBlock(comment, nonce));
  return said.length === 0 ? '' : ['## What people said', '', ...said].join('\n');
}

/** The question that the run stopped with: its answer says little without it. */
export function questionAsked({ wasBlocked, verdict }: CouncilRun, nonce: string): string {
  if (!wasBlocked || verdict?.question === undefined) return '';
  const text = verdict.question;
  const { block } = quarantine(
    { source: 'what people were asked', trust: 'stranger', text },
    nonce,
  );
  return `## What the team asked people here\n\n${block}`;
}
