/** The code watch as a standalone run: a command starts it on any thread of the repository, and it answers there. */
import type { Strategy } from '../../run/thread-context.ts';
import { answer } from './answer.ts';

/** Spec 10: one call each; more of them would be another day's work for whoever reads the issues. */
const MAX_CANDIDATES = 5;

export const WATCH_STRATEGY: Strategy<'code_watch'> = {
  look: ({ thread, actor, path = '' }) => ({
    kind: 'look-code',
    thread,
    actor: { id: actor.id, login: actor.login },
    path,
    limit: MAX_CANDIDATES,
  }),
  // The command itself got its reaction.
  acknowledge: () => undefined,
  retract: () => undefined,
  show: (scene) => {
    if (scene.run.status === 'closed') answer(scene);
  },
  carryOut: answer,
};
