/** What people say of a finding, and whose word counts (12, rule 6). */
import type { FindingReply } from '../../../../domain/review/review.ts';
import { hasPermission, type Actor, type Permission } from '../../../../domain/run/thread-ref.ts';

/** Why a finding is settled, and by whom. */
export interface Dismissal {
  settledBy: string;
  why: string;
}

interface Said {
  by: Actor;
  permission: Permission;
}

/** A finding that people found right, or not; undefined when they said nothing, `split` when they do not agree. */
export type Word = 'accepted' | 'declined' | 'split' | undefined;

/** Written to the ledger where a conversation was resolved without another word. */
export const RESOLVED = 'the conversation was resolved';

/** Words that decline a finding, at the beginning of a reply. */
const DECLINES =
  /^\s*(?:won['’]?t ?fix|not (?:a (?:bug|problem|issue)|an issue|relevant)|false (?:positive|alarm)|intended|by design|on purpose|dismiss(?:ed)?|ignore|no thanks)\b/i;

/** Declines mute a reviewer for everybody, so they take a role. Otherwise the author could decline every finding. */
function mayDecline({ by, permission }: Said): boolean {
  return !by.isBot && hasPermission(permission, 'triage');
}

/** Saying that a finding was right can only bring a voice back: that is the author's to say as well. */
function mayAccept(said: Said, authorId: number): boolean {
  return mayDecline(said) || (!said.by.isBot && said.by.id === authorId);
}

/** A thumb down, or a reply that declines. */
export function wordOf(reply: FindingReply): Dismissal | undefined {
  const down = thumbs(reply, '-1').find(mayDecline);
  if (down !== undefined) return { settledBy: down.by.login, why: 'a thumb down' };
  const word = refusals(reply).find(mayDecline);
  return word === undefined
    ? undefined
    : { settledBy: word.by.login, why: word.body.trim().slice(0, 200) };
}

/** GitHub lets the author of a pull request resolve what it likes; only a role here makes that a word. */
export function resolutionOf({ isResolved, resolvedBy }: FindingReply): Dismissal | undefined {
  if (!isResolved || resolvedBy === undefined || !mayDecline(resolvedBy)) return undefined;
  return { settledBy: resolvedBy.by.login, why: RESOLVED };
}

/** Each person counts once, and one who says both says neither. */
export function peoplesWord(reply: FindingReply, authorId: number): Word {
  const up = idsOf(thumbs(reply, '+1').filter((said) => mayAccept(said, authorId)));
  const down = idsOf([...thumbs(reply, '-1'), ...refusals(reply)].filter(mayDecline));
  const ups = [...up].filter((id) => !down.has(id)).length;
  const downs = [...down].filter((id) => !up.has(id)).length;
  if (ups === downs) return up.size + down.size === 0 ? undefined : 'split';
  return ups > downs ? 'accepted' : 'declined';
}

function thumbs({ reactions }: FindingReply, content: '+1' | '-1'): FindingReply['reactions'] {
  return reactions.filter((each) => each.content === content);
}

function refusals({ replies }: FindingReply): FindingReply['replies'] {
  return replies.filter((each) => !each.isOurs && DECLINES.test(each.body));
}

function idsOf(said: readonly Said[]): Set<number> {
  return new Set(said.map(({ by }) => by.id));
}
