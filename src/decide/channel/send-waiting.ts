/**
 * Which announcements of a channel's queue are sent next. One message is under way at a time: what comes meanwhile goes
 * together, so that a burst is one digest. A refused message is sent again by itself, to the place where it was tried: if it
 * arrived there, it is found.
 */
import { isSettled, subjectKey, type Subject } from '../../domain/channel/announce/announcement.ts';
import type { Waiting } from '../../domain/channel/announce/plan-delivery.ts';
import type {
  AskedThread,
  ChannelQueue,
  ChannelsState,
} from '../../domain/channel/channels-state.ts';
import { isNestedChannel, type ChannelName } from '../../domain/channel/chat-thread.ts';
import type { Event, EventData } from '../../domain/event/event.ts';
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

/** Drops the oldest over the limit, but nothing that was tried: it may have arrived. What threads refused has a limit of its own. */
export function enqueue(queue: ChannelQueue, next: Waiting): void {
  queue.waiting.push(next);
  const untried = queue.waiting.filter(({ key }) => !isTried(queue, key));
  const held = queue.waiting.filter((each) => isHeld(queue, each));
  const over = new Set([...oldestOf(untried), ...oldestOf(held)]);
  queue.waiting = queue.waiting.filter((each) => !over.has(each));
  queue.dropped += [...over].filter(({ announcement }) => !isSettled(announcement)).length;
}

/** Over the limit. */
function oldestOf(waiting: readonly Waiting[]): readonly Waiting[] {
  return waiting.slice(0, Math.max(0, waiting.length - MOST_WAITING));
}

/** Whether its thread refused it, and it is not under way. */
function isHeld(queue: ChannelQueue, { key }: Waiting): boolean {
  return queue.triedIn?.[key] !== undefined && !isUnderWay(queue, key);
}

function isUnderWay({ sending, apart, batch }: ChannelQueue, key: string): boolean {
  return sending !== undefined && (apart ?? batch)?.includes(key) === true;
}

/** The time to try everything again has come. What is under way is tried at this moment. */
export function noteDue(queue: ChannelQueue): void {
  const keys = queue.waiting.map(({ key }) => key);
  queue.due = keys.filter((key) => !isUnderWay(queue, key));
}

/** Nothing of it can have arrived, so it is new, and goes to the thread of that time. */
export function forgetTried(queue: ChannelQueue, keys: readonly string[] = []): void {
  queue.tried = queue.tried?.filter((key) => !keys.includes(key)) ?? [];
  for (const key of keys) delete queue.triedIn?.[key];
}

/** Sends the next of what waits, if anything may be sent now. */
export function sendWaiting(sending: Sending): void {
  const { queue, step } = sending;
  if (queue.sending !== undefined || queue.isQuiet === true) return;
  moveOldThreads(queue);
  const again = queue.waiting.filter((each) => isRefused(queue, each));
  const ready = readyOf(sending, again);
  const apart = ready.filter((each) => placeOf(sending, each) !== undefined);
  if (again.length > 0 && apart.length > 0) {
    queue.apart = apart.map(({ key }) => key);
    emitAnnounce(sending, { waiting: apart, at: step.now });
  } else if (again.length > 0) {
    if (queue.timer === undefined)
      emitAnnounce(sending, { waiting: again, at: queue.batchAt, isAgain: true });
  } else if (ready.length > 0) {
    queue.batchAt = step.now;
    queue.batch = ready.map(({ key }) => key);
    emitAnnounce(sending, { waiting: ready, at: queue.batchAt });
  }
}

/** The channel for announcements may have refused it. It is sent again without what is new, so that its digest keeps its key. */
function isRefused(queue: ChannelQueue, each: Waiting): boolean {
  return queue.batch?.includes(each.key) === true && queue.triedIn?.[each.key] === undefined;
}

/**
 * What may be sent beside `again`. What was tried in a thread waits for its retry. When something new is for the same
 * thread, it goes with that, so that nothing overtakes it.
 */
