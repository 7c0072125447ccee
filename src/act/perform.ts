/** Carries out one effect through the ports, as `EFFECTS` says. Each kind is safe to repeat: it looks for its own trace first. */
import type { Effect, EffectKind } from '../domain/event/effect.ts';
import { addCalls } from '../domain/run/ledger.ts';
import {
  bindPorts,
  toEffectContext,
  type Attempt,
  type DataOf,
  type EffectContext,
} from './effect-context.ts';
import { EFFECTS } from './effects.ts';
import { createRefuseOvertaken } from './refuse-overtaken.ts';
import { whereItIsNow } from './place.ts';
import type { ActPorts, Performed } from './ports.ts';

export type Perform = (effect: Effect, attempt: Attempt) => Promise<Performed>;

/** Binds the effects to the outside world; `concurrency` limits how many slow ones run at once. */
export function createPerform(ports: ActPorts, concurrency = Infinity): Perform {
  const bound = bindPorts(ports, concurrency);
  const refuseOvertaken = createRefuseOvertaken(ports);
  return async (decided, attempt) => {
    const effect = await whereItIsNow(decided, ports);
    const asked = await refuseOvertaken(effect);
    const { data } = effect;
    const performed = await performKind(data.kind, data, toEffectContext(bound, effect, attempt));
    addCalls(performed.githubCalls, asked);
    return performed;
  };
}

function performKind<K extends EffectKind>(
  kind: K,
  data: DataOf<K>,
  context: EffectContext,
): Promise<Performed<K>> {
  return EFFECTS[kind].perform(data, context);
}
