/**
 * Posts of the owner that link to an issue or a pull request and speak to nobody. Each is answered once, with a question to
 * the team; none is a command, opens an issue, or is answered in quiet hours.
 */
import { readGitHubLink } from '../../../domain/channel/github-links.ts';
import type { ChatMessage } from '../../../domain/channel/chat-thread.ts';
import { emitTimer } from '../../run/decision.ts';
import type { ChatState, SaidInChat } from './chat-state.ts';
import type { Chatting } from './to-github.ts';

/** After three days without network nobody waits for a remark on what was posted before. */
const MOST_AGE_MS = 24 * 3_600_000;

/** Why it is left alone; undefined where it is not, and for everything that was said to the team. */
export function sharedProblem(
  { number }: ChatState,
  { why, links, at }: ChatMessage,
  now: number,
): string | undefined {
  if (why !== 'shared') return undefined;
  if (number !== undefined) return 'the thread is about an issue already';
  if (!links.some(isThread)) return 'it names no issue or pull request';
  return now - Date.parse(at) > MOST_AGE_MS ? 'it is too old to be answered unasked' : undefined;
}

/** What it links to that the team can be asked about. */
export function toAsked(said: SaidInChat): SaidInChat {
  const { message } = said;
  if (message.why !== 'shared') return said;
  return { message: { ...message, links: message.links.filter(isThread) } };
}

function isThread(link: string): boolean {
  return readGitHubLink(link)?.number !== undefined;
}

/** Waits for the end of the quiet hours. The thread goes on meanwhile. */
export function restUntil({ state, step, said }: Chatting, until: number): void {
  state.resting = { said, timer: emitTimer(step, 'quiet', Math.max(0, until - step.now)) };
}

/** The post that waited for this timer, to be read again; undefined where none did. */
export function wakeShared(state: ChatState, timer: string): SaidInChat | undefined {
  const { resting } = state;
  if (resting === undefined || resting.timer !== timer) return undefined;
  delete state.resting;
  return resting.said;
}
