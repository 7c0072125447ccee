/** A message in a chat becomes an issue on GitHub, or a comment on the one that its thread is about. */
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { reactTo, tellCut, tellPause } from './say-in-chat.ts';
import { aboutNumber, openAskedIssue, relay, type Chatting } from './to-github.ts';

/** To GitHub: as a new issue, or quoted in the one that it is about. */
export function bringToGitHub(chatting: Chatting, repository: RepositoryRef): undefined {
  const { said } = chatting;
  tellPause(chatting, repository);
  tellCut(chatting, repository);
  const about = aboutNumber(chatting);
  if (about === undefined) openAskedIssue(chatting, repository);
  else relay(chatting, { ...repository, number: about });
  // The message of a press is ours; it changes once the plan is answered. A recording was shown as seen before.
  if (said.message.click === undefined && said.isSpoken !== true)
    reactTo(chatting, repository, 'seen');
  return undefined;
}
