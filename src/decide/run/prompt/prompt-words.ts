/** What people said in a thread, as data: visible, without credentials, each with how far its author is trusted. */
import { withoutCommands } from '../../../domain/commands/command-line.ts';
import { quarantine, trustOf } from '../../../domain/prompt/quarantine.ts';
import {
  joinPrompt,
  NOTHING,
  prompt,
  type PromptText,
} from '../../../domain/prompt/prompt-text.ts';
import type { CommentView, IssueView } from '../../../domain/run/view.ts';
import type { DiscussionState } from '../../../domain/run/state/discussion-state.ts';

/** Characters of one comment. */
export const MAX_COMMENT = 4_000;
/** Of a review or a look at a build, where the thread is not what is judged. */
const MAX_BESIDE = 20;

type Talked = Pick<IssueView, 'comments' | 'self'>;

/** What others than the team have said, oldest first, without their commands: these are orders to the App. */
export function wordsOf({ comments, self }: Talked): CommentView[] {
  return comments.flatMap((comment) => {
    if (comment.author.id === self.id || comment.marker !== undefined) return [];
    const body = withoutCommands(comment.body);
    return body === '' ? [] : [{ ...comment, body }];
  });
}

export function commentBlock(comment: CommentView, nonce: string): PromptText {
  return quarantine(
    {
      source: `comment of ${comment.createdAt}`,
      author: comment.author.login,
      trust: trustOf(comment.permission),
      text: comment.body,
      isMarkdown: true,
      most: MAX_COMMENT,
    },
    nonce,
  ).block;
}

/** People's words, for a run about something else than the thread. They differ between looks: they stand after what is shared. */
export function commentsContext(view: Talked, nonce: string): PromptText {
  const said = wordsOf(view)
    .slice(-MAX_BESIDE)
    .map((comment) => commentBlock(comment, nonce));
  return said.length === 0 ? NOTHING : joinPrompt(['## What people said\n', ...said], '\n');
}

/** The question that the run stopped with: its answer says little without it. */
export function questionAsked(
  { wasBlocked, verdict }: Pick<DiscussionState, 'wasBlocked' | 'verdict'>,
  nonce: string,
): PromptText {
  if (!wasBlocked || verdict?.question === undefined) return NOTHING;
  const text = verdict.question;
  const { block } = quarantine(
    { source: 'what people were asked', trust: 'stranger', text },
    nonce,
  );
  return prompt`## What the team asked people here\n\n${block}`;
}
