/**
 * Which announcements of a channel's queue are sent next. One message is under way at a time: what comes meanwhile goes
 * together, so that a burst is one digest. What was refused is sent again by itself, so that it is found where it arrived.
 */
import { subjectKey } from '../../domain/channel/announce/announcement.ts';
import type { Waiting } from '../../domain/channel/announce/plan-delivery.ts';
import type { ChannelQueue, ChannelsState } from '../../domain/channel/channels-state.ts';
import type { ChannelName } from '../../domain/channel/chat-thread.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from '../run/decision.ts';
import { chatKey } from './chat/chat-state.ts';

/** More than these wait for no channel: the oldest are dropped. */
const MOST_WAITING = 200;

/** A channel's queue, and the step that may send from it. */
export interface Sending {
  state: ChannelsState;
  channel: ChannelName;
  queue: ChannelQueue;
  repository: RepositoryRef;
  step: Step;
}

/** Drops the oldest over the limit, but nothing that is being sent or waits for the retry of its batch. */
export function enqueue(queue: ChannelQueue, next: Waiting): void {
  queue.waiting.push(next);
  const { batch = [], apart = [] } = queue;
  const others = queue.waiting.filter(({ key }) => !batch.includes(key) && !apart.includes(key));
  const over = new Set(others.slice(0, Math.max(0, others.length - MOST_WAITING)));
  queue.waiting = queue.waiting.filter((each) => !over.has(each));
  queue.dropped += over.size;
}

/** Sends the next of what waits, if anything may be sent now. `isDue`: the time to try everything again has come. */
export function sendWaiting(sending: Sending, { isDue = false } = {}): void {
  const { queue, state, channel, step } = sending;
  if (queue.sending !== undefined || queue.isQuiet === true) return;
  const refused = queue.waiting.filter(({ key }) => queue.batch?.includes(key) === true);
  const again = refused.filter((each) => queue.batchThreads?.[subjectOf(each)] === undefined);
  const apart = refused.length === 0 ? [] : apartOf(sending, again, isDue);
  if (apart.length > 0) {
    queue.apart = apart.map(({ key }) => key);
    emitAnnounce(sending, { waiting: apart, threads: threadsIn(state, channel), at: step.now });
    return;
  }
  if (queue.timer !== undefined || queue.waiting.length === 0) return;
  if (again.length === 0) {
    queue.batchAt = step.now;
    queue.batch = queue.waiting.map(({ key }) => key);
    queue.batchThreads = pick(threadsIn(state, channel), subjectsOf(queue.waiting));
  }
  emitAnnounce(sending, {
    waiting: again.length === 0 ? queue.waiting : again,
    threads: queue.batchThreads ?? threadsIn(state, channel),
    at: queue.batchAt,
  });
}

/**
 * What goes to threads does not wait for `again`, which the channel for announcements refused. What was tried goes with
 * what is new for its thread, so that nothing overtakes it there.
 */
function apartOf(
  { queue, state, channel }: Sending,
  again: readonly Waiting[],
  isDue: boolean,
): Waiting[] {
  const threads = threadsIn(state, channel);
  const placed = queue.waiting.flatMap((each) => {
    const thread = again.includes(each) ? undefined : threads[subjectOf(each)];
    return thread === undefined ? [] : [{ each, place: chatKey(thread) }];
  });
  const untried = placed.filter(({ each: { key } }) => queue.tried?.includes(key) !== true);
  const open = new Set((isDue ? placed : untried).map(({ place }) => place));
  return placed.filter(({ place }) => open.has(place)).map(({ each }) => each);
}

interface Batch {
  waiting: readonly Waiting[];
  threads: ReturnType<typeof threadsIn>;
  at: number | undefined;
}

function emitAnnounce(
  { channel, queue, repository, step }: Sending,
  { waiting, threads, at }: Batch,
): void {
  const keys = waiting.map(({ key }) => key);
  const isNew = keys.every((key) => queue.tried?.includes(key) !== true);
  const subjects = subjectsOf(waiting);
  const isWaiting = new Set(queue.waiting.map(({ key }) => key));
  const tried = new Set([...(queue.tried ?? []), ...keys]);
  queue.tried = [...tried].filter((key) => isWaiting.has(key));
  queue.known = queue.dropped;
  queue.sending = emitEffect(
    step,
    {
      kind: 'announce',
      repository,
      channel,
      waiting,
      dropped: queue.dropped,
      heads: pick(queue.heads, subjects),
      threads: pick(threads, subjects),
      ...(isNew && { isNew: true as const }),
      ...(at !== undefined && { firstAt: at }),
    },
    { lane: `channel:${channel}:${repository.repositoryId}` },
  );
}

/** Nothing is under way any more. Returns whether it was for threads alone, while a batch waits. */
export function endSending(queue: ChannelQueue): boolean {
  const isApart = queue.apart !== undefined;
  delete queue.sending;
  delete queue.apart;
  return isApart;
}

/** What is sent next is another batch. */
export function endBatch(queue: ChannelQueue): void {
  delete queue.batch;
  delete queue.batchAt;
  delete queue.batchThreads;
}

function threadsIn({ threads }: ChannelsState, channel: ChannelName) {
  return threads?.[channel] ?? {};
}

function subjectsOf(waiting: readonly Waiting[]): ReadonlySet<string> {
  return new Set(waiting.map(subjectOf));
}

export function subjectOf({ announcement }: Pick<Waiting, 'announcement'>): string {
  return subjectKey(announcement.subject);
}

function pick<T>(all: Readonly<Record<string, T>>, keys: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => keys.has(key)));
}
