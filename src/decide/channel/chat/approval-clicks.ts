/** Buttons that people press in a thread: which of them count. */
import { describeNewerHead, type ApprovalClick } from '../../../domain/channel/approval-click.ts';
import type { ChatLook } from '../../../domain/event/result.ts';
import type { ChatMessage } from '../../../domain/channel/chat-thread.ts';
import type { ChatState } from './chat-state.ts';

const MOST_CLICKED = 50;

export interface ClickProblem {
  reason: string;
  /** What its author reads of it. */
  say?: string;
}

/** Why a press does nothing; undefined where it counts, and for what is no press. */
export function clickProblem(
  state: ChatState,
  message: ChatMessage,
  look: ChatLook,
): ClickProblem | undefined {
  const { click } = message;
  if (click === undefined) return undefined;
  if (!isOfThread(state, click, look)) return { reason: 'the button is about another plan' };
  if (state.clicked?.includes(clickKey(message)) === true)
    return { reason: 'the button was pressed before' };
  // Only people who are known read what became of it.
  return look.person === undefined ? undefined : overtaken(click, look);
}

/** The conversation about a plan also shows the pull requests of its tasks. Its seal says that the button is of this thread. */
function isOfThread(
  { repository, number }: ChatState,
  click: ApprovalClick,
  look: ChatLook,
): boolean {
  return (
    look.repository?.repositoryId === click.repositoryId &&
    repository?.repositoryId === click.repositoryId &&
    (click.of === 'head' ? number !== undefined : number === click.number)
  );
}

/** An approval of a plan names its digest, so that GitHub's side compares it. A rejection names none. */
function overtaken({ of, verb, digest }: ApprovalClick, look: ChatLook): ClickProblem | undefined {
  if (of === 'head') {
    const { headSha } = look;
    if (headSha === digest) return undefined;
    return headSha === undefined
      ? { reason: 'the pull request is not open', say: NOT_OPEN }
      : { reason: 'the pull request has a newer head', say: describeNewerHead(headSha) };
  }
  if (verb === 'approve' || look.planDigest === digest) return undefined;
  return { reason: 'the plan changed after it was shown', say: CHANGED };
}

const CHANGED =
  'Not rejected. The plan changed after it was shown here. Read it on GitHub, then answer `/pm reject`.';
const NOT_OPEN = 'Not approved. The pull request is not open any more.';

/** A second press of the same person is ignored, until the buttons are about another text. */
export function noteClick(state: ChatState, message: ChatMessage): void {
  if (message.click === undefined) return;
  state.clicked = [...(state.clicked ?? []), clickKey(message)].slice(-MOST_CLICKED);
}

function clickKey({ click, message, author }: ChatMessage): string {
  return `${message}/${click?.verb}/${click?.digest}/${author.id}`;
}
