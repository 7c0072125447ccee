/** When a conversation has gone on long enough (TG-13). */
import type { Conversation, Utterance } from './conversation.ts';

export interface WindingLimits {
  /** Own replies in one exchange. */
  replies: number;
  /** Comments in one exchange, by anyone. */
  depth: number;
  /** A person who speaks after this long begins a new exchange. */
  silenceMs: number;
  /** Nobody answered us for so long: the talk is over. */
  unansweredMs: number;
}

const MINUTE = 60_000;
export const CHAT_LIMITS: WindingLimits = {
  replies: 4,
  depth: 12,
  silenceMs: 30 * MINUTE,
  unansweredMs: 60 * MINUTE,
};
export const PROJECT_LIMITS: WindingLimits = {
  ...CHAT_LIMITS,
  replies: 10,
  unansweredMs: 240 * MINUTE,
};

export type WindingReason = 'replies' | 'depth' | 'silence' | 'unanswered';

/** Within what bounds a persona may move its own limits (TG-1b). */
const BOUNDS: Readonly<Record<keyof WindingLimits, readonly [number, number]>> = {
  replies: [1, 20],
  depth: [2, 40],
  silenceMs: [MINUTE, 24 * 60 * MINUTE],
  unansweredMs: [MINUTE, 24 * 60 * MINUTE],
};

/** The limits of a thread, with a persona's own wishes inside safe bounds. */
export function limitsFor(
  { isProject }: Pick<Conversation, 'isProject'>,
  own: Partial<WindingLimits> = {},
): WindingLimits {
  const limits = { ...(isProject ? PROJECT_LIMITS : CHAT_LIMITS) };
  for (const key of ['replies', 'depth', 'silenceMs', 'unansweredMs'] as const) {
    const wish = own[key];
    const [least, most] = BOUNDS[key];
    if (wish !== undefined && Number.isFinite(wish))
      limits[key] = Math.min(most, Math.max(least, wish));
  }
  return limits;
}

/**
 * The comments of the exchange that goes on: since a person spoke after a silence. Agents never begin one, so that a
 * slow bot does not start the count again.
 */
export function currentExchange(
  { comments }: Conversation,
  { silenceMs }: Pick<WindingLimits, 'silenceMs'>,
): readonly Utterance[] {
  const start = comments.findLastIndex(({ kind, at }, index) => {
    const before = comments[index - 1];
    return kind === 'person' && before !== undefined && at - before.at >= silenceMs;
  });
  return comments.slice(Math.max(0, start));
}

/** Why the conversation is over, as far as speaking unasked goes; undefined while it is not. */
export function windingDown(
  conversation: Conversation,
  limits: WindingLimits,
  now: number,
): WindingReason | undefined {
  const exchange = currentExchange(conversation, limits);
  const last = exchange.at(-1);
  if (exchange.filter(({ kind }) => kind === 'us').length >= limits.replies) return 'replies';
  if (exchange.length >= limits.depth) return 'depth';
  if (last === undefined) return undefined;
  if (last.kind === 'us') return now - last.at >= limits.unansweredMs ? 'unanswered' : undefined;
  return now - last.at >= limits.silenceMs ? 'silence' : undefined;
}