function readyOf(sending: Sending, again: readonly Waiting[]): Waiting[] {
  const { queue } = sending;
  const others = queue.waiting.filter((each) => !again.includes(each));
  const isOpen = ({ key }: Waiting): boolean =>
    !isTried(queue, key) || queue.due?.includes(key) === true;
  const open = new Set(others.filter(isOpen).map((each) => placeKey(sending, each)));
  const ready = others.filter((each) => {
    const place = placeKey(sending, each);
    return place === '' || open.has(place);
  });
  const bySubject = Map.groupBy(ready, subjectOf);
  // One effect takes a subject to one thread: what was tried elsewhere goes first.
  const placeFirst = (each: Waiting): string =>
    placeKey(sending, bySubject.get(subjectOf(each))?.[0] ?? each);
  return ready.filter((each) => placeKey(sending, each) === placeFirst(each));
}

/**
 * Where it goes: to the thread where it was tried, so that it is found there, else to the thread of now. What only changes
 * a message of the channel belongs to no thread.
 */
function placeOf({ queue, state, channel }: Sending, each: Waiting): AskedThread | undefined {
  if (isSettled(each.announcement)) return undefined;
  return queue.triedIn?.[each.key] ?? threadsIn(state, channel)[subjectOf(each)];
}

/** Empty for the channel for announcements. */
function placeKey(sending: Sending, each: Waiting): string {
  const thread = placeOf(sending, each);
  return thread === undefined ? '' : chatKey(thread);
}

/** Of a batch that an older version sent. */
function moveOldThreads(queue: ChannelQueue): void {
  const { batchThreads, batch = [] } = queue;
  if (batchThreads === undefined) return;
  delete queue.batchThreads;
  for (const each of queue.waiting) {
    const thread = batch.includes(each.key) ? batchThreads[subjectOf(each)] : undefined;
    if (thread !== undefined) queue.triedIn = { [each.key]: thread, ...queue.triedIn };
  }
}

function isTried({ tried }: ChannelQueue, key: string): boolean {
  return tried?.includes(key) === true;
}

interface Batch {
  waiting: readonly Waiting[];
  at: number | undefined;
  /** It was refused there, so it goes to the channel for announcements even if its subject has a thread now. */
  isAgain?: true;
}

function emitAnnounce(sending: Sending, { waiting, at, isAgain }: Batch): void {
  const { channel, queue, repository, step } = sending;
  const keys = waiting.map(({ key }) => key);
  const isNew = keys.every((key) => !isTried(queue, key));
  const threads: Record<string, AskedThread> = {};
  const triedIn = { ...queue.triedIn };
  for (const each of isAgain === true ? [] : waiting) {
    const thread = placeOf(sending, each);
    if (thread !== undefined) threads[subjectOf(each)] = triedIn[each.key] = thread;
  }
  const subjects = subjectsOf(waiting);
  const isWaiting = new Set(queue.waiting.map(({ key }) => key));
  const tried = new Set([...(queue.tried ?? []), ...keys]);
  queue.tried = [...tried].filter((key) => isWaiting.has(key));
  queue.triedIn = pick(triedIn, isWaiting);
  queue.known = queue.dropped;
  const due = queue.due?.filter((key) => !keys.includes(key)) ?? [];
  if (due.length > 0) queue.due = due;
  else delete queue.due;
  const latest = Object.values(queue.heads).at(-1);
  queue.sending = emitEffect(
    step,
    {
      kind: 'announce',
      repository,
      channel,
      waiting,
      dropped: queue.dropped,
      heads: pick(queue.heads, subjects),
      threads,
      ...(latest !== undefined && isNestedChannel(channel) && { latest }),
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

/** An announcement of an event, as it waits for a channel. */
export function toWaiting(
  { id, at }: Event,
  {
    repository,
    number,
    announced,
    isAsked,
  }: Pick<
    Extract<EventData, { kind: 'announced' }>,
    'repository' | 'number' | 'announced' | 'isAsked'
  >,
): Waiting {
  return {
    key: id,
    at: Date.parse(at),
    announcement: {
      ...announced,
      subject: subjectAt(repository, number),
      ...(isAsked === true && { isAsked }),
    },
  };
}

/** GitHub is asked for the rest when it is sent. */
export function subjectAt({ repositoryId, owner, repo }: RepositoryRef, number?: number): Subject {
  return {
    repositoryId,
    repository: `${owner}/${repo}`,
    isPrivate: true,
    ...(number !== undefined && { number }),
    url: '',
  };
}

function pick<T>(all: Readonly<Record<string, T>>, keys: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => keys.has(key)));
}
