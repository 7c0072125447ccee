/** What carrying out an effect needs: the ports, what is bound to them once, and what is known of this attempt. */
import type { Effect, EffectData, EffectKind } from '../domain/event/effect.ts';
import type { Trace } from '../ports/github/github-writer.ts';
import type { Waits } from '../ports/store.ts';
import { createReadMemory, type KeptMemory } from './memory/read-memory.ts';
import { createRecall, type Recall } from './memory/recall.ts';
import { createLook, type Look } from './read/look.ts';
import type { ActPorts } from './ports.ts';
import { createSettings, type ReadSettings } from './settings/read-settings.ts';
import { createUnsignedReason, type UnsignedReason } from './settings/signatures.ts';
import { createBaseTests, type CountBase } from './task/base-tests.ts';
import { createProjects, type FillProject } from './task/coder/project.ts';
import { createConcurrencyLimit, type ConcurrencyLimit } from './task/coder/concurrency-limit.ts';
import { createTeamNames, type TeamNames } from './settings/team-names.ts';
import { findTrace } from './trace.ts';

/** The data of one kind of effect. */
export type DataOf<K extends EffectKind> = Extract<EffectData, { kind: K }>;

/** How sure it is that nothing of an effect was done before. */
export interface Attempt {
  /** No earlier attempt can have begun it, and it was decided just now. */
  isFirst: boolean;
  /** No earlier attempt can have begun it, however old it is; as `isFirst` when absent. */
  isUntouched?: boolean;
  /** What it was given back for last, where that was a failure that may pass. */
  waits?: Waits;
}

/** Bound to the ports once, for all effects. */
export interface Bound {
  ports: ActPorts;
  readSettings: ReadSettings;
  look: Look;
  readMemory: KeptMemory;
  recall: Recall;
  teamNames: TeamNames;
  readUnsignedReason: UnsignedReason;
  countBase: CountBase;
  fillProject: FillProject;
  turns: ConcurrencyLimit;
}

export interface EffectContext extends Bound, Required<Omit<Attempt, 'waits'>> {
  waits: Waits | undefined;
  effect: Effect;
  effectId: string;
  run: string;
  /** When it was decided, ISO 8601. */
  at: string;
  /** Whether nothing can be there yet of what is written: then it need not be looked for. */
  isNew: boolean;
  /** What earlier writes under the same marker have left, by the store; of a check run by its name. */
  trace: (name?: string) => Promise<Trace>;
}

export function bindPorts(ports: ActPorts, concurrency: number): Bound {
  const readSettings = createSettings(ports);
  const fillProject = createProjects(ports);
  const readMemory = createReadMemory(ports);
  const recall = createRecall(ports, readMemory);
  return {
    ports,
    readSettings,
    look: createLook(ports, { settingsOf: readSettings, recall }),
    readMemory,
    recall,
    teamNames: createTeamNames(ports, readSettings),
    readUnsignedReason: createUnsignedReason(ports),
    fillProject,
    countBase: createBaseTests(ports, { fillProject }),
    turns: createConcurrencyLimit(concurrency),
  };
}

export function toEffectContext(
  bound: Bound,
  effect: Effect,
  { isFirst, isUntouched = isFirst, waits }: Attempt,
): EffectContext {
  const { id: effectId, run, at, data } = effect;
  const { records } = bound.ports.store;
  return {
    ...bound,
    effect,
    effectId,
    run,
    at,
    isFirst,
    isUntouched,
    waits,
    isNew: isFirst && 'isNew' in data,
    trace: (name) => findTrace(effect, { records, mayHaveBegun: !isUntouched }, name),
  };
}
