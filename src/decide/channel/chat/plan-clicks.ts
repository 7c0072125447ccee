/** Buttons that people press below a plan in a thread: which of them count. */
import type { ChatLook } from '../../../domain/event/result.ts';
import type { ChatMessage } from '../../../domain/channel/chat-thread.ts';
import type { ChatState } from './chat-state.ts';

const MOST_CLICKED = 50;

/** Why a press does nothing; undefined where it counts, and for what is no press. `say`: what its author reads of it. */
export function clickProblem(
  { repository, number, clicked = [] }: ChatState,
  message: ChatMessage,
  look: ChatLook,
): { reason: string; say?: string } | undefined {
  const { click } = message;
  if (click === undefined) return undefined;
  const isOfThread =
    look.repository?.repositoryId === click.repositoryId &&
    repository?.repositoryId === click.repositoryId &&
    number === click.number;
  if (!isOfThread) return { reason: 'the button is about another plan' };
  if (clicked.includes(clickKey(message))) return { reason: 'the button was pressed before' };
  // An approval names the digest, so that GitHub's side compares it. A rejection names none.
  if (click.verb === 'reject' && look.person !== undefined && look.planDigest !== click.digest)
    return {
      reason: 'the plan changed after it was shown',
      say: 'Not rejected. The plan changed after it was shown here. Read it on GitHub, then answer `/pm reject`.',
    };
  return undefined;
}

/** A second press of the same person is ignored, until the buttons are about another text. */
export function noteClick(state: ChatState, message: ChatMessage): void {
  if (message.click === undefined) return;
  state.clicked = [...(state.clicked ?? []), clickKey(message)].slice(-MOST_CLICKED);
}

function clickKey({ click, message, author }: ChatMessage): string {
  return `${message}/${click?.verb}/${click?.digest}/${author.id}`;
}
