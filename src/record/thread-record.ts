/** What the store keeps of one thread, as the journal and the report read it. */
import type { Effect } from '../domain/event/effect.ts';
import type { Event } from '../domain/event/event.ts';
import type { LedgerEntry } from '../domain/run/ledger.ts';
import { threadKey, type ThreadRef } from '../domain/run/thread-ref.ts';
import type { ModelSwitch } from '../domain/run/talk.ts';
import { taskKey } from '../domain/task/task.ts';

/** An event with its position in the log; 0 while it waits. */
export interface RecordedEvent extends Event {
  seq: number;
}

export type RecordedEffect = Pick<Effect, 'id' | 'run' | 'data'>;

/** Everything of one stream. */
export interface RecordedStream {
  key: string;
  events: readonly RecordedEvent[];
  effects: readonly RecordedEffect[];
  /** Settled calls of models. */
  calls: readonly LedgerEntry[];
  /** Choices of another model for the thread; none of a task. */
  switches: readonly ModelSwitch[];
}

/** A thread with its plan, the plan's tasks and their pull requests. */
export interface ThreadRecord {
  /** Of the thread that was asked for. */
  key: string;
  streams: readonly RecordedStream[];
}

const KEY = /^(?:thread|task):(\d+)\/(\d+)(?:-(\d+))?$/;

/** Repository, issue and task that a stream's key names; undefined for streams of another kind. */
export function placeOfKey(
  key: string,
): (Pick<ThreadRef, 'repositoryId' | 'number'> & { task?: number }) | undefined {
  const [, repositoryId, number, task] = KEY.exec(key) ?? [];
  if (repositoryId === undefined) return undefined;
  const place = { repositoryId: Number(repositoryId), number: Number(number) };
  return task === undefined ? place : { ...place, task: Number(task) };
}

/**
 * Keys of the streams that a stream leads to. An issue leads to the plan that grew from it and back, a plan to its
 * tasks, and a task to its pull requests. A follow-up plan has a journal of its own.
 */
export function relatedStreams({ key, events, effects }: RecordedStream): string[] {
  const place = placeOfKey(key);
  if (place === undefined) return [];
  const { repositoryId } = place;
  const at = (number: number): string => threadKey({ repositoryId, number });
  const isPlan = events.some(({ data }) => data.kind === 'task-told');
  const opened = new Set(effects.filter(opensPlan).map(({ id }) => id));
  const found = events.flatMap(({ data }): string[] => {
    if (data.kind === 'proposed') return data.isFollowUp === true ? [] : [at(data.from)];
    if (data.kind === 'adopted') return [taskKey(data.task)];
    if (data.kind === 'task-told')
      return [`task:${repositoryId}/${place.number}-${data.news.task}`];
    if (data.kind !== 'done') return [];
    if (data.effectKind === 'publish')
      return data.result.pull === undefined ? [] : [at(data.result.pull.number)];
    const isProposal = data.effectKind === 'issue' && opened.has(data.effectId) && !isPlan;
    return isProposal && data.result.outcome !== 'full' ? [at(data.result.number)] : [];
  });
  return [...new Set(found)];
}

function opensPlan({ data }: RecordedEffect): boolean {
  return data.kind === 'issue' && data.marker.kind === 'proposal';
}
