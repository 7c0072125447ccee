/** What the team writes on an issue that began in a channel is said there too, and the channel's thread follows to the plan. */
import { subjectKey } from '../../../domain/channel/announce/announcement.ts';
import {
  channelsKey,
  type AskedThread,
  type ChannelsState,
} from '../../../domain/channel/channels-state.ts';
import { CHANNELS, type ChannelName } from '../../../domain/channel/chat-thread.ts';
import type { Effect } from '../../../domain/event/effect.ts';
import {
  EVENT_VERSION,
  type Event,
  type EventData,
  type NewEvent,
} from '../../../domain/event/event.ts';
import type { MarkerKind } from '../../../domain/github/marker.ts';
import { voiceOf } from '../../../domain/github/voice-key.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import { toRepositoryRef } from '../../../domain/run/thread-ref.ts';
import { createStep, emitEffect, emitEvent, type Decision, type Step } from '../../run/decision.ts';
import type { ThreadState } from '../../run/thread-context.ts';
import { chatKey, repliesLane } from './chat-state.ts';
import { addUnsent, endReply, noteReply, takeUnsent, withUnsent } from './unsent.ts';
import { onPlanAnswered, onPlanShown } from './approval-buttons.ts';

/** Answers to people, and the PM's questions. The live comment of a run has its own announcements. */
const SAID: ReadonlySet<MarkerKind> = new Set(['notice', 'proposal']);
const MOST_THREADS = 500;

/** For the repository's channels: what a decision writes for people, and where a plan grew from. */
export function tellChat(
  event: Event,
  effects: readonly Effect[],
  { channels, talks = {} }: { channels: readonly ChannelName[] } & Pick<ThreadState, 'talks'>,
): NewEvent[] {
  const said = effects.flatMap(({ id, data, run }): NewEvent[] => {
    if (data.kind !== 'comment' || !SAID.has(data.marker.kind) || data.isWithdrawn === true)
      return [];
    const { number } = data.thread;
    const persona = voiceOf(data.marker.key);
    const repository = toRepositoryRef(data.thread);
    const asked = talks[data.marker.run]?.address.relayed?.asked;
    const told = {
      kind: 'answered',
      run,
      repository,
      number,
      markdown: data.body,
      ...(persona !== undefined && { persona }),
      channels,
      ...(asked !== undefined && { asked }),
    } as const;
    return [toEvent(event, `${id}/told`, { repositoryId: repository.repositoryId, data: told })];
  });
  const followed = follow(event.data);
  if (followed === undefined) return said;
  const { repositoryId } = followed.repository;
  const id = `${event.id}/${followed.kind}`;
  return [...said, toEvent(event, id, { repositoryId, data: followed })];
}

type Followed = Extract<EventData, { kind: 'chat-moved' | 'chat-shared' }>;

/** A plan takes the conversation of the issue that it grew from. The plan's conversation also reports the pull requests of its tasks. */
function follow(data: EventData): Followed | undefined {
  if (data.kind === 'proposed') {
    const { thread, from, run } = data;
    const repository = toRepositoryRef(thread);
    return { kind: 'chat-moved', run, repository, from, to: thread.number };
  }
  if (data.kind !== 'adopted') return undefined;
  const { thread, task, run } = data;
  const repository = toRepositoryRef(thread);
  return { kind: 'chat-shared', run, repository, from: task.plan.number, to: thread.number };
}

function toEvent(
  { at }: Event,
  id: string,
  { repositoryId, data }: { repositoryId: number; data: EventData },
): NewEvent {
  return { id, key: channelsKey(repositoryId), version: EVENT_VERSION, at, data };
}

interface Chatting {
  event: Event;
  data: EventData;
  now: number;
}

/** Events of the repository's channels that are about threads; undefined for all else. */
export function onChatEvent(
  state: ChannelsState,
  { event, data, now }: Chatting,
): Decision | undefined {
  state.id ||= derivedId(event.id, now);
  const step = createStep(event.key, state, now);
  const telling = { state, step, data };
  const isTaken = followThreads(telling) || showAnswer(telling) || repeatAnswer(telling);
  return isTaken ? { state, effects: step.effects, events: step.events } : undefined;
}

interface Telling {
  state: ChannelsState;
  step: Step;
  data: EventData;
}

/** Whether the event says which threads an issue has. */
function followThreads({ state, step, data }: Telling): boolean {
  if (data.kind === 'chat-joined') {
    const { repository, number, thread, asked } = data;
    const known = { ...thread, ...(asked !== undefined && { asked }) };
    remember(state, keyOf(repository.repositoryId, number), known);
    return true;
  }
  if (data.kind !== 'chat-moved' && data.kind !== 'chat-shared') return false;
  const { repositoryId } = data.repository;
  for (const thread of threadsOf(state, keyOf(repositoryId, data.from))) {
    remember(state, keyOf(repositoryId, data.to), thread);
    if (data.kind === 'chat-shared') continue;
    step.run.step += 1;
    const suffix = `moved-${step.run.step}`;
    emitEvent(step, data, { key: chatKey(thread), suffix });
  }
  return true;
}

/** Whether the event is about what waits for approval. */
function showAnswer({ state, step, data }: Telling): boolean {
  if (data.kind === 'plan-answered') {
    const { repository, number, answer } = data;
    onPlanAnswered({ state, step, repository }, keyOf(repository.repositoryId, number), answer);
  } else if (data.kind === 'plan-shown') {
    const { repository, number, digest } = data;
    onPlanShown({ state, step, repository }, keyOf(repository.repositoryId, number), digest);
  } else return false;
  return true;
}

/** Whether the event is an answer, or how one ended. */
function repeatAnswer({ state, step, data }: Telling): boolean {
  if (data.kind === 'done' || data.kind === 'failed') return endReply(state, data);
  if (data.kind === 'chat-unsent') {
    addUnsent(state, data.channel);
    return true;
  }
  if (data.kind !== 'answered') return false;
  for (const thread of threadsOf(state, keyOf(data.repository.repositoryId, data.number)))
    repeat({ state, step, data }, thread);
  return true;
}

/** Its lane is not that of announcements, which wait while the team is paused. A thread that is gone holds up no other. */
function repeat(
  {
    state,
    step,
    data: { repository, markdown, persona, asked },
  }: { state: ChannelsState; step: Step; data: Extract<EventData, { kind: 'answered' }> },
  { asked: first, ...thread }: AskedThread,
): void {
  const { channel } = thread;
  const isHere = asked !== undefined && chatKey(asked) === chatKey(thread);
  const message = (isHere ? asked.message : first) ?? thread.thread;
  const dropped = takeUnsent(state, channel);
  const effectId = emitEffect(
    step,
    {
      kind: 'chat-reply',
      repository,
      chat: { ...thread, message },
      markdown: withUnsent(markdown, dropped),
      ...(persona !== undefined && { persona }),
    },
    { lane: repliesLane(thread) },
  );
  noteReply(state, effectId, { channel, dropped });
}

function keyOf(repositoryId: number, number: number): string {
  return subjectKey({ repositoryId, number, repository: '', isPrivate: true, url: '' });
}

function threadsOf({ threads = {} }: ChannelsState, key: string): AskedThread[] {
  return CHANNELS.flatMap((channel) => threads[channel]?.[key] ?? []);
}

function remember(state: ChannelsState, key: string, thread: AskedThread): void {
  const { channel } = thread;
  const all = { ...state.threads?.[channel], [key]: thread };
  const kept = Object.fromEntries(Object.entries(all).slice(-MOST_THREADS));
  state.threads = { ...state.threads, [channel]: kept };
}
