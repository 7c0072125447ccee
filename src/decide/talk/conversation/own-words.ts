/** How much the team said in a thread lately: what GitHub shows, and what it does not show yet. */
import type { TalkView } from '../../../domain/run/talk.ts';
import type { TalkContext } from '../../run/command-context.ts';

const HOUR_MS = 3_600_000;

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
