/** In the agent job of a planning: the PM's proposal is kept as a value, and nothing that follows from it is done here. */
import type { Perform } from '../../../act/perform.ts';
import type { Decision } from '../../../decide/run/decision.ts';
import { THREAD_STATE_VERSION, type ThreadState } from '../../../decide/run/thread-context.ts';
import { toProposedWork } from '../../../domain/actions/proposed-work.ts';
import { QuorumError, RefusedError } from '../../../domain/event/errors.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import type { ClaimTicket } from './claim-ticket.ts';

/** What the PM needs to think; the apply job does the rest. */
const THINKING: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'look',
  'look-comment',
  'look-plan',
  'name-label',
  'propose',
]);

export interface Captured {
  perform: Perform;
  /** Its form is checked with the whole file; undefined where the PM was not asked. */
  proposed: () => unknown;
}

/** Without a planning in its ticket, no apply job could make a plan of a proposal: then the PM is not asked. */
export function captureProposal(
  perform: Perform,
  { planning }: Pick<ClaimTicket, 'planning'>,
): Captured {
  let proposed: unknown;
  return {
    proposed: () => proposed,
    perform: async (effect, attempt) => {
      if (effect.data.kind !== 'propose') return perform(effect, attempt);
      if (planning === undefined)
        throw new RefusedError({
          code: 'action-write-refused',
          message: 'A plan is asked for by a comment of its own, or by the label `plan-me`.',
        });
      try {
        const performed = await perform(effect, attempt);
        if (performed.effectKind === 'propose') proposed = toProposedWork(performed.result);
        return performed;
      } catch (error) {
        if (error instanceof QuorumError && !error.retryable)
          proposed = { failed: { code: error.code, message: error.message.slice(0, 4_000) } };
        throw error;
      }
    },
  };
}

/** What the thread of a planning begins with; undefined for all other work. */
export function seedOf({ planning, thread }: ClaimTicket): ThreadState | undefined {
  if (planning === undefined) return undefined;
  const plan = planning.isPlan ? { plan: { id: 'plan', step: 0, thread, tasks: {} } } : {};
  return { v: THREAD_STATE_VERSION, runs: {}, ...planning.seed, ...plan };
}

export function onlyThinking(decision: Decision): Decision {
  const effects = decision.effects.filter(({ data }) => THINKING.has(data.kind));
  return { ...decision, effects };
}
