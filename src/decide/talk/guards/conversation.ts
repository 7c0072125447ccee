/** A conversation as the loop guards see it: who spoke, of what kind, when, and to whom. */

/** `us` is this instance, `bot` an automated account by type or App, `peer` another agent, `person` anyone else. */
export type SpeakerKind = 'us' | 'peer' | 'person' | 'bot';

export interface Utterance {
  id: number;
  /** Login, or whatever names the speaker on the platform. */
  by: string;
  kind: SpeakerKind;
  /** Milliseconds since the epoch. */
  at: number;
  text: string;
  /** Whether it names us, one of our personas or `/pm`. */
  addressesUs: boolean;
  /** Names of others that it speaks to directly. */
  addresses: readonly string[];
}

export interface Conversation {
  /** Oldest first. */
  comments: readonly Utterance[];
  /** A thread about work that takes days (a plan, a pull request of the team), not a chat. */
  isProject: boolean;
}

/** An account as the platform shows it. */
export interface Speaker {
  by: string;
  /** Account type, or written by an App. */
  isBot: boolean;
}

export interface KnownSpeakers {
  /** Names of this instance's accounts. */
  us: readonly string[];
  /** Agents that the repository knows (`access.peers`). */
  agents: readonly string[];
  /** Who opened the thread. */
  author: string;
  /** People with a role in the repository. */
  members: readonly string[];
}

/**
 * Tells speakers apart by kind. Where no agents are known and automated accounts take part, anyone who is neither the
 * author nor a member may be an agent. They count as peers (TG-10).
 */
export function classifySpeakers(
  speakers: readonly Speaker[],
  known: KnownSpeakers,
): ReadonlyMap<string, SpeakerKind> {
  const hasOthers = speakers.some(({ by, isBot }) => isBot && !isIn(known.us, by));
  const kindOf = ({ by, isBot }: Speaker): SpeakerKind => {
    if (isIn(known.us, by)) return 'us';
    if (isIn(known.agents, by)) return 'peer';
    if (isBot) return 'bot';
    return known.agents.length > 0 || !hasOthers || isIn([known.author, ...known.members], by)
      ? 'person'
      : 'peer';
  };
  return new Map(speakers.map((speaker) => [speaker.by, kindOf(speaker)]));
}

function isIn(list: readonly string[], by: string): boolean {
  return list.some((each) => each.toLowerCase() === by.toLowerCase());
}

/** Whether a comment came out of a machine, or may have. */
export function isAutomated({ kind }: Pick<Utterance, 'kind'>): boolean {
  return kind !== 'person';
}

/** What was said after the last comment that fits; everything when none does. */
export function since(
  { comments }: Conversation,
  fits: (comment: Utterance) => boolean,
): readonly Utterance[] {
  return comments.slice(comments.findLastIndex(fits) + 1);
}
