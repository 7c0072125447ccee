/** The code watch as a run: an errand that a command starts on any thread of the repository, and answers there. */
import type { Strategy } from '../../scene.ts';
import { answer } from './answer.ts';
import { takeWatch } from './take.ts';

/** Spec 10: one call each; more of them would be another day's work for whoever reads the issues. */
const MAX_CANDIDATES = 5;

export const WATCH_STRATEGY: Strategy = {
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
  take: takeWatch,
};
