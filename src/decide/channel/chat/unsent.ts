/** Answers that a channel did not take for a day: counted as announcements are, and the channel's next message says how many. */
import { droppedNote } from '../../../domain/channel/announce/describe-announcement.ts';
import { channelsKey, type ChannelsState } from '../../../domain/channel/channels-state.ts';
import { CHANNELS, type ChannelName } from '../../../domain/channel/chat-thread.ts';
import type { EventData } from '../../../domain/event/event.ts';
import type { Failure } from '../../../domain/event/errors.ts';
import { emitEvent, type Step } from '../../run/decision.ts';
import type { ChatState } from './chat-state.ts';

type Ended = Extract<EventData, { kind: 'done' | 'failed' }>;

/** Beyond these, an answer that is not sent is not counted. */
const MOST_REPLIES = 1_000;

/** An answer in the thread itself was not sent: the repository's channels count it. */
export function countUnsent(
  { state: { id, repository }, step }: { state: ChatState; step: Step },
  data: Ended,
): string | undefined {
  const channel = CHANNELS.find((each) => step.key.startsWith(`chat:${each}/`));
  const isLost = data.kind === 'failed' && LOST.has(data.failure.code);
  if (!isLost || repository === undefined || channel === undefined) return 'nothing waits for it';
  step.run.step += 1;
  emitEvent(
    step,
    { kind: 'chat-unsent', run: id, repository, channel },
    { key: channelsKey(repository.repositoryId), suffix: `unsent-${step.run.step}` },
  );
  return undefined;
}

/** What must not be said there is not lost, and where Quorum may no longer write, nobody would read the number. */
const LOST: ReadonlySet<Failure['code']> = new Set([
  'channel-too-late',
  'channel-invalid',
  'channel-key-taken',
  'channel-message-gone',
  'channel-unreadable',
  // On Bluesky, a deleted post: what an owner of Slack can undo is tried until it is too late.
  'channel-not-found',
]);

export function addUnsent(state: ChannelsState, channel: ChannelName, count = 1): void {
  const queue = (state.queues[channel] ??= { waiting: [], dropped: 0, heads: {} });
  queue.dropped += count;
}

/** The number that the next answer there says; 0 while an announcement that says it is under way. */
export function takeUnsent({ queues }: ChannelsState, channel: ChannelName): number {
  const queue = queues[channel];
  if (queue === undefined || queue.sending !== undefined) return 0;
  const { dropped } = queue;
  queue.dropped = 0;
  return dropped;
}

/** The note comes first: the end of a long answer is in a file. */
export function withUnsent(markdown: string, dropped: number): string {
  return dropped === 0 ? markdown : `${droppedNote(dropped)}\n\n${markdown}`;
}

export function noteReply(
  state: ChannelsState,
  effectId: string,
  reply: { channel: ChannelName; dropped: number },
): void {
  const all = Object.entries({ ...state.replies, [effectId]: reply });
  state.replies = Object.fromEntries(all.slice(-MOST_REPLIES));
}

/** Returns false for the result of any other effect. */
export function endReply(state: ChannelsState, data: Ended): boolean {
  const { [data.effectId]: reply, ...others } = state.replies ?? {};
  if (reply === undefined) return false;
  state.replies = others;
  if (data.kind === 'failed')
    addUnsent(state, reply.channel, reply.dropped + (LOST.has(data.failure.code) ? 1 : 0));
  return true;
}
