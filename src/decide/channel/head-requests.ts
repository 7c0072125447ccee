/** Which message asked for somebody, so that it alone changes when nobody is needed for that any more. */
import type { Waiting } from '../../domain/channel/announce/plan-delivery.ts';
import type { HeadAnswer } from '../../domain/channel/approval-click.ts';
import type {
  AskedNeed,
  ChannelQueue,
  ChannelsState,
} from '../../domain/channel/channels-state.ts';
import { CHANNELS, isPublicChannel, type ChannelName } from '../../domain/channel/chat-thread.ts';
import { toOneLine } from '../../domain/channel/text/rich-text.ts';
import { keepNewest } from './chat/approval-buttons.ts';
import { subjectOf } from './send-waiting.ts';

export function rememberRequest(state: ChannelsState, waiting: Waiting): void {
  const { key, announcement } = waiting;
  if (announcement.event !== 'needs-human') return;
  if (announcement.headSha === undefined) {
    const need = { key, question: toOneLine(announcement.question) };
    state.needs = keepNewest({ ...state.needs, [subjectOf(waiting)]: need });
    return;
  }
  const request = { key, headSha: announcement.headSha };
  state.requests = keepNewest({ ...state.requests, [subjectOf(waiting)]: request });
}

/** Its key, once. Undefined where nothing asked for that head. */
export function takeRequest(
  state: ChannelsState,
  subject: string,
  { headSha }: HeadAnswer,
): string | undefined {
  const request = state.requests?.[subject];
  if (request?.headSha !== headSha) return undefined;
  delete state.requests?.[subject];
  return request.key;
}

/** No question of the subject is open. It is shown as settled at once, or after a head that waits for approval there. */
export function noteNeedOver(state: ChannelsState, subject: string): void {
  const need = state.needs?.[subject];
  if (need !== undefined) need.isOver = true;
}

/** What to show as settled now, once. */
export function takeSettledNeed(state: ChannelsState, subject: string): AskedNeed | undefined {
  const need = state.needs?.[subject];
  if (need?.isOver !== true || state.requests?.[subject] !== undefined) return undefined;
  delete state.needs?.[subject];
  return need;
}

/** Where the request is, or is about to be, and can be changed. */
export function channelsThatShow(
  { queues }: ChannelsState,
  subject: string,
  request: string,
): [ChannelName, ChannelQueue][] {
  return CHANNELS.flatMap((channel): [ChannelName, ChannelQueue][] => {
    const queue = queues[channel];
    if (queue === undefined || isPublicChannel(channel)) return [];
    const isTold = queue.heads[subject] !== undefined;
    return isTold || queue.waiting.some(({ key }) => key === request) ? [[channel, queue]] : [];
  });
}
