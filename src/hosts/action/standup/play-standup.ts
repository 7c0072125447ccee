/** Plays the standups of one thread in one job, by the App's reducer. Effects of this job's kinds are carried out, no others. */
import type { Perform } from '../../../act/perform.ts';
import { RUN_KINDS } from '../../../decide/kinds/run-kinds.ts';
import { beginStandup } from '../../../decide/kinds/standup/start-standup.ts';
import { decide, type Reducer } from '../../../decide/route.ts';
import { readState } from '../../../decide/run/decision.ts';
import { THREAD_STATE_VERSION, type ThreadState } from '../../../decide/run/thread-context.ts';
import type { Event } from '../../../domain/event/event.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { StandupSource } from '../../../domain/standup/standup-run.ts';
import type { Store } from '../../../ports/store.ts';
import { threadState } from '../../follow-runs.ts';
import type { Basics } from '../../host-parts.ts';
import { playedId, playEvent } from '../job/play-event.ts';

export interface StandupPlay {
  basics: Basics;
  store: Store;
  thread: ThreadRef;
  /** Key of the claim: the run's ids derive from it. */
  claim: string;
  /** ISO 8601. */
  at: string;
  /** Standups that were held in this thread before. */
  seed: ThreadState['runs'];
  /** A standup that begins, or what happened to the comment of one. */
  news: StandupSource | Extract<Trigger, { kind: 'own-comment-edited' }>;
  perform: Perform;
  timeoutMs: number;
}

export async function playStandup(play: StandupPlay): Promise<ThreadState> {
  const { store, thread, at, news } = play;
  const key = threadKey(thread);
  // Jobs of one standup decide at one moment, so that its ids are the same in each.
  const now = Date.parse(at);
  const seed: ThreadState = { v: THREAD_STATE_VERSION, runs: play.seed };
  const decideHere: Reducer = (state, event) =>
    event.id === playedId(play) && 'outcome' in news
      ? begin(state ?? seed, { event, thread, source: news, now })
      : decide(state ?? seed, event, { now });
  const trigger: Trigger = 'outcome' in news ? asTrigger(thread) : news;
  const data = { kind: 'trigger' as const, trigger };
  return playEvent({ ...play, keys: [key], data, decide: decideHere, what: 'the standup' }, () =>
    threadState(store, key),
  );
}

interface Beginning {
  event: Event;
  thread: ThreadRef;
  source: StandupSource;
  now: number;
}

function begin(before: unknown, { event, thread, source, now }: Beginning) {
  const state = readState<ThreadState>(before, { v: THREAD_STATE_VERSION, runs: {} });
  return beginStandup({ state, event, now }, { thread, source, runKind: RUN_KINDS.standup });
}

function asTrigger(thread: ThreadRef): Trigger {
  const actor = { id: 0, login: 'quorum', isBot: true };
  return { kind: 'requested', by: 'reconcile', thread, actor, label: '' };
}
