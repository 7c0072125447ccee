/**
 * Announcements that wait for the channels of one repository: collected while a message is being sent, then sent
 * together.
 */
import { isSettled, subjectKey } from '../../domain/channel/announce/announcement.ts';
import type { Waiting } from '../../domain/channel/announce/plan-delivery.ts';
import {
  CHANNELS,
  isPublicChannel,
  type ChannelName,
  type ChatPost,
  type ChatThread,
} from '../../domain/channel/chat-thread.ts';
import type { Failure } from '../../domain/event/errors.ts';
import type { Event, EventData } from '../../domain/event/event.ts';
import type { AnnouncedDelivery } from '../../domain/event/result.ts';
import { derivedId } from '../../domain/run/ids.ts';
import {
  createStep,
  emitEvent,
  emitTimer,
  ignored,
  readState,
  type Decision,
  type DecisionContext,
} from '../run/decision.ts';
import { chatKey } from './chat/chat-state.ts';
import {
  endBatch,
  endSending,
  enqueue,
  forgetTried,
  noteDue,
  sendWaiting,
  subjectOf,
  subjectAt,
  toWaiting,
  type Sending,
} from './send-waiting.ts';
import { forgetAnswer, onHeadAnswered, rememberAsked } from './chat/approval-buttons.ts';
import { onChatEvent } from './chat/tell-chat.ts';
import {
  rememberRequest,
  noteNeedOver,
  takeSettledNeed,
  takeRequest,
  channelsThatShow,
} from './head-requests.ts';
import {
  EMPTY_CHANNELS,
  type ChannelQueue,
  type ChannelsState,
} from '../../domain/channel/channels-state.ts';

/** Of so many subjects the first message is remembered; older ones are looked for in the channel. */
const MOST_HEADS = 200;
/** How often a channel that refuses us is retried, as after its token was revoked. */
const TRY_AGAIN_MS = 15 * 60_000;
/** Nothing can be announced of a repository that is gone, or where Quorum is no longer installed. */
const OVER: ReadonlySet<string> = new Set(['place-closed', 'github-not-found', 'github-moved']);

export function decideChannels(before: unknown, event: Event, { now }: DecisionContext): Decision {
  const state = readState<ChannelsState>(before, EMPTY_CHANNELS);
  const { data } = event;
  if (data.kind === 'announced') return onAnnounced(state, { event, data, now });
  if (data.kind === 'head-answered') return onHeadSettled(state, { event, data, now });
  if (data.kind === 'need-over') return onNeedOver(state, { event, data, now });
  const inChat = onChatEvent(state, { event, data, now });
  if (inChat !== undefined) return inChat;
  const [channel, queue] = findQueue(state, data) ?? [];
  const { repository } = state;
  if (channel === undefined || queue === undefined || repository === undefined)
    return ignored(state, 'nothing waits for it');
  const step = createStep(event.key, state, now);
  const sending = { state, channel, queue, repository, step };
  if (data.kind === 'done' && data.effectKind === 'announce') onDelivered(sending, data.result);
  else if (data.kind === 'failed') onFailed(sending, data.failure);
  else onTimer(sending);
  return { state, effects: step.effects, events: step.events };
}

type Announced = Extract<EventData, { kind: 'announced' }>;
type HeadAnswered = Extract<EventData, { kind: 'head-answered' }>;
type NeedOver = Extract<EventData, { kind: 'need-over' }>;

function onAnnounced(
  state: ChannelsState,
  { event, data, now }: { event: Event; data: Announced; now: number },
): Decision {
  state.id ||= derivedId(event.id, now);
  const { repository, channels } = data;
  state.repository = repository;
  const step = createStep(event.key, state, now);
  const waiting = toWaiting(event, data);
  forgetAnswer(state, subjectOf(waiting), data.announced);
  rememberRequest(state, waiting);
  for (const channel of channels) {
    const queue = (state.queues[channel] ??= { waiting: [], dropped: 0, heads: {} });
    enqueue(queue, waiting);
    if (data.isAsked === true && queue.isQuiet === true) wake(queue);
    sendWaiting({ state, channel, queue, repository, step });
  }
  return { state, effects: step.effects, events: step.events };
}

/** The buttons go, and the message that asked says that nobody is needed any more. */
function onHeadSettled(
  state: ChannelsState,
  { event, data, now }: { event: Event; data: HeadAnswered; now: number },
): Decision {
  state.id ||= derivedId(event.id, now);
  const { repository, number, answer } = data;
  const step = createStep(event.key, state, now);
  const subject = subjectKey(subjectAt(repository, number));
  onHeadAnswered({ state, step, repository }, subject, answer);
  const request = takeRequest(state, subject, answer);
  if (request !== undefined) {
    const announced = { event: 'head-settled', answer, request } as const;
    showSettled({ state, repository, step }, toWaiting(event, { repository, number, announced }));
  }
  showNeedOver({ state, repository, step }, { event, data });
  return { state, effects: step.effects, events: step.events };
}

function onNeedOver(
  state: ChannelsState,
  { event, data, now }: { event: Event; data: NeedOver; now: number },
): Decision {
  const { repository, number } = data;
  const subject = subjectKey(subjectAt(repository, number));
  if (state.needs?.[subject] === undefined) return ignored(state, 'no channel knows of it');
  noteNeedOver(state, subject);
  const step = createStep(event.key, state, now);
  showNeedOver({ state, repository, step }, { event, data });
  return { state, effects: step.effects, events: step.events };
}

