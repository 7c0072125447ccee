/** The code watch as a standalone run: a command starts it in a thread, where it answers. What the clock starts answers nobody. */
import type { RunKind } from '../../run/thread-context.ts';
import { postAnswer } from './answer.ts';
import { onWatch } from './on-watch.ts';

/** Spec 10: one call each. More candidates would be another day's work for the people who read the issues. */
const MAX_CANDIDATES = 5;

export const CODE_WATCH: RunKind<'code_watch'> = {
  name: 'Code watch',
  look: ({ thread, actor, path = '' }) => ({
    kind: 'look-code',
    thread,
    actor: { id: actor.id, login: actor.login },
    path,
    limit: MAX_CANDIDATES,
  }),
  onEvent: onWatch,
  // Nothing on the way: the command itself got its reaction.
  show: () => undefined,
  end: postAnswer,
};
