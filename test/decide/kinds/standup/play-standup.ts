/** A standup that a person asked for, played through its thread's reducer: what it wants is answered step by step. */
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import type { Effect, EffectData, EffectKind } from '../../../../src/domain/event/effect.ts';
import type { ErrorCode } from '../../../../src/domain/event/error-codes.ts';
import type { EventData, NewEvent } from '../../../../src/domain/event/event.ts';
import type { EffectResults } from '../../../../src/domain/event/result.ts';
import type { Trigger } from '../../../../src/domain/event/trigger.ts';
import type { Insight } from '../../../../src/domain/standup/insight.ts';
import type { StandupLook, StandupSettled } from '../../../../src/domain/standup/standup-run.ts';
import { ofKind, type Run } from '../../../../src/domain/run/state/run-record.ts';
import { raiseTension } from '../../../../src/domain/tension/move-tension.ts';
import { NO_TENSIONS, type Tension } from '../../../../src/domain/tension/tension.ts';
import { anInsight } from '../../../domain/standup/some-insights.ts';
import { aRecord } from '../../../domain/standup/some-record.ts';
import { aPersona } from '../../../helpers/a-persona.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';
import { CALL } from '../../talk/commands/run-here.ts';
import { reduce, say } from '../../talk/commands/say-on-thread.ts';

export const HEAD = 'a'.repeat(40);
export const COMMENT = 4711;
export const TEAM = ['maya', 'carlos'].map((handle) =>
  aPersona({ handle, name: `Name ${handle}` }),
);
export const INSIGHT = anInsight();
export const QUIET = anInsight({ from: 'carlos', type: 'none', message: '', actionable: false });

export const LOOK: StandupLook = {
  config: defaultConfig(),
  record: aRecord(),
  personas: TEAM,
  memories: {},
  relationships: {},
  strictness: 'even',
  offline: {},
  nonce: 'k7Qm2Xp9Lw4Rt8Vz3Bn6',
};

export const SETTLED: StandupSettled = {
  headSha: HEAD,
  insights: [INSIGHT, QUIET],
  invented: 0,
  followUps: {},
  demoted: [],
  closed: [],
};

/** The tension that an insight raises, in a repository without any. */
export function aTension(over: Partial<Tension> = {}, insight: Insight = INSIGHT): Tension {
  const { tension } = raiseTension(NO_TENSIONS, insight, {
    at: '2026-03-02T08:00:00.000Z',
    viewed: { texts: {} },
  });
  return { ...tension, ...over };
}

interface Waiting {
  id: string;
  run: string;
  kind: EffectKind;
}

type Wanted<K extends EffectKind> = Extract<EffectData, { kind: K }>;

export class StandupPlay {
  state: ThreadState;
  /** Of the last event. */
  effects: Effect[] = [];
  events: NewEvent[] = [];
  ignored: string | undefined;
  readonly #wanted: Waiting[] = [];
  #count = 0;

  constructor(state: ThreadState) {
    this.state = state;
  }

  get run(): Run<'standup'> {
    const runs = Object.values(this.state.runs).flatMap((run) => ofKind(run, 'standup') ?? []);
    const run = runs.at(-1);
    if (run === undefined) throw new Error('no standup is held');
    return run;
  }

  get kinds(): string[] {
    return this.effects.map(({ data }) => data.kind);
  }

  tell(data: EventData): this {
    this.#count += 1;
    const decision = reduce(this.state, `told-${this.#count}`, data);
    this.state = decision.state as ThreadState;
    ({ effects: this.effects, events: this.events, ignored: this.ignored } = decision);
    for (const { id, run, data: wanted } of decision.effects)
      this.expect({ id, run, kind: wanted.kind });
    return this;
  }

  expect(effect: Waiting): void {
    this.#wanted.push(effect);
  }

  trigger(trigger: Trigger): this {
    return this.tell({ kind: 'trigger', trigger });
  }

  /** What the last event made it want. */
  wants<K extends EffectKind>(kind: K): Wanted<K>[] {
    return this.effects.flatMap(({ data }) => (data.kind === kind ? [data as Wanted<K>] : []));
  }

  /** Answers the oldest effect of this kind that waits. */
  answer<K extends EffectKind>(kind: K, result: EffectResults[K]): this {
    const { effectId, run } = this.#take(kind);
    return this.tell({ kind: 'done', effectKind: kind, effectId, run, result } as EventData);
  }

  fail(kind: EffectKind, code: ErrorCode): this {
    const { effectId, run } = this.#take(kind);
    const failure = { code, message: 'no', retryable: false, attempts: 1 };
    return this.tell({ kind: 'failed', effectKind: kind, effectId, run, failure });
  }

  /** Fires the timer that the last event set. */
  passTime(): this {
    const timer = this.events.find(({ data }) => data.kind === 'timer');
    if (timer === undefined) throw new Error('no timer was set');
    return this.tell(timer.data);
  }

  #take(kind: EffectKind): { effectId: string; run: string } {
    const at = this.#wanted.findIndex((each) => each.kind === kind);
    const [effect] = at === -1 ? [] : this.#wanted.splice(at, 1);
    if (effect === undefined) throw new Error(`nothing waits for ${kind}`);
    return { effectId: effect.id, run: effect.run };
  }
}

/** A person asked for it, and what it looks back on is being read. */
export function asked(): StandupPlay {
  const play = new StandupPlay(say('/pm standup').state);
  const { id, phase } = play.run;
  if (phase.kind !== 'looking') throw new Error(`it is ${phase.kind}`);
  play.expect({ id: phase.effectId, run: id, kind: 'look-standup' });
  return play;
}

/** Everybody was asked. */
export function answering(look: Partial<StandupLook> = {}): StandupPlay {
  return asked().answer('look-standup', { ...LOOK, ...look });
}

/** What a participant says; this model's call costs a quarter of a dollar. */
export function saying(value: unknown): EffectResults['ask'] {
  return { value, calls: [CALL] };
}

/** Everybody has answered, and what was said is being checked. */
export function settling(look: Partial<StandupLook> = {}): StandupPlay {
  const play = answering(look);
  for (const { handle } of look.personas ?? TEAM) play.answer('ask', saying({ from: handle }));
  return play;
}

/** Its comment is on GitHub. */
export function shown(settled: Partial<StandupSettled> = {}): StandupPlay {
  return settling()
    .answer('settle-standup', { ...SETTLED, ...settled })
    .answer('comment', { id: COMMENT, url: '', outcome: 'created' });
}

/** Somebody edited our comment. */
export function edited(play: StandupPlay, commentId = COMMENT): StandupPlay {
  return play.trigger({ kind: 'own-comment-edited', thread: THREAD, actor: ANA, commentId });
}
