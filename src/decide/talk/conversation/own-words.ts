/** How much the team said in a thread lately: what GitHub shows, and what it does not show yet. */
import type { TalkView } from '../../../domain/run/talk.ts';
import type { TalkContext } from '../../run/command-context.ts';

const HOUR_MS = 3_600_000;

/**
 * When so few comments of ours are younger than an hour that another one may be written, in milliseconds since the epoch.
 * One more that is written now counts too.
 */
export function quietUntil(
  { step }: Pick<TalkContext, 'step'>,
  { comments, self }: Pick<TalkView, 'comments' | 'self'>,
  most: number,
): number {
  const own = comments
    .filter(({ author }) => author.id === self.id)
    .map(({ createdAt }) => Date.parse(createdAt))
    .toSorted((a, b) => b - a);
  return (own[most - 2] ?? step.now) + HOUR_MS;
}

/**
 * Comments of ours within an hour. Several comments are answered at the same time, and none of the answers is to be seen
 * while they are written: those count as well (P6).
 */
export function ownInAnHour(
  { state, talk, step }: TalkContext,
  { comments, self }: Pick<TalkView, 'comments' | 'self'>,
): number {
  const isRecent = (at: string): boolean => step.now - Date.parse(at) < HOUR_MS;
  const shown = comments.filter(
    ({ author, createdAt }) => author.id === self.id && isRecent(createdAt),
  ).length;
  const given = new Set((state.answers ?? []).filter(({ at }) => isRecent(at)).map(({ id }) => id));
  const underWay = Object.values(state.talks ?? {}).filter(
    ({ id, phase }) => id !== talk.id && (phase.kind === 'looking' || phase.kind === 'asking'),
  );
  return Math.max(shown, given.size) + underWay.length;
}
