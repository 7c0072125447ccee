/** A reducer that also tells the channels of the host: without channels it is not used, and nothing is decided otherwise. */
import type { ChannelName } from '../../domain/channel/chat-thread.ts';
import { EVENT_VERSION, type Event, type NewEvent } from '../../domain/event/event.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import { TASK_KEYS } from '../../domain/task/task.ts';
import { planAnswerOf, planShownOf } from './chat/approval-buttons.ts';
import { tellChat } from './chat/tell-chat.ts';
import { headEvents } from './head-approvals.ts';
import type { Reducer } from '../route.ts';
import { THREAD_STATE_VERSION, type ThreadState } from '../run/thread-context.ts';
import { readState } from '../run/decision.ts';
import { announcementsOf, needOver, threadOfState, type ThreadNews } from './announcements-of.ts';
import { channelsKey } from '../../domain/channel/channels-state.ts';

export function withAnnouncements(decide: Reducer, channels: readonly ChannelName[]): Reducer {
  return (before, event, moment) => {
    const decision = decide(before, event, moment);
    if (event.key.startsWith(TASK_KEYS)) {
      const heads = headEvents(event, { before, after: decision.state }, channels);
      return heads.length === 0
        ? decision
        : { ...decision, events: [...decision.events, ...heads] };
    }
    if (!event.key.startsWith('thread:')) return decision;
    const was = toThreadState(before);
    const after = toThreadState(decision.state);
    const news = announcementsOf(was, after);
    const thread = threadOfState(after);
    const { talks } = was;
    const inChat = tellChat(event, decision.effects, { channels, ...(talks && { talks }) });
    const told =
      thread === undefined
        ? []
        : news.map((each, at): NewEvent => toEvent({ event, each, at, channels, thread }));
    const answered = toPlanEvents(event, was.plan, after.plan);
    const over = toNeedEvents(event, was, after);
    const all = [...inChat, ...told, ...answered, ...over];
    return all.length === 0 ? decision : { ...decision, events: [...decision.events, ...all] };
  };
}

/** After what is announced in the same step: a plan that waits is asked about before it is answered. */
function toPlanEvents(
  event: Event,
  before: ThreadState['plan'],
  after: ThreadState['plan'],
): NewEvent[] {
  if (after === undefined) return [];
  const [answer, digest] = [planAnswerOf(before, after), planShownOf(before, after)];
  const { number } = after.thread;
  const repository = toRepositoryRef(after.thread);
  const about = { run: after.id, repository, number };
  const all = [
    ...(digest === undefined ? [] : [{ kind: 'plan-shown', ...about, digest } as const]),
    ...(answer === undefined ? [] : [{ kind: 'plan-answered', ...about, answer } as const]),
  ];
  return all.map((data) => ({
    id: `${event.id}/${data.kind}`,
    key: channelsKey(repository.repositoryId),
    version: EVENT_VERSION,
    at: event.at,
    data,
  }));
}

/** After what is announced in the same step: newer news stay in place of the request. */
function toNeedEvents(event: Event, before: ThreadState, after: ThreadState): NewEvent[] {
  const thread = threadOfState(before);
  const run = needOver(before, after);
  if (thread === undefined || run === undefined) return [];
  const { number, ...repository } = thread;
  return [
    {
      id: `${event.id}/need-over`,
      key: channelsKey(repository.repositoryId),
      version: EVENT_VERSION,
      at: event.at,
      data: { kind: 'need-over', run, repository, number },
    },
  ];
}

function toThreadState(state: unknown): ThreadState {
  return readState<ThreadState>(state, { v: THREAD_STATE_VERSION, runs: {} });
}

interface Telling {
  event: Event;
  each: ThreadNews;
  at: number;
  channels: readonly ChannelName[];
  thread: NonNullable<ReturnType<typeof threadOfState>>;
}

function toEvent({ event, each, at, channels, thread }: Telling): NewEvent {
  const { number, ...repository } = thread;
  return {
    id: `${event.id}/announced-${at}`,
    key: channelsKey(repository.repositoryId),
    version: EVENT_VERSION,
    at: event.at,
    data: {
      kind: 'announced',
      run: each.run,
      repository,
      number,
      announced: each.announced,
      ...(each.isAsked === true && { isAsked: true }),
      channels,
    },
  };
}
