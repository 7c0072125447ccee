/**
 * The channels of one repository over days, with the real reducer, act, retries and adapter: only the clock, the queue and
 * GitHub are in memory.
 */
import { announce } from '../../src/act/channel/announce.ts';
import { replyInChat } from '../../src/act/channel/chat-writes.ts';
import { decideChannels } from '../../src/decide/channel/decide-channels.ts';
import type { Announced } from '../../src/domain/channel/announce/announcement.ts';
import type { ChannelName, ChatThread } from '../../src/domain/channel/chat-thread.ts';
import type { Config } from '../../src/domain/config/config.ts';
import type { Effect } from '../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData, type NewEvent } from '../../src/domain/event/event.ts';
import type { Channel } from '../../src/ports/channel.ts';
import type { EffectWork } from '../../src/ports/store.ts';
import { afterFailure } from '../../src/retry.ts';
import { aChannelWorld, REPOSITORY } from '../act/channel/a-channel-world.ts';
import type { InstantClock } from './an-instant-clock.ts';

export interface ChannelLife {
  config: Config;
  /** Codes of failures, oldest first. */
  failures: string[];
  /** Something happens on GitHub, after this time. */
  happens(afterMs: number, number: number, announced?: Announced): void;
  /** The issue is what this thread asked for. */
  joins(thread: ChatThread, number: number): void;
  /** The team answers on GitHub, after this time. */
  answers(afterMs: number, number: number, markdown: string): void;
  /** Until nothing waits any more, or this time has passed. */
  pass(ms: number): Promise<void>;
}

interface Due {
  at: number;
  run: () => Promise<void> | void;
}

/** `open`: a new one for each attempt, as after a restart. */
export function aChannelLife(
  clock: InstantClock,
  open: () => Channel,
  channel: ChannelName = 'slack',
): ChannelLife {
  const base = aChannelWorld();
  const failures: string[] = [];
  let queue: Due[] = [];
  let state: unknown;
  let events = 0;
  const plan = (at: number, run: Due['run']): void => void queue.push({ at, run });

  const take = (data: EventData, id = `e${(events += 1)}`): void => {
    const at = new Date(clock.now()).toISOString();
    const event = { id, key: 'channels:7', version: EVENT_VERSION, at, data };
    const decision = decideChannels(state, event, { now: clock.now() });
    ({ state } = decision);
    for (const each of decision.events) planEvent(each);
    for (const effect of decision.effects) plan(clock.now(), () => perform(effect, { attempt: 1 }));
  };
  const planEvent = ({ key, data, id, delayMs = 0 }: NewEvent): void => {
    if (key === 'channels:7') plan(clock.now() + delayMs, () => take(data, id));
  };
  const perform = async (
    effect: Effect,
    { attempt, waits }: Pick<EffectWork, 'attempt' | 'waits'>,
  ): Promise<void> => {
    const { id, run, at, data } = effect;
    if (data.kind !== 'announce' && data.kind !== 'chat-reply') return;
    const isNew = attempt === 1 && 'isNew' in data;
    const given = base.context({ effectId: id, at, isNew });
    const channels = { open: () => Promise.resolve(open()) };
    const context = { ...given, ports: { ...given.ports, clock, channels } };
    try {
      const { githubCalls: _, ...done } =
        data.kind === 'announce' ? await announce(data, context) : await replyInChat(data, context);
      take({ kind: 'done', effectId: id, run, ...done });
    } catch (error) {
      const work = { id, effect, attempt, waits } as EffectWork;
      const { settlement, fields } = afterFailure(work, error, { now: clock.now(), random: 0.5 });
      failures.push(String((fields as { code?: string }).code));
      if (settlement.kind === 'retry') {
        const next = attempt + (settlement.countsAsAttempt ? 1 : 0);
        const { waits: waited } = settlement;
        const after = { attempt: next, ...(waited !== undefined && { waits: waited }) };
        plan(clock.now() + settlement.delayMs, () => perform(effect, after));
      }
      if (settlement.kind === 'finish') for (const each of settlement.events ?? []) take(each.data);
    }
  };
  return {
    config: base.config,
    failures,
    happens: (afterMs, number, announced = { event: 'merged', task: `Task ${number}` }) =>
      plan(clock.now() + afterMs, () =>
        take({
          kind: 'announced',
          run: 'r',
          repository: REPOSITORY,
          number,
          announced,
          channels: [channel],
        }),
      ),
    joins: (thread, number) =>
      take({ kind: 'chat-joined', run: 'r', repository: REPOSITORY, number, thread }),
    answers: (afterMs, number, markdown) => {
      const told = { run: 'r', repository: REPOSITORY, number, markdown };
      plan(clock.now() + afterMs, () => take({ kind: 'answered', ...told, channels: [channel] }));
    },
    pass: async (ms) => {
      const end = clock.now() + ms;
      for (;;) {
        queue = queue.toSorted((a, b) => a.at - b.at);
        const [next] = queue;
        if (next === undefined || next.at > end) break;
        queue.shift();
        clock.advance(Math.max(0, next.at - clock.now()));
        await next.run();
      }
      clock.advance(Math.max(0, end - clock.now()));
    },
  };
}