/** The message that asked says so, unless it shows newer news. */
function showNeedOver(
  showing: Pick<Sending, 'state' | 'repository' | 'step'>,
  { event, data: { repository, number } }: { event: Event; data: NeedOver | HeadAnswered },
): void {
  const need = takeSettledNeed(showing.state, subjectKey(subjectAt(repository, number)));
  if (need === undefined) return;
  const { key: request, question } = need;
  const announced = { event: 'need-settled', question, request } as const;
  const waiting = toWaiting(event, { repository, number, announced });
  showSettled(showing, { ...waiting, key: `${event.id}/need` });
}

function showSettled(
  { state, repository, step }: Pick<Sending, 'state' | 'repository' | 'step'>,
  waiting: Waiting,
): void {
  const { announcement } = waiting;
  if (!isSettled(announcement)) return;
  const shown = channelsThatShow(state, subjectOf(waiting), announcement.request);
  for (const [channel, queue] of shown) {
    enqueue(queue, waiting);
    sendWaiting({ state, channel, queue, repository, step });
  }
}

/** People may answer below an announcement: the thread learns which issue it is about. */
function tellThread(
  { queue, repository, state, step }: Sending,
  { subject, post, delivered }: { subject: string; post: ChatPost; delivered: readonly Waiting[] },
): void {
  const { channel, place, thread } = post;
  const found = delivered.find((each) => subjectOf(each) === subject);
  const number = found?.announcement.subject.number;
  const isKnown = queue.heads[subject]?.thread === thread;
  if (number === undefined || isKnown || isPublicChannel(channel)) return;
  step.run.step += 1;
  const about = { channel, place, thread };
  emitEvent(
    step,
    { kind: 'chat-announced', run: state.id, repository, number, thread: about },
    { key: chatKey(about), suffix: `about-${step.run.step}` },
  );
}

/** What is left waits for the end of quiet hours, unless it came in while the others were sent. */
function onDelivered(sending: Sending, delivery: AnnouncedDelivery): void {
  const { state, queue, channel, step } = sending;
  const { settled, dropped, heads, asked, gone, isRefused, laterUntil } = delivery;
  if (asked !== undefined) rememberAsked(sending, asked);
  if (gone !== undefined) forgetThreads(state, channel, gone);
  const over = new Set(settled);
  const isApart = endSending(queue);
  const isBatchOver = isRefused !== true && !isApart;
  if (isBatchOver) endBatch(queue);
  const delivered = queue.waiting;
  queue.waiting = queue.waiting.filter(({ key }) => !over.has(key));
  queue.tried = queue.tried?.filter((key) => !over.has(key)) ?? [];
  queue.dropped += dropped - (queue.known ?? queue.dropped);
  for (const [subject, post] of Object.entries(heads))
    tellThread(sending, { subject, post, delivered });
  queue.heads = addNewest(queue.heads, heads);
  const isLater = isBatchOver && isAllTried(queue);
  if (isLater && laterUntil !== undefined) {
    queue.timer = emitTimer(step, channel, Math.max(0, laterUntil - step.now));
    queue.isQuiet = true;
    forgetTried(queue, delivery.unsent);
  } else sendWaiting(sending);
  tryAgainLater(sending);
}

/** What is left was tried, as where a thread refuses for a while. */
function tryAgainLater({ queue, channel, step }: Sending): void {
  if (queue.sending !== undefined || queue.waiting.length === 0) return;
  queue.timer ??= emitTimer(step, channel, TRY_AGAIN_MS);
}

/** Whether something waits, and none of it is new. */
function isAllTried({ waiting, tried = [] }: ChannelQueue): boolean {
  return waiting.length > 0 && waiting.every(({ key }) => tried.includes(key));
}

/** What is announced next about their subjects goes where everything else does. */
function forgetThreads(
  { threads }: ChannelsState,
  channel: ChannelName,
  gone: Readonly<Record<string, ChatThread>>,
): void {
  const known = threads?.[channel];
  if (known === undefined) return;
  for (const [subject, { place, thread }] of Object.entries(gone)) {
    const isSame = known[subject]?.place === place && known[subject].thread === thread;
    if (isSame) delete known[subject];
  }
}

/** Nothing is lost by a refusal: what waits is tried again until it is too old. A thread that refuses holds back no batch. */
function onFailed(sending: Sending, failure: Failure): void {
  const { queue } = sending;
  const isApart = endSending(queue);
  if (OVER.has(failure.code)) {
    queue.waiting = [];
    endBatch(queue);
  } else if (isApart && queue.timer === undefined) sendWaiting(sending);
  tryAgainLater(sending);
}

function onTimer(sending: Sending): void {
  wake(sending.queue);
  noteDue(sending.queue);
  sendWaiting(sending);
}

function wake(queue: ChannelQueue): void {
  delete queue.timer;
  delete queue.isQuiet;
}

/** In the order in which their subjects were announced last. */
function addNewest(
  known: Readonly<Record<string, ChatPost>>,
  heads: Readonly<Record<string, ChatPost>>,
): Record<string, ChatPost> {
  const others = Object.entries(known).filter(([subject]) => heads[subject] === undefined);
  return Object.fromEntries([...others, ...Object.entries(heads)].slice(-MOST_HEADS));
}

function findQueue(
  { queues }: ChannelsState,
  data: EventData,
): [ChannelName, ChannelQueue] | undefined {
  const isAbout = ({ sending, timer }: ChannelQueue): boolean => {
    if (data.kind === 'timer') return timer === data.timer;
    return (data.kind === 'done' || data.kind === 'failed') && sending === data.effectId;
  };
  for (const channel of CHANNELS) {
    const queue = queues[channel];
    if (queue !== undefined && isAbout(queue)) return [channel, queue];
  }
  return undefined;
}
