/** A moment in the life of a store: what people did in one repository, and which piece of work is held when it is copied. */
import type { EffectKind } from '../../../src/domain/event/effect.ts';
import type { EventData } from '../../../src/domain/event/event.ts';
import type { Work } from '../../../src/ports/store.ts';
import type { GitHubEmulator } from '../../../src/emulator/github/emulator-interface.ts';
import { PROJECT } from '../say-task.ts';

/** A repository with the people in it: `ana` administers it, `tom` writes to it. */
export interface Place {
  emulator: GitHubEmulator;
  /** `owner/name` */
  repo: string;
  appId: number;
}

export type Deed = (place: Place) => Promise<unknown>;

/**
 * `before`: the effect is not carried out yet. `after`: it is, and its result is not stored. `result`: its result is an
 * event that is not reduced yet. An `event` is not reduced yet.
 */
export type Hold =
  | { effect: EffectKind; point: 'before' | 'after' | 'result'; nth?: number }
  | { event: EventData['kind']; nth?: number };

export interface RetryContext {
  name: string;
  files?: Record<string, string>;
  /** Done while nothing is held, each when the one before it has come to rest. */
  before?: readonly Deed[];
  act: Deed;
  /** Absent: everything comes to rest before the store is copied. */
  hold?: Hold;
  /** What people do once the store has been opened again and has come to rest. */
  after?: Deed;
}

/** Where a hold stops a piece of work: before it is consumed, or before its result is settled. */
export function stopsAt(hold: Hold, work: Work): 'consume' | 'settle' | undefined {
  if ('event' in hold)
    return work.kind === 'event' && work.event.data.kind === hold.event ? 'consume' : undefined;
  if (hold.point === 'result') return isResultOf(hold.effect, work) ? 'consume' : undefined;
  if (work.kind !== 'effect' || work.effect.data.kind !== hold.effect) return undefined;
  return hold.point === 'before' ? 'consume' : 'settle';
}

function isResultOf(effect: EffectKind, work: Work): boolean {
  if (work.kind !== 'event' || work.event.data.kind !== 'done') return false;
  return work.event.data.effectKind === effect;
}

/** The repository's number in the key of a stream; those of whole installations are in none. */
export function repositoryIn(key: string): number | undefined {
  const id = /^(?!installation)[a-z-]+:(\d+)/.exec(key)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** A small Node project whose tests really run. */
export const WORK: Record<string, string> = {
  ...PROJECT,
  '.github/quorum.yml': 'review:\n  settleSeconds: 0\nmerge:\n  mode: auto\n',
};
