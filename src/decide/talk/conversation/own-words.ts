/** How much the team said in a thread lately: what GitHub shows, and what it does not show yet. */
import type { TalkView } from '../../../domain/run/talk.ts';
import type { TalkContext } from '../../run/command-context.ts';

const HOUR_MS = 3_600_000;

/**
 * When few enough of our comments are younger than an hour to allow another one, in milliseconds since the epoch. A
 * comment that is written now counts too.
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
 * Our comments within an hour. Several comments are answered at the same time, and their answers are not visible yet
 * while they are written. Those count as well (P6).
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
