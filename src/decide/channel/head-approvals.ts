/** Pull requests of tasks whose head waits for a person's approval: told to the channels, which show it with a button. */
import type { Announced } from '../../domain/channel/announce/announcement.ts';
import type { HeadAnswer } from '../../domain/channel/approval-click.ts';
import { channelsKey } from '../../domain/channel/channels-state.ts';
import type { ChannelName } from '../../domain/channel/chat-thread.ts';
import {
  EVENT_VERSION,
  type Event,
  type EventData,
  type NewEvent,
} from '../../domain/event/event.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import type { TaskRun, TaskStream } from '../../domain/task/task.ts';
import { readState } from '../run/decision.ts';

type Awaiting = Pick<TaskRun, 'awaits'> & { order?: Pick<TaskRun['order'], 'persona'> };

/** Undefined where no head is waited for newly. */
export function headAskedOf(
  before: Awaiting | undefined,
  after: Awaiting | undefined,
): Extract<Announced, { event: 'needs-human' }> | undefined {
  const [was, is] = [before?.awaits, after?.awaits];
  if (is === undefined || is.missing.length === 0) return undefined;
  if (was?.headSha === is.headSha && was.missing.length > 0) return undefined;
  const question = `it waits for ${is.missing.join(' and ')}`;
  const by = after?.order?.persona;
  return { event: 'needs-human', question, headSha: is.headSha, ...(by !== undefined && { by }) };
}

/** Undefined where no head stopped waiting. */
export function headAnswerOf(
  before: Awaiting | undefined,
  after: Awaiting | undefined,
): HeadAnswer | undefined {
  const [was, is] = [before?.awaits, after?.awaits];
  if (was === undefined || was.missing.length === 0) return undefined;
  const { headSha } = was;
  if (is?.headSha !== headSha) return { headSha };
  return is.missing.length > 0 ? undefined : { headSha, ...(is.by !== undefined && { by: is.by }) };
}

/** What is over comes first. */
export function headEvents(
  event: Event,
  states: { before: unknown; after: unknown },
  channels: readonly ChannelName[],
): NewEvent[] {
  const [before, after] = [toRun(states.before), toRun(states.after)];
  const answer = headAnswerOf(before, after);
  const asked = headAskedOf(before, after);
  return [
    ...(answer === undefined
      ? []
      : toEvents(event, before, (about) => ({ kind: 'head-answered', ...about, answer }))),
    ...(asked === undefined
      ? []
      : toEvents(event, after, (about) => ({
          kind: 'announced',
          ...about,
          announced: asked,
          channels,
        }))),
  ];
}

function toRun(state: unknown): TaskRun | undefined {
  return readState<TaskStream>(state, { v: 1, failures: 0 }).run;
}

type About = Pick<Extract<EventData, { kind: 'head-answered' }>, 'run' | 'repository' | 'number'>;

function toEvents(
  { id, at }: Event,
  run: TaskRun | undefined,
  toData: (about: About) => EventData,
): NewEvent[] {
  if (run?.pull === undefined) return [];
  const repository = toRepositoryRef(run.order.ref.plan);
  const data = toData({ run: run.id, repository, number: run.pull.number });
  const key = channelsKey(repository.repositoryId);
  return [{ id: `${id}/${data.kind}`, key, version: EVENT_VERSION, at, data }];
}
